"""Standings, their tables and what they rest on."""
