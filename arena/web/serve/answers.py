"""Pages as HTTP responses: with the policy that they name, and an ETag, so that a page that refreshes itself learns
that nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from arena.pages.page import HtmlPage, render_page
from arena.printable import printable_text
from arena.web.serve.guard import page_policy

SOON_SECONDS, LATER_SECONDS = 2, 5
"""The refresh intervals of pages in seconds: while the run or ladder is being played, and after it ended."""

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The Content-Security-Policy of a picture, which contains its style."""


class Link(NamedTuple):
    """A link: its text and its address."""

    text: str
    address: str


HOME_LINK = Link("runs and ladders", "/")
"""The link to the list of all served runs and ladders."""


def page_address(*parts: str, **query: str | int | None) -> str:
    """Return an address on this server from its parts, quoted, and the query values that are not empty."""
    path = "/" + "/".join(quote(part, safe="") for part in parts)
    asked = {name: str(value) for name, value in query.items() if value not in (None, "")}
    return f"{path}?{urlencode(asked)}" if asked else path


def match_address(*parts: str, id: str, **query: str | int | None) -> str:
    """Return an address that ends in the id of a match, whose slashes separate parts of the address."""
    return page_address(*parts, *id.split("/"), **query)


def serve_page(
    request: Request,
    title: str,
    template: str,
    trail: Sequence[Link],
    values: Mapping[str, Any],
    every: int = LATER_SECONDS,
    status: int = 200,
) -> Response:
    """Return a page of this server, with the links of its ``trail`` above; it refreshes itself ``every`` so many
    seconds (0: never). Where only one run is served, the link to the list is left out."""
    trail = [link for link in trail if link is not HOME_LINK or not request.app.state.single]
    page = HtmlPage(
        title=printable_text(title),
        template=template,
        values={"heading": printable_text(title), "trail": trail, "every": every, **values},
        styles=("shadows", "serve"),
        scripts=("serve_follow",),
        live=True,
    )
    return html_response(request, render_page(page), status)


def html_response(request: Request, text: str, status: int = 200) -> Response:
    """Return a page; only its ETag where the browser has this version already."""
    body = text.encode("utf-8", "replace")
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "content-security-policy": page_policy(text)}
    if status == 200 and tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, "text/html")


def svg_response(picture: str) -> Response:
    """A picture in SVG."""
    return Response(picture, 200, {"content-security-policy": SVG_POLICY}, "image/svg+xml")


def download_response(content: bytes, name: str, kind: str) -> Response:
    """A file that the browser keeps and does not show."""
    return Response(content, 200, {"content-disposition": f'attachment; filename="{downloaded_name(name)}"'}, kind)


def downloaded_name(name: str) -> str:
    """What a file is called when it was downloaded."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name if letter.isascii())
