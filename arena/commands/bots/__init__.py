"""``arena bots``: lists the bundled bots, makes a new one, checks one in matches. Uses rerun and runs."""
