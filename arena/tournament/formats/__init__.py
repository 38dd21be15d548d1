"""Which tables are played in each block: round robin, gauntlet, Swiss, knockout, teams and others."""
