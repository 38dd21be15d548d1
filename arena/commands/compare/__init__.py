"""``arena compare``: whether a new version is better than the old one, decided block by block. Uses runs and
sequential."""
