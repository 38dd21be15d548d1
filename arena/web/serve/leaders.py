"""Who leads or has won: in a run by its standings, in a ladder by the ratings after its last closed round."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from arena.errors import ArenaError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.ladder.database.ladders import find_ladder
from arena.ladder.show.season_results import first_and_alike, season_before, season_result
from arena.printable import printable_text
from arena.ratings.presenting.words import name_list
from arena.runs.run_status import RunStanding
from arena.tournament.inference.intervals import Estimate
from arena.tournament.tables.rounded_figures import estimate_text
from arena.web.serve.runs.served_run import LARGEST_STANDINGS, STANDINGS_FILE, ServedRun

CACHED_LEADERS = 500
"""How many runs that are not being played are remembered with who is first."""
MOST_NAMES = 3
"""How many of those who are level are named."""


class _LeaderMean(msgspec.Struct):
    """A measure of an entrant, as standings have it."""

    mean: float | None
    low: float | None
    high: float | None
    clusters: int


class _LeaderRow(msgspec.Struct):
    """An entrant in standings, with what orders it."""

    entrant: str
    matches: int
    win_rate: _LeaderMean
    mean_rank: _LeaderMean
    mean_money: _LeaderMean | None = None

    def order(self) -> tuple[float | None, ...]:
        """What two entrants that are level have in common."""
        money = None if self.mean_money is None else self.mean_money.mean
        return self.win_rate.mean, self.mean_rank.mean, money


class _LeaderTable(msgspec.Struct):
    """The rows of the standings of an edition, or of all; nothing else is decoded."""

    rows: list[_LeaderRow]


def leader_needs_matches(run: ServedRun, state: RunStanding) -> bool:
    """Return whether only the matches of a run say who leads: it is being played, or has written no standings."""
    return state is RunStanding.RUNNING or not (run.folder / STANDINGS_FILE).is_file()


def run_leader(run: ServedRun, state: RunStanding) -> str:
    """Return who leads in a run or has won it, with the share of matches won; "" while that is unknown, such
    as before the matches that :func:`leader_needs_matches` asks for are read."""
    with suppress(ArenaError, OSError, *DECODE_ERRORS):
        if leader_needs_matches(run, state):
            return _leader_text(msgspec.convert(run.table()[0], dict[str, _LeaderTable]), "leads", "lead")
        stat = (run.folder / STANDINGS_FILE).stat()
        key = stat.st_mtime_ns, stat.st_size, stat.st_ino
        return _written_leader(run.folder / STANDINGS_FILE, state is RunStanding.COMPLETE, key)
    return ""


@lru_cache(maxsize=CACHED_LEADERS)
def _written_leader(path: Path, complete: bool, key: tuple[int, int, int]) -> str:
    """Who is first by the standings file of a run; the ``key`` changes with the file."""
    tables = msgspec.json.decode(read_foreign_file(path, LARGEST_STANDINGS), type=dict[str, _LeaderTable])
    return _leader_text(tables, *(("won", "won") if complete else ("leads", "lead")))


def _leader_text(tables: dict[str, _LeaderTable], one: str, several: str) -> str:
    """Who is first where all editions count together, which stand last."""
    rows = list(tables.values())[-1].rows if tables else []
    first = [row.entrant for row in rows if row.matches and row.order() == rows[0].order()]
    if not first:
        return ""
    rate = rows[0].win_rate
    share = estimate_text(Estimate(rate.mean, rate.low, rate.high, rate.clusters), 1, share=True)
    return printable_text(f"{_few_names(first)} {one if len(first) == 1 else several}; win rate {share}")


def ladder_leader(database: sqlite3.Connection, name: str) -> str:
    """Return who leads a ladder after its last closed round; where its last season is over and no round of the next is
    closed, that season's champion; "" while nobody is rated."""
    ladder = find_ladder(database, name)
    ended = season_before(database, ladder.id, ladder.season) or ladder.season
    result = season_result(database, ended)
    if result is not None:
        return printable_text(f"{_few_names(result.champions)} won season {result.number}") if result.champions else ""
    first, _ = first_and_alike(database, ladder.season)
    return printable_text(f"{_few_names(first)} lead{'s' if len(first) == 1 else ''}") if first else ""


def _few_names(names: Sequence[str]) -> str:
    more = [f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return name_list([*names[:MOST_NAMES], *more])
