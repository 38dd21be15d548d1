"""The server: listens on one address of this machine until it is stopped."""

from __future__ import annotations

import ipaddress
import logging
import socket
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.errors import ArenaError, UserError
from arena.web.serve.uploads.upload_options import UploadOptions

PORT = 8321
"""The default port."""
BACKLOG = 128


class ListenAddress(msgspec.Struct, frozen=True):
    """The address on which the server listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address of the first page, for a browser."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that listens on this host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """``operator``: show also what is not public of ladders; ``jobs``: processes that make a report, or check an
    upload; ``games``: external games; ``names``: further host names that are answered, such as that of a proxy;
    ``uploads``: what is allowed of uploads (None: none are taken)."""

    operator: bool
    jobs: int = 1
    games: Sequence[str] = ()
    names: Sequence[str] = ()
    uploads: UploadOptions | None = None


def serve_folder(
    folder: Path, host: str, port: int, options: ServeOptions, tell: Callable[[ListenAddress], object]
) -> None:
    """Serve the runs and ladders in ``folder`` until Stopped or KeyboardInterrupt is raised; calls ``tell`` once it
    listens. Raises UserError where there is nothing to serve or the port is not available."""
    from arena.web.serve.places import ServedPlaces  # what follows takes longer to load than most commands run

    places = ServedPlaces(folder)
    with closing(_listen(host, port)) as listening, tempfile.TemporaryDirectory(prefix="arena-serve-") as kept:
        at = ListenAddress(host, listening.getsockname()[1])
        _serve(places, listening, Path(kept), at, options, tell)


def _serve(
    places: object,
    listening: socket.socket,
    kept: Path,
    at: ListenAddress,
    options: ServeOptions,
    tell: Callable[[ListenAddress], object],
) -> None:
    import uvicorn

    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # what others send that is no HTTP concerns nobody
    from arena.web.report import report_page
    from arena.web.serve.connections import BrowserConnection
    from arena.web.serve.places import ServedPlaces, ladders_of
    from arena.web.serve.runs.run_reports import ReportStore
    from arena.web.serve.uploads.check_queue import CheckQueue
    from arena.web.serve.web import Site, site_application
    from arena.web.viewer.write_page import write_match_page

    assert isinstance(places, ServedPlaces)
    with closing(ReportStore(kept, report_page, options.jobs, options.games)) as reports, ExitStack() as opened:
        queue = None
        if options.uploads is not None:
            queue = opened.enter_context(CheckQueue(ladders_of(places), options.uploads, options.jobs, options.games))
        site = Site(places, reports, write_match_page, options.operator, queue)
        config = uvicorn.Config(
            site_application(site, frozenset(name.lower() for name in (at.host, *options.names))),
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            lifespan="off",
            http=BrowserConnection,
            ws="none",
            backlog=BACKLOG,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=1 << 14,
        )

        class Server(uvicorn.Server):
            """Passes its address to ``tell`` as soon as signals can stop it in good order."""

            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                tell(at)

        with site.indexing:
            Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this address. Raises UserError where the address is not this machine's,
    ArenaError where the port is taken."""
    try:
        family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as problem:
        raise UserError(f"--host {host}: {problem.strerror or problem}") from None
    found = socket.socket(family, kind, number)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(BACKLOG)
    except OSError as problem:
        found.close()
        raise _address_refusal(host, port, problem) from None
    return found


def _address_refusal(host: str, port: int, problem: OSError) -> ArenaError:
    import errno

    if problem.errno == errno.EADDRINUSE:
        return UserError(
            f"port {port} of {host} is taken by another program; choose one with --port, or 0 for any free"
        )
    if problem.errno == errno.EACCES:
        return UserError(f"port {port} of {host} may not be used by you; choose one from 1024 on with --port")
    if problem.errno == errno.EADDRNOTAVAIL:
        return UserError(f"--host {host}: this machine does not have that address")
    return UserError(f"port {port} of {host}: {problem.strerror or problem}")
