"""Tables of results: one record, written as text, Markdown, JSON and CSV."""
