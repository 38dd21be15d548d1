"""``arena export``: a run's tables as CSV and Parquet files. Uses storage."""
