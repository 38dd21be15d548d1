"""New boards that nobody has seen: the rules of an edition, with families, spaces, money and deck drawn anew."""
