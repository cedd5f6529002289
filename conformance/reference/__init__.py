"""Executable definitions, one module a family; they import nothing of the engine."""
