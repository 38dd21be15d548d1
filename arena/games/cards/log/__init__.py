"""What the card game's log of events says: the table after every event, tables of its rounds, a summary."""
