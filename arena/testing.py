"""For the tests of bot authors: play a match and look at its result; put the asks of a recorded match to a bot."""

from __future__ import annotations

import contextlib
import sys

from arena.app.loading import load_here, refer
from arena.app.match import DEFAULT_RULES, play_match, set_up
from arena.config.botspec import parse_bot
from arena.match.refeed import Refed, refeed
from arena.match.referee import MatchResult
from arena.players.inprocess import InProcess
from arena.players.watch import Watch


def play(*bots: str, rules: str = DEFAULT_RULES, variants: tuple[str, ...] = (), seed: str = "1") -> MatchResult:
    """One match of the named bots, by seat, in this process: its results by seat, faults included, and its replay.

    Bots are named as on the command line. Nothing is forked, so it works in any process, and ``breakpoint()`` and a
    debugger work in bots. Raises ArenaError for a bot that cannot be loaded, and for a program (``cmd:``), which needs
    a process of its own.
    """
    return play_match(set_up(bots, rules=rules, variants=variants, seed=seed, here=True))


def ask_again(replay: bytes, seat: int, bot: str) -> Refed:
    """What the named bot answers to all that ``seat`` was asked in a recorded match, such as one that a human played:
    ``asks`` says how many there were, ``differences`` where it answers otherwise, in the order of the match.

    The match goes on as it was recorded, whatever the bot answers. It plays in this process. Raises ArenaError for a
    bot that cannot be loaded, and for a file that is no replay or does not verify.
    """
    ref, watch = refer(parse_bot(bot)), Watch()
    load_here([ref])
    with watch.ticking(), contextlib.redirect_stdout(sys.stderr):
        return refeed(replay, seat, InProcess(ref, watch))
