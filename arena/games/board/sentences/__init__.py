"""The board game's events and answers as sentences."""
