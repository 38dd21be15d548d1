"""The pages of uploads: how to submit to a ladder, and where an upload stands, with the report of its check."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from arena.ladder.uploads.upload_rows import OPEN_STATES, Upload, UploadState, find_upload, list_uploads
from arena.printable import printable_text
from arena.web.serve.absent_replay import NotFoundError
from arena.web.serve.answers import LATER_SECONDS, SOON_SECONDS, Link, serve_page
from arena.web.serve.ladders.ladder_pages import LadderRequest, report_text
from arena.web.serve.uploads.check_queue import CheckQueue, ProgressLine

SUBMIT_PART, UPLOAD_PART = "submit", "upload"
"""The parts of addresses: where a ladder takes uploads, and where reports are."""
LISTED_UPLOADS = 300
"""The last uploads that the operator sees listed."""
STATE_SENTENCES = {
    UploadState.WAITING: "It waits for its check; {before} are checked before it.",
    UploadState.CHECKING: "It is being checked.",
    UploadState.ADMITTED: "It is admitted as {version}, and plays from the next round on.",
    UploadState.KNOWN: "It is in the ladder already, with the same bytes, as {version}: nothing was done.",
    UploadState.REFUSED: "It is refused.",
    UploadState.FAILED: "Its check could not be carried out, through no fault of the bot.",
}


def submit_page(
    queue: CheckQueue | None, request: Request, asked: LadderRequest, database: sqlite3.Connection
) -> Response:
    """Return the page that says how to submit a bot (``queue``: None where none is taken), and for the operator lists
    the last uploads."""
    name = asked.ladder.name
    if queue is None and not asked.operator:
        raise NotFoundError(f"no bots are submitted to ladder {name} over HTTP here")
    waiting = len(list_uploads(database, asked.ladder, OPEN_STATES))
    uploads = list_uploads(database, asked.ladder, most=LISTED_UPLOADS) if asked.operator else []
    values = {
        "taken": queue is not None,
        "path": asked.address(SUBMIT_PART, season=None, name="haggler"),
        "largest": 0 if queue is None else queue.options.largest,
        "a_day": 0 if queue is None else queue.options.a_day,
        "waiting": waiting,
        "uploads": [
            {
                "at": each.at,
                "bot": Link(each.request.bot, asked.address(UPLOAD_PART, each.address, season=None)),
                "author": each.author,
                "bytes": each.bytes,
                "state": each.state.value,
                "why": printable_text("; ".join(each.result.refused or each.result.told)) if each.result else "",
            }
            for each in uploads
        ],
    }
    return serve_page(request, f"Submit a bot to {name}", "serve_submit", asked.trail, values, LATER_SECONDS)


def upload_page(
    queue: CheckQueue | None, request: Request, asked: LadderRequest, database: sqlite3.Connection, address: str
) -> Response:
    """Return the page of an upload, or with ``.json`` at the end of its address the same as JSON: its state, the
    progress of its check, and its report."""
    upload = find_upload(database, asked.ladder, address.removesuffix(".json"))
    if upload is None or (queue is None and not asked.operator):
        raise NotFoundError("there is no upload at this address")
    lines = _progress_of(queue, upload)
    if address.endswith(".json"):
        return Response(json.dumps(upload_data(upload, lines)) + "\n", media_type="application/json")
    result = upload.result
    told = STATE_SENTENCES[upload.state].format(before=upload.before, version=result.version if result else "")
    facts = [("author", upload.author), ("uploaded", upload.at), ("bytes", f"{upload.bytes:,}")]
    facts += [("SHA-256", upload.sha256), ("check ended", upload.ended or "")]
    values = {
        "told": told,
        "facts": [(what, printable_text(text)) for what, text in facts if text],
        "lines": lines,
        "refused": [] if result is None else [printable_text(text) for text in result.refused],
        "notes": [] if result is None else [printable_text(text) for text in result.told],
        "report": "" if result is None else report_text(msgspec.to_builtins(result)),
        "version": asked.version_link(result.version).address if result and result.version else "",
        "json": asked.address(UPLOAD_PART, f"{upload.address}.json", season=None),
    }
    every = SOON_SECONDS if upload.state in OPEN_STATES else 0
    trail = [*asked.trail, Link("submit", asked.address(SUBMIT_PART, season=None))]
    return serve_page(request, f"{upload.request.bot} of {upload.author}", "serve_upload", trail, values, every)


def _progress_of(queue: CheckQueue | None, upload: Upload) -> list[ProgressLine]:
    return queue.progress(upload.address) if queue is not None and upload.state is UploadState.CHECKING else []


def upload_data(upload: Upload, lines: list[ProgressLine]) -> dict[str, Any]:
    """An upload as data for JSON: ``result`` is what ``arena ladder submit --json`` prints, null until then."""
    return {
        "bot": upload.request.bot,
        "author": upload.author,
        "ladder": upload.ladder,
        "uploaded": upload.at,
        "bytes": upload.bytes,
        "sha256": upload.sha256,
        "state": upload.state.value,
        "before": upload.before,
        "progress": [msgspec.to_builtins(line) for line in lines],
        "ended": upload.ended,
        "result": None if upload.result is None else msgspec.to_builtins(upload.result),
    }
