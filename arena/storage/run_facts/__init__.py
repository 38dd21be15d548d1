"""What a run's folder says about the run: its facts, settings, schedule and progress."""
