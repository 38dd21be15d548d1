"""``arena meta``: the game of many seats between bots."""
