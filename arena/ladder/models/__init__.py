"""The language models of a ladder: what a season has spent on them, and the executor whose bots consult them."""
