"""Schedules and standings: pure functions from configuration and records."""
