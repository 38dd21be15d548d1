"""The web application: maps addresses to pages. Everything that an address names is looked up among existing things; no
part of an address becomes part of a path. Nothing is written but uploads to ladders, where the operator takes them."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.errors import ArenaError, ReplayError
from arena.ladder.database.ladders import find_ladder, ladder_names, seasons_of_ladder
from arena.ladder.presenting.atom_feed import FEED_FILE
from arena.ladder.presenting.svg_chart import history_svg
from arena.printable import printable_text
from arena.tournament.records.match_record import MatchRecord
from arena.web.serve.absent_replay import NotFoundError
from arena.web.serve.answers import (
    HOME_LINK,
    SOON_SECONDS,
    Link,
    download_response,
    downloaded_name,
    html_response,
    match_address,
    page_address,
    serve_page,
    svg_response,
)
from arena.web.serve.guard import Guard
from arena.web.serve.home_page import home_page
from arena.web.serve.ladders import ladder_match, ladder_pages, served_results
from arena.web.serve.ladders.ladder_pages import LadderRequest
from arena.web.serve.ladders.ladder_reading import public_words, read_ladder
from arena.web.serve.ladders.served_ladder import ServedLadder
from arena.web.serve.match_index.indexing import FOLLOWED_SECONDS, Indexing, IndexSource
from arena.web.serve.match_index.match_search import find_one
from arena.web.serve.places import CACHED_RUNS, ServedPlaces
from arena.web.serve.runs import run_pages
from arena.web.serve.runs.run_reports import ReportStore
from arena.web.serve.runs.served_run import ServedRun
from arena.web.serve.uploads import upload_pages
from arena.web.serve.uploads.check_queue import CheckQueue
from arena.web.serve.uploads.receive_upload import UploadReceiver
from arena.web.serve.uploads.upload_pages import SUBMIT_PART, UPLOAD_PART
from arena.web.viewer.write_page import PageLink


class MatchView(Protocol):
    """Makes the page of a match from its replay, as one seat knew it or complete, with links in its head; ``called`` is
    the replay's name on a command line."""

    def __call__(
        self, content: bytes, seat: int | None = None, *, links: Sequence[PageLink] = (), called: Sequence[str] = ()
    ) -> str: ...


FIRST_PAGE_SECONDS = 0.5
"""Seconds for which the first page waits until a run's matches are read."""
HOME_PAGE_SECONDS = 0.1
"""Seconds for which the list of runs waits until the matches of one that is being played are read."""


class Site:
    """The dependencies of the pages: the ``places``, the ``reports``, the viewer, whether the ``operator`` of ladders
    is served, and the ``queue`` of uploads (None: none are taken)."""

    def __init__(
        self,
        places: ServedPlaces,
        reports: ReportStore,
        view: MatchView,
        operator: bool = False,
        queue: CheckQueue | None = None,
    ) -> None:
        self.places, self.reports, self.view, self.operator, self.queue = places, reports, view, operator, queue
        self._lock = Lock()
        self._ladders: dict[tuple[str, str, int], ServedLadder] = {}
        self.indexing = Indexing(self._followed)

    def _followed(self) -> list[IndexSource]:
        with self._lock:
            by_time = sorted(self._ladders, key=lambda key: -self._ladders[key].wanted)
            self._ladders = {key: self._ladders[key] for key in by_time[:CACHED_RUNS]}
            return [*self.places.followed_runs(), *self._ladders.values()]

    def run(self, request: Request) -> ServedRun:
        """The run that an address names. Raises HTTPException where there is none."""
        run = self.places.runs.get(request.path_params["run"])
        if run is None:
            raise HTTPException(404, f"there is no run {_quote_name(request.path_params['run'])} here")
        self.indexing.follow_run(run, FIRST_PAGE_SECONDS)
        return run

    def match(self, request: Request) -> tuple[ServedRun, MatchRecord]:
        """The match that an address names. Raises HTTPException where there is none."""
        run, id = self.run(request), request.path_params["id"]
        record = find_one(run.matches_tail, id)
        if record is None:
            still = "" if run.indexed_share == 1 else f"; only {100 * run.indexed_share:.0f} % of them are read yet"
            raise HTTPException(404, f"run {run.name} has no match {_quote_name(id)}{still}")
        return run, record

    @contextmanager
    def ladder(self, request: Request) -> Iterator[tuple[LadderRequest, sqlite3.Connection]]:
        """The ladder that an address names, and its database. Raises HTTPException where there is none."""
        name, ladder = request.path_params["place"], request.path_params["ladder"]
        place = self.places.ladders.get(name)
        if place is None:
            raise HTTPException(404, f"there is no folder {_quote_name(name)} of ladders here")
        season = request.query_params.get("season", "")
        with read_ladder(place) as database:
            if ladder not in ladder_names(database):
                raise HTTPException(404, f"there is no ladder {_quote_name(ladder)} in {name}")
            number = int(season) if season.isascii() and season.isdigit() and len(season) < 6 else None
            known = (
                {each.number for each in seasons_of_ladder(database, find_ladder(database, ladder).id)}
                if season
                else set()
            )
            if season and number not in known:
                raise HTTPException(404, f"ladder {ladder} has no season {_quote_name(season)}")
            found = find_ladder(database, ladder, number)
            key = name, ladder, found.season.number
            with self._lock:
                if key not in self._ladders:
                    self._ladders[key] = ServedLadder(place, ladder, found.season.number)
                    self._ladders[key].wanted = monotonic() - FOLLOWED_SECONDS
                index = self._ladders[key]
            self.indexing.follow_run(index, FIRST_PAGE_SECONDS)
            yield LadderRequest(name, place, found, index, self.operator, self.queue is not None), database


def site_application(site: Site, names: frozenset[str] = frozenset()) -> ASGIApp:
    """The application of a site, behind its guard; ``names`` are further names of this machine."""
    pages: dict[str, Callable[[Site, Request], Response]] = {
        "/": _get_home,
        "/favicon.ico": lambda site, request: Response(status_code=204),
        "/run/{run}": lambda site, request: run_pages.run_page(request, site.run(request)),
        "/run/{run}/matches": lambda site, request: run_pages.run_matches_page(request, site.run(request)),
        "/run/{run}/report": _get_report,
        "/run/{run}/match/{id:path}": lambda site, request: run_pages.served_match_page(request, *site.match(request)),
        "/run/{run}/view/{id:path}": _get_view,
        "/run/{run}/replay/{id:path}": _get_replay,
        "/ladder/{place}/{ladder}": _of_ladder(ladder_pages.ladder_page),
        "/ladder/{place}/{ladder}/matches": _of_ladder(ladder_pages.ladder_matches_page),
        "/ladder/{place}/{ladder}/rounds": _of_ladder(ladder_pages.rounds_page),
        "/ladder/{place}/{ladder}/versions": _of_ladder(ladder_pages.versions_page),
        "/ladder/{place}/{ladder}/history.svg": _get_chart,
        "/ladder/{place}/{ladder}/seasons": _of_ladder(served_results.seasons_page),
        f"/ladder/{{place}}/{{ladder}}/{FEED_FILE}": _of_ladder(served_results.feed_response),
        "/ladder/{place}/{ladder}/author/{name}": _of_ladder(served_results.author_page, "name"),
        "/ladder/{place}/{ladder}/course/{name}": _of_ladder(served_results.version_chart, "name"),
        "/ladder/{place}/{ladder}/version/{name}": _of_ladder(ladder_match.version_page, "name"),
        "/ladder/{place}/{ladder}/match/{number}": _of_ladder(ladder_match.ladder_match_page, "number"),
        f"/ladder/{{place}}/{{ladder}}/{SUBMIT_PART}": _of_ladder(
            functools.partial(upload_pages.submit_page, site.queue)
        ),
        f"/ladder/{{place}}/{{ladder}}/{UPLOAD_PART}/{{address}}": _of_ladder(
            functools.partial(upload_pages.upload_page, site.queue), "address"
        ),
        "/ladder/{place}/{ladder}/view/{number}": _ladder_view,
        "/ladder/{place}/{ladder}/replay/{number}": _ladder_replay,
    }
    routes = [
        Route(path, functools.partial(_answer_request, site, page), methods=["GET"]) for path, page in pages.items()
    ]
    if site.queue is not None:
        receive = UploadReceiver(site.ladder, site.queue).receive
        routes.append(Route(f"/ladder/{{place}}/{{ladder}}/{SUBMIT_PART}", receive, methods=["POST"]))
    handlers = {
        HTTPException: _missing_response,
        NotFoundError: _absent_response,
        ArenaError: _broken_response,
        OSError: _broken_response,
        Exception: _bug_response,
    }
    inner = Starlette(routes=routes, exception_handlers=handlers)
    inner.state.operator = site.operator
    inner.state.single = site.places.single and bool(site.places.runs)
    return Guard(inner, names, takes_uploads=site.queue is not None)


def _answer_request(site: Site, page: Callable[[Site, Request], Response], request: Request) -> Response:
    """Return the response to a request; background reading pauses meanwhile."""
    with site.indexing.giving_way():
        return page(site, request)


def _get_home(site: Site, request: Request) -> Response:
    """Return the list of runs and ladders; where there is only one run, its page."""
    if site.places.single and site.places.runs:
        return RedirectResponse(page_address("run", *site.places.runs))
    return home_page(request, site.places, functools.partial(site.indexing.follow_run, seconds=HOME_PAGE_SECONDS))


def _get_view(site: Site, request: Request) -> Response:
    """A match in the viewer."""
    run, record = site.match(request)
    seat, match = _requested_seat(request, len(record.seats)), match_address("run", run.name, "match", id=record.id)
    links = [PageLink(f"run {printable_text(run.name)}", page_address("run", run.name)), PageLink("this match", match)]
    return html_response(
        request,
        site.view(
            _require_replay(run.replay(record), ladder_match.NOT_KEPT),
            seat,
            links=links,
            called=(str(run.folder), record.id),
        ),
    )


def _get_replay(site: Site, request: Request) -> Response:
    """A replay as a file."""
    run, record = site.match(request)
    return download_response(
        _require_replay(run.replay(record), ladder_match.NOT_KEPT), f"{record.id}.jsonl", "application/x-ndjson"
    )


def _get_report(site: Site, request: Request) -> Response:
    """Return the report of a run; while it is being made, redirect to the page that shows its progress."""
    run = site.run(request)
    again = "again" in request.query_params
    report = site.reports.get(run, again)
    if not request.query_params.get("wait"):
        if report.page is not None:
            return html_response(request, report.page.read_text(encoding="utf-8"))
        return RedirectResponse(page_address("run", run.name, "report", wait=1))
    values = {
        **run_pages.first_standings(run),
        "report": report,
        "ready": page_address("run", run.name, "report") if report.page is not None else "",
        "again": page_address("run", run.name, "report", again=1),
    }
    trail = [HOME_LINK, Link(run.name, page_address("run", run.name))]
    return serve_page(
        request, f"Report of {run.name}", "serve_report", trail, values, 0 if report.problem else SOON_SECONDS
    )


def _of_ladder(page: Callable[..., Response], *params: str) -> Callable[[Site, Request], Response]:
    """Return a handler for a page of a ladder; it passes the address parameters ``params`` to the page."""

    def answer(site: Site, request: Request) -> Response:
        with site.ladder(request) as (asked, database):
            return page(request, asked, database, *(request.path_params[name] for name in params))

    return answer


def _get_chart(site: Site, request: Request) -> Response:
    """The ratings of a season over time, as a picture."""
    with site.ladder(request) as (asked, database):
        drawn = history_svg(asked.index.history(database, asked.ladder, asked.operator))
    return svg_response(drawn)


def _ladder_view(site: Site, request: Request) -> Response:
    """A match of a ladder in the viewer."""
    replay, name, seats, links = _ladder_match(site, request)
    return html_response(
        request,
        site.view(replay, _requested_seat(request, seats), links=links, called=(downloaded_name(f"{name}.jsonl"),)),
    )


def _ladder_replay(site: Site, request: Request) -> Response:
    """A replay of a ladder as a file."""
    replay, name, *_ = _ladder_match(site, request)
    return download_response(replay, f"{name}.jsonl", "application/x-ndjson")


def _ladder_match(site: Site, request: Request) -> tuple[bytes, str, int, list[PageLink]]:
    """Return the public replay of a ladder's match, its name, the number of seats, and links to the pages above it."""
    with site.ladder(request) as (asked, database):
        number = request.path_params["number"]
        found = ladder_match.find_public(asked, database, number)
        replay = ladder_match.replay_of(asked, database, found)
        why_not = "" if replay is not None else ladder_match.replay_absence(asked, database, found)
        ladder = PageLink(f"ladder {printable_text(asked.ladder.name)}", asked.address())
        links = [ladder, PageLink("this match", asked.address("match", number))]
    assert found.finished is not None
    return _require_replay(replay, why_not), found.name, len(found.finished.record.seats), links


def _require_replay(replay: bytes | None, why_not: str) -> bytes:
    if replay is None:
        raise HTTPException(404, why_not)
    return replay


def _requested_seat(request: Request, seats: int) -> int | None:
    """Return the seat that an address names, or None. Raises HTTPException for one that does not exist."""
    told = request.query_params.get("seat", "")
    if not told:
        return None
    if not (told.isascii() and told.isdigit() and len(told) < 4 and int(told) < seats):
        raise HTTPException(404, f"there is no seat {_quote_name(told)}; seats are 0 to {seats - 1}")
    return int(told)


def _quote_name(text: str) -> str:
    """Quote a name from an address, shortened for a message."""
    return repr(printable_text(text[:80]))


def _missing_response(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    told = problem.detail if problem.detail != "Not Found" else "there is no page at this address"
    return _problem_response(request, problem.status_code, "Not here", told)


def _broken_response(request: Request, problem: Exception) -> Response:
    """Return the response for a file that is damaged or gone."""
    title = "This replay cannot be read" if isinstance(problem, ReplayError) else "This cannot be read now"
    public = request.url.path.startswith("/ladder/") and not request.app.state.operator
    return _problem_response(request, 503, title, public_words(problem) if public else str(problem))


def _absent_response(request: Request, problem: Exception) -> Response:
    return _problem_response(request, 404, "Not here", str(problem))


def _bug_response(request: Request, problem: Exception) -> Response:
    return _problem_response(request, 500, "Unexpected error", f"{type(problem).__name__}: {problem}")


def _problem_response(request: Request, status: int, title: str, told: str) -> Response:
    values = {"told": printable_text(told)}
    above = Link("the run", HOME_LINK.address) if request.app.state.single else HOME_LINK
    return serve_page(request, title, "serve_problem", [above], values, 0, status)
