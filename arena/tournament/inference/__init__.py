"""Intervals, tests, and the numbers of blocks that they need."""
