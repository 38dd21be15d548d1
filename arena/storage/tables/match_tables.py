"""The tables of a run: which there are, their columns, and the rows of one match.

Two tables, ``matches`` and ``seats``, are made from the records in ``matches.jsonl``. All others are made from replays,
by the game's ledger (:class:`arena.games.contract.Ledger`). Every row begins with the match it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from arena.errors import ReplayError, UserError, nearest_hint
from arena.games import load_game
from arena.replay.ledger_events import tables_in
from arena.storage.layout import read_records
from arena.tournament.measures.measures import beaten_shares, shared_wins
from arena.tournament.records.match_record import MatchRecord


class ColumnKind(StrEnum):
    """The type of a column. ``wholes`` and ``texts`` are lists; ``data`` is anything else, as JSON."""

    WHOLE = "whole"
    NUMBER = "number"
    TRUTH = "truth"
    TEXT = "text"
    WHOLES = "wholes"
    TEXTS = "texts"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name``, its ``kind``, and whether it may be ``empty`` (None)."""

    name: str
    kind: ColumnKind
    empty: bool = False


@dataclass(frozen=True)
class Table:
    """A table: its ``name``, the class of its rows (``row``), and the ``game`` whose ledger makes it, under the name
    ``source`` ("" for the two tables made from records). ``of_matches`` says that each row belongs to a match, not to
    the whole run."""

    name: str
    row: type[msgspec.Struct]
    game: str = ""
    source: str = ""
    of_matches: bool = True

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns: first those that identify a row's match, then the fields of the row."""
        hints = get_type_hints(self.row)
        match = MATCH_COLUMNS if self.of_matches else ()
        return (*match, *(_field_column(name, hints[name]) for name in self.row.__struct_fields__))


MATCH_COLUMNS = (
    Column("match", ColumnKind.TEXT),
    Column("edition", ColumnKind.TEXT),
    Column("block", ColumnKind.WHOLE),
)


class MatchRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A match as in ``matches.jsonl``, without its seats; ``players`` is their number. ``unit`` is the unit of its
    money."""

    game: str
    unit: str
    players: int
    seed: str
    termination: str
    asks: int
    void: bool
    replay: str
    sha256: str


class SeatRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat of a match. ``win`` is its share of the win (1/n where n share the first rank) and ``beaten`` the share
    of its opponents that it beat; ``faults`` counts all kinds. ``void`` is that of the match: standings do not count
    it."""

    seat: int
    entrant: str
    money: int
    rank: int
    win: float
    beaten: float
    ended: str
    faults: int
    void: bool


MATCHES_TABLE, SEATS_TABLE = Table("matches", MatchRow), Table("seats", SeatRow)


def _field_column(name: str, hint: Any) -> Column:
    empty = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
    if empty:
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (Ellipsis,):
        inner = _scalar_kind(get_args(hint)[0])
        lists = {ColumnKind.WHOLE: ColumnKind.WHOLES, ColumnKind.TEXT: ColumnKind.TEXTS}
        return Column(name, lists.get(inner, ColumnKind.DATA), empty)
    return Column(name, _scalar_kind(hint), empty)


def _scalar_kind(hint: Any) -> ColumnKind:
    kinds = ((bool, ColumnKind.TRUTH), (int, ColumnKind.WHOLE), (float, ColumnKind.NUMBER), (str, ColumnKind.TEXT))
    return next((kind for base, kind in kinds if isinstance(hint, type) and issubclass(hint, base)), ColumnKind.DATA)


def run_tables(games: Iterable[str]) -> dict[str, Table]:
    """All tables of a run with these games, by name: ``matches``, ``seats``, then those of each game. Where two games
    have a table of the same name, or a game's table has the name of one of the first two, it is called ``GAME-NAME``.
    Raises UserError for an unknown game (:func:`arena.games.load_game`)."""
    games = sorted(set(games))
    made = [Table(name, row, game) for game in games for name, row in load_game(game).tables.items()]
    names = [MATCHES_TABLE.name, SEATS_TABLE.name, *(table.name for table in made)]
    found = {table.name: table for table in (MATCHES_TABLE, SEATS_TABLE)}
    for table in made:
        name = table.name if names.count(table.name) == 1 else f"{table.game}-{table.name}"
        found[name] = Table(name, table.row, table.game, table.name)
    return found


def choose_run_tables(tables: Mapping[str, Table], names: Sequence[str]) -> dict[str, Table]:
    """The tables with these names; all of them if none is named. Raises UserError for a table that does not exist."""
    for name in names:
        if name not in tables:
            raise UserError(f"this run has no table {name!r}{nearest_hint(name, tables)}; it has {', '.join(tables)}")
    return {name: table for name, table in tables.items() if not names or name in names}


def rows_of_match(
    record: MatchRecord, replay: bytes | None, tables: Iterable[Table]
) -> dict[str, Sequence[msgspec.Struct]]:
    """The rows of one match, by table. Tables of other games have none; nor have those made from replays where
    ``replay`` is None. Raises ReplayError where the replay is damaged, or belongs to another match than the record."""
    found: dict[str, Sequence[msgspec.Struct]] = {}
    made: Mapping[str, Sequence[msgspec.Struct]] | None = None
    for table in tables:
        if table == MATCHES_TABLE:
            found[table.name] = [_match_row(record)]
        elif table == SEATS_TABLE:
            found[table.name] = list(_seat_rows(record))
        elif table.game != record.game or replay is None:
            found[table.name] = []
        else:
            made = _replay_tables(record, replay) if made is None else made
            found[table.name] = made[table.source]
    return found


def _replay_tables(record: MatchRecord, replay: bytes) -> Mapping[str, Sequence[msgspec.Struct]]:
    where = record.replay or record.id
    try:
        made = tables_in(replay)
    except ReplayError as problem:
        raise ReplayError(f"{where}: {problem}") from None
    if f'"sha256":"{record.sha256}"'.encode() not in replay[replay.rstrip(b"\n").rfind(b"\n") :]:
        raise ReplayError(f"{where}: it is not the replay that matches.jsonl names: another sha256")
    return made


def _match_row(record: MatchRecord) -> MatchRow:
    return MatchRow(
        game=record.game,
        unit=load_game(record.game).unit,
        players=len(record.seats),
        seed=record.seed,
        termination=record.termination,
        asks=record.asks,
        void=record.void,
        replay=record.replay,
        sha256=record.sha256,
    )


def _seat_rows(record: MatchRecord) -> Iterator[SeatRow]:
    ranks = tuple(seat.rank for seat in record.seats)
    wins, points = shared_wins(ranks), beaten_shares(ranks)
    for number, seat in enumerate(record.seats):
        yield SeatRow(
            seat=number,
            entrant=seat.entrant,
            money=seat.money,
            rank=seat.rank,
            win=float(wins[number]),
            beaten=float(points[number]),
            ended=seat.ended.value,
            faults=sum(seat.faults.values()),
            void=record.void,
        )


def replays_by_game(folder: Path) -> tuple[int, dict[str, bool]]:
    """The number of finished matches, and for each game whether any of its matches has a replay."""
    matches, kept = 0, dict[str, bool]()
    for matches, record in enumerate(read_records(folder), 1):  # noqa: B007 - the last number is wanted
        kept[record.game] = kept.get(record.game, False) or bool(record.replay)
    return matches, kept
