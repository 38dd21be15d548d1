"""A served season of a ladder: the matches of its closed rounds as columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from time import monotonic

import msgspec

from arena.errors import ArenaError, ReplayError
from arena.ladder.database.bot_versions.version_history import rating_history
from arena.ladder.database.find_match import MATCH_NAME
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, find_ladder
from arena.ladder.database.match_rows import finished_matches, version_names
from arena.ladder.database.play_log import last_closed
from arena.ladder.rating.rating_history import SeasonHistory
from arena.penalties import FaultKind, SeatEnd
from arena.storage.packs.replay_packs import KeptReplays
from arena.tournament.records.match_record import MatchRecord
from arena.web.serve.ladders.ladder_reading import public_words, read_ladder
from arena.web.serve.ladders.ladder_standings_page import LadderTable, key_of, whole_table
from arena.web.serve.match_index.index_columns import IndexColumns, IndexedLine, IndexedSeat

SERVED_MATCHES = 1 << 12
"""How many matches are read together."""
_ROUNDS_QUERY = """
  SELECT r.number, r.first_match, r.matches
  FROM rounds r JOIN seasons s ON s.id = r.season JOIN ladders l ON l.id = s.ladder
  WHERE l.name = ? AND s.number = ? AND r.state = 'closed' AND r.number > ? ORDER BY r.number
"""
_MATCHES_QUERY = "SELECT id, name, block, termination, void FROM matches WHERE id >= ? AND id < ? ORDER BY id"
_SEATS_QUERY = (
    "SELECT match, version, rank, ended, faults FROM seats WHERE match >= ? AND match < ? ORDER BY match, seat"
)
_FAULTS_DECODER = msgspec.json.Decoder(dict[FaultKind, int])


class ServedLadder:
    """A served season (``season`` is its number) of a ladder in a folder."""

    def __init__(self, place: LadderFolder, ladder: str, season: int) -> None:
        self.place, self.ladder, self.season = place, ladder, season
        self.columns, self.wanted, self.problem = IndexColumns(), 0.0, ""
        self.replays = KeptReplays(place.season(ladder, season))
        self._read, self._left = 0, 1
        self._pieces: Iterator[tuple[int, int]] = iter(())
        self._closed = 0
        self.table: LadderTable | None = None
        self._history: tuple[object, SeasonHistory] | None = None

    @property
    def indexed_share(self) -> float:
        """The share of its matches that has been read, in 0…1."""
        return self._read / (self._read + self._left) if self._left else 1.0

    def advance(self, seconds: float) -> bool:
        """Read on for about this many seconds; return whether there is more to read."""
        until = monotonic() + seconds
        try:
            while monotonic() < until:
                if not self._advance():
                    self._rate()
                    return False
        except ArenaError as problem:
            self.problem = public_words(problem)
            return False
        return True

    def _advance(self) -> bool:
        """Read some matches, or look for newly closed rounds; return whether there was anything."""
        piece = next(self._pieces, None)
        with read_ladder(self.place) as database:
            if piece is None:
                return self._plan(database)
            names = version_names(database)
            matches = database.execute(_MATCHES_QUERY, piece).fetchall()
            rows = database.execute(_SEATS_QUERY, piece).fetchall()
        seats = {match: tuple(_indexed_seat(names, row) for row in sat) for match, sat in groupby(rows, itemgetter(0))}
        for number, name, block, termination, void in matches:
            edition = name.partition("/")[0]
            self.columns.add(number, IndexedLine(name, edition, block, termination, seats.get(number, ()), bool(void)))
        self._read += piece[1] - piece[0]
        self._left -= piece[1] - piece[0]
        return True

    def _plan(self, database: sqlite3.Connection) -> bool:
        """Find the rounds that were closed since the last call; return whether there are any."""
        rounds = database.execute(_ROUNDS_QUERY, (self.ladder, self.season, self._closed)).fetchall()
        self._closed = rounds[-1][0] if rounds else self._closed
        self._left, self.problem = sum(matches for _, _, matches in rounds), ""
        pieces = [
            (start, min(start + SERVED_MATCHES, first + matches))
            for _, first, matches in rounds
            for start in range(first, first + matches, SERVED_MATCHES)
        ]
        self._pieces = iter(pieces)
        return bool(rounds)

    def _rate(self) -> None:
        """Recompute the standings if they have changed. No older table is shown meanwhile: it may be wrong."""
        with read_ladder(self.place) as database:
            ladder = find_ladder(database, self.ladder, self.season)
            key = key_of(database, ladder, self._closed)
            if self.table is None or self.table.key != key:
                self.table = None
                self.table = whole_table(database, ladder, key)

    def history(self, database: sqlite3.Connection, ladder: Ladder, refused: bool) -> SeasonHistory:
        """Return the ratings over time; ``refused``: the events include refused submissions."""
        key = refused, *key_of(database, ladder, last_closed(database, ladder.season.id))
        kept = self._history
        if kept is None or kept[0] != key:
            kept = self._history = key, rating_history(database, ladder, refused=refused)
        return kept[1]

    def records(self, numbers: Sequence[int]) -> list[MatchRecord]:
        """The matches of these numbers. Raises UserError where the database cannot be read."""
        with read_ladder(self.place) as database:
            game = find_ladder(database, self.ladder, self.season).edition.game
            names = version_names(database)
            return [
                match.record
                for number in numbers
                for match in finished_matches(database, game, names, number, number + 1)
            ]

    def replay(self, ladder: Ladder, name: str) -> bytes:
        """Return the public replay of a match. Raises ReplayError where it is missing or damaged."""
        if not MATCH_NAME.fullmatch(name) or name.startswith(".."):
            raise ReplayError(f"{name!r} is no name of a match")
        found = self.replays.get(name)
        if found is None:
            raise ReplayError(f"the replay of {name} is missing: restore a backup of ladder {ladder.name}")
        return found


def _indexed_seat(names: dict[int, str], row: tuple[int, int, int, str, str | None]) -> IndexedSeat:
    _, version, rank, ended, faults = row
    return IndexedSeat(names[version], rank, SeatEnd(ended), _FAULTS_DECODER.decode(faults) if faults else {})
