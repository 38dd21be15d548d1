"""A whole page: a filled-in template with its styles, scripts and data inside, so that it needs no other file.

A page runs only the scripts that it was written with: its Content-Security-Policy (CSP Level 3, W3C) names their
digests, and forbids everything from elsewhere. Text from bots may therefore stand anywhere in it."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from html import unescape
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from arena import __version__
from arena.pages.page_file import PageFile, PagePart
from arena.printable import printable_text

PAGE_STYLES: tuple[str, ...] = ("look",)
"""The style sheets of every page, from ``arena/pages/styles``."""
PAGE_SCRIPTS: tuple[str, ...] = ("page",)
"""The scripts of every page, from ``arena/pages/scripts``."""
POLICY_TAG = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
DIGEST_PATTERN = re.compile(r"'sha256-[A-Za-z0-9+/=]+'")


@dataclass(frozen=True, kw_only=True)
class HtmlPage:
    """A page before it is written.

    ``template`` names a file in ``arena/pages/templates`` (without its ending), which ``values`` fill in. ``styles``
    and ``scripts`` name the files that it needs beside those of every page, in this order: files in
    ``arena/pages/styles`` and ``arena/pages/scripts``, or files of other packages. The scripts read ``data``, anything
    that msgspec can encode as JSON, by ``pageData()``. A ``live`` page may request more from its server and show it
    without reloading; one that ``reads`` may request files of its server and send nothing. ``holds`` are whole pages,
    as :func:`render_page` returns them, that the data contains and this page can open: a browser applies this page's
    policy to them too."""

    title: str
    template: str
    values: Mapping[str, Any] = field(default_factory=dict)
    styles: Sequence[str | PagePart] = ()
    scripts: Sequence[str | PagePart] = ()
    data: Any = None
    live: bool = False
    reads: bool = False
    holds: Sequence[str] = ()


def render_page(page: HtmlPage) -> str:
    """The page in HTML, one file that needs no other."""
    style = style_sheet(*page.styles)
    script = "".join(_read_part("scripts", name, "js") for name in (*PAGE_SCRIPTS, *page.scripts))
    return (
        _template_environment()
        .get_template(f"{page.template}.html")
        .render(
            {
                **page.values,
                "title": page.title,
                "version": __version__,
                "policy": security_policy(style, script, page),
                "style": style,
                "script": script,
                "data": None if page.data is None else embed_json(page.data),
            }
        )
    )


def render_template(template: str, values: Mapping[str, Any]) -> str:
    """Return a part of a page in HTML, made by filling in a template of its own."""
    return _template_environment().get_template(f"{template}.html").render(values)


def security_policy(style: str, script: str, page: HtmlPage) -> str:
    """Return the Content-Security-Policy of a page with this style sheet and script."""
    scripts, styles = [source_digest(script)], [source_digest(style)]
    for held in page.holds:
        found = POLICY_TAG.search(held)
        said = "" if found is None else unescape(found[1])
        scripts += DIGEST_PATTERN.findall(said.partition("script-src ")[2].partition(";")[0])
        styles += DIGEST_PATTERN.findall(said.partition("style-src ")[2].partition(";")[0])
    requests = "'self'" if page.live or page.reads else "'none'"
    forms = "'self'" if page.live else "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(dict.fromkeys(scripts))}",
            f"style-src {' '.join(dict.fromkeys(styles))}",
            "img-src 'self' data: blob:",
            f"connect-src {requests}",
            f"form-action {forms}",
            "base-uri 'none'",
        )
    )


def style_sheet(*names: str | PagePart) -> str:
    """Return the styles of every page, followed by those of these files, as one sheet."""
    return "".join(_read_part("styles", name, "css") for name in (*PAGE_STYLES, *names))


def still_policy(style: str, images: str = "'self'") -> str:
    """Return the Content-Security-Policy of a page without scripts: this style sheet, images from this source."""
    return (
        f"default-src 'none'; style-src {source_digest(style)}; img-src {images}; base-uri 'none'; form-action 'none'"
    )


def source_digest(text: str) -> str:
    """The source expression that allows exactly this script or style sheet."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def embed_json(data: Any) -> str:
    """Encode the data as JSON for use inside a ``script`` element: nothing in it ends the element or begins a comment
    (HTML Standard, restrictions for contents of script elements)."""
    text = msgspec.json.encode(data).decode()
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@lru_cache(maxsize=64)
def _read_part(folder: str, file: str | PagePart, ending: str) -> str:
    own = PageFile("arena.pages", f"{folder}/{file}.{ending}") if isinstance(file, str) else file
    return own.read()


@lru_cache(maxsize=1)
def _template_environment() -> Environment:
    found = Environment(
        loader=PackageLoader("arena.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["printable"] = printable_text
    found.filters["thousands"] = lambda number: f"{number:,}"
    return found
