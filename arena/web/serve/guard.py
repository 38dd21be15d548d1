"""What every request must keep to, and what every answer says: only reading, only from a browser that was sent here by
its user, nothing that a page could be made to do for somebody else.

Against DNS rebinding (RFC 6454, section 3.2 has no defence against a name that changes its address) the ``Host`` header
must name this machine: a name of somebody else's is refused, whatever address it leads to.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from html import unescape

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_ADDRESS = 2000
"""Bytes of an address at most."""
ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
"""The Content-Security-Policy of answers that are no pages."""
SAFETY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
MOST_PORT = 65535
_HOST_PATTERN = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?")
"""What a ``Host`` header may be: a name, or the number of a machine, which nobody can make to lead elsewhere (of IPv6
in brackets and without a zone), and a port."""
_POLICY_TAG = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


class Guard:
    """An application in front of ``app``: refuses what is not allowed, and puts headers on every answer. ``names`` are
    further names of this machine."""

    def __init__(self, app: ASGIApp, names: frozenset[str] = frozenset()) -> None:
        self._app, self._names = app, names | own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFETY_HEADERS.items():
                    headers[name] = value
                headers.setdefault("content-security-policy", ANSWER_POLICY)
            await send(message)

        refused = self._refusal(scope)
        await (self._app if refused is None else refused)(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Why a request is not answered; None where it is."""
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("only GET and HEAD: nothing can be changed here\n", 405, {"allow": "GET, HEAD"})
        if len(headers.getlist("host")) != 1 or not self._is_here(headers["host"]):
            return PlainTextResponse("this server is asked under a name that is not its own\n", 421)
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return PlainTextResponse(f"an address has at most {LONGEST_ADDRESS} bytes here\n", 414)
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("pages of others may link here, and no more\n", 403)
        return None

    def _is_here(self, host: str) -> bool:
        """Whether a ``Host`` header names this machine: as an address, or by a name that is its own."""
        found = _HOST_PATTERN.fullmatch(host)
        if found is None or not 1 <= int(found["port"] or 80) <= MOST_PORT:
            return False
        try:
            if found["six"] is not None:
                ipaddress.IPv6Address(found["six"])
            elif found["name"].lower() not in self._names:
                ipaddress.IPv4Address(found["name"])
        except ValueError:
            return False
        return True


def own_names() -> frozenset[str]:
    """The names of this machine."""
    return frozenset({"localhost", socket.gethostname().lower()})


def page_policy(html: str) -> str:
    """The policy that a page names itself, as a header; nobody may show it in a frame."""
    found = _POLICY_TAG.search(html[:8192])
    return ANSWER_POLICY if found is None else f"{unescape(found[1])}; frame-ancestors 'none'"
