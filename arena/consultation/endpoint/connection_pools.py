"""All connections to endpoints: direct, or through the proxy that the user names for models."""

from __future__ import annotations

import os
import ssl
from contextlib import AbstractContextManager, suppress
from threading import Event, Lock
from urllib.parse import unquote, urlsplit

import httpcore2

from arena.consultation.endpoint.bounded_network import BoundedNetwork
from arena.errors import UserError

PROXY_VARIABLE = "ARENA_MODEL_PROXY"
"""The environment variable with the address of a proxy for models. No other variable sends requests, and so keys,
through a proxy: neither ``http_proxy`` nor ``all_proxy``; and ~/.netrc is not read."""
AUTHORITY_VARIABLES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""The usual environment variables with the certificates of authorities, the first one that is set before the other."""
SENT_STEP = "http11.send_request_body.complete"
"""What httpcore2 calls the step after which a request is sent."""
IDLE_SECONDS = 15.0
"""How long a connection is kept that nobody uses."""


class ConnectionPools:
    """Sends requests over connections that are used again. Threads share it. It follows no redirect and keeps no
    cookie."""

    def __init__(self) -> None:
        self.network = BoundedNetwork()
        self._proxy = os.environ.get(PROXY_VARIABLE, "").strip()
        self._lock = Lock()
        self._pools: dict[bool, httpcore2.ConnectionPool] = {}
        self._pool_of(encrypted=False)

    def open_response(
        self, url: str, headers: list[tuple[bytes, bytes]], body: bytes, gap: float, sent: Event
    ) -> AbstractContextManager[httpcore2.Response]:
        """POST ``body``, and read the answer's beginning on entering; ``gap`` is the longest wait for a byte, in
        seconds; ``sent`` is set once all is sent. Raises the errors of httpcore2."""

        def look(step: str, about: object) -> None:
            if step == SENT_STEP:
                sent.set()

        more = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), gap), "trace": look}
        pool = self._pool_of(encrypted=url.lower().startswith("https:"))
        return pool.stream("POST", url, headers=headers, content=body, extensions=more)

    def _pool_of(self, encrypted: bool) -> httpcore2.ConnectionPool:
        """The pool, made when it is first needed: to read the certificates of authorities takes a while."""
        with self._lock:
            if encrypted not in self._pools:
                self._pools[encrypted] = self._make_pool(_trusted_authorities() if encrypted else None)
            return self._pools[encrypted]

    def _make_pool(self, context: ssl.SSLContext | None) -> httpcore2.ConnectionPool:
        if not self._proxy:
            return httpcore2.ConnectionPool(
                ssl_context=context,
                max_connections=None,
                keepalive_expiry=IDLE_SECONDS,
                network_backend=self.network,
            )
        try:
            parts = urlsplit(self._proxy)
            address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
                raise ValueError
        except ValueError:
            raise UserError(f"{PROXY_VARIABLE}: expected the address of a proxy, such as http://host:3128") from None
        user = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        return httpcore2.HTTPProxy(
            address,
            proxy_auth=user,
            ssl_context=context,
            max_connections=None,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=self.network,
        )

    def close(self) -> None:
        """Cut off all connections, those in use too."""
        self.network.cut_all()
        with self._lock:
            for pool in self._pools.values():
                with suppress(Exception):  # connections in use complain
                    pool.close()


def _trusted_authorities() -> ssl.SSLContext:
    """What certificates are checked against. Raises UserError where the user has named a file that holds none."""
    try:
        return httpcore2.default_ssl_context()
    except OSError as problem:  # those of TLS too
        for name in AUTHORITY_VARIABLES:
            if named := os.environ.get(name):
                why = problem.strerror or problem
                raise UserError(
                    f"{name}: no certificates can be read from {named}: {why}; correct or unset it"
                ) from None
        raise
