"""The index in which served matches are searched."""
