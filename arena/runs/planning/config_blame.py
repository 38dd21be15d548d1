"""How what is wrong with a tournament is told: by the key of its file that is to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.errors import ArenaError, UserError

Complain = Callable[[str, ArenaError], ArenaError]
"""Makes the error to be raised of a problem with the value of a key, such as ``entrants[0].bot``."""


def with_the_missing(complain: Complain, skipped: Iterable[str]) -> Complain:
    """The same complaints, which say as well who is missing."""
    names = ", ".join(skipped)
    return lambda key, problem: complain(key, UserError(f"{problem} (not admitted: {names})"))
