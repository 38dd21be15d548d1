"""``arena talk``: what the words of a bot are worth, from matches played again without them."""
