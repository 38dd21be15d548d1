"""A ladder's standings and ratings as text, charts and pages: pure functions."""
