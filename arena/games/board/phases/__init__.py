"""The phases of the board game: the effects of each phase's answers on the position (rules B2 to B7)."""
