"""`arena ladder author`, `hand-over`, `submit`, `enter`, `retire`, `disable` and `enable`: who plays in a ladder."""
