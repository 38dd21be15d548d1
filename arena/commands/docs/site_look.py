"""How a page of the documentation's site looks: its frame, its navigation, its style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arena.commands.docs.sections import PageSection
from arena.commands.docs.topics import DocsPage
from arena.pages.page import still_policy, style_sheet

PICTURE_SOURCES = "'self' https:"
"""The allowed sources of pictures: the site itself and https addresses."""


def whole_page(
    name: str, title: str, body: str, pages: Sequence[DocsPage], sections: Sequence[PageSection], made: str, mark: str
) -> str:
    """A whole page of the site: the HTML ``body`` in its frame, with lists of all ``pages`` and of this page's
    ``sections``. ``name`` is empty for the front page. ``made`` is the footer, ``mark`` the generator named in the head
    for programs."""
    style = style_sheet("site")
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{still_policy(style, PICTURE_SOURCES)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{mark}">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div class="frame">\n{_navigation(name, pages, sections)}'
        f"<main>\n{body}<footer>{escape(made)}</footer>\n</main>\n</div>\n</body>\n</html>\n"
    )


def _navigation(name: str, pages: Sequence[DocsPage], sections: Sequence[PageSection]) -> str:
    items = []
    for each in pages:
        here = ' class="here" aria-current="page"' if each.name == name else ""
        below = _contents(sections) if each.name == name else ""
        items.append(f'<li><a href="{each.name}.html"{here}>{escape(each.title)}</a>{below}</li>\n')
    return f'<nav>\n<a class="name" href="index.html">arena</a>\n<ul>\n{"".join(items)}</ul>\n</nav>\n'


def _contents(sections: Sequence[PageSection]) -> str:
    if not sections:
        return ""
    items = []
    for each in sections:
        below = ' class="below"' if each.level > 2 else ""
        title = escape(each.title.replace("`", ""))
        items.append(f'<li{below}><a href="#{each.slug}">{title}</a></li>\n')
    return f"\n<ul>\n{''.join(items)}</ul>\n"
