"""Ratings from the orders in which seats finish: Plackett-Luce with ties, fitted by likelihood."""
