"""Ladders: leagues of versions of bots that play for as long as their operator likes, kept in one folder."""
