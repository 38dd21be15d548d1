"""The exported pages of versions, authors and seasons, and the feed of results: from closed rounds only. Files are
named by the rows of versions, because names of strangers are no names of files."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from pathlib import Path

from arena.games import load_game
from arena.ladder.database.bot_versions.version_history import single_histories
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.export.viewed_matches import viewed_address
from arena.ladder.presenting.atom_feed import FEED_FILE
from arena.ladder.presenting.ladder_page import SeasonLink, sections_page
from arena.ladder.presenting.result_sections import (
    PageLinks,
    ResultSection,
    faults_sentence,
    place_sentence,
    ranked_section,
    season_section,
    version_sections,
)
from arena.ladder.presenting.standings_cells import rating_decimals
from arena.ladder.presenting.svg_chart import about_history, history_svg
from arena.ladder.rating.result_rows import RankedVersion
from arena.ladder.show.season_results import listed_seasons, results_feed
from arena.ladder.show.version_results import ranked_versions, version_results

SEASONS_FILE = "seasons.html"
PAGES_FOLDER = "pages"
"""The folder in a season's folder with the pages of versions and authors."""


def page_names(versions: list[RankedVersion]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of the pages, by the names of versions and of authors. An author's is named by the first
    version."""
    by_version = {each.name: f"version-{each.id}.html" for each in versions}
    first = {each.author: each.id for each in versions}  # the newest comes first, the first last
    return by_version, {author: f"author-{id}.html" for author, id in first.items()}


def write_result_pages(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, below: Path, viewed: Collection[int]
) -> None:
    """Write the pages of all versions and authors for a season into its folder. The ``viewed`` matches, by number, have
    a file that the viewer opens."""

    def match_address(number: int) -> str:
        return viewed_address(ladder.season.number, number, "../../") if number in viewed else ""

    versions = ranked_versions(database, ladder)
    by_version, by_author = page_names(versions)
    links = PageLinks(by_version.__getitem__, by_author.__getitem__, match_address, lambda season: "")
    decimals, unit = rating_decimals(ladder.config.rated_by), load_game(ladder.edition.game).unit
    folder = below / PAGES_FOLDER
    folder.mkdir()
    histories = dict(single_histories(database, ladder, [each.name for each in versions]))
    trail = [SeasonLink(f"Season {ladder.season.number}", "../index.html")]
    for each in versions:
        results, picture = version_results(place, database, ladder, each, versions), None
        if (history := histories.get(each.name)) is not None:
            picture = SeasonLink(about_history(history), by_version[each.name].replace(".html", ".svg"))
            (folder / picture.address).write_text(history_svg(history), encoding="utf-8")
        notes = [f"{each.state}{', anchor' if each.anchor else ''}; submitted {each.submitted[:10]}."]
        notes += [f"Place {told}."] if (told := place_sentence(each, decimals)) else []
        notes += [f"Faults: {told}."] if (told := faults_sentence(results)) else []
        above = [*trail, SeasonLink(f"author {each.author}", links.author(each.author))]
        sections = version_sections(results, links, unit, decimals)
        _write_page(folder / by_version[each.name], each.name, above, notes, sections, picture)
    for author, file in by_author.items():
        own = [each for each in versions if each.author == author]
        sections = [ranked_section(f"Versions in season {ladder.season.number}", own, links, decimals)]
        _write_page(folder / file, f"Author {author}", trail, [], sections)


def write_seasons_page(database: sqlite3.Connection, ladder: Ladder, folder: Path) -> None:
    """Write the page that lists all seasons, and the feed of results."""

    def season_file(number: int) -> str:
        return f"season-{number}/index.html"

    links = PageLinks(lambda name: "", lambda name: "", lambda match: "", season_file)
    section = season_section(listed_seasons(database, ladder), links)
    above = [SeasonLink(ladder.name, "index.html")]
    _write_page(folder / SEASONS_FILE, f"Seasons of {ladder.name}", above, [], [section])
    (folder / FEED_FILE).write_text(results_feed(database, ladder, season_file), encoding="utf-8")


def _write_page(
    path: Path,
    title: str,
    above: list[SeasonLink],
    notes: list[str],
    sections: list[ResultSection],
    picture: SeasonLink | None = None,
) -> None:
    path.write_text(sections_page(title, above, notes, sections, picture), encoding="utf-8")
