"""Checks every request and adds security headers to every response: requests may only read, or upload a bot where that
is taken, and must come from a browser that its user sent here; no page can make the server act for somebody else.

Against DNS rebinding (RFC 6454, section 3.2 has no defence against a name that changes its address) the ``Host`` header
must name this machine: any other name is refused, whatever address it resolves to."""

from __future__ import annotations

import ipaddress
import re
import socket
from html import unescape

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_ADDRESS = 2000
"""The longest address of a request, in bytes."""
ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
"""The Content-Security-Policy of responses that are not pages."""
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
"""The allowed form of a ``Host`` header: a name or an IP address, which nobody can make point elsewhere (IPv6 in
brackets, without a zone), and a port."""
_POLICY_TAG = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


class Guard:
    """Middleware around ``app``: refuses forbidden requests, and adds headers to every response. ``names`` are further
    names of this machine; ``takes_uploads`` allows POST, which the application takes at some addresses."""

    def __init__(self, app: ASGIApp, names: frozenset[str] = frozenset(), takes_uploads: bool = False) -> None:
        self._app, self._names, self._takes_uploads = app, names | own_names(), takes_uploads

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
        """Return the response that refuses a request; None where the request is allowed."""
        headers = Headers(scope=scope)
        uploads = scope["method"] == "POST" and self._takes_uploads
        if scope["method"] not in ("GET", "HEAD") and not uploads:
            allowed = {"allow": "GET, HEAD"}
            return PlainTextResponse("only GET and HEAD are allowed: the server is read-only\n", 405, allowed)
        if len(headers.getlist("host")) != 1 or not self._is_here(headers["host"]):
            return PlainTextResponse("this server does not answer under that host name\n", 421)
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return PlainTextResponse(f"an address has at most {LONGEST_ADDRESS} bytes here\n", 414)
        by_link = headers.get("sec-fetch-mode") == "navigate" and not uploads
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not by_link:
            return PlainTextResponse("other sites may only link here\n", 403)
        return None

    def _is_here(self, host: str) -> bool:
        """Return whether a ``Host`` header names this machine: by an IP address, or by one of its own names."""
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
    """Return the policy that a page names, as a header; no other page may show it in a frame."""
    found = _POLICY_TAG.search(html[:8192])
    return ANSWER_POLICY if found is None else f"{unescape(found[1])}; frame-ancestors 'none'"
