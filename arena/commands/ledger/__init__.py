"""``arena ledger``: how bots bargain, as tables and files. Uses analysis and ledger."""
