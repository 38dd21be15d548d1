"""The matches of runs as columns of numbers: of a million lines of ``matches.jsonl`` only the fields that ratings need
are read, and no record is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy

from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, some_lines
from arena.ratings.order_columns import MatchGroup, RatingMatches, RatingTables, compact_matches
from arena.storage.layout import MATCHES_FILE, read_records
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore
from arena.tournament.measures.tally import Numbering
from arena.tournament.records.match_record import Word

RUN_BITS = 31
"""A block's number is below this power of two; above it stands the number of its run's seed."""


class _Seat(msgspec.Struct, gc=False):
    entrant: str
    money: Word
    rank: Word


class _Line(msgspec.Struct, gc=False):
    game: str
    edition: str
    block: Word
    seed: str
    seats: tuple[_Seat, ...]
    void: bool = False


_LINE_DECODER = msgspec.json.Decoder(_Line)


def read_run_columns(folders: Sequence[Path]) -> RatingMatches:
    """The finished matches of these runs together, but for void ones. Blocks of the same number are one where the runs
    have the same seed; a match that several hold must not be counted twice.

    Raises UserError where there is no run, where two runs call different bots or rules by the same name, where two hold
    the same match, and for lines that are no records.
    """
    folders = list(dict.fromkeys(folders))
    runs = {folder: FolderStore(folder).facts() for folder in folders}
    check_alike(runs)
    seeds = sorted({facts.seed for facts in runs.values()})
    reading = _Reading()
    for folder, facts in runs.items():
        reading.read(folder, seeds.index(facts.seed) << RUN_BITS)
    found = reading.matches()
    if len(seeds) < len(folders):
        _check_once(found, folders)
    return found


def check_alike(runs: Mapping[Path, Facts]) -> None:
    """Raise UserError where an edition or an entrant of one run has the name of another in another run."""
    editions: dict[str, tuple[str, Path]] = {}
    entrants: dict[str, tuple[Any, Path]] = {}
    for folder, facts in runs.items():
        for label, digest in facts.editions.items():
            then, where = editions.setdefault(label, (digest, folder))
            if then != digest:
                raise UserError(
                    f"{where} and {folder} cannot be rated together: the rules of {label} are {then[:12]} in the "
                    f"first, {digest[:12]} in the second"
                )
        for name, entrant in facts.entrants.items():
            bot = {key: entrant.get(key) for key in ("sha256", "options")}
            before, where = entrants.setdefault(name, (bot, folder))
            if before != bot:
                what = "the bot" if before["sha256"] != bot["sha256"] else "the options"
                raise UserError(
                    f"{where} and {folder} cannot be rated together: {what} of {name} "
                    f"{'is' if what == 'the bot' else 'are'} not the same in both"
                )


class _Reading:
    """What was read so far, numbered in the order of reading."""

    def __init__(self) -> None:
        self.names, self.groups = Numbering[str](), Numbering[MatchGroup]()
        self.voids = 0
        self._parts: dict[int, list[RatingTables]] = {}

    def read(self, folder: Path, first_block: int) -> None:
        """Read a run whose blocks are numbered from ``first_block``."""
        for some in _decode_chunks(folder):
            counted = [line for line in some if not line.void]
            self.voids += len(some) - len(counted)
            sizes = {len(line.seats) for line in counted}
            for players in sizes:
                some = counted if len(sizes) == 1 else [line for line in counted if len(line.seats) == players]
                if players > 1:
                    self._parts.setdefault(players, []).append(self._tables(some, players, first_block))

    def _tables(self, lines: Sequence[_Line], players: int, first_block: int) -> RatingTables:
        names, groups = self.names, self.groups
        shape = (len(lines), players)
        seats = [seat for line in lines for seat in line.seats]
        money = numpy.array([seat.money for seat in seats], dtype=numpy.int64)
        ranks = numpy.array([seat.rank for seat in seats], dtype=numpy.int64)
        block = numpy.array([line.block for line in lines], dtype=numpy.int64)
        if len(block) and not 0 <= block.min() <= block.max() < 1 << RUN_BITS:
            raise UserError(f"expected blocks from 0 to {(1 << RUN_BITS) - 1}, got {block.min()} to {block.max()}")
        return RatingTables(
            players,
            numpy.array([names[seat.entrant] for seat in seats], dtype=numpy.int32).reshape(shape),
            money.reshape(shape).astype(numpy.float64),
            ranks.reshape(shape).astype(numpy.int32),
            numpy.array([groups[MatchGroup(line.game, line.edition, players)] for line in lines], dtype=numpy.int32),
            block + first_block,
            numpy.array([_seed_number(line.seed) for line in lines], dtype=numpy.uint64),
        )

    def matches(self) -> RatingMatches:
        """All that was read."""
        made = [_join_tables(players, parts) for players, parts in self._parts.items()]
        self._parts.clear()
        return compact_matches(RatingMatches(tuple(self.names), tuple(self.groups), tuple(made), 0, 0, self.voids))


def _decode_chunks(folder: Path) -> Iterator[list[_Line]]:
    path = folder / MATCHES_FILE
    if not path.exists():
        return
    for some in some_lines(path):
        try:
            yield [_LINE_DECODER.decode(line) for line in some]
        except DECODE_ERRORS:
            for _ in read_records(folder):  # says which line is wrong
                pass
            raise


def _seed_number(seed: str) -> int:
    """A match seed as a number of 64 bits."""
    try:
        return int(seed[:16], 16)
    except ValueError:
        return int.from_bytes(sha256(seed.encode()).digest()[:8])


def _join_tables(players: int, parts: Sequence[RatingTables]) -> RatingTables:
    columns = ("entrants", "money", "ranks", "group", "block", "deal")
    return RatingTables(players, *(numpy.concatenate([getattr(each, name) for each in parts]) for name in columns))


def _check_once(matches: RatingMatches, folders: Sequence[Path]) -> None:
    """Raise UserError where a match stands twice: the same deal, block and edition, with the same entrants by seat."""
    for tables in matches.tables:
        same = (tables.entrants[1:] == tables.entrants[:-1]).all(axis=1)
        for column in (tables.group, tables.block, tables.deal):
            same &= column[1:] == column[:-1]
        if same.any():
            at = int(numpy.flatnonzero(same)[0])
            sat = ", ".join(matches.names[number] for number in tables.entrants[at].tolist())
            edition = matches.groups[int(tables.group[at])].edition
            told = " and ".join(map(str, folders))
            raise UserError(f"{told} hold the same matches, such as one of {edition} with {sat}: give each run once")
