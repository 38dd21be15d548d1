"""``arena status``: how a run stands, seen from outside. Uses runs."""
