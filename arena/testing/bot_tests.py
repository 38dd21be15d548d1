"""For the tests of bot authors: play a match and look at its result; put recorded asks to a bot, and compare."""

from __future__ import annotations

from pathlib import Path

from arena.commands.refeed.refeed import RefeedOptions, RefeedResult, refeed_match, refeed_run
from arena.commands.refeed.results import Place
from arena.commands.refeed.sentences import difference_line, refeed_headline
from arena.match.refereeing.match_result import MatchResult
from arena.runs.single_match import DEFAULT_RULES, MatchSetup, play_match, set_up_match
from arena.tournament.inference.intervals import Estimate

LISTED_DIFFERENCES = 10
"""How many differences are listed in words."""
UNNAMED_REPLAY = Path("replay.jsonl")
"""The name of a replay that is given as bytes."""


def play(*bots: str, rules: str = DEFAULT_RULES, variants: tuple[str, ...] = (), seed: str = "1") -> MatchResult:
    """One match of the named bots, by seat, in this process: its results by seat, faults included, and its replay.

    Bots are named as on the command line. Nothing is forked, so it works in any process, and ``breakpoint()`` and a
    debugger work in bots. Raises ArenaError for a bot that cannot be loaded, and for a program (``cmd:``), which needs
    a process of its own.
    """
    return play_match(set_up_match(bots, MatchSetup(rules=rules, variants=variants, seed=seed), here=True))


class Refeed:
    """The result of :func:`refeed`: where a bot's answers differ from the recorded ones. As text it is a sentence, and
    the first differences; so ``assert found.same, found`` gives a complete message."""

    def __init__(self, refed: RefeedResult) -> None:
        self._refed = refed

    @property
    def same(self) -> bool:
        """Whether every ask was answered as recorded, in time, and without a fault."""
        return self._refed.same

    @property
    def differences(self) -> tuple[Place, ...]:
        """Every ask with a finding, in the order of the matches: its ``code`` (a ``Likeness``), ``match``, ``event``
        and ``ask``, its ``hook``, the recorded answer (``then``) and the bot's answer ``now``."""
        return tuple(self._refed.counted.places)

    @property
    def asks(self) -> int:
        """How many asks were put."""
        return self._refed.counted.asks

    @property
    def matches(self) -> int:
        """The number of matches whose asks were put."""
        return self._refed.counted.matches

    @property
    def share(self) -> Estimate:
        """The share of asks whose answers differ for the table, from 0 to 1: a distance between two bots. Its 95 %
        interval is clustered by block; with fewer than 3 blocks it has none."""
        return self._refed.counted.share

    def __repr__(self) -> str:
        return str(self)  # pytest shows it where an assertion fails

    def __str__(self) -> str:
        found = self.differences
        lines = [
            refeed_headline(self._refed),
            *(difference_line(self._refed, place) for place in found[:LISTED_DIFFERENCES]),
        ]
        return "\n".join(
            [*lines, *([f"and {len(found) - LISTED_DIFFERENCES:,} more"] if len(found) > LISTED_DIFFERENCES else [])]
        )


def refeed(
    bot: str,
    recorded: str | Path | bytes,
    *,
    seat: int | None = None,
    entrant: str | None = None,
    slow: float | None = None,
    ignore_words: bool = False,
) -> Refeed:
    """Put the asks of a seat in a recorded match to a bot, and compare its answers with the recorded ones.

    The bot is named as on the command line, and runs in this process, as in :func:`play`; a program (``cmd:``) runs in
    a process of its own. ``recorded`` is a replay (its file or its bytes), whose ``seat`` or ``entrant`` is asked
    again, or the folder of a run, or of replays, where all matches of the ``entrant`` are used. An answer is slow if it
    takes more than ``slow`` seconds. With ``ignore_words`` other words with the same move are no difference.

    Nothing is raised for what the bot does. Raises ArenaError for a bot that cannot be loaded, for a seat or an entrant
    that does not exist, and for a replay that is invalid or does not verify.
    """
    wanted = RefeedOptions(
        seat=seat, entrant=entrant, bot=bot, every=True, slow=slow, ignore_words=ignore_words, keep=None, here=True
    )
    if isinstance(recorded, bytes):
        return Refeed(_not_stopped(refeed_match(UNNAMED_REPLAY, wanted, recorded)))
    place = Path(recorded)
    if place.is_dir():
        return Refeed(_not_stopped(refeed_run(place, wanted)))
    return Refeed(_not_stopped(refeed_match(place, wanted)))


def _not_stopped(refed: RefeedResult) -> RefeedResult:
    """Return the result; raise KeyboardInterrupt where the user has stopped the refeeding."""
    if refed.stopped:
        raise KeyboardInterrupt
    return refed
