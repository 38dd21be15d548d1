"""What bots printed, and the log of arena's own processes, in a run's folder."""
