"""What the board game's log of events says: the table after every event, tables of its deals, a summary."""
