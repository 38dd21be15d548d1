"""The pages of a ladder's match and of a version: their public part, and everything for the operator."""

from __future__ import annotations

import shlex
import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from arena.errors import ArenaError, UserError
from arena.ladder.database.find_match import LocatedMatch, find_match
from arena.ladder.presenting.result_sections import faults_sentence, place_sentence
from arena.ladder.presenting.standings_cells import rating_decimals
from arena.ladder.show.match_detail import MatchDetail, match_shown
from arena.ladder.show.version_detail import versions_shown
from arena.printable import printable_text
from arena.web.serve.absent_replay import NotFoundError
from arena.web.serve.answers import Link, downloaded_name, serve_page
from arena.web.serve.ladders.ladder_pages import LadderRequest, report_text
from arena.web.serve.ladders.ladder_reading import public_words
from arena.web.serve.ladders.served_results import RESULTS_SECONDS, results_of, served_sections
from arena.web.serve.ladders.words import next_tables
from arena.web.serve.runs.run_pages import RERUN_MEANING, TELL_MEANING, VERIFY_MEANING, replay_faults

_COMMAND_MEANINGS = {"told": TELL_MEANING, "verify": VERIFY_MEANING, "rerun": RERUN_MEANING}


def find_public(asked: LadderRequest, database: sqlite3.Connection, number: str) -> LocatedMatch:
    """Return the match of this number if the requester may see it: only the operator sees matches of an open round.
    Raises Absent where there is none."""
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise NotFoundError(f"no match {number[:40]!r}: expected its number")
    try:
        found = find_match(database, number, asked.ladder.name, asked.season)
    except UserError:
        found = None
    if found is None or found.finished is None or not (found.round.closed or asked.operator):
        raise NotFoundError(f"no match {number} in season {asked.season}, or none that is public yet")
    return found


def replay_of(asked: LadderRequest, database: sqlite3.Connection, found: LocatedMatch) -> bytes | None:
    """Return a match's replay; None if none was stored or it is not public yet. Raises ReplayError if damaged."""
    told = match_shown(asked.place, database, found)
    if not (told.replay_public or asked.operator) or told.replay is None:
        return None
    return asked.index.replay(asked.ladder, found.name)


NOT_KEPT = "the replay of this match was not kept"


def replay_absence(asked: LadderRequest, database: sqlite3.Connection, found: LocatedMatch) -> str:
    """Why :func:`replay_of` has none."""
    stored = match_shown(asked.place, database, found).replay is not None
    return "the replay of this match is not public yet" if stored else NOT_KEPT


def ladder_match_page(request: Request, asked: LadderRequest, database: sqlite3.Connection, number: str) -> Response:
    """Return the page with the result of a match of the ladder, and the evidence for it."""
    found = find_public(asked, database, number)
    told, replay, problem = match_shown(asked.place, database, found), None, ""
    assert found.finished is not None
    view = asked.address("view", number)
    faults = list[dict[str, Any]]()
    try:
        replay = replay_of(asked, database, found)
        faults = [] if replay is None else replay_faults(replay, view)
    except (ArenaError, OSError) as trouble:
        problem = str(trouble) if asked.operator else public_words(trouble)
    if replay is None and not problem and told.replay is not None:
        problem = f"Its replay is not public yet (the ladder publishes replays: {asked.ladder.config.publish.replays})."
    public = told.public or asked.operator
    values = {
        "match": found.finished.record,
        "unit": told.unit,
        "who": "version",
        "to_bot": lambda name: asked.address("version", name),
        "view": view if replay is not None else "",
        "download": asked.address("replay", number) if replay is not None else "",
        "bytes": len(replay or b""),
        "problem": problem,
        "faults": faults,
        "evidence": [
            ("closing hash of the replay", told.sha256),
            ("name in replays", told.name),
            ("round", str(told.round)),
            ("block", str(told.block)),
            ("why this table", printable_text(told.why)),
            ("how tables are chosen", next_tables(asked.ladder)),
            ("played", told.played),
            ("seed of the deal", told.seed if public else "not public yet"),
        ],
        "commands": _commands(asked.operator, told, replay is not None),
    }
    trail = [*asked.trail, Link(f"round {told.round}", asked.address("matches", round=told.round))]
    return serve_page(request, f"Match {number}", "serve_match", trail, values, 0)


def _commands(operator: bool, told: MatchDetail, kept: bool) -> list[tuple[str, str]]:
    """Commands for a match, by what they give: the operator's are for his folder, those of everybody else for the
    replay that can be downloaded."""
    if operator:
        return [(_COMMAND_MEANINGS[what], line) for what, line in told.commands.items()]
    file = shlex.quote(downloaded_name(f"{told.name}.jsonl"))
    return [(TELL_MEANING, f"arena show {file}"), (VERIFY_MEANING, f"arena verify {file}")] if kept else []


def version_page(request: Request, asked: LadderRequest, database: sqlite3.Connection, name: str) -> Response:
    """Return the page of a version: its public part, and for the operator its options, files and check report."""
    if ":" not in name:
        raise NotFoundError(f"no version {name[:80]!r}: expected BOT:NUMBER")
    try:
        (version,) = versions_shown(asked.place, database, asked.ladder, name)
    except UserError as problem:
        raise NotFoundError(str(problem)) from None
    if version.state is None:
        raise NotFoundError(f"no version {name[:80]!r} in ladder {asked.ladder.name}")
    facts = [
        ("submitted", version.submitted),
        ("state", version.state + (", anchor" if version.anchor else "")),
        ("label", version.label),
        ("digest", version.sha256),
        ("digest of its files", version.files_sha256),
    ]
    ranked, results = results_of(asked, database, version.name)
    if version.place is not None:
        told = place_sentence(ranked, rating_decimals(asked.ladder.config.rated_by)) or str(version.place.place)
        facts.append(("place", f"{told}, after round {version.place.round}"))
    if told := faults_sentence(results):
        facts.append(("faults", told))
    facts += [("quarantine", each.in_words()) for each in version.quarantines]
    if asked.operator:
        facts += [("to look at", each.in_words()) for each in version.suspicions]
        facts += [("loaded as", version.loaded), ("options", str(version.options)), ("kept in", version.folder)]
        facts += [("evidence", version.evidence), ("problem", version.problem)]
    values = {
        "facts": [(what, printable_text(told)) for what, told in facts if told],
        "changes": [(each.at, printable_text(each.what), printable_text(each.why)) for each in version.changes],
        "files": [(printable_text(each.path), each.bytes, each.sha256) for each in version.files]
        if asked.operator
        else [],
        "report": report_text(version.report) if asked.operator and version.report else "",
        "matches": asked.address("matches", bot=version.name),
        "author": Link(printable_text(version.author), asked.address("author", version.author)),
        "chart": asked.address("course", version.name, round=version.place.round) if version.place else "",
        "sections": served_sections(asked, results),
    }
    trail = [*asked.trail, Link("versions", asked.address("versions"))]
    return serve_page(request, version.name, "serve_version", trail, values, RESULTS_SECONDS)
