"""``arena plan``: how many blocks precise numbers need. Uses runs and tournament."""
