"""The output of bots, and the log of arena's own processes, in a run's folder."""
