"""The versions of bots in a ladder: found by name, their files, their history."""
