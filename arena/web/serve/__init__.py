"""Runs and ladders over HTTP, for a browser on this machine: read-only, and live while they are played."""
