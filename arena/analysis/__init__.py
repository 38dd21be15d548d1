"""What is added up over all matches of a run in one pass over its replays, for commands and the report. Uses storage,
recorded and the rooms of statistics below."""
