"""``arena doctor``: which layers of the sandbox work on this machine, and whether its clock is fair to bots."""
