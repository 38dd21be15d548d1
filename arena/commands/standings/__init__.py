"""``arena standings``: computes a run's standings again from its matches. Uses storage and tournament."""
