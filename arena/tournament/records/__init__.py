"""One match as a record, and what the records of earlier blocks give."""
