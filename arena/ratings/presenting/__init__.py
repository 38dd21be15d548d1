"""Ratings as figures, text and sentences."""
