"""Branches of a recorded match: plays variants of one of its decisions on to the end, with shared random events."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.errors import Mismatch, ReplayError
from arena.executors.executor import Executor, Look, UnplayedMatch, no_look, play_all
from arena.finding.reference import BotRef
from arena.match.following.branch import Branch, BranchAnswer
from arena.match.match_spec import MatchSpec, spec_from
from arena.match.walk.timeline import Timeline, whole_timeline
from arena.match.work import Work, WorkResult
from arena.printable import printable_text
from arena.recorded.find_bots import find_replay_bots
from arena.recorded.recorded_models import RecordedModels, recorded_models
from arena.recorded.replay_files import read_match
from arena.recorded.replay_names import name_file_in
from arena.replay.frame import pack_replay
from arena.replay.read import rules_of
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation, for_games
from arena.runs.planning.load_bots import check_plays

OWN_CHANCE = 0
"""The number of the repetition with the random events of the match itself."""


@dataclass(frozen=True, slots=True)
class Variant:
    """What happens at one ``ask`` of a match (from 1): the recorded ``answer`` again; a given ``move``, as JSON, with
    words (``say``); or the answer of a ``bot`` that takes over the seat from there on."""

    ask: int
    answer: BranchAnswer = BranchAnswer.RECORDED
    move: bytes = b""
    say: str = ""
    bot: BotRef | None = field(default=None, hash=False)


class BranchedMatch(msgspec.Struct, frozen=True):
    """A recorded match that can be branched. ``content`` is its replay as read, ``packed`` the same compressed,
    ``digest`` the SHA-256 of the replay in hexadecimal. ``timeline`` has been walked to its end; ``spec`` is what the
    referee needs to play the match. ``bots`` are by seat, as they are now, with their ``isolation``; models that they
    consult answer as ``recorded``, and unless the executor reaches them, a branch that asks them anything else does not
    count."""

    path: Path
    content: bytes
    packed: bytes
    digest: str
    timeline: Timeline
    spec: MatchSpec
    bots: tuple[BotRef, ...]
    isolation: Isolation = TRUSTED_ISOLATION
    recorded: RecordedModels = RecordedModels()

    @property
    def entrants(self) -> list[str]:
        """The entrants' names by seat, printable."""
        return [printable_text(seat.entrant) for seat in self.spec.seats]

    @property
    def in_slots(self) -> BranchedMatch:
        """The match with every bot isolated, to be branched in slots, where models may be asked."""
        isolation = msgspec.structs.replace(self.isolation, isolate_all=True)
        return msgspec.structs.replace(self, isolation=isolation)

    def seat_of(self, ask: int) -> int:
        """The seat of this ask; asks are numbered from 1."""
        return self.timeline.seats[ask - 1]


class BranchOutcome(NamedTuple):
    """How one branch ended: of ``variant``, in repetition ``number``. ``money`` is by seat; empty if the branch does
    not count, because its match is void or could not be played (``why``). ``done`` is the worker's whole result; it
    includes the replay only in the repetition :data:`OWN_CHANCE`."""

    variant: Variant
    number: int
    money: tuple[int, ...]
    done: WorkResult | None = None
    why: str = ""


def open_match(path: Path, given: Mapping[str, str], isolation: Isolation) -> BranchedMatch:
    """Open the match of the replay at ``path`` with its bots; those ``given`` by entrant replace others. Raises
    ReplayError for a file that is not a finished replay, Mismatch if it does not verify, BotError if a bot is not
    found, cannot be loaded, or is given and does not play the game."""
    header, content = read_match(path)
    packed = pack_replay(content)
    try:
        rules_of(header)  # one that this arena cannot read is no match that comes out otherwise
        timeline = whole_timeline(packed)
    except Mismatch as problem:
        raise Mismatch(f"{path}: {problem}") from None
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    bots = find_replay_bots(path, header, given, option="--bot-of")
    isolation = for_games(isolation, [header.game])
    check_plays(
        [bot for seat, bot in zip(header.seats, bots, strict=True) if seat.entrant in given], header.game, isolation
    )
    digest, spec = sha256(content).hexdigest(), spec_from(header, timeline.rules)
    recorded = recorded_models(path, header)
    return BranchedMatch(path, content, packed, digest, timeline, spec, bots, isolation, recorded)


def chance_of(match: BranchedMatch, ask: int, number: int) -> str:
    """The seed of random events from an ask on, in a repetition; empty in :data:`OWN_CHANCE`."""
    if number == OWN_CHANCE:
        return ""
    return sha256(f"{match.spec.seed}/branch/{ask}/{number}".encode()).hexdigest()[:32]


def branch_outcomes(
    match: BranchedMatch, variants: Sequence[Variant], repeats: range, executor: Executor, look: Look = no_look
) -> Generator[BranchOutcome]:
    """Play each variant in each repetition, and yield the outcomes as they are finished; the executor calls ``look``
    while it waits."""
    asked: dict[str, tuple[Variant, int]] = {}

    def works() -> Iterator[Work]:
        for number in repeats:
            for place, variant in enumerate(variants):
                work = _branch_work(match, variant, place, number)
                asked[work.spec.id] = variant, number
                yield work

    with closing(play_all(executor, works(), look)) as results:
        for result in results:
            if isinstance(result, UnplayedMatch):
                variant, number = asked.pop(result.id)
                yield BranchOutcome(variant, number, (), why=result.reason)
                continue
            variant, number = asked.pop(result.record.id)
            yield _outcome(variant, number, result)


def _outcome(variant: Variant, number: int, done: WorkResult) -> BranchOutcome:
    record = done.record
    money = () if record.void else tuple(seat.money for seat in record.seats)
    why = "the match is void, because bots failed" if record.void else ""
    return BranchOutcome(variant, number, money, done, why)


def _branch_work(match: BranchedMatch, variant: Variant, place: int, number: int) -> Work:
    """One branch as work for an executor; ``place`` numbers its variant."""
    bots = match.bots
    if variant.bot is not None:
        seat = match.seat_of(variant.ask)
        bots = (*bots[:seat], variant.bot, *bots[seat + 1 :])
    return Work(
        spec=msgspec.structs.replace(match.spec, id=branch_id(match, variant.ask, place, number)),
        bots=bots,
        replays="all" if number == OWN_CHANCE else "none",
        models=match.recorded.models,
        recorded=match.recorded.cassette,
        demand=match.isolation.demand,
        branch=Branch(
            replay=match.packed,
            ask=variant.ask,
            answer=variant.answer,
            move=variant.move,
            say=variant.say,
            chance=chance_of(match, variant.ask, number),
        ),
    )


def branch_id(match: BranchedMatch, ask: int, place: int, number: int) -> str:
    """The id of a branch: its match, the ask, the number of its variant (``place``), and the repetition."""
    return f"{match.spec.id}/branch/ask-{ask}/{place}/{number}"
