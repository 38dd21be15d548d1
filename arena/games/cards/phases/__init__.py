"""The phases of the card game: what the answers of each do to the position (rules C2 to C6)."""
