"""Reads the results of a run in Python, for research: :func:`read` gives a :class:`Results`.

>>> import arena.results
>>> run = arena.results.read("results/quick-20260101-120000")  # doctest: +SKIP
>>> for match, offer in run.rows(arena.results.board.OfferRow):  # doctest: +SKIP
...     print(match.id, offer.by, offer.to, offer.price, offer.answer)

``arena docs tables`` describes every table and column. ``board`` and ``cards`` hold the classes of the rows of the two
games, and the enums in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from arena.commands.luck.corrected_money import load_value, match_luck, take_out
from arena.errors import UserError
from arena.games.board.log import ledger_rows as board
from arena.games.cards.log import ledger_rows as cards
from arena.luck.corrected import Corrected, CorrectedRow
from arena.luck.value import MONEY_UNITS
from arena.pages.notebook_tables import match_notebook, standings_notebook
from arena.recorded.replay_names import kept_replay
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_folder import FolderStore
from arena.storage.schedule_order import records_in_order
from arena.storage.tables.match_tables import (
    Column,
    EventRow,
    MatchRow,
    SeatRow,
    Table,
    choose_run_tables,
    replays_by_game,
    rows_of_match,
    run_tables,
)
from arena.storage.tables.table_files import Rows, load_pyarrow, schema_of
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings, fold_standings

if TYPE_CHECKING:
    import pyarrow

    from arena.ledger.ledger_fold import DealLedger
    from arena.metagame.meta_findings import MetaFindings
    from arena.ratings.rate import RatingOptions, Ratings

__all__ = [
    "AllStandings", "Column", "Corrected", "CorrectedRow", "EventRow", "MatchRow", "Results", "SeatRow", "Table",
    "board", "cards", "read",
]  # fmt: skip

Row = TypeVar("Row", bound=msgspec.Struct)
NOTEBOOK_METHOD = "_repr_html_"
"""The method that notebooks ask a class for. Classes of the pure rooms get it here, above what makes tables of them."""
BATCH_MATCHES = 256
"""How many matches' rows are held at a time, unless the caller says otherwise."""


def read(folder: str | PathLike[str]) -> Results:
    """The results in a run's folder, which may be complete, stopped or still be played. Nothing is written.

    Raises UserError where no run is in it.
    """
    return Results(Path(folder))


class AllStandings(tuple[Standings, ...]):
    """Standings of several editions, which notebooks show as tables one below the other."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return "".join(map(standings_notebook, self))


setattr(Standings, NOTEBOOK_METHOD, standings_notebook)
setattr(MatchRecord, NOTEBOOK_METHOD, match_notebook)


class Results:
    """The content of a run's folder, read anew at each request.

    Matches and rows are read one after another and not held, in the schedule's order (edition, block, table, seat
    order). Money is whole and in the game's unit ($M in the board game, $ in the card game), shares are floats in 0…1,
    seats count from 0. Reading raises UserError for damaged lines of ``matches.jsonl``, and ReplayError for a replay
    that is damaged or does not belong to its line.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._store = FolderStore(folder)
        self._store.facts()

    @property
    def facts(self) -> Facts:
        """What is played with what: name, seed, command, versions, entrants with their bots' digests, settings."""
        return self._store.facts()

    @property
    def state(self) -> RunState:
        """``running`` (or killed), ``stopped``, ``incomplete`` or ``complete``."""
        return self._store.state()

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches."""
        return records_in_order(self.folder)

    def replay(self, record: MatchRecord) -> bytes | None:
        """The replay of a match, if it was kept. Raises ReplayError if it is missing or damaged."""
        if not record.replay:
            return None
        return kept_replay(self._store.replay, self.folder, record)

    def standings(self) -> AllStandings:
        """The standings, computed anew from the records: of each edition, each game, and all together."""
        facts = self.facts
        return AllStandings(
            fold_standings(self.records(), tuple(facts.entrants), tuple(facts.editions), facts.measures)
        )

    def __repr__(self) -> str:
        return f"arena.results.read({str(self.folder)!r})"

    def _repr_html_(self) -> str:
        facts = self.facts
        told = f"{self.folder}: {facts.tournament}, {self.state}, arena {facts.arena}, seed {facts.seed or 'drawn'}"
        return f"<p>{escape(told)}</p>" + "".join(map(standings_notebook, self.standings()[-1:]))

    def ratings(
        self, wanted: RatingOptions | None = None, editions: Sequence[str] = (), without: Sequence[str] = ()
    ) -> Ratings:
        """The ratings of the entrants by order of finish and in money, or as ``wanted`` says
        (:class:`arena.ratings.rate.RatingOptions`), from matches of these ``editions`` (all where none is named) in
        which no entrant of ``without`` sat: ``arena docs ratings``. Raises UserError for unknown names, and where no
        match is left."""
        from arena.analysis.run_ratings import rate_runs
        from arena.ratings.rate import RatingOptions

        return rate_runs([self.folder], wanted or RatingOptions(), editions, without)

    def meta_games(
        self, payoff: str = "lead", editions: Sequence[str] = (), without: Sequence[str] = ()
    ) -> tuple[MetaFindings, ...]:
        """The game of many seats of each edition (:class:`arena.metagame.meta_findings.MetaFindings`), with the
        ``payoff`` lead, money, beaten or win, from matches of these ``editions`` (all where none is named) in which no
        entrant of ``without`` sat: ``arena docs meta``. Raises UserError for unknown names, and where no match or only
        one bot is left."""
        from arena.analysis.run_meta_game import meta_games_of
        from arena.metagame.payoff import Payoff

        return meta_games_of([self.folder], Payoff(payoff), editions, without)

    def luck(self, values: str | PathLike[str] | None = None, jobs: int = 1) -> tuple[Corrected, ...]:
        """Money beside money with luck removed, of each edition and each game, by the value function in the file
        ``values`` (None: the bundled one), computed by ``jobs`` processes. ``arena docs luck`` says how.

        Raises UserError where no match can be corrected, and ReplayError for a damaged replay.
        """
        return take_out(self.folder, None if values is None else Path(values), jobs).found

    def corrections(
        self, values: str | PathLike[str] | None = None
    ) -> Iterator[tuple[MatchRecord, tuple[float, ...] | None]]:
        """What chance brought each seat of each match, in the unit of its game's money: subtracting it from the seat's
        money gives money without luck. None for a match that is void, has no replay, or has no weights in the value
        function.

        Raises UserError for a file that is no value function, and ReplayError for a damaged replay.
        """
        value = load_value(None if values is None else Path(values))
        for record in self.records():
            found = match_luck(value, record, self.replay(record))
            yield record, None if found is None else tuple(each / MONEY_UNITS for each in found)

    def ledger(self, jobs: int = 1, by_block: bool = False) -> DealLedger:
        """How bots bargain, added up over the run by ``jobs`` processes (:class:`arena.ledger.ledger_fold.DealLedger`):
        ``run.ledger().game().columns("ticks", by=["edition"])`` is a table as columns, and ``.rows(…)`` the same as
        objects. Blocks can be kept apart only ``by_block``. ``arena docs ledger`` has all tables and definitions.

        Raises UserError where no match that counts has a replay, and ReplayError for a damaged replay.
        """
        from arena.analysis.run_ledger import ledger_of

        return ledger_of(self.folder, jobs, by_block=by_block)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name, each with its columns. A run without finished matches has only ``matches`` and
        ``seats``."""
        _, kept = replays_by_game(self.folder)
        return run_tables(kept, events=True)

    def rows(self, kind: type[Row]) -> Iterator[tuple[MatchRecord, Row]]:
        """Every row of the table whose rows are of this class, such as ``board.OfferRow``, with its match.

        Matches without a replay have only rows of ``MatchRow`` and ``SeatRow``. Raises UserError for a class that
        belongs to no table of this run.
        """
        table = next((table for table in self.tables.values() if table.row is kind), None)
        if table is None:
            known = ", ".join(table.row.__name__ for table in self.tables.values())
            raise UserError(f"this run has no table of {kind.__name__}; its tables are those of {known}")
        for record in self.records():
            for row in self._rows(record, table):
                yield record, row

    def _rows(self, record: MatchRecord, table: Table) -> Any:
        replay = self.replay(record) if record.game in table.games else None
        return rows_of_match(record, replay, (table,))[table.name]

    def columns(self, name: str, matches: int = BATCH_MATCHES) -> Iterator[dict[str, list[Any]]]:
        """The table of this name as columns, for ``matches`` matches at a time: lists of equal length by column.

        Enums are texts, lists are tuples, and unknown values are None. Raises UserError for a table that does not
        exist.
        """
        return (rows.columns() for rows in self._batches(name, matches))

    def arrow(self, name: str) -> pyarrow.Table:
        """The whole table of this name as an Arrow table, which ``.to_pandas()`` converts to a pandas frame and
        ``polars.from_arrow`` to a polars frame.

        Raises UserError for a table that does not exist, and where pyarrow is not installed (``pip install pyarrow``).
        """
        pyarrow = load_pyarrow()
        table = choose_run_tables(self.tables, [name])[name]
        batches = [rows.batch() for rows in self._batches(name, BATCH_MATCHES)]
        return pyarrow.Table.from_batches(batches, schema_of(table.columns))

    def _batches(self, name: str, matches: int) -> Iterator[Rows]:
        """The rows of the table, for ``matches`` matches at a time."""
        table = choose_run_tables(self.tables, [name])[name]
        held = Rows(table)
        for number, record in enumerate(self.records(), 1):
            held.add(record, self._rows(record, table))
            if number % matches == 0:
                yield held
                held = Rows(table)
        if held.lines:
            yield held
