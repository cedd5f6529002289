"""How each metric's value comes about, step by step, as a person would work it out on paper.

Each function takes what its metric takes and returns lines of (name, working, value). A corpus of several
segments is shown by its sums and by the scores of its first segments; long inputs are cut short.
"""
