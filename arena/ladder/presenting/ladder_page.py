"""The standings of a ladder as a page in HTML: no script, nothing from the network, names escaped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from arena.ladder.presenting.result_sections import ResultSection
from arena.ladder.presenting.standings_cells import StandingsColumn, cells_of
from arena.ladder.presenting.words import standings_sentences
from arena.ladder.rating.standing import LadderStandings
from arena.pages.html_table import Field, MakeField, drawn_grid, grid_of
from arena.pages.page import render_template, still_policy, style_sheet
from arena.printable import printable_text

PAGE_GENERATOR = "arena ladder export"
"""The generator that each page names."""


class SeasonLink(NamedTuple):
    """A link: its text and its address ("": it is this page)."""

    text: str
    address: str


def standings_page(
    standings: LadderStandings,
    seasons: Sequence[SeasonLink],
    files: Sequence[SeasonLink],
    picture: str,
    about: str,
    to_version: Callable[[str], str],
    notes: Sequence[str] = (),
) -> str:
    """The page: links to the other ``seasons``, ``notes`` on how seasons stand, the table, what it means, the
    ``picture`` of the ratings over time, of which ``about`` tells those who cannot see it, and the ``files``. A double
    line stands between tiers that are told apart. ``to_version`` gives the address of a version's page."""
    whole = standings.whole
    title = f"{whole.ladder}, season {whole.season}"
    cells = cells_of(standings, whole_names=True)
    linked: dict[str, MakeField] = {StandingsColumn.VERSION: lambda name, _: Field(name, address=to_version(name))}
    told = "".join(f"<p>{_escape_text(each)}</p>\n" for each in standings_sentences(standings, cells.keys))
    body = (
        f"<h1>{_escape_text(title)}</h1>\n{_navigation(seasons)}"
        f"{''.join(f'<p><b>{_escape_text(each)}</b></p>{chr(10)}' for each in notes)}"
        f"{drawn_grid(grid_of(cells, fields=linked))}{told}"
        f"{_picture_html(picture, about)}"
        f"<h2>Files</h2>\n<ul>\n{''.join(f'<li>{_link_html(each)}</li>{chr(10)}' for each in files)}</ul>\n"
    )
    return _page_html(title, body)


def sections_page(
    title: str,
    above: Sequence[SeasonLink],
    notes: Sequence[str],
    sections: Sequence[ResultSection],
    picture: SeasonLink | None = None,
) -> str:
    """A page of these sections, with links to the pages ``above`` it, and ``notes``; ``picture`` is a chart with its
    description."""
    links = "\n".join(map(_link_html, above))
    drawn = "" if picture is None else _picture_html(picture.address, picture.text)
    told = "".join(f"<p>{_escape_text(each)}</p>\n" for each in notes)
    body = f"<nav>\n{links}\n</nav>\n<h1>{_escape_text(title)}</h1>\n{told}{drawn}"
    return _page_html(title, body + render_template("sections", {"sections": sections}))


def _picture_html(address: str, about: str) -> str:
    image = f'<img src="{escape(address)}" alt="{_escape_text(about)}" width="960" height="540">'
    return f"<h2>Ratings over time</h2>\n<p>{image}</p>\n"


def _page_html(title: str, body: str) -> str:
    style = style_sheet("shadows", "ladder")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{still_policy(style)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{PAGE_GENERATOR}">\n'
        f"<title>{_escape_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _navigation(seasons: Sequence[SeasonLink]) -> str:
    if len(seasons) < 2:
        return ""
    links = "\n".join(_link_html(each) if each.address else f"<b>{_escape_text(each.text)}</b>" for each in seasons)
    return f"<nav>\n{links}\n</nav>\n"


def _link_html(link: SeasonLink) -> str:
    return f'<a href="{escape(link.address)}">{_escape_text(link.text)}</a>'


def _escape_text(text: str) -> str:
    return escape(printable_text(text))
