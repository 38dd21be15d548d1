"""A ladder's folder and its SQLite database: migrations, versions, rounds, matches, stored ratings."""
