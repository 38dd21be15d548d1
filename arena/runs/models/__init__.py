"""The models of a run: how it reaches them, and what they cost."""
