"""The documentation as a small static web site: no script, nothing from the network, every anchor a section's slug."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena import __version__
from arena.commands.docs.sections import PageSection, find_section, sections_of, slug_of
from arena.commands.docs.site_look import whole_page
from arena.commands.docs.topics import SCHEMA_TOPICS, DocsPage, list_pages, topic_text
from arena.errors import UserError
from arena.foreign_files import read_foreign_file
from arena.resources import docs_folder, readme_text
from arena.storage.files.atomic_files import check_place, write_whole

SITE_GENERATOR = "arena docs --html"
"""The generator that each page names in its source: a folder whose index page names it may be overwritten."""
SITE_INDEX = "index.html"
DOCS_COMMAND = re.compile(r"arena docs ([a-z-]+)(?: ([\w.-]+))?$")
"""A command in the text of a page that stands for a link to another page."""
ADDRESS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""The beginning of an address outside the site."""


class RenderedPage(NamedTuple):
    """A page in HTML, and the names of the picture files that it shows."""

    html: str
    files: frozenset[str]


def write_site(folder: Path) -> list[Path]:
    """Write the site into ``folder``, which is created if needed; returns the paths of its files. Raises UserError if
    the folder has files that are not of such a site."""
    check_place(folder, "--html", folder=True)
    if folder.is_dir() and any(folder.iterdir()) and not _is_site(folder):
        raise UserError(f"--html {folder}: it holds other files; choose an empty folder, or one for the site alone")
    files = site_files()
    for name, content in files.items():
        write_whole(folder / name, content)
    return [folder / name for name in files]


def _is_site(folder: Path) -> bool:
    index = folder / SITE_INDEX
    return index.is_file() and f'content="{SITE_GENERATOR}"' in read_foreign_file(index).decode("utf-8", "replace")


def site_files() -> dict[str, bytes]:
    """The files of the site by name."""
    pages = list_pages()
    files: dict[str, bytes] = {}
    for each in pages:
        text = topic_text(each.name)
        if each.name in SCHEMA_TOPICS:
            files[f"{each.name}.json"] = text.encode()
            body, sections, shown = _schema_body(each, text), [], frozenset[str]()
        else:
            (body, shown), sections = render_markdown(text), sections_of(text)
        files[f"{each.name}.html"] = _page_bytes(each.name, each.title, body, pages, sections)
        files |= {name: (docs_folder() / name).read_bytes() for name in sorted(shown)}
    body, shown = render_markdown(site_front_page(readme_text(), pages))
    files[SITE_INDEX] = _page_bytes("", "arena", body, pages, [])
    return files | {name: (docs_folder() / name).read_bytes() for name in sorted(shown)}


def site_front_page(text: str, pages: Sequence[DocsPage]) -> str:
    """The front page in Markdown: the beginning of the README, or just a heading if there is none, and the list of
    pages."""
    begins = text.partition("\n## ")[0].strip() if text.startswith("# ") else "# arena"
    listed = "\n".join(f"- [{each.title}]({each.name}.html)" for each in pages)
    return f"{begins}\n\n## Pages\n\n{listed}\n"


def _page_bytes(name: str, title: str, body: str, pages: Sequence[DocsPage], sections: Sequence[PageSection]) -> bytes:
    full = title if title == "arena" else f"{title} – arena"
    return whole_page(name, full, body, pages, sections, f"arena {__version__}", SITE_GENERATOR).encode()


def _schema_body(of: DocsPage, text: str) -> str:
    file = f"{of.name}.json"
    return (
        f"<h1>{escape(of.title)}</h1>\n"
        f'<p><a href="{file}" download>{file}</a></p>\n'
        f"<pre><code>{escape(text)}</code></pre>\n"
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
    return RenderedPage(markdown.renderer.render(tokens, markdown.options, {}), frozenset(files))


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
    if command is None or command[1] not in {each.name for each in list_pages()}:
        return None
    if command[2] is None:
        return f"{command[1]}.html"
    try:
        return f"{command[1]}.html#{find_section(command[1], topic_text(command[1]), command[2]).slug}"
    except UserError:
        return None
