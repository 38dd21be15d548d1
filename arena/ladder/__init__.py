"""Which tables a ladder plays next, worked out from what was played before."""
