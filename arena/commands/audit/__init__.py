"""``arena audit``: plays a sample of a run's matches again and says what that shows. Uses rerun."""
