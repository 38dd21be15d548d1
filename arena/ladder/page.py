"""The standings of a ladder as a page in HTML: no script, nothing from the network, names escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from arena.ladder.cells import LEFT, Cells, cells_of
from arena.ladder.standing import LadderStandings
from arena.ladder.words import sentences
from arena.picture.measure import printable

MARK = "arena ladder export"
"""What each page says it was made by."""

STYLE = """\
:root { color-scheme: light dark; --line: #d4d7dc; --soft: #f4f5f7; --quiet: #5b6470; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a4048; --soft: #1e2227; --quiet: #a0a9b4; --link: #7ab8f5; }
  body { background: #14171a; color: #e3e6ea; }
}
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; }
a { color: var(--link); }
nav { margin: 0 0 1.2rem; }
nav a, nav b { margin-right: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .94rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th.l, td.l { text-align: left; }
tr.end td { border-bottom: 3px double var(--quiet); }
thead th { border-bottom: 2px solid var(--quiet); }
p { max-width: 60rem; margin: .5rem 0; }
img { max-width: 100%; height: auto; }
li { margin: .15rem 0; }
"""


class Link(NamedTuple):
    """A link: what it is called, where it leads ("": it is this page)."""

    text: str
    address: str


def standings_page(
    standings: LadderStandings, seasons: Sequence[Link], files: Sequence[Link], picture: str, about: str
) -> str:
    """The page: links to the other ``seasons``, the table, what it means, the ``picture`` of the ratings over time, of
    which ``about`` tells those who cannot see it, and the ``files``. A double line stands between tiers that are told
    apart."""
    whole = standings.whole
    title = f"{whole.ladder}, season {whole.season}"
    cells = cells_of(standings, whole_names=True)
    told = "".join(f"<p>{_text(each)}</p>\n" for each in sentences(standings, cells.heads))
    body = (
        f"<h1>{_text(title)}</h1>\n{_navigation(seasons)}"
        f'<div class="scroll">\n{_table(cells)}</div>\n{told}'
        f"<h2>Ratings over time</h2>\n"
        f'<p><img src="{escape(picture)}" alt="{_text(about)}" width="960" height="540"></p>\n'
        f"<h2>Files</h2>\n<ul>\n{''.join(f'<li>{_link(each)}</li>{chr(10)}' for each in files)}</ul>\n"
    )
    return _page(title, body)


def _page(title: str, body: str) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{MARK}">\n'
        f"<title>{_text(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )


def _navigation(seasons: Sequence[Link]) -> str:
    if len(seasons) < 2:
        return ""
    links = "\n".join(_link(each) if each.address else f"<b>{_text(each.text)}</b>" for each in seasons)
    return f"<nav>\n{links}\n</nav>\n"


def _table(cells: Cells) -> str:
    if not cells.rows:
        return ""
    left = [' class="l"' if head in LEFT else "" for head in cells.heads]
    heads = "".join(f'<th scope="col"{way}>{_text(head)}</th>' for head, way in zip(cells.heads, left, strict=True))
    rows = []
    for number, row in enumerate(cells.rows):
        tier = ' class="end"' if number in cells.ends else ""
        rows.append(
            f"<tr{tier}>{''.join(f'<td{way}>{_text(cell)}</td>' for cell, way in zip(row, left, strict=True))}</tr>"
        )
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>\n"


def _link(link: Link) -> str:
    return f'<a href="{escape(link.address)}">{_text(link.text)}</a>'


def _text(text: str) -> str:
    return escape(printable(text))
