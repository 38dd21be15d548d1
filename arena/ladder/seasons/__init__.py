"""Seasons of a ladder: how one ends, its matches played again and audited."""
