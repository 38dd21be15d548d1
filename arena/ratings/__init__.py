"""Ratings of entrants from match records: finishing orders, and money."""
