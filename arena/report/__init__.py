"""The report of a tournament: its sections, tables and charts, from figures that others have computed."""
