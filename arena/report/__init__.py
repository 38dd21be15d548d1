"""The report of a tournament: its figures as tables and drawings in HTML."""
