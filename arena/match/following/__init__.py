"""Matches that follow a record up to one ask and are played on from there: branches and twins."""
