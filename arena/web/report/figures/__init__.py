"""Computes the figures that the report shows: pure functions."""
