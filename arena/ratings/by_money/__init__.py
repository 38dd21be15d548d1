"""Ratings from money: a regression of each seat's money on who sat at its table."""
