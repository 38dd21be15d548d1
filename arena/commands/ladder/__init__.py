"""``arena ladder export``, which needs the pages of matches; the other commands of ladders are in the room of these."""
