"""Tuning: searches for better values of a bot's options, in rounds that each end in a test. Pure."""
