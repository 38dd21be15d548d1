"""The folder of a run: its facts, records, replays, lock, logs, standings files, and what recovers it after a kill."""
