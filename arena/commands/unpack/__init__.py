"""``arena unpack``: writes a run's replays as files of their own. Uses storage."""
