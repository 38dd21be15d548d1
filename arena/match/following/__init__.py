"""Matches that go as recorded up to one ask and are played from there on: branches, twins."""
