"""``arena match``: one match of named bots. Uses runs."""
