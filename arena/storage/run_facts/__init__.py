"""What a run's folder says of the run: its facts, settings, schedule and progress."""
