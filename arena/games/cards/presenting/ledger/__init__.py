"""The ledger of the card game, table by table."""
