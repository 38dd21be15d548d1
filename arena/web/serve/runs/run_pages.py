"""The pages of a run: its state, its matches, one match with its evidence."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from arena.config.documents.duration import duration_in_words
from arena.errors import ArenaError, cut_text, nearest_hint
from arena.games import load_game
from arena.pages.html_table import Field, grid_of
from arena.penalties import FaultKind
from arena.printable import printable_text
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines
from arena.runs.run_status import RunStanding, RunStatus
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings_tables import ENTRANT as ENTRANT_COLUMN
from arena.tournament.tables.result_table import ResultColumn, ResultTable
from arena.web.serve.absent_replay import NotFoundError
from arena.web.serve.answers import (
    HOME_LINK,
    LATER_SECONDS,
    SOON_SECONDS,
    Link,
    match_address,
    page_address,
    serve_page,
)
from arena.web.serve.match_index.match_search import (
    PAGE_MATCHES,
    VOID_RESULT,
    FaultFilter,
    MatchOrder,
    MatchSearch,
    SearchResult,
    read_search,
    search_matches,
)
from arena.web.serve.runs.served_run import ServedRun
from arena.web.serve.runs.standings_page import standings_shown, standings_told

TELL_MEANING, VERIFY_MEANING, RERUN_MEANING = "print it as sentences", "verify its replay", "play it again"
"""The meanings of the commands that stand beside a match."""
ENTRANT_WORD = "entrant"
"""The word for the players of a run."""
RUN_MATCHES = 10
"""How many matches the page of a run lists."""
MOST_FAULTS = 40
"""How many faults of a match are listed at most."""


def run_page(request: Request, run: ServedRun) -> Response:
    """Return the page of the run: its progress, its standings, its faults, its newest matches."""
    status = run.status()
    table, final = run.table()
    label = _choose_edition(run, request.query_params.get("edition", ""), list(table))
    values = {
        "run": run.name,
        "status": status,
        "lines": list(_status_lines(status)),
        "share": min(1.0, status.finished / status.matches) if status.matches else 1.0,
        "indexing": _indexing_text(run),
        "final": final,
        "editions": [Link(name, page_address("run", run.name, edition=name)) for name in table],
        "edition": label,
        **_tables(run, status, table[label] if label else None),
        "newest": match_rows(run.name, search_matches(run.matches_tail, MatchSearch()).matches[:RUN_MATCHES]),
        "links": [Link("Search its matches", page_address("run", run.name, "matches"))],
        "report": page_address("run", run.name, "report"),
    }
    every = SOON_SECONDS if status.state is RunStanding.RUNNING or run.indexed_share < 1 else LATER_SECONDS
    return serve_page(request, f"{status.tournament}, run {run.name}", "serve_run", [HOME_LINK], values, every)


def _tables(run: ServedRun, status: RunStatus, data: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the tables of standings and faults, with links to their matches."""
    shown = {"standings": None, "told": ""} if data is None else _standings(run, data)
    kinds = [kind for kind in FaultKind if any(kind in each for each in status.faults.values())]
    rows = [[name, *(counts.get(kind) for kind in kinds)] for name, counts in status.faults.items()]
    columns = (ENTRANT_COLUMN, *(ResultColumn(kind.value, kind.value, unknown="") for kind in kinds))
    fields = {kind.value: partial(_fault_link, run.name, kind) for kind in kinds}
    return {**shown, "faults": grid_of(ResultTable(columns, rows), fields=fields)}


def first_standings(run: ServedRun) -> dict[str, Any]:
    """Return the standings of all editions together, for a page on which more is still being made."""
    table, _ = run.table()
    return {"standings": None, "told": ""} if not table else _standings(run, list(table.values())[-1])


def _standings(run: ServedRun, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of standings, with links to matches, and what it counts."""
    table = standings_shown(data, run.measures)
    to_bot = {"entrant": lambda name, _: Field(name, address=page_address("run", run.name, "matches", bot=name))}
    return {"standings": grid_of(table, fields=to_bot), "told": standings_told(data, table)}


def _fault_link(run: str, kind: FaultKind, count: str, name: str) -> Field:
    return Field(count, address=page_address("run", run, "matches", bot=name, fault=kind) if count else "")


def _choose_edition(run: ServedRun, asked: str, labels: Sequence[str]) -> str:
    """Return the edition whose standings are shown: all editions together if the address names none. Raises Absent for
    one that was not played."""
    if not asked or not labels:
        return labels[-1] if labels else ""
    if asked not in labels:
        told = f"run {printable_text(run.name)} has no edition {cut_text(asked)!r}{nearest_hint(asked, labels)}"
        raise NotFoundError(f"{told}; it has {', '.join(map(printable_text, labels))}")
    return asked


def run_matches_page(request: Request, run: ServedRun) -> Response:
    """Return the page of the run's matches that the address searches for."""
    search, trail = read_search(request.query_params), [HOME_LINK, Link(run.name, page_address("run", run.name))]
    columns, found = run.matches_tail.columns, search_matches(run.matches_tail, search)
    values = {
        **search_values(search, found, ("run", run.name, "matches"), sorted(columns.entrants), ENTRANT_WORD),
        "rows": match_rows(run.name, found.matches),
        "editions": same_choices(sorted(columns.editions)),
        "results": same_choices([VOID_RESULT, *sorted(columns.terminations)]),
        "indexing": _indexing_text(run),
        "of": len(columns),
    }
    every = (
        SOON_SECONDS
        if run.indexed_share < 1
        else LATER_SECONDS
        if run.status().state is not RunStanding.RUNNING
        else SOON_SECONDS
    )
    return serve_page(request, f"Matches of {run.name}", "serve_matches", trail, values, every)


def served_match_page(request: Request, run: ServedRun, record: MatchRecord) -> Response:
    """Return the page with the result of a match, and the evidence for it."""
    trail = [
        HOME_LINK,
        Link(run.name, page_address("run", run.name)),
        Link("matches", page_address("run", run.name, "matches")),
        Link(f"block {record.block}", page_address("run", run.name, "matches", block=record.block)),
    ]
    faults, problem = list[dict[str, Any]](), ""
    try:
        replay = run.replay(record)
        faults = [] if replay is None else replay_faults(replay, match_address("run", run.name, "view", id=record.id))
    except (ArenaError, OSError) as trouble:
        replay, problem = None, str(trouble)
    folder = shlex.quote(str(run.folder))
    values = {
        "match": record,
        "unit": load_game(record.game).unit,
        "who": ENTRANT_WORD,
        "to_bot": lambda name: page_address("run", run.name, "matches", bot=name),
        "view": match_address("run", run.name, "view", id=record.id) if replay is not None else "",
        "download": match_address("run", run.name, "replay", id=record.id) if replay is not None else "",
        "bytes": len(replay or b""),
        "problem": problem,
        "faults": faults,
        "evidence": [
            ("closing hash of the replay", record.sha256),
            ("seed of the deal", record.seed),
            ("block", str(record.block)),
        ],
        "commands": [
            (TELL_MEANING, f"arena show {folder} {shlex.quote(record.id)}"),
            (VERIFY_MEANING, f"arena verify {folder} {shlex.quote(record.id)}"),
            (RERUN_MEANING, f"arena rerun {folder} {shlex.quote(record.id)}"),
        ]
        if record.replay
        else [],
    }
    return serve_page(request, f"Match {record.id}", "serve_match", trail, values, 0)


def match_rows(run: str, matches: list[MatchRecord]) -> list[dict[str, Any]]:
    """Matches as rows of a table."""
    return [row_of(match_address("run", run, "match", id=each.id), each.id, each) for each in matches]


def row_of(where: str, name: str, match: MatchRecord) -> dict[str, Any]:
    """Return a match as a row of a table."""
    return {
        "address": where,
        "name": printable_text(name),
        "seats": [(printable_text(seat.entrant), seat.money, seat.rank) for seat in match.seats],
        "ended": VOID_RESULT if match.void else match.termination,
        "faults": sum(sum(seat.faults.values()) for seat in match.seats),
        "block": match.block,
    }


def search_values(
    search: MatchSearch, found: SearchResult, where: tuple[str, ...], bots: list[str], who: str
) -> dict[str, Any]:
    """Return the values of the search form, and the links to its other pages; ``who`` is the word for the players."""

    def at(page: int) -> str:
        return page_address(*where, **search.query_fields, page=page)

    return {
        "search": search,
        "found": found,
        "first": PAGE_MATCHES * (search.page - 1) + 1,
        "form": page_address(*where),
        "bots": bots,
        "who": who,
        "faults": [
            (FaultFilter.ANY.value, "any fault"),
            (FaultFilter.PUT_OUT.value, "put out"),
            *same_choices(list(FaultKind)),
        ],
        "orders": [(MatchOrder.LAST.value, "last first"), (MatchOrder.FIRST.value, "first first")],
        "last": at(found.pages),
        "before": at(search.page - 1) if 1 < search.page <= found.pages else "",
        "after": at(search.page + 1) if search.page < found.pages else "",
    }


def same_choices(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the choices of a form whose labels are their values in addresses."""
    return [(name, name) for name in names]


def replay_faults(replay: bytes, view: str) -> list[dict[str, Any]]:
    """Return the faults in a replay, each with the address of its event in the viewer. Raises ReplayError."""
    header, lines = read_replay_lines(replay)
    found = list[dict[str, Any]]()
    for number, line in enumerate(lines, 1):
        if isinstance(line, Faulted) and len(found) < MOST_FAULTS:
            who = header.seats[line.seat].entrant if line.seat < len(header.seats) else str(line.seat)
            told = f"{line.kind}{f' [{line.rule}]' if line.rule else ''}: {line.evidence}{', and is out' * line.out}"
            found.append(
                {
                    "who": printable_text(who),
                    "told": printable_text(told),
                    "hook": line.hook,
                    "at": number,
                    "view": view,
                }
            )
    return found


def _indexing_text(run: ServedRun) -> str:
    """Say how much of the run's matches has been read; empty where all have."""
    if run.problem:
        return run.problem
    told = []
    if (share := run.indexed_share) < 1:
        told.append(f"indexing {100 * share:.0f} %: matches that are not yet read are missing here")
    if run.matches_tail.unreadable:
        told.append(f"{run.matches_tail.unreadable} lines of matches.jsonl cannot be read, and are left out")
    return "; ".join(told)


def _status_lines(status: RunStatus) -> Iterator[tuple[str, str]]:
    """Yield the lines on the state of a run, each with its subject first."""
    yield "matches", f"{status.finished:,} of {status.matches:,}"
    if status.rate is not None:
        left = f", about {duration_in_words(status.left)} left" if status.left is not None else ""
        yield "speed", f"{status.rate:.1f} a second{left}"
    if status.seconds is not None:
        where = f" on {status.host}" if status.host else ""
        yield "played for", f"{duration_in_words(status.seconds)}{where}"
    for entrant, first in status.suspended.items():
        yield "suspended", f"{printable_text(entrant)}, from block {first} on"
    for each in status.unplayed[:5]:
        yield "unplayed", printable_text(f"{each.id}: {each.reason}")
    if status.why:
        yield "stopped", printable_text(status.why)
    for line in status.log:
        yield "log", printable_text(line)
    if status.root:
        yield "root digest", status.root
    if status.state in (RunStanding.KILLED, RunStanding.STOPPED, RunStanding.INCOMPLETE):
        yield "resume", FolderStore(Path(status.folder)).resume_command()
