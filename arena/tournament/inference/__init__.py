"""Intervals, tests and the numbers of blocks that are needed for them."""
