"""The sections of the report as HTML: pure functions."""
