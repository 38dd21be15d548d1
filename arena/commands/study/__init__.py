"""``arena study``: answers a question about the games by many matches. Uses runs and study."""
