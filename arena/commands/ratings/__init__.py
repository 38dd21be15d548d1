"""``arena ratings``: rates the entrants of runs, and writes PGN. Uses analysis and ratings."""
