"""Plays a ladder's rounds: chooses tables, keeps matches in the database, closes rounds."""
