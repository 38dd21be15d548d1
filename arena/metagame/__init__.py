"""The game of many seats: what each bot earns in each mixture, who can invade whom, and in which populations nobody
gains by being another bot (empirical game-theoretic analysis)."""
