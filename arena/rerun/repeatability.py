"""Labels each bot that an audit has played again by how far it repeats itself, with the evidence.

If a bot answers differently here than in the record, that alone shows nothing: someone may have changed the record. So
the audit plays such matches twice more, in another interpreter; a bot whose answers differ between these plays does not
repeat itself. Then it puts recorded asks to the bot again to find the cause: whether its answers repeat under a clock
that only counts calls, or change with another seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Self

import msgspec

from arena.errors import CassetteMiss, Mismatch, ReplayError
from arena.finding.depot import BotCopies
from arena.finding.exempt_bots import is_exempt
from arena.finding.reference import BotRef
from arena.isolation.worker.fork_server import ForkServer
from arena.match.exempt_player import exempt_player
from arena.match.feeding.isolated_feeding import ReseededAnswer, answers_with_seed, player_apart
from arena.match.isolated_match import UNLOCKED_POLICY
from arena.match.walk.timeline import Timeline
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.player import Player
from arena.players.watch import Watch
from arena.runs.planning.isolation_level import Isolation
from arena.sandbox.policy import SandboxPolicy
from arena.tournament.standings.provenance import Label

REASKED_MATCHES = 3
"""The recorded asks of at most this number of matches are put to a bot again."""
OTHER_SEED = "0123456789abcdef0123456789abcde{:x}"
"""Seeds that a bot would get in a match only by chance; each trial formats its number into this text."""
COUNTED_CLOCK = "arena.isolation.bot.counted_clock"


class RecordedSeatAsks(msgspec.Struct, frozen=True):
    """The recorded asks of one seat, to be put to a bot again: the ``timeline`` of the match, and the ``seat``.
    ``make_desk`` makes a desk at which models answer as recorded; None: the bot could consult none."""

    timeline: Timeline
    seat: int
    make_desk: Callable[[], ConsultDesk] | None = None


class RepeatTrials:
    """Puts recorded asks to these ``bots``, by the name of their entrants, each time in a process of their own; to
    bundled bots in this one, unless all are isolated. A context manager."""

    def __init__(self, bots: Mapping[str, BotRef], isolation: Isolation) -> None:
        self.bots, self.isolation = bots, isolation
        self._open = ExitStack()
        self._servers: dict[str, ForkServer] = {}
        self._watch = Watch()

    def __enter__(self) -> Self:
        self._depot = self._open.enter_context(BotCopies())
        return self

    def __exit__(self, *raised: object) -> None:
        self._servers.clear()
        self._open.close()

    def first_not_as_recorded(self, entrant: str, asked: RecordedSeatAsks) -> int | None:
        """The number of the first ask at which the bot's answer differs from the record; None if no answer differs."""
        told = self._answers(entrant, asked)
        return next((each.number for each in told if not each.as_recorded), None)

    def first_to_differ(self, asked: Mapping[str, RecordedSeatAsks]) -> tuple[str, int] | None:
        """Which of these entrants is the first whose answer, or whose question to a model, is not as recorded, and at
        which ask; None if none is."""
        firsts = {name: self.first_not_as_recorded(name, each) for name, each in asked.items()}
        found = [(first, name) for name, first in firsts.items() if first is not None]
        return min(found)[::-1] if found else None

    def repeats(self, entrant: str, asked: RecordedSeatAsks) -> bool:
        """Whether the bot answers, and asks models, the same when it is asked twice."""
        return self._answers(entrant, asked) == self._answers(entrant, asked)

    def of_seed(
        self, entrant: str, asked: Sequence[RecordedSeatAsks], faulty: Sequence[RecordedSeatAsks] = ()
    ) -> tuple[Label, str]:
        """The label of a bot that repeats itself, and the evidence: whether its answers also stay the same with another
        seed. Uses the matches ``asked``, and those in which the bot had faults (``faulty``): faults may depend on the
        seed even where answers do not."""
        told = 0
        for trial, each in enumerate(dict.fromkeys((*faulty[:REASKED_MATCHES], *asked[:REASKED_MATCHES]))):
            own, other = self._answers(entrant, each), self._answers(entrant, each, seed=OTHER_SEED.format(trial))
            if own != other:
                return Label.FROM_SEED, "with another seed it answers differently"
            told += sum(answer.number > 0 for answer in own)
        if not told:
            return Label.FROM_SEED, "with another seed it was not tried"
        return Label.ITSELF, f"with another seed the same {told} answers"

    def of_clock(self, entrant: str, asked: Sequence[RecordedSeatAsks]) -> tuple[Label, str]:
        """The label of a bot that does not repeat itself, and the evidence: whether only the clock changes its
        answers."""
        told = 0
        for each in asked[:REASKED_MATCHES]:
            one, other = (self._answers(entrant, each, COUNTED_CLOCK) for _ in range(2))
            if one != other:
                place = _first_difference(one, other)
                return Label.NOT, f"with a clock that only counts calls they differ too ({place})"
            told += len(one)
        if not told:
            return Label.NOT, "with a clock that only counts calls it was not tried"
        return Label.CLOCK, f"with a clock that only counts calls they do not ({told} answers)"

    def _answers(
        self, entrant: str, asked: RecordedSeatAsks, preload: str = "", seed: str | None = None
    ) -> list[ReseededAnswer]:
        """What the bot answers; nothing where the replay cannot be played."""
        try:
            with self._open_player(self.bots[entrant], asked, preload) as player:
                return answers_with_seed(asked.timeline, asked.seat, player, seed)
        except CassetteMiss as problem:
            return [ReseededAnswer(problem.ask, str(problem).encode(), "", False)]
        except (Mismatch, ReplayError):
            return []

    @contextmanager
    def _open_player(self, bot: BotRef, asked: RecordedSeatAsks, preload: str) -> Iterator[Player]:
        """The bot, which has not been started; with ``preload`` always in a process of its own, which has imported
        that."""
        desk = NO_MODELS if asked.make_desk is None else asked.make_desk()
        if not preload and is_exempt(bot, self.isolation.demand):
            with exempt_player(bot, self._watch, desk) as exempt:
                yield exempt
            return
        server = self._server(preload)
        with player_apart(asked.timeline.content, self._depot.place(bot), server, desk) as apart, closing(apart):
            yield apart

    def _server(self, preload: str) -> ForkServer:
        """The fork server whose processes have imported the module ``preload`` (empty: none); it is started when first
        needed."""
        if preload not in self._servers:
            policy: SandboxPolicy = self.isolation.policy or UNLOCKED_POLICY
            policy = msgspec.structs.replace(policy, preload=(*policy.preload, *filter(None, [preload])))
            self._servers[preload] = self._open.enter_context(closing(ForkServer(policy)))
        return self._servers[preload]


def _first_difference(one: Sequence[ReseededAnswer], other: Sequence[ReseededAnswer]) -> str:
    """Says at which ask the answers first differ."""
    found = next((a for a, b in zip(one, other, strict=False) if a != b), None)
    return f"first at ask {found.number}" if found is not None else "it was not asked equally often"
