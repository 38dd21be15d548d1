"""The list of served runs and ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from arena.errors import ArenaError
from arena.foreign_files import DECODE_ERRORS, parse_json, read_foreign_file
from arena.ladder.database.ladder_folder import LadderFolder
from arena.printable import printable_text
from arena.runs.run_status import RunStanding
from arena.storage.folder_lock import FolderLock
from arena.storage.layout import MANIFEST_FILE, RUN_LOCK, RUN_PROGRESS
from arena.storage.run_facts.run_progress import RunProgress
from arena.web.serve.answers import LATER_SECONDS, SOON_SECONDS, page_address, serve_page
from arena.web.serve.ladders.ladder_reading import public_words, read_ladder
from arena.web.serve.leaders import ladder_leader, leader_needs_matches, run_leader
from arena.web.serve.places import ServedPlaces
from arena.web.serve.runs.served_run import ServedRun

PAGE_RUNS = 100
"""How many runs one page lists."""
FOLLOWED_RUNS = 4
"""How many runs without written standings are read for the list."""


def home_page(request: Request, places: ServedPlaces, follow: Callable[[ServedRun], None]) -> Response:
    """Return the page that lists the served runs and ladders. Runs without written standings are read, by ``follow``:
    the next page says who leads in them."""
    followed = count()

    def follow_few(run: ServedRun) -> None:
        if next(followed) < FOLLOWED_RUNS:
            follow(run)

    runs = list(places.runs.values())
    number = request.query_params.get("page", "")
    page = max(1, int(number)) if number.isascii() and number.isdigit() and len(number) < 6 else 1
    shown = [_of_run(run, follow_few) for run in runs[PAGE_RUNS * (page - 1) : PAGE_RUNS * page]]
    ladders = [each for name, place in places.ladders.items() for each in _of_ladder(name, place)]
    values = {
        "runs": shown,
        "ladders": ladders,
        "before": page_address(page=page - 1) if page > 1 else "",
        "after": page_address(page=page + 1) if len(runs) > PAGE_RUNS * page else "",
        "count": len(runs),
        "left_out": places.left_out,
    }
    playing = any(each["state"] == RunStanding.RUNNING for each in [*shown, *ladders])
    name = places.folder.resolve().name
    return serve_page(
        request, f"Runs and ladders in {name}", "serve_home", [], values, SOON_SECONDS if playing else LATER_SECONDS
    )


def _of_run(run: ServedRun, follow: Callable[[ServedRun], None]) -> dict[str, Any]:
    """Return the values of a run's line in the list."""
    found: dict[str, Any] = {"name": run.name, "address": page_address("run", run.name), "problem": ""}
    try:
        manifest = parse_json(read_foreign_file(run.folder / MANIFEST_FILE))
        state = RunStanding(str(manifest.get("state")))
        total, finished = int(manifest.get("matches", 0)), int(manifest.get("finished", 0))
        started = str(manifest.get("started", ""))
        tournament, editions = str(manifest.get("tournament", "")), list(manifest.get("editions", {}))
        bots = len(manifest.get("entrants", {}))
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        return found | {"problem": printable_text(f"{MANIFEST_FILE} cannot be read: {problem}"), "state": ""}
    if state is RunStanding.RUNNING:
        if FolderLock(run.folder / RUN_LOCK).holder() is None:
            state = RunStanding.KILLED
        with suppress(OSError, *DECODE_ERRORS):
            finished = msgspec.json.decode(read_foreign_file(run.folder / RUN_PROGRESS), type=RunProgress).finished
    if leader_needs_matches(run, state):
        follow(run)
    return found | {
        "leader": run_leader(run, state),
        "state": state,
        "tournament": printable_text(tournament),
        "editions": printable_text(", ".join(map(str, editions))),
        "bots": bots,
        "finished": finished,
        "matches": total,
        "started": printable_text(started[:16].replace("T", " ")),
    }


def _of_ladder(name: str, place: LadderFolder) -> Iterator[dict[str, Any]]:
    """Yield the values of a line for each ladder of a folder."""
    found: dict[str, Any] = {"name": name, "address": "", "problem": "", "state": ""}
    try:
        with read_ladder(place) as database:
            rows = database.execute(
                "SELECT l.name, l.edition, l.seats, max(s.number), "
                "(SELECT count(*) FROM entries e WHERE e.ladder = l.id AND e.state = 'active') "
                "FROM ladders l JOIN seasons s ON s.ladder = l.id GROUP BY l.id ORDER BY l.id"
            ).fetchall()
            leaders = {str(row[0]): ladder_leader(database, str(row[0])) for row in rows}
    except ArenaError as problem:
        yield found | {"problem": public_words(problem)}
        return
    state = RunStanding.RUNNING if is_played(place.folder) else ""
    for ladder, edition, seats, season, active in rows:
        yield found | {
            "ladder": printable_text(ladder),
            "address": page_address("ladder", name, ladder),
            "edition": printable_text(edition),
            "seats": seats,
            "season": season,
            "leader": leaders[ladder],
            "active": active,
            "state": state,
        }


def is_played(folder: Path) -> bool:
    """Return whether a process is playing the ladders in a folder."""
    return FolderLock(folder / RUN_LOCK).holder() is not None
