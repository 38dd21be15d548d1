"""Recorded asks put to a bot, and its answers beside the recorded ones."""
