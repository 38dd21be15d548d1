"""The tables of a run: which there are, their columns, and the rows of one match.

Two tables, ``matches`` and ``seats``, are made from the records in ``matches.jsonl``. All others are made from replays,
by the game's ledger (:class:`arena.games.contract.Ledger`). Every row begins with the match it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from arena.errors import ReplayError, UserError, nearest_hint
from arena.games import load_game
from arena.games.ledger_columns import EVENTS, Activity, Gloss
from arena.replay.ledger_events import tables_in
from arena.storage.layout import read_records
from arena.tournament.measures.measures import beaten_shares, shared_wins
from arena.tournament.records.match_record import MatchRecord


class ColumnKind(StrEnum):
    """The type of a column. ``wholes`` and ``texts`` are lists, ``time`` is a moment; ``data`` is anything else, as
    JSON."""

    WHOLE = "whole"
    NUMBER = "number"
    TRUTH = "truth"
    TEXT = "text"
    WHOLES = "wholes"
    TEXTS = "texts"
    TIME = "time"
    DATA = "data"


UNTOLD = Gloss("")
"""The meaning of a column that has none."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name``, its ``kind``, whether it may be ``empty`` (None), and its ``meaning``, if it is told."""

    name: str
    kind: ColumnKind
    empty: bool = False
    meaning: Gloss = UNTOLD


@dataclass(frozen=True)
class Table:
    """A table: its ``name``, the class of its rows (``row``), and the ``games`` whose ledgers make it, under the name
    ``source`` (none for the two tables made from records). ``of_matches`` says that each row belongs to a match, not to
    the whole run."""

    name: str
    row: type[msgspec.Struct]
    games: tuple[str, ...] = ()
    source: str = ""
    of_matches: bool = True

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns: first those that identify a row's match, then the fields of the row."""
        hints = get_type_hints(self.row, include_extras=True)
        match = MATCH_COLUMNS if self.of_matches else ()
        fields = zip(self.row.__struct_fields__, self.row.__struct_encode_fields__, strict=True)
        return (*match, *(_field_column(name, hints[field]) for field, name in fields))


MATCH_COLUMNS = (
    Column("match", ColumnKind.TEXT, meaning=Gloss("the match's id", key=True)),
    Column("edition", ColumnKind.TEXT, meaning=Gloss("the label of its edition")),
    Column("block", ColumnKind.WHOLE, meaning=Gloss("its block, from 0")),
)


class MatchRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A match as in ``matches.jsonl``, without its seats."""

    game: Annotated[str, Gloss("`board` or `cards`")]
    unit: Annotated[str, Gloss("the unit of its money: `$M` or `$`")]
    players: Annotated[int, Gloss("number of seats")]
    seed: Annotated[str, Gloss("the match seed")]
    termination: Annotated[str, Gloss("why it ended")]
    asks: Annotated[int, Gloss("number of all asks")]
    void: Annotated[bool, Gloss("the match does not count")]
    replay: Annotated[str, Gloss("name of the replay in the run's folder; empty if it was not kept")]
    sha256: Annotated[str, Gloss("the replay's closing hash")]


class SeatRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat of a match."""

    seat: Annotated[int, Gloss("the seat", key=True)]
    entrant: Annotated[str, Gloss("who sat there")]
    money: Annotated[int, Gloss("money at the end", "the unit of its match")]
    rank: Annotated[int, Gloss("from 1; equal money shares it")]
    win: Annotated[float, Gloss("1 for a first rank, 1/n if n share it, else 0")]
    beaten: Annotated[float, Gloss("share of its opponents that it beat (`arena docs results`)")]
    ended: Annotated[str, Gloss("`played`, `struck-out` or `forfeit`")]
    faults: Annotated[int, Gloss("all its faults")]
    void: Annotated[bool, Gloss("the match does not count")]


class EventRow(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    rename={
        "case": "case:concept:name",
        "activity": "concept:name",
        "moment": "time:timestamp",
        "resource": "org:resource",
    },
):
    """Something that happened in a negotiation, as process mining reads it: the first four columns have the names of
    the XES standard (IEEE 1849-2016)."""

    case: Annotated[str, Gloss("the negotiation or round: the match's id and a number")]
    activity: Annotated[str, Gloss("what happened, in the words of replays and of the other tables")]
    moment: Annotated[datetime, Gloss("its place in the match, as seconds after 1970 began", key=True)]
    resource: Annotated[str | None, Gloss("the entrant that acts; none: nobody does")]
    seat: Annotated[int | None, Gloss("the seat that acts; none: nobody does", of="seats")]
    to: Annotated[int | None, Gloss("the seat to which it is done, if any", of="seats")]
    step: Annotated[int, Gloss("the tick of a negotiation, from 0; the turn of a round")]
    price: Annotated[int | None, Gloss("the price of an offer or agreement", "the unit of its match")]


MATCHES_TABLE, SEATS_TABLE = Table("matches", MatchRow), Table("seats", SeatRow)
FIRST_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
"""The moment before the first event of a match. Replays have no clock: the moments of events tell their order alone."""


def _field_column(name: str, hint: Any) -> Column:
    meaning = UNTOLD
    if get_origin(hint) is Annotated:
        hint, *more = get_args(hint)
        meaning = next((each for each in more if isinstance(each, Gloss)), meaning)
    empty = get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint)
    if empty:
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (Ellipsis,):
        inner = _scalar_kind(get_args(hint)[0])
        lists = {ColumnKind.WHOLE: ColumnKind.WHOLES, ColumnKind.TEXT: ColumnKind.TEXTS}
        return Column(name, lists.get(inner, ColumnKind.DATA), empty, meaning)
    return Column(name, _scalar_kind(hint), empty, meaning)


def _scalar_kind(hint: Any) -> ColumnKind:
    kinds = (
        (bool, ColumnKind.TRUTH),
        (int, ColumnKind.WHOLE),
        (float, ColumnKind.NUMBER),
        (str, ColumnKind.TEXT),
        (datetime, ColumnKind.TIME),
    )
    return next((kind for base, kind in kinds if isinstance(hint, type) and issubclass(hint, base)), ColumnKind.DATA)


def run_tables(games: Iterable[str], events: bool = False) -> dict[str, Table]:
    """All tables of a run with these games, by name: ``matches``, ``seats``, then those of each game. Where two games
    have a table of the same name, or a game's table has the name of one of the first two, it is called ``GAME-NAME``.
    With ``events`` the event log of all games that have one comes last. Raises UserError for an unknown game
    (:func:`arena.games.load_game`)."""
    games = sorted(set(games))
    made = [Table(name, row, (game,), name) for game in games for name, row in load_game(game).tables.items()]
    logged = tuple(game for game in games if events and load_game(game).activities is not None)
    first = [MATCHES_TABLE, SEATS_TABLE, *([Table(EVENTS, EventRow, logged, EVENTS)] if logged else [])]
    names = [table.name for table in (*first, *made)]
    found = {table.name: table for table in first[:2]}
    for table in made:
        name = table.name if names.count(table.name) == 1 else f"{table.games[0]}-{table.name}"
        found[name] = replace(table, name=name)
    return found | {table.name: table for table in first[2:]}


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
    tables = list(tables)
    logged = any(table.source == EVENTS for table in tables)
    for table in tables:
        if table == MATCHES_TABLE:
            found[table.name] = [_match_row(record)]
        elif table == SEATS_TABLE:
            found[table.name] = list(_seat_rows(record))
        elif record.game not in table.games or replay is None:
            found[table.name] = []
        else:
            made = _replay_tables(record, replay, logged) if made is None else made
            rows = made[table.source]
            found[table.name] = list(_event_rows(record, rows)) if table.source == EVENTS else rows
    return found


def _replay_tables(record: MatchRecord, replay: bytes, events: bool) -> Mapping[str, Sequence[Any]]:
    where = record.replay or record.id
    try:
        made = tables_in(replay, events)
    except ReplayError as problem:
        raise ReplayError(f"{where}: {problem}") from None
    if f'"sha256":"{record.sha256}"'.encode() not in replay[replay.rstrip(b"\n").rfind(b"\n") :]:
        raise ReplayError(f"{where}: it is not the replay that matches.jsonl names: another sha256")
    return made


def _event_rows(record: MatchRecord, activities: Sequence[Any]) -> Iterator[EventRow]:
    each: Activity
    for number, each in enumerate(activities, 1):
        yield EventRow(
            case=f"{record.id}/{each.case}",
            activity=each.name,
            moment=FIRST_MOMENT + timedelta(seconds=number),
            resource=None if each.seat is None else record.seats[each.seat].entrant,
            seat=each.seat,
            to=each.to,
            step=each.step,
            price=each.price,
        )


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
