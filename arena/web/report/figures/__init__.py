"""What the report shows, computed: pure functions."""
