"""Tables whose seats belong to teams: no two of a team sit at one table."""
