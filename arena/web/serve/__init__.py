"""Runs and ladders over HTTP, for a browser on this machine: read-only, but for uploads; live while they are played."""
