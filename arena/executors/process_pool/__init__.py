"""Matches played in a pool of processes on this machine, watched and replaced."""
