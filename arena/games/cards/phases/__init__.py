"""The phases of the card game: the effects of each phase's answers on the position (rules C2 to C6)."""
