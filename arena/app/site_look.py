"""How a page of the documentation's site looks: its frame, its navigation, its style."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arena.app.docs import Page
from arena.app.sections import Section

STYLE = """\
:root { color-scheme: light dark; --line: #d4d7dc; --soft: #f4f5f7; --quiet: #5b6470; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a4048; --soft: #1e2227; --quiet: #a0a9b4; --link: #7ab8f5; }
  body { background: #14171a; color: #e3e6ea; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.frame { display: flex; gap: 2.5rem; max-width: 82rem; margin: 0 auto; padding: 0 1.25rem; }
nav { flex: 0 0 17rem; position: sticky; top: 0; align-self: flex-start; max-height: 100vh; overflow-y: auto;
  padding: 1.5rem 0; font-size: .9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { margin: .2rem 0 .5rem; border-left: 1px solid var(--line); }
nav ul ul a { padding-left: .8rem; }
nav ul ul .below a { padding-left: 1.7rem; }
nav a { display: block; padding: .12rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav .here { font-weight: 600; color: inherit; }
nav .name { font-size: 1.15rem; font-weight: 700; margin-bottom: .6rem; }
main { flex: 1 1 auto; min-width: 0; max-width: 60rem; padding: 1.5rem 0 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.4rem; margin: 2.4rem 0 .8rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.12rem; margin: 1.8rem 0 .5rem; }
:target { scroll-margin-top: 1rem; }
code, pre { font: .87em/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .3em; border-radius: 3px; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 5px; padding: .8rem 1rem;
  overflow-x: auto; }
pre code { background: none; padding: 0; font-size: 1em; }
table { border-collapse: collapse; display: block; overflow-x: auto; margin: 1rem 0; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
img { max-width: 100%; }
footer { color: var(--quiet); font-size: .85rem; margin-top: 3rem; border-top: 1px solid var(--line);
  padding-top: .8rem; }
@media (max-width: 55rem) {
  .frame { display: block; }
  nav { position: static; max-height: none; border-bottom: 1px solid var(--line); }
  nav ul ul { display: none; }
}
@media print { nav { display: none; } }
"""


def whole_page(
    name: str, title: str, body: str, pages: Sequence[Page], sections: Sequence[Section], made: str, mark: str
) -> str:
    """A page of the site: ``body`` in its frame, beside the list of all ``pages`` and of the ``sections`` of this one,
    whose ``name`` is empty for the first page. ``made`` stands below, ``mark`` for programs above."""
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="{mark}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        f'<div class="frame">\n{_navigation(name, pages, sections)}'
        f"<main>\n{body}<footer>{escape(made)}</footer>\n</main>\n</div>\n</body>\n</html>\n"
    )


def _navigation(name: str, pages: Sequence[Page], sections: Sequence[Section]) -> str:
    items = []
    for each in pages:
        here = ' class="here" aria-current="page"' if each.name == name else ""
        below = _contents(sections) if each.name == name else ""
        items.append(f'<li><a href="{each.name}.html"{here}>{escape(each.title)}</a>{below}</li>\n')
    return f'<nav>\n<a class="name" href="index.html">arena</a>\n<ul>\n{"".join(items)}</ul>\n</nav>\n'


def _contents(sections: Sequence[Section]) -> str:
    if not sections:
        return ""
    items = []
    for each in sections:
        below = ' class="below"' if each.level > 2 else ""
        title = escape(each.title.replace("`", ""))
        items.append(f'<li{below}><a href="#{each.slug}">{title}</a></li>\n')
    return f"\n<ul>\n{''.join(items)}</ul>\n"
