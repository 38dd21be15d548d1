"""How a page of the documentation's site looks: its frame, its navigation, its style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from arena import __version__
from arena.commands.docs.page_groups import START_PAGE
from arena.commands.docs.sections import PageSection
from arena.commands.docs.topics import DocsPage
from arena.pages.page import embed_json, source_digest, style_sheet
from arena.pages.page_file import PageFile

PICTURE_SOURCES = "'self' https:"
"""The allowed sources of pictures: the site itself and https addresses."""
SITE_GENERATOR = "arena docs --html"
"""The generator that each page names in its source: a folder whose index page names it may be overwritten."""
SEARCH_SCRIPT = PageFile("arena.pages", "scripts/site_search.js")


class SitePage(NamedTuple):
    """A page of the site: its name (the file without its ending), title, HTML ``body``, and the sections of its text.
    A page that searches has ``data``, the sections of all pages."""

    name: str
    title: str
    body: str
    sections: Sequence[PageSection] = ()
    data: Any = None


def whole_page(page: SitePage, pages: Sequence[DocsPage]) -> str:
    """The page in HTML, in its frame: above it the way to all pages and the search, beside it (on a narrow screen below
    it) all ``pages`` in their groups, and at its end the pages before and after it in reading order."""
    style, script = style_sheet("shadows", "site"), "" if page.data is None else SEARCH_SCRIPT.read()
    title = page.title if page.name == "index" else f"{page.title} – arena"
    data = f'<script type="application/json" id="page-data">{embed_json(page.data)}</script>\n' if script else ""
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_site_policy(style, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{SITE_GENERATOR}">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{_top_bar(page.data is not None)}"
        f'<div class="frame">\n<main>\n{page.body}{_turn_page(page.name, pages)}'
        f"<footer>{escape(f'arena {__version__}')}</footer>\n</main>\n{_navigation(page, pages)}</div>\n"
        f"{data}{f'<script>{script}</script>{chr(10)}' if script else ''}</body>\n</html>\n"
    )


def page_list(pages: Sequence[DocsPage]) -> str:
    """All pages in their groups, each with what one can do after reading it."""
    parts = []
    for group, members in groupby(pages, key=lambda each: each.group):
        items = "".join(
            f'<li><a href="{each.name}.html">{escape(each.title)}</a><br>{escape(each.aim.replace("`", ""))}</li>\n'
            for each in members
        )
        parts.append(f'<h3>{escape(group)}</h3>\n<ul class="pages">\n{items}</ul>\n')
    return "".join(parts)


def _site_policy(style: str, script: str) -> str:
    """The Content-Security-Policy of a page with this style sheet and script ("": none), and a form that leads to the
    page with the search."""
    scripts = f"script-src {source_digest(script)}; " if script else ""
    return (
        f"default-src 'none'; {scripts}style-src {source_digest(style)}; img-src {PICTURE_SOURCES}; "
        "base-uri 'none'; form-action 'self' file:"
    )


def _top_bar(searching: bool) -> str:
    focus = " autofocus" if searching else ""
    return (
        f'<header>\n<a class="name" href="index.html">arena</a>\n<a href="{START_PAGE}.html">Start here</a>\n'
        '<a href="index.html#look-around">Samples</a>\n<a class="all" href="#pages">All pages</a>\n'
        '<form action="search.html" method="get" role="search">\n'
        f'<input id="search" type="search" name="q" placeholder="Search" aria-label="Search all pages"{focus}>\n'
        "</form>\n</header>\n"
    )


def _navigation(page: SitePage, pages: Sequence[DocsPage]) -> str:
    parts = []
    for group, members in groupby(pages, key=lambda each: each.group):
        items = []
        for each in members:
            here = ' class="here" aria-current="page"' if each.name == page.name else ""
            below = _contents(page.sections) if each.name == page.name else ""
            items.append(f'<li><a href="{each.name}.html"{here}>{escape(each.title)}</a>{below}</li>\n')
        parts.append(f"<p>{escape(group)}</p>\n<ul>\n{''.join(items)}</ul>\n")
    return f'<nav id="pages" aria-label="All pages">\n{"".join(parts)}</nav>\n'


def _contents(sections: Sequence[PageSection]) -> str:
    if not sections:
        return ""
    items = []
    for each in sections:
        below = ' class="below"' if each.level > 2 else ""
        title = escape(each.title.replace("`", ""))
        items.append(f'<li{below}><a href="#{each.slug}">{title}</a></li>\n')
    return f"\n<ul>\n{''.join(items)}</ul>\n"


def _turn_page(name: str, pages: Sequence[DocsPage]) -> str:
    """Links to the pages before and after this one; from the front page, to the first."""
    names = ["index", *(each.name for each in pages)]
    if name not in names:
        return ""
    at, titles = names.index(name), ["arena", *(each.title for each in pages)]
    links = []
    if at > 0:
        links.append(f'<a rel="prev" href="{names[at - 1]}.html">← {escape(titles[at - 1])}</a>')
    if at + 1 < len(names):
        links.append(f'<a class="next" rel="next" href="{names[at + 1]}.html">{escape(titles[at + 1])} →</a>')
    return f'<nav class="turn" aria-label="Next and previous page">\n{chr(10).join(links)}\n</nav>\n'
