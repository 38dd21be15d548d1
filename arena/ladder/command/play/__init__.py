"""`arena ladder init`, `play` and `season`: a ladder begun, played and closed."""
