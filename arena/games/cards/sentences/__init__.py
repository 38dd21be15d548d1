"""The card game's events and answers as sentences."""
