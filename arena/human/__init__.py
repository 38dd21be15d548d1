"""A human at the table: what they see, in text, and what they type, as moves."""
