"""Matches played on a Dask cluster: one station of worker processes on each machine."""
