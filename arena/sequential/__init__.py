"""Sequential tests: which of two versions is better, decided block by block."""
