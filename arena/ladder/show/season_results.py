"""How seasons ended: their champions, by the ratings that were kept after the last round; the feed of results."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import msgspec

from arena.ladder.database.ladders import Ladder, Season, seasons_of_ladder
from arena.ladder.database.play_log import last_closed
from arena.ladder.database.publishing import seeds_public
from arena.ladder.presenting.atom_feed import FeedEntry, atom_feed
from arena.ladder.rating.result_rows import ListedSeason
from arena.printable import printable_text
from arena.ratings.presenting.words import name_list

_MATCHES_QUERY = (
    "SELECT count(*) FROM matches m JOIN rounds r ON r.id = m.round WHERE r.season = ? AND r.state = 'closed'"
)
FEED_ENTRIES = 50
"""How many rounds a feed has at most, the last ones."""
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
    round = last_closed(database, season.id)
    return SeasonResult(season.number, season.ended, round, *first_and_alike(database, season))


def first_and_alike(database: sqlite3.Connection, season: Season) -> tuple[list[str], list[str]]:
    """Return who came first by the ratings after the last closed round of a season, and who is not told apart from
    them; both empty where nobody is rated."""
    rows = database.execute(_FIRST, (season.id,)).fetchall()
    return [name for name, first in rows if first], [name for name, first in rows if not first]


def season_before(database: sqlite3.Connection, ladder: int, season: Season) -> Season | None:
    """The season before this one, which has ended, as long as no round of this one is closed; None afterwards, and for
    the first season."""
    if last_closed(database, season.id):
        return None
    return next((each for each in seasons_of_ladder(database, ladder) if each.number == season.number - 1), None)


def results_feed(
    database: sqlite3.Connection, ladder: Ladder, address: Callable[[int], str], most: int = FEED_ENTRIES
) -> str:
    """The results of a ladder as an Atom feed: its last ``most`` closed rounds with who leads, and every season that is
    over. ``address`` is that of the page of a season."""
    rows = database.execute(
        "SELECT s.number, r.number, r.ended, (SELECT count(*) FROM matches m WHERE m.round = r.id), "
        "(SELECT group_concat(version, ', ') FROM (SELECT v.version FROM ratings t JOIN version_list v "
        "ON v.id = t.version WHERE t.round = r.id AND t.place <= 3 AND t.value IS NOT NULL ORDER BY t.place, v.id)) "
        "FROM rounds r JOIN seasons s ON s.id = r.season WHERE s.ladder = ? AND r.state = 'closed' "
        "ORDER BY r.id DESC LIMIT ?",
        (ladder.id, most),
    ).fetchall()
    entries = [
        FeedEntry(
            f"season {season} round {number}",
            ended,
            f"Round {number} of season {season}",
            f"{matches} match{'' if matches == 1 else 'es'}.{f' First: {first}.' if first else ''}",
            address(season),
        )
        for season, number, ended, matches, first in rows
    ]
    every = seasons_of_ladder(database, ladder.id)
    for season in every:
        if (result := season_result(database, season)) is not None:
            title = f"Season {season.number} is over"
            entries.append(
                FeedEntry(f"season {season.number}", result.ended, title, result.told, address(season.number))
            )
    return atom_feed(ladder.name, every[0].seed_sha256, every[0].began, entries)


def public_seed(ladder: Ladder) -> str:
    """The seed of the ladder's season, if it is public: when the season is over, unless seeds never are; else ""."""
    season = ladder.season
    return (season.seed or "") if season.ended is not None and seeds_public(ladder.config, season) else ""


def listed_seasons(database: sqlite3.Connection, ladder: Ladder) -> list[ListedSeason]:
    """All seasons of a ladder, the first one first, as everybody may see them."""
    return [
        ListedSeason(
            season.number,
            season.began,
            season.ended or "",
            database.execute(_MATCHES_QUERY, (season.id,)).fetchone()[0],
            season.seed_sha256,
            public_seed(msgspec.structs.replace(ladder, season=season)),
            result.champions if (result := season_result(database, season)) is not None else [],
        )
        for season in seasons_of_ladder(database, ladder.id)
    ]
