"""`arena ladder init`, `play` and `season`: begin a ladder, play it, close its seasons."""
