"""The matches of runs as the columns that ratings are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy

from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, some_lines
from arena.ratings.order_columns import MatchGroup, Numbers, RatingMatches, RatingTables, compact_matches
from arena.storage.layout import MATCHES_FILE, read_records
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore
from arena.storage.tables.match_columns import MatchColumns
from arena.tournament.measures.tally import Numbering
from arena.tournament.records.match_record import Word

RUN_BITS = 31
"""A block's number is below this power of two; the higher bits are the number of its run's seed."""


class RatedSeat(msgspec.Struct, gc=False):
    """The fields of a seat that ratings read."""

    entrant: str
    money: Word
    rank: Word


class RatedLine(msgspec.Struct, gc=False):
    """The fields of a line of ``matches.jsonl`` that ratings read."""

    game: str
    edition: str
    block: Word
    seed: str
    seats: tuple[RatedSeat, ...]
    void: bool = False


_LINES = msgspec.json.Decoder(RatedLine)


class RatedChunk(NamedTuple):
    """Matches, a row each: the numbers of the group, the block and the deal; and by seat the entrant, money and
    rank."""

    group: Numbers
    block: Numbers
    deal: Numbers
    entrants: Numbers
    money: Numbers
    ranks: Numbers


class RatedColumns(MatchColumns[RatedSeat, RatedChunk]):
    """Matches as columns for ratings; void ones are only counted. ``groups`` has the groups of matches by number."""

    chunk = RatedChunk
    types = (numpy.int32, numpy.int64, numpy.uint64, numpy.int32, numpy.float64, numpy.int32)

    def __init__(self) -> None:
        super().__init__()
        self.groups = Numbering[tuple[str, str, int]]()

    def seat_numbers(self, seats: Sequence[RatedSeat]) -> Iterator[list[int]]:
        """The entrants' numbers, money and ranks."""
        number = self.entrants
        yield [number[seat.entrant] for seat in seats]
        yield [seat.money for seat in seats]
        yield [seat.rank for seat in seats]

    def add(self, lines: Sequence[RatedLine], first_block: int) -> None:
        """Add matches; their blocks are numbered from ``first_block``."""
        counted = [line for line in lines if not line.void]
        self.voids += len(lines) - len(counted)
        sizes = {len(line.seats) for line in counted}
        for players in sizes:
            some = counted if len(sizes) == 1 else [line for line in counted if len(line.seats) == players]
            if players > 1:
                self.put_arrays(self._filled(some, players, first_block))

    def _filled(self, lines: Sequence[RatedLine], players: int, first_block: int) -> RatedChunk:
        number, blocks = self.groups, [line.block for line in lines]
        if not 0 <= min(blocks) <= max(blocks) < 1 << RUN_BITS:
            raise UserError(f"expected blocks from 0 to {(1 << RUN_BITS) - 1}, got {min(blocks)} to {max(blocks)}")
        groups = [number[line.game, line.edition, players] for line in lines]
        deals = [deal_number(line.seed) for line in lines]
        columns = (groups, [block + first_block for block in blocks], deals)
        return self.arrays(columns, [line.seats for line in lines])

    def room(self, matches: int, players: int) -> RatedChunk:
        """Empty arrays for this many matches with this many players, to be filled."""
        shapes = [matches, matches, matches, *[(matches, players)] * 3]
        return RatedChunk(*(numpy.empty(shape, type) for shape, type in zip(shapes, self.types, strict=True)))

    def matches(self) -> RatingMatches:
        """All matches that were added, which are removed from here."""
        names, groups = tuple(self.entrants), tuple(MatchGroup(*each) for each in self.groups)
        parts: dict[int, list[RatedChunk]] = {}
        for chunk in self.take_arrays():
            parts.setdefault(chunk.entrants.shape[1], []).append(chunk)
        tables = [_join_chunks(players, some) for players, some in parts.items()]
        return compact_matches(RatingMatches(names, groups, tuple(tables), 0, 0, self.voids))


def deal_number(seed: str) -> int:
    """The number of a match's deal, in 64 bits: the first 16 digits of its seed, or a digest of a seed that is not
    hexadecimal."""
    try:
        return int(seed[:16], 16)
    except ValueError:
        return int.from_bytes(sha256(seed.encode()).digest()[:8])


def _join_chunks(players: int, parts: list[RatedChunk]) -> RatingTables:
    """The matches with this number of players, joined from parts; each column is held twice only while it is joined."""
    columns = [list(column) for column in zip(*parts, strict=True)]
    parts.clear()
    made = {}
    for name, some in zip(RatedChunk._fields, columns, strict=True):
        made[name] = some[0] if len(some) == 1 else numpy.concatenate(some)
        some.clear()
    return RatingTables(players, **made)


def read_columns(folders: Sequence[Path]) -> RatingMatches:
    """The finished matches of these runs together, without void ones. Blocks with the same number count as one where
    the runs have the same seed; a match that several runs hold must not be counted twice.

    Raises UserError where there is no run, where two runs use the same name for different bots or rules, where two hold
    the same match, and for lines that are no records.
    """
    folders = list(dict.fromkeys(folders))
    runs = {folder: FolderStore(folder).facts() for folder in folders}
    check_alike(runs)
    seeds = sorted({facts.seed for facts in runs.values()})
    columns = RatedColumns()
    for folder, facts in runs.items():
        first_block = seeds.index(facts.seed) << RUN_BITS
        for lines in _decoded(folder):
            columns.add(lines, first_block)
    found = columns.matches()
    if len(seeds) < len(folders):
        _check_once(found, folders)
    return found


def check_alike(runs: Mapping[Path, Facts]) -> None:
    """Raise UserError where two runs use the same name for different editions or different entrants."""
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


def _decoded(folder: Path) -> Iterator[list[RatedLine]]:
    path = folder / MATCHES_FILE
    if not path.exists():
        return
    for some in some_lines(path):
        try:
            yield [_LINES.decode(line) for line in some]
        except DECODE_ERRORS:
            for _ in read_records(folder):  # says which line is wrong
                pass
            raise


def _check_once(matches: RatingMatches, folders: Sequence[Path]) -> None:
    """Raise UserError where a match occurs twice: the same deal, block and edition, with the same entrants by seat."""
    for tables in matches.tables:
        same = (tables.entrants[1:] == tables.entrants[:-1]).all(axis=1)
        for column in (tables.group, tables.block, tables.deal):
            same &= column[1:] == column[:-1]
        if same.any():
            at = int(numpy.flatnonzero(same)[0])
            sat = ", ".join(matches.names[number] for number in tables.entrants[at].tolist())
            edition = matches.groups[int(tables.group[at])].edition
            told = " and ".join(map(str, folders))
            raise UserError(
                f"{told} hold the same matches, for example one of {edition} with {sat}: give each run once"
            )
