"""The ledger of the board game, table by table."""
