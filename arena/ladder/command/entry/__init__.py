"""`arena ladder author`, `submit`, `retire`, `disable` and `enable`: who plays in a ladder."""
