"""Pure rules. Nothing below this package touches a file, a clock, a thread, a log or global randomness."""
