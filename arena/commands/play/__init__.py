"""``arena play``: a match with a human in one seat. Uses runs and human."""
