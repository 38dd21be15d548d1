"""Receives an upload: identifies its author first, reads its bytes within limits, and queues it for its check.

The token comes in a header, because addresses stand in logs and histories; nothing here keeps or shows it. Everything
else that is sent is data that the check takes apart, in a process of its own."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from arena.errors import ArenaError, UserError
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladders import Ladder
from arena.ladder.entry.authors import TOKEN_LETTERS, Author, who_submits
from arena.ladder.uploads.upload_rows import (
    Upload,
    UploadRefusal,
    UploadRequest,
    check_upload_limits,
    queue_upload,
)
from arena.web.serve.answers import page_address
from arena.web.serve.ladders.ladder_pages import LadderRequest
from arena.web.serve.ladders.ladder_reading import public_words
from arena.web.serve.uploads.check_queue import CheckQueue
from arena.web.serve.uploads.upload_pages import UPLOAD_PART, upload_data

MOST_RECEIVED = 8
"""How many uploads are read at once, each of another author; this bounds the memory that they take."""
_TOKEN_HEADER = re.compile(rf"Bearer +([A-Za-z0-9_-]{{{TOKEN_LETTERS}}})", re.IGNORECASE)
_ONE_VALUE, _SEVERAL_VALUES = ("name", "class", "command", "build"), ("option",)


FindLadder = Callable[[Request], AbstractContextManager[tuple[LadderRequest, sqlite3.Connection]]]
"""The ladder that an address names, and its database. Raises HTTPException where there is none."""


class UploadReceiver:
    """Receives uploads for the ladders that ``find_ladder`` finds; ``queue`` checks them."""

    def __init__(self, find_ladder: FindLadder, queue: CheckQueue) -> None:
        self._find_ladder, self._queue = find_ladder, queue
        self._receiving = set[int]()

    async def receive(self, request: Request) -> Response:
        """Return the response to an upload: 202 with where its report is, or why it is not taken. What is not taken is
        read no further."""
        try:
            upload = await self._receive(request)
        except HTTPException as problem:
            return _json_response({"problem": problem.detail}, problem.status_code, problem.headers)
        except UploadRefusal as problem:
            return _json_response({"problem": str(problem)}, 503 if problem.is_busy else 429)
        except UserError as problem:
            return _json_response({"problem": public_words(problem)}, 400)
        except ArenaError as problem:
            return _json_response({"problem": public_words(problem)}, 503)
        self._queue.wake()
        place = request.path_params["place"]
        report = page_address("ladder", place, upload.ladder, UPLOAD_PART, f"{upload.address}.json")
        data = upload_data(upload, []) | {
            "report": report,
            "page": page_address("ladder", place, upload.ladder, UPLOAD_PART, upload.address),
        }
        return _json_response(data, 202, {"location": report}, closing=False)

    async def _receive(self, request: Request) -> Upload:
        """Read and queue an upload. Raises HTTPException or ArenaError where it is not taken."""
        ways = request.headers.get("x-forwarded-proto", "https").lower()  # of each proxy on the way
        if any(way.strip() != "https" for way in ways.split(",")):
            raise HTTPException(403, "use https: the token has crossed the network unencrypted, ask for a new one")
        token, asked = _read_token(request), _read_request(request)
        ladder, author = await run_in_threadpool(self._identify, request, token)
        largest = self._queue.options.largest
        size = request.headers.get("content-length", "0")
        if not size.isascii() or not size.isdigit() or len(size) > 12 or int(size) > largest:
            raise _too_large(largest)
        if author.id in self._receiving:
            raise UploadRefusal(f"another upload of author {author.name} is being received; send one after the other")
        if len(self._receiving) >= MOST_RECEIVED:
            raise UploadRefusal("too many uploads are being received; try again later", is_busy=True)
        self._receiving.add(author.id)
        try:
            content = await _read_content(request, largest)
            return await run_in_threadpool(self._queue_upload, ladder, author, asked, content)
        finally:
            self._receiving.discard(author.id)

    def _identify(self, request: Request, token: str) -> tuple[Ladder, Author]:
        """The ladder that the address names, and the author whose token it is."""
        with self._find_ladder(request) as (asked, database):
            try:
                author = who_submits(database, "", token, need_token=True)
            except UserError:
                raise _no_token("this token belongs to no author here") from None
            check_upload_limits(database, author, self._queue.options.a_day)
            return asked.ladder, author

    def _queue_upload(self, ladder: Ladder, author: Author, asked: UploadRequest, content: bytes) -> Upload:
        place = self._queue.place
        database = open_database(place.database, place.shown, write=True)
        try:
            return queue_upload(database, ladder, author, asked, content, self._queue.options.a_day)
        finally:
            database.close()


def _read_token(request: Request) -> str:
    """The token in the header of a request. Raises HTTPException where there is none."""
    headers = request.headers.getlist("authorization")
    found = _TOKEN_HEADER.fullmatch(headers[0].strip()) if len(headers) == 1 else None
    if found is None:
        raise _no_token("expected your token in the header Authorization: Bearer TOKEN")
    return found[1]


def _read_request(request: Request) -> UploadRequest:
    """What the address of an upload asks. Raises HTTPException for what is not known; no value is repeated, since it
    may be a token that stands in the wrong place."""
    query = request.query_params
    for key in query:
        if key == "token":
            raise HTTPException(
                400, "a token in an address may stand in logs: ask for a new one, and send it in a header"
            )
        if key not in (*_ONE_VALUE, *_SEVERAL_VALUES) or (key in _ONE_VALUE and len(query.getlist(key)) > 1):
            raise HTTPException(400, f"expected {', '.join(_ONE_VALUE)}, each once, and option in the address")
    if not query.get("name"):
        raise HTTPException(400, "expected the name of the bot in the address: ?name=haggler")
    return UploadRequest(
        query["name"],
        query.get("class", ""),
        tuple(query.getlist("option")),
        query.get("command", ""),
        query.get("build", ""),
    )


async def _read_content(request: Request, largest: int) -> bytes:
    """The bytes of an upload. Raises HTTPException for none or too many, and where they end too early."""
    content = bytearray()
    try:
        async for part in request.stream():
            content += part
            if len(content) > largest:
                raise _too_large(largest)
    except ClientDisconnect:
        raise HTTPException(400, "the upload did not arrive whole") from None
    if not content:
        raise HTTPException(400, "the upload is empty: expected a file in Python, or a ZIP archive")
    return bytes(content)


def _too_large(largest: int) -> HTTPException:
    return HTTPException(413, f"an upload has at most {largest:,} bytes here")


def _no_token(told: str) -> HTTPException:
    return HTTPException(401, told, {"www-authenticate": "Bearer"})


def _json_response(data: Any, status: int, headers: Any = None, closing: bool = True) -> Response:
    """Return an answer as JSON; one that refuses an upload ends the connection, on which its bytes may follow."""
    more = {"connection": "close"} if closing else {}
    return Response(json.dumps(data) + "\n", status, {**(headers or {}), **more}, "application/json")
