"""Ladders: leagues that play for as long as their operator likes. Its rooms, from above: command, export, show,
seasons, integrity, play, entry, models, database, presenting, rating."""
