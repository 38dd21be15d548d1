"""For the tests of bot authors: play a match and look at its result."""

from __future__ import annotations

from arena.app.match import DEFAULT_RULES, play_match, set_up
from arena.match.referee import MatchResult


def play(*bots: str, rules: str = DEFAULT_RULES, variants: tuple[str, ...] = (), seed: str = "1") -> MatchResult:
    """One match of the named bots, by seat, in this process: its results by seat, faults included, and its replay.

    Bots are named as on the command line. Nothing is forked, so it works in any process, and ``breakpoint()`` and a
    debugger work in bots. Raises ArenaError for a bot that cannot be loaded, and for a program (``cmd:``), which needs
    a process of its own.
    """
    return play_match(set_up(bots, rules=rules, variants=variants, seed=seed, here=True))
