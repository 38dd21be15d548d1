"""How problems of a tournament are reported: by the key of its file that is to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.errors import ArenaError, UserError

Complain = Callable[[str, ArenaError], ArenaError]
"""Makes the error to raise, from a key, such as ``entrants[0].bot``, and the problem with its value."""


def with_the_missing(complain: Complain, skipped: Iterable[str]) -> Complain:
    """Wraps ``complain`` so that its messages also say which entrants were skipped."""
    names = ", ".join(skipped)
    return lambda key, problem: complain(key, UserError(f"{problem} (not admitted: {names})"))
