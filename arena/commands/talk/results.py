"""Plays the matches of a run again, with an entrant muted and with nothing changed, and compares the money."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.commands.talk.twin_effect import TalkVerdict, TwinEffect, TwinMatch, compare_money, judge_talk, twin_effect
from arena.errors import ReplayError, UserError
from arena.executors.executor import Executor
from arena.games import load_game
from arena.match.work import WorkResult
from arena.replay.lines import Answered
from arena.replay.play_difference import PlayDifference, first_difference
from arena.replay.read import read_replay_lines
from arena.rerun.variants import (
    MatchVariant,
    check_empty_folder,
    choose_blocks,
    make_variant,
    mute_seats,
    play_variants,
    read_recorded,
    work_again,
)
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions, Isolation
from arena.runs.planning.load_bots import check_loading
from arena.runs.planning.open_folder import open_played
from arena.runs.planning.plan import Plan
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

NULL = "null"
"""The name of the variant in which nothing is changed."""


@dataclass(frozen=True)
class TalkOptions:
    """Whose words are taken away (``entrants``; none: everybody's, one after another), in how many blocks (``deals``;
    None: in all), and the folder for the replays (``out``; None: they are not kept)."""

    entrants: tuple[str, ...] = ()
    deals: int | None = None
    out: Path | None = None


@dataclass(frozen=True)
class TalkWorth:
    """What the words of an ``entrant`` are worth in one game, whose money is in ``unit``. It said something ``sayings``
    times in ``matches`` matches of ``blocks`` blocks. ``muted`` and ``null`` compare the recorded matches with those in
    which the others did not hear it, and with those in which nothing was changed; both are None if it said nothing."""

    entrant: str
    game: str
    unit: str
    matches: int
    blocks: int
    sayings: int
    muted: TwinEffect | None
    null: TwinEffect | None

    @property
    def verdict(self) -> TalkVerdict:
        """What its words do to its money."""
        return judge_talk(self.sayings, self.muted)


class _Twins:
    """The recorded matches of a run, and their twins as they are finished."""

    def __init__(self, plan: Plan, store: FolderStore, folder: Path, records: Sequence[MatchRecord]) -> None:
        self.plan, self.store, self.folder = plan, store, folder
        self.records = {each.id: each for each in records}
        self.sayings = {each.id: _count_sayings(self._recorded(each), len(each.seats)) for each in records}
        self.muted: dict[tuple[str, str], list[TwinMatch | None]] = defaultdict(list)
        self.null: dict[tuple[str, str], list[TwinMatch | None]] = defaultdict(list)

    def _recorded(self, record: MatchRecord) -> bytes:
        return read_recorded(self.store, self.folder, record)

    def matches_of(self, entrant: str, game: str) -> list[MatchRecord]:
        """The matches of a game in which this entrant sat."""
        return [each for each in self.records.values() if each.game == game and seats_held(each, entrant)]

    def count_sayings(self, entrant: str, game: str) -> int:
        """How often the entrant said something in the matches of a game."""
        found = ((each, seat) for each in self.matches_of(entrant, game) for seat in seats_held(each, entrant))
        return sum(self.sayings[each.id][seat] for each, seat in found)

    def variants(self, speakers: Sequence[tuple[str, str]]) -> Iterator[MatchVariant]:
        """Each match in which some of the ``speakers`` (entrant and game) sit, once for each of them with that one
        muted, and once more with nothing changed."""
        for record in self.records.values():
            held = {name: seats_held(record, name) for name, game in speakers if game == record.game}
            work = work_again(self.plan, record)
            if work.models is not None:
                work = msgspec.structs.replace(work, recorded=self.store.cassette(record.id) or b"")
            for name in (name for name, seats in held.items() if seats):
                yield mute_seats(record, f"muted {name}", work, held[name])
            if any(held.values()):
                yield make_variant(record, NULL, work)

    def add(
        self, variant: MatchVariant, result: WorkResult, replay: bytes, speakers: Sequence[tuple[str, str]]
    ) -> None:
        """Compare a finished twin with its match."""
        record = self.records[variant.of]
        parted = first_difference(self._recorded(record), replay)
        differs = parted != PlayDifference()
        first = "" if parted.seat is None else _entrant_at(record, parted.seat)
        for name, game in speakers:
            if game != record.game or not seats_held(record, name):
                continue
            if variant.name == NULL:
                self.null[name, game].append(compare_money(record, result.record, name, differs, first))
            elif variant.name == f"muted {name}":
                self.muted[name, game].append(compare_money(record, result.record, name, differs, first))

    def worth(self, entrant: str, game: str) -> TalkWorth:
        """What the words of an entrant are worth, from the twins that were added."""
        matches = self.matches_of(entrant, game)
        muted, null = (twins.get((entrant, game)) for twins in (self.muted, self.null))
        return TalkWorth(
            entrant,
            game,
            load_game(game).unit,
            len(matches),
            len({each.block for each in matches}),
            self.count_sayings(entrant, game),
            None if muted is None else twin_effect(muted),
            None if null is None else twin_effect(null),
        )


def seats_held(record: MatchRecord, entrant: str) -> tuple[int, ...]:
    """The seats of an entrant in a match."""
    return tuple(seat for seat, each in enumerate(record.seats) if each.entrant == entrant)


def _entrant_at(record: MatchRecord, seat: int) -> str:
    """The entrant in a seat; "" for a seat that is not at the table, of which a damaged replay may tell."""
    return record.seats[seat].entrant if seat < len(record.seats) else ""


def _count_sayings(replay: bytes, seats: int) -> list[int]:
    """How often each seat said something, from the replay. Raises ReplayError for an answer of a seat that is not at
    the table."""
    counts = [0] * seats
    for number, line in enumerate(read_replay_lines(replay)[1], 1):
        if type(line) is Answered and line.say:
            if line.seat >= seats:
                raise ReplayError(f"line {number}: seat {line.seat} is not at this table")
            counts[line.seat] += 1
    return counts


def measure_talk(
    folder: Path,
    options: TalkOptions,
    executor: Executor,
    tell: Callable[[int, int], object] = lambda done, all: None,
    word: BotPermissions = NO_WORD,
    begin: Callable[[Isolation], object] = lambda isolation: None,
) -> list[TalkWorth]:
    """What the words of entrants are worth in the run in ``folder``, by entrant and game. Matches are played again only
    for entrants that said something; void matches, and those without a replay, are left out. ``tell`` is called with
    the number of matches played, and of all; ``begin`` with the isolation of the bots, before the first is played.

    Raises UserError for an unknown entrant, and for a run whose bots are not here or that has no match with a
    replay; ReplayError for a damaged replay."""
    plan, store = open_played(folder, word)
    plan.check_entrants(options.entrants)
    if options.out is not None:
        check_empty_folder(options.out)
    plan.schedule.learn(store.records())
    kept = [each for each in store.records() if each.replay and not each.void]
    records = kept if options.deals is None else choose_blocks(kept, options.deals)
    if not records:
        raise UserError(f"{folder} has no match with a replay; words are found in replays: play with `replays: all`")
    twins = _Twins(plan, store, folder, records)
    games = sorted({each.game for each in records})
    chosen = [
        (name, game)
        for name in dict.fromkeys(options.entrants or plan.names)
        for game in games
        if twins.matches_of(name, game)
    ]
    if not chosen:
        raise UserError(f"{folder} has no match with a replay of {', '.join(options.entrants)}")
    speakers = [(name, game) for name, game in chosen if twins.count_sayings(name, game)]
    if speakers:
        check_loading(plan.bots, plan.isolation)
        begin(plan.isolation)
    variants = list(twins.variants(speakers))
    for done, (variant, result, replay) in enumerate(play_variants(executor, variants, options.out), 1):
        twins.add(variant, result, replay, speakers)
        tell(done, len(variants))
    return [twins.worth(name, game) for name, game in chosen]
