"""One ladder, match or version in detail."""
