"""``arena verify``: checks replays against the rules, and a run's folder against itself. Uses recorded and storage."""
