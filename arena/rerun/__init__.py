"""Matches played again and compared: the sample, other interpreters, whether bots repeat themselves. Uses recorded and
runs."""
