"""``arena luck``: a run's money without the luck of cards and dice. Uses luck."""
