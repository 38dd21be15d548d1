"""The pages of a ladder's authors and seasons, the sections of a version's page, and the feed of results. They show
matches of closed rounds only, also to the operator."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response

from arena.games import load_game
from arena.ladder.database.bot_versions.version_history import single_histories
from arena.ladder.presenting.atom_feed import FEED_FILE, FEED_KIND
from arena.ladder.presenting.result_sections import (
    PageLinks,
    ResultSection,
    ranked_section,
    season_section,
    version_sections,
)
from arena.ladder.presenting.standings_cells import rating_decimals
from arena.ladder.presenting.svg_chart import history_svg
from arena.ladder.rating.result_rows import RankedVersion, VersionResults
from arena.ladder.show.season_results import listed_seasons, results_feed
from arena.ladder.show.version_results import ranked_versions, version_results
from arena.web.serve.absent_replay import NotFoundError
from arena.web.serve.answers import page_address, serve_page, svg_response
from arena.web.serve.ladders.ladder_pages import LadderRequest

RESULTS_SECONDS = 60
"""The refresh interval of these pages in seconds: their sums over many matches cost time."""


def served_links(asked: LadderRequest) -> PageLinks:
    """Return the addresses of the pages of a ladder on this server."""
    return PageLinks(
        version=lambda name: asked.address("version", name),
        author=lambda name: asked.address("author", name),
        match=lambda number: asked.address("match", str(number)),
        season=lambda number: page_address("ladder", asked.name, asked.ladder.name, season=number),
    )


def results_of(asked: LadderRequest, database: sqlite3.Connection, name: str) -> tuple[RankedVersion, VersionResults]:
    """Return a version of the ladder with its rating, and its results in this season."""
    versions = ranked_versions(database, asked.ladder)
    version = next(each for each in versions if each.name == name)
    return version, version_results(asked.place, database, asked.ladder, version, versions)


def served_sections(asked: LadderRequest, results: VersionResults) -> list[ResultSection]:
    """Return the sections on the results of a version."""
    ladder = asked.ladder
    unit = load_game(ladder.edition.game).unit
    return version_sections(results, served_links(asked), unit, rating_decimals(ladder.config.rated_by))


def author_page(request: Request, asked: LadderRequest, database: sqlite3.Connection, name: str) -> Response:
    """Return the page of an author: all versions of the author's bots in the ladder."""
    versions = [each for each in ranked_versions(database, asked.ladder) if each.author == name]
    if not versions:
        raise NotFoundError(f"no author {name[:80]!r} in ladder {asked.ladder.name}")
    decimals = rating_decimals(asked.ladder.config.rated_by)
    section = ranked_section(f"Versions in season {asked.season}", versions, served_links(asked), decimals)
    values = {"sections": [section]}
    return serve_page(request, f"Author {name}", "serve_sections", asked.trail, values, RESULTS_SECONDS)


def seasons_page(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the page of all seasons, with their champions and the seeds that are public."""
    section = season_section(listed_seasons(database, asked.ladder), served_links(asked))
    values = {"sections": [section]}
    return serve_page(request, "Seasons", "serve_sections", asked.trail, values, RESULTS_SECONDS)


def version_chart(request: Request, asked: LadderRequest, database: sqlite3.Connection, name: str) -> Response:
    """Return the ratings of a version over the season, as a picture."""
    if name not in {each.name for each in ranked_versions(database, asked.ladder)}:
        raise NotFoundError(f"no version {name[:80]!r} in ladder {asked.ladder.name}")
    found = next(single_histories(database, asked.ladder, (name,)), None)
    if found is None:
        raise NotFoundError(f"{name} has no rating in season {asked.season}")
    return svg_response(history_svg(found[1]))


def feed_response(request: Request, asked: LadderRequest, database: sqlite3.Connection) -> Response:
    """Return the feed of results."""
    feed = results_feed(database, asked.ladder, served_links(asked).season)
    return Response(feed, 200, {"content-disposition": f'inline; filename="{FEED_FILE}"'}, FEED_KIND)
