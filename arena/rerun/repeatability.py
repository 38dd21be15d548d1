"""The label of each bot that an audit has played again, with its evidence.

That a bot answers otherwise here than in the record shows nothing by itself: the record may have been changed. So such
matches are played twice more, by another interpreter; a bot whose answers differ between two plays here does not repeat
itself. What then remains to be known, recorded asks that are put to the bot again tell: whether a clock that counts
makes its answers the same, or another seed makes them others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Self

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.match.feeding.isolated_feeding import ReseededAnswer, answers_with_seed
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.walk.timeline import Timeline
from arena.runs.planning.isolation_level import Isolation
from arena.sandbox.policy import Policy
from arena.tournament.standings.provenance import Label

REASKED_MATCHES = 3
"""Matches of a bot whose asks are put to it again."""
OTHER_SEED = "0123456789abcdef0123456789abcde{:x}"
"""Seeds of its own that no bot is given in a match but by chance: another one in each trial."""
COUNTED_CLOCK = "arena.isolation.bot.counted_clock"


class RecordedSeatAsks(msgspec.Struct, frozen=True):
    """A match in which a bot sat, whose asks can be put to it again: its ``timeline``, and the bot's ``seat``."""

    timeline: Timeline
    seat: int


class RepeatTrials:
    """Puts recorded asks to these bots, called by the names of their entrants, inside of ``with``: each in a process of
    its own."""

    def __init__(self, bots: Mapping[str, BotRef], isolation: Isolation) -> None:
        self.bots, self.isolation = bots, isolation
        self._open = ExitStack()
        self._servers: dict[str, ForkServer] = {}

    def __enter__(self) -> Self:
        self._depot = self._open.enter_context(BotCopies())
        return self

    def __exit__(self, *raised: object) -> None:
        self._servers.clear()
        self._open.close()

    def first_not_as_recorded(self, entrant: str, asked: RecordedSeatAsks) -> int | None:
        """The number of the first ask that the bot answers otherwise than it is recorded; None where there is none."""
        told = self._answers(entrant, asked)
        return next((each.number for each in told if not each.as_recorded), None)

    def of_seed(
        self, entrant: str, asked: Sequence[RecordedSeatAsks], faulty: Sequence[RecordedSeatAsks] = ()
    ) -> tuple[Label, str]:
        """Whether a bot that repeats itself does so with any seed, and what shows it: by some matches, and by some in
        which it had faults (``faulty``), which may follow its seed where its answers do not."""
        told = 0
        for trial, each in enumerate(dict.fromkeys((*faulty[:REASKED_MATCHES], *asked[:REASKED_MATCHES]))):
            own, other = self._answers(entrant, each), self._answers(entrant, each, seed=OTHER_SEED.format(trial))
            if own != other:
                return Label.FROM_SEED, "with another seed it answers otherwise"
            told += sum(answer.number > 0 for answer in own)
        if not told:
            return Label.FROM_SEED, "with another seed it was not tried"
        return Label.ITSELF, f"with another seed the same {told} answers"

    def of_clock(self, entrant: str, asked: Sequence[RecordedSeatAsks]) -> tuple[Label, str]:
        """Whether it is only the clock by which a bot that does not repeat itself answers otherwise, and what shows
        it."""
        told = 0
        for each in asked[:REASKED_MATCHES]:
            one, other = (self._answers(entrant, each, COUNTED_CLOCK) for _ in range(2))
            if one != other:
                return Label.NOT, f"by a clock that only counts they differ too ({_first_difference(one, other)})"
            told += len(one)
        if not told:
            return Label.NOT, "by a clock that only counts it was not tried"
        return Label.CLOCK, f"by a clock that only counts they do not ({told} answers)"

    def _answers(
        self, entrant: str, asked: RecordedSeatAsks, preload: str = "", seed: str | None = None
    ) -> list[ReseededAnswer]:
        """What the bot answers; nothing where the replay cannot be played."""
        ref = self._depot.place(self.bots[entrant])
        try:
            return answers_with_seed(asked.timeline, asked.seat, ref, self._server(preload), seed)
        except (Mismatch, ReplayError):
            return []

    def _server(self, preload: str) -> ForkServer:
        """The fork server whose processes have imported this module, if it names one."""
        if preload not in self._servers:
            policy: Policy = self.isolation.policy or UNLOCKED_POLICY
            policy = msgspec.structs.replace(policy, preload=(*policy.preload, *filter(None, [preload])))
            self._servers[preload] = self._open.enter_context(closing(ForkServer(policy)))
        return self._servers[preload]


def _first_difference(one: Sequence[ReseededAnswer], other: Sequence[ReseededAnswer]) -> str:
    """The first ask that was answered otherwise."""
    found = next((a for a, b in zip(one, other, strict=False) if a != b), None)
    return f"first at ask {found.number}" if found is not None else "it was not asked equally often"
