"""``arena refeed``: puts the recorded asks of matches to a bot and shows where it answers otherwise. Uses recorded."""
