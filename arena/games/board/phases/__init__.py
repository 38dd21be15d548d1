"""The phases of the board game: what the answers of each do to the position (rules B2 to B7)."""
