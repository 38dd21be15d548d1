"""The documentation as a small static web site: nothing from the network, no script but that of the search, every
anchor a section's slug."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena.commands.docs.page_groups import PAGE_NAMES, START_PAGE
from arena.commands.docs.samples import SAMPLE_PAGES, sample_files
from arena.commands.docs.sections import find_section, sections_of, slug_of
from arena.commands.docs.site_look import SITE_GENERATOR, SitePage, page_list, whole_page
from arena.commands.docs.topics import SCHEMA_TOPICS, DocsPage, list_pages, topic_text
from arena.errors import UserError
from arena.foreign_files import read_foreign_file
from arena.old_names import OLD_PAGES
from arena.resources import docs_folder, readme_text
from arena.storage.files.atomic_files import check_place, write_whole

SITE_INDEX = "index.html"
DOCS_COMMAND = re.compile(r"arena docs ([a-z-]+)(?: ([\w.-]+))?$")
"""A command in the text of a page that stands for a link to another page."""
ADDRESS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""The beginning of an address outside the site."""


SCROLLED_TAG = re.compile("<(pre|table)>")
"""The beginning of what scrolls sideways on a narrow screen."""
MARKUP = re.compile(r"[`*|]|-{3,}")
"""Markup that the search leaves out of what it shows."""
SEARCH_BODY = '<h1>Search</h1>\n<noscript><p>The search needs JavaScript.</p></noscript>\n<div id="found"></div>\n'
"""The search page: its field is in the top bar, its script shows what is found."""


class RenderedPage(NamedTuple):
    """A page in HTML, and the names of the picture files that it shows."""

    html: str
    files: frozenset[str]


def write_site(folder: Path) -> list[Path]:
    """Write the site into ``folder``, which is created if needed; returns the paths of its files. Raises UserError if
    the folder has files that are not of such a site."""
    check_place(folder, "--html", folder=True)
    if folder.is_dir() and any(folder.iterdir()) and not _is_site(folder):
        raise UserError(f"--html {folder}: it holds other files; choose an empty folder, or one used only for the site")
    files = site_files() | sample_files()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, content)
    return [folder / name for name in files]


def _is_site(folder: Path) -> bool:
    index = folder / SITE_INDEX
    return index.is_file() and f'content="{SITE_GENERATOR}"' in read_foreign_file(index).decode("utf-8", "replace")


def site_files() -> dict[str, bytes]:
    """The files of the site by name, without the samples."""
    pages = list_pages()
    files: dict[str, bytes] = {}

    def add_page(page: SitePage, shown: frozenset[str] = frozenset()) -> None:
        files[f"{page.name}.html"] = whole_page(page, pages).encode()
        files.update({name: (docs_folder() / name).read_bytes() for name in sorted(shown)})

    for each in pages:
        text = topic_text(each.name)
        if each.name in SCHEMA_TOPICS:
            files[f"{each.name}.json"] = text.encode()
            add_page(SitePage(each.name, each.title, _schema_body(each, text)))
        else:
            body, shown = render_markdown(text)
            aim = f'</h1>\n<p class="aim">{escape(each.aim.replace("`", ""))}</p>'
            add_page(SitePage(each.name, each.title, body.replace("</h1>", aim, 1), sections_of(text)), shown)
    for moved in OLD_PAGES:
        if " " not in moved.old:
            page, _, section = moved.new.partition(" ")
            address = f"{page}.html{section and '#'}{section}"
            link = f'<h1>{moved.old}</h1>\n<p>This page has moved: <a href="{address}">{moved.new}</a></p>\n'
            add_page(SitePage(moved.old, moved.old, link))
    add_page(SitePage("search", "Search", SEARCH_BODY, data=_search_sections(pages)))
    add_page(*site_front_page(readme_text(), pages))
    return files


def site_front_page(text: str, pages: Sequence[DocsPage]) -> tuple[SitePage, frozenset[str]]:
    """The front page, and the names of the pictures that it shows: the beginning of the README, or just a heading if
    there is none, where to start, the samples, and the list of pages."""
    begins = text.partition("\n## ")[0].strip() if text.startswith("# ") else "# arena"
    body, shown = render_markdown(begins)
    start = next(each for each in pages if each.name == START_PAGE)
    samples = "".join(f'<li><a href="{each.address}">{each.title}</a>: {each.shows}</li>\n' for each in SAMPLE_PAGES)
    body += (
        f'<h2 id="start-here">Start here</h2>\n<p><a href="{START_PAGE}.html">{escape(start.title)}</a> is the first '
        "page; each page leads to the next.</p>\n"
        f'<h2 id="look-around">Look around without installing anything</h2>\n<ul>\n{samples}</ul>\n'
        f'<h2 id="all-pages">All pages</h2>\n{page_list(pages)}'
    )
    return SitePage("index", "arena", body), shown


def _search_sections(pages: Sequence[DocsPage]) -> list[dict[str, str]]:
    """What the search looks through: each section of each page, with its title, address and words."""
    found = []
    for page in pages:
        if page.name in SCHEMA_TOPICS:
            continue
        text = topic_text(page.name)
        sections = sections_of(text)
        lines = text.splitlines()
        starts = [0, *(each.start for each in sections), len(lines)]
        for at, (start, end) in enumerate(pairwise(starts)):
            title, slug = ("", "") if at == 0 else (sections[at - 1].title, f"#{sections[at - 1].slug}")
            words = " ".join(MARKUP.sub(" ", " ".join(lines[start + 1 : end])).split())
            address = f"{page.name}.html{slug}"
            found.append({"page": page.title, "title": title.replace("`", ""), "address": address, "text": words})
    return found


def _schema_body(of: DocsPage, text: str) -> str:
    file = f"{of.name}.json"
    return (
        f"<h1>{escape(of.title)}</h1>\n"
        f'<p><a href="{file}" download>{file}</a></p>\n'
        f'<pre class="scroll"><code>{escape(text)}</code></pre>\n'
    )


def render_markdown(text: str) -> RenderedPage:
    """Render a page's Markdown as HTML: headings get their slugs as anchors, and references to other pages become
    links. HTML in the source is shown as text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    anchors: dict[str, int] = {}
    files: set[str] = set()
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            slug = slug_of(tokens[at + 1].content)
            count = anchors[slug] = anchors.get(slug, -1) + 1
            token.attrSet("id", f"{slug}-{count}" if count else slug)
        elif token.type == "inline":
            token.children = _link_commands(token.children or [], files)
    html = SCROLLED_TAG.sub(r'<\1 class="scroll">', markdown.renderer.render(tokens, markdown.options, {}))
    return RenderedPage(html, frozenset(files))


def _link_commands(children: Sequence[Token], files: set[str]) -> list[Token]:
    """The tokens of a line of text with links to the pages that they name; adds the names of its pictures to
    ``files``."""
    found: list[Token] = []
    inside = False
    for token in children:
        inside = (inside or token.type == "link_open") and token.type != "link_close"
        if token.type == "link_open":
            token.attrSet("href", _site_address(str(token.attrGet("href"))))
        elif token.type == "image":
            token = _site_picture(token, files)
        address = None if inside or token.type != "code_inline" else _command_address(token.content)
        found += [token] if address is None else [_link_token(address), token, Token("link_close", "a", -1)]
    return found


def _site_address(written: str) -> str:
    """The address in the site for the target of a link in a page's source."""
    return (
        re.sub(r"^(?:.*/)?([\w-]+)\.md(?=#|$)", r"\1.html", written) if not ADDRESS_SCHEME.match(written) else written
    )


def _site_picture(token: Token, files: set[str]) -> Token:
    """The token of a picture, whose file name is added to ``files`` if it lies beside the pages' sources. A picture on
    the network stays as it is; any other is replaced by its description."""
    source = str(token.attrGet("src"))
    name = Path(source).name
    if ADDRESS_SCHEME.match(source):
        return token
    if (docs_folder() / name).is_file():
        files.add(name)
        token.attrSet("src", name)
        return token
    return Token("text", "", 0, content=token.content)


def _link_token(address: str) -> Token:
    token = Token("link_open", "a", 1)
    token.attrSet("href", address)
    return token


def _command_address(code: str) -> str | None:
    """The address of the page or section that this ``arena docs`` command prints; None for other code."""
    command = DOCS_COMMAND.match(code)
    if command is None or command[1] not in PAGE_NAMES:
        return None
    if command[2] is None:
        return f"{command[1]}.html"
    try:
        return f"{command[1]}.html#{find_section(command[1], topic_text(command[1]), command[2]).slug}"
    except UserError:
        return None
