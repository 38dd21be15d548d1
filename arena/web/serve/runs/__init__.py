"""Runs as served pages."""
