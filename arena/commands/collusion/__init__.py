"""``arena collusion``: who favours whom in a run, and whose answers are alike. Uses analysis and collusion."""
