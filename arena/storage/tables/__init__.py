"""The matches of a run as tables and columns, written as CSV and Parquet."""
