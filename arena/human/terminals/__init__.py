"""Where a human's lines come from and go to: a terminal with completion, or pipes."""
