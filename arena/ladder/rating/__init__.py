"""Which tables a ladder plays next and how it ranks versions, worked out from what was played: pure functions."""
