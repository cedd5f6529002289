"""Reports: each is made from a record alone."""
