"""First data on these games: questions, each answered by the matches of one tournament."""
