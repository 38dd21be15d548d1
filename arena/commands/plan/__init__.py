"""``arena plan``: how many blocks make numbers sure enough. Uses runs and tournament."""
