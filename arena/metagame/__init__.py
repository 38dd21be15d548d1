"""The game of many seats between bots: what each earns in each mixture, who can invade whom, and which populations
leave little to gain (empirical game-theoretic analysis)."""
