"""The pages of a ladder: its standings and history, its versions, its rounds, its matches. They show what is public;
the operator sees everything."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, seasons_of_ladder
from arena.ladder.database.play_log import last_closed
from arena.ladder.export.ladder_tables import PLAYED_BY
from arena.ladder.presenting.atom_feed import FEED_FILE
from arena.ladder.presenting.standings_cells import StandingsColumn
from arena.ladder.presenting.svg_chart import about_history
from arena.ladder.show.ladder_detail import ladder_shown
from arena.ladder.show.season_results import public_seed, season_before, season_result
from arena.pages.html_table import Field, grid_of
from arena.printable import printable_text
from arena.runs.planning.isolation_level import EXEMPT_WORDS
from arena.web.serve.answers import HOME_LINK, LATER_SECONDS, SOON_SECONDS, Link, page_address, serve_page
from arena.web.serve.ladders.ladder_standings_page import LadderTable, kept_table
from arena.web.serve.ladders.served_ladder import ServedLadder
from arena.web.serve.ladders.words import standings_meanings
from arena.web.serve.match_index.match_search import VOID_RESULT, MatchSearch, read_search, search_matches
from arena.web.serve.runs.run_pages import row_of, same_choices, search_values

LADDER_MATCHES = 10
"""How many matches the page of a ladder lists."""
LISTED_CHANGES = 300
"""Changes that are listed at most, the last ones."""
_ROUNDS_QUERY = f"""
  SELECT number, matches, first_match, first_block, began, ended, (SELECT count(*) FROM tables WHERE round = r.id),
    {PLAYED_BY.format("arena")}, {PLAYED_BY.format("isolation")},
    EXISTS (SELECT 1 FROM round_plays p, json_each(p.facts, '$.isolation.exempt') WHERE p.round = r.id)
  FROM rounds r WHERE season = ? AND state = 'closed' ORDER BY number DESC
"""
_VERSIONS_QUERY = """
  SELECT b.name || ':' || v.number, a.name, v.submitted, e.state, e.anchor, e.label
  FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot JOIN authors a ON a.id = b.author
  WHERE e.ladder = ? ORDER BY v.id DESC
"""
_CHANGES_QUERY = """
  SELECT c.at, coalesce(b.name || ':' || v.number, ''), c.what, c.why
  FROM changes c LEFT JOIN versions v ON v.id = c.version LEFT JOIN bots b ON b.id = v.bot
  WHERE c.ladder = ? AND (v.id IS NOT NULL OR ?) ORDER BY c.id DESC LIMIT ?
"""


class LadderRequest:
    """The target of a request for a ladder's page: the ladder in one of its seasons, in the folder of this ``name``;
    ``operator``: the requester may see what is not public; ``takes_uploads``: bots can be submitted to it here."""

    def __init__(
        self,
        name: str,
        place: LadderFolder,
        ladder: Ladder,
        index: ServedLadder,
        operator: bool,
        takes_uploads: bool = False,
    ) -> None:
        self.name, self.place, self.ladder, self.index, self.operator = name, place, ladder, index, operator
        self.takes_uploads = takes_uploads

    def address(self, *parts: str, **query: str | int | None) -> str:
        """Return the address of one of the ladder's pages, in this season."""
        return page_address("ladder", self.name, self.ladder.name, *parts, **{"season": self.season, **query})

    def version_link(self, name: str) -> Field:
        """Return a table cell that names a version and links to its page."""
        return Field(name, address=self.address("version", name))

    @property
    def season(self) -> int:
        """The number of the season."""
        return self.ladder.season.number

    @property
    def trail(self) -> list[Link]:
        """The links to the pages above those of the ladder."""
        return [HOME_LINK, Link(self.ladder.name, self.address())]

    @property
    def refresh_seconds(self) -> int:
        """The refresh interval of the pages, in seconds."""
        return SOON_SECONDS if self.index.indexed_share < 1 else LATER_SECONDS


def ladder_page(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the page of the standings after the last closed round, their basis, and the open round's progress."""
    ladder, found = asked.ladder, ladder_shown(asked.place, database, asked.ladder)
    closed = last_closed(database, ladder.season.id)
    ended = season_before(database, ladder.id, ladder.season)
    result = season_result(database, ended or ladder.season)
    newest, history = search_matches(asked.index, MatchSearch()), asked.index.history(database, ladder, asked.operator)
    values = {
        "ladder": found,
        "closed": closed,
        "share": found.open.finished / found.open.matches if found.open and found.open.matches else None,
        "result": "" if result is None else result.told,
        "ended": None
        if ended is None or result is None
        else {
            "season": Link(
                f"season {ended.number}", page_address("ladder", asked.name, ladder.name, season=ended.number)
            ),
            "table": _standings_values(
                asked, kept_table(database, msgspec.structs.replace(ladder, season=ended), result.round)
            ),
        },
        "table": _standings_values(asked, asked.index.table or kept_table(database, ladder, closed)),
        "seasons": [
            Link(f"season {each.number}", page_address("ladder", asked.name, ladder.name, season=each.number))
            for each in seasons_of_ladder(database, ladder.id)
        ],
        "chart": asked.address("history.svg", round=closed),
        "about": about_history(history) if closed else "",
        "meanings": standings_meanings(ladder, history.anchor),
        "newest": ladder_rows(asked, newest.numbers[:LADDER_MATCHES], newest.matches[:LADDER_MATCHES]),
        "links": [
            Link("Search its matches", asked.address("matches")),
            Link("Versions", asked.address("versions")),
            Link("Rounds", asked.address("rounds")),
            Link("Seasons", asked.address("seasons")),
            Link("Feed of results", asked.address(FEED_FILE)),
            *([Link("Submit a bot", asked.address("submit", season=None))] if asked.takes_uploads else []),
            *([Link("Uploads", asked.address("submit", season=None))] if asked.operator else []),
        ],
        "indexing": indexing_note(asked.index),
        "operator": asked.operator,
        "quarantines": [(each.version, printable_text(each.in_words())) for each in found.quarantines],
        "suspicions": [printable_text(each.in_words()) for each in found.suspicions] if asked.operator else [],
        "to_version": lambda name: asked.address("version", name),
        "seed": public_seed(ladder) or "not public",
    }
    return serve_page(
        request, f"{ladder.name}, season {asked.season}", "serve_ladder", [HOME_LINK], values, asked.refresh_seconds
    )


def _standings_values(asked: LadderRequest, table: LadderTable) -> dict[str, Any]:
    """A table of standings, with the ways to its versions, and what is told of it."""
    grid = grid_of(table.cells, fields={StandingsColumn.VERSION: lambda name, _: asked.version_link(name)})
    return {"grid": grid, "told": table.told}


def rounds_page(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the page of the season's closed rounds."""
    rows = database.execute(_ROUNDS_QUERY, (asked.ladder.season.id,)).fetchall()
    rounds = [
        {
            "number": number,
            "matches": matches,
            "tables": tables,
            "blocks": f"{first_block} to {first_block + tables - 1}",
            "began": began,
            "ended": ended,
            "arena": printable_text(arena or ""),
            "isolation": printable_text(isolation or "") + (EXEMPT_WORDS if exempt else ""),
            "address": asked.address("matches", round=number),
        }
        for number, matches, first, first_block, began, ended, tables, arena, isolation, exempt in rows
    ]
    return serve_page(request, "Rounds", "serve_rounds", asked.trail, {"rounds": rounds}, asked.refresh_seconds)


def versions_page(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the page of all submitted versions, the last first, and of the changes to them."""
    rows = database.execute(_VERSIONS_QUERY, (asked.ladder.id,)).fetchall()
    changes = database.execute(_CHANGES_QUERY, (asked.ladder.id, asked.operator, LISTED_CHANGES)).fetchall()
    values = {
        "versions": [tuple(printable_text(str(cell)) for cell in row) for row in rows],
        "changes": [tuple(printable_text(cell) for cell in row) for row in changes],
        "to_version": lambda name: asked.address("version", name),
        "to_author": lambda name: asked.address("author", name),
    }
    return serve_page(request, "Versions", "serve_versions", asked.trail, values, asked.refresh_seconds)


def ladder_matches_page(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the page of matches in closed rounds that the address searches for."""
    search = read_search(request.query_params)
    columns, span = asked.index.columns, None
    if search.round.isascii() and search.round.isdigit() and len(search.round) < 10:
        row = database.execute(
            "SELECT first_match, first_match + matches FROM rounds WHERE season = ? AND number = ?",
            (asked.ladder.season.id, int(search.round)),
        ).fetchone()
        span = row or (0, 0)
    found = search_matches(asked.index, search, span)
    names = list(columns.entrants)  # while it is read, more come
    bots = sorted({*names, *(name.rpartition(":")[0] for name in names)})
    values = {
        **search_values(search, found, ("ladder", asked.name, asked.ladder.name, "matches"), bots, "version or bot"),
        "rows": ladder_rows(asked, found.numbers, found.matches),
        "editions": [],
        "results": same_choices([VOID_RESULT, *sorted(columns.terminations)]),
        "indexing": indexing_note(asked.index),
        "of": len(columns),
        "season": asked.season,
    }
    return serve_page(
        request, f"Matches of {asked.ladder.name}", "serve_matches", asked.trail, values, asked.refresh_seconds
    )


def ladder_rows(asked: LadderRequest, numbers: list[int], matches: list[Any]) -> list[dict[str, Any]]:
    """Return matches as rows of a table, named by their numbers."""
    return [
        row_of(asked.address("match", str(number)), f"{number}", match)
        for number, match in zip(numbers, matches, strict=False)
    ]


def indexing_note(index: ServedLadder) -> str:
    """Say how much of the matches has been read; empty where all have."""
    if index.problem:
        return index.problem
    if index.indexed_share < 1:
        return f"indexing {100 * index.indexed_share:.0f} %: matches that are not yet read are missing here"
    return ""


def report_text(report: dict[str, Any]) -> str:
    """The report of a check as text."""
    return printable_lines(json.dumps(report, indent=2, ensure_ascii=False))


def printable_lines(text: str) -> str:
    """Return text of several lines, with a sign in place of each unprintable character."""
    return "\n".join(printable_text(line) for line in text.splitlines())
