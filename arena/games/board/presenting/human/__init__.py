"""The board game for a human at the table: typed words, questions, the table as text."""
