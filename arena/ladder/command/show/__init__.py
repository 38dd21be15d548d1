"""`arena ladder standings`, `show`, `history` and `export`: a ladder shown."""
