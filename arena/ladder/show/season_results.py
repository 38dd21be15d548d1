"""How a season that is over ended: its champion, by the ratings that were kept after its last round."""

from __future__ import annotations

import sqlite3

import msgspec

from arena.ladder.database.ladders import Season, seasons_of_ladder
from arena.printable import printable_text
from arena.ratings.presenting.words import name_list

_FIRST = """
  SELECT b.name || ':' || v.number, t.place = 1
  FROM ratings t JOIN versions v ON v.id = t.version JOIN bots b ON b.id = v.bot
  WHERE t.round = (SELECT id FROM rounds WHERE season = ? AND state = 'closed' ORDER BY number DESC LIMIT 1)
    AND t.value IS NOT NULL AND (t.place = 1 OR t.tier = 1) ORDER BY t.place, v.id
"""


class SeasonResult(msgspec.Struct, frozen=True):
    """A season that is over: its ``number``, when it ``ended``, its last ``round``, who came first (``champions``;
    nobody where nobody was rated), and who is not told apart from them (``alike``)."""

    number: int
    ended: str
    round: int
    champions: list[str]
    alike: list[str]

    @property
    def told(self) -> str:
        """In a sentence or two."""
        over = f"Season {self.number} ended on {self.ended[:10]}."
        if not self.champions:
            return f"{over} Nobody was rated."
        apart = f" Not significantly worse: {name_list(self.alike)}." if self.alike else ""
        return printable_text(f"{over} Champion: {name_list(self.champions)}.{apart}")


def season_result(database: sqlite3.Connection, season: Season) -> SeasonResult | None:
    """How a season ended; None where it goes on."""
    if season.ended is None:
        return None
    (round,) = database.execute(
        "SELECT coalesce(max(number), 0) FROM rounds WHERE season = ? AND state = 'closed'", (season.id,)
    ).fetchone()
    rows = database.execute(_FIRST, (season.id,)).fetchall()
    champions, alike = [name for name, first in rows if first], [name for name, first in rows if not first]
    return SeasonResult(season.number, season.ended, round, champions, alike)


def season_before(database: sqlite3.Connection, ladder: int, season: Season) -> Season | None:
    """Of a season in which no round is closed yet the one before it, which has ended; None where there is none, or a
    round is closed."""
    (closed,) = database.execute(
        "SELECT count(*) FROM rounds WHERE season = ? AND state = 'closed'", (season.id,)
    ).fetchone()
    if closed:
        return None
    return next((each for each in seasons_of_ladder(database, ladder) if each.number == season.number - 1), None)
