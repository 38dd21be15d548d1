"""``arena losses``: the matches and single deals that cost a bot most. Uses analysis."""
