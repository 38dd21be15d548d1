"""Replays: their lines and formats, read and checked."""
