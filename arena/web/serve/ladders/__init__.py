"""Ladders as served pages."""
