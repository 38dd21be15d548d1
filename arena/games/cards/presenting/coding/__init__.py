"""The card game as numbers, for agents that learn: what they may do, and what they observe."""
