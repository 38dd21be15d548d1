"""The queue of uploads of a ladder's folder: a thread checks them one after the other, each in a process of its own."""

from __future__ import annotations

import functools
import logging
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import msgspec

from arena.errors import cut_text, one_line_message
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import UPLOADS_LOCK, LadderFolder
from arena.ladder.entry.submit import SubmitResult
from arena.ladder.uploads.check_upload import check_upload
from arena.ladder.uploads.upload_rows import (
    Upload,
    UploadState,
    begin_next,
    end_upload,
    failed_result,
    queue_again,
)
from arena.printable import printable_text
from arena.runs.models.model_access import ModelOptions
from arena.runs.planning.isolation_level import BotPermissions
from arena.storage.folder_lock import FolderLock
from arena.web.serve.background_process import BackgroundProcess, WorkTimeoutError
from arena.web.serve.uploads.upload_options import UploadOptions

CHECK_SECONDS = 3600.0
"""Seconds after which a check is ended, and its bot refused."""
PAUSE_SECONDS = 5.0
"""Seconds after which the queue is looked at again, also where nothing woke it."""
MOST_LINES, LONGEST_LINE = 100, 2000
"""The most progress messages of a check, and the most characters of each, that are shown."""
UPLOAD_PREFIX = "arena-upload-"

log = logging.getLogger(__name__)


class ProgressLine(msgspec.Struct, frozen=True):
    """A message on the progress of a check, and when it came, in seconds from its beginning."""

    seconds: float
    text: str


class CheckQueue:
    """A context manager: inside it, a thread checks what is uploaded to the ladders of a folder, each upload with
    ``jobs`` processes. Raises UserError on entry if another server checks the uploads of this folder."""

    def __init__(self, place: LadderFolder, options: UploadOptions, jobs: int = 1, games: Sequence[str] = ()) -> None:
        self.place, self.options, self._jobs = place, options, jobs
        self._process = BackgroundProcess(games)
        self._lock = FolderLock(place.folder / UPLOADS_LOCK)
        self._ended, self._woken = Event(), Event()
        self._checked = ""
        self._lines: list[ProgressLine] = []
        self._thread = Thread(target=self._work, name="checks", daemon=True)

    def __enter__(self) -> CheckQueue:
        self._lock.path.parent.mkdir(exist_ok=True)
        self._lock.take(self.place.shown, "taking uploads for it")
        with closing(open_database(self.place.database, self.place.shown, write=True)) as database:
            queue_again(database)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._woken.set()
        self._process.close()
        self._thread.join(timeout=5)
        self._lock.release()

    def wake(self) -> None:
        """Look at the queue at once, because an upload has come."""
        self._woken.set()

    def progress(self, address: str) -> list[ProgressLine]:
        """The progress of the check of an upload; empty where it is not being checked."""
        return list(self._lines) if self._checked == address else []

    def _work(self) -> None:
        while not self._ended.is_set():
            try:
                with closing(open_database(self.place.database, self.place.shown, write=True)) as database:
                    found = begin_next(database)
                if found is not None:
                    self._check(*found)
                    continue
            except Exception as problem:  # the queue goes on: a disk that was full may have room later
                log.warning("the queue of uploads: %s", one_line_message(problem))
            self._woken.wait(PAUSE_SECONDS)
            self._woken.clear()

    def _check(self, upload: Upload, content: bytes) -> None:
        """Check an upload, and store how that ended; nothing where the server ends meanwhile."""
        began, done = monotonic(), list[SubmitResult]()
        self._checked, self._lines = upload.address, []

        def hear(told: str | SubmitResult) -> None:
            if isinstance(told, SubmitResult):
                done.append(told)
            elif len(self._lines) < MOST_LINES:
                text = cut_text(printable_text(told, "\n"), LONGEST_LINE)
                self._lines.append(ProgressLine(round(monotonic() - began, 1), text))

        state, result = UploadState.REFUSED, failed_result(upload, "it ended without a result")
        with tempfile.TemporaryDirectory(prefix=UPLOAD_PREFIX, ignore_cleanup_errors=True) as folder:
            work = functools.partial(
                _check_apart, self.place.folder, self.options, upload, content, Path(folder), self._jobs
            )
            try:
                self._process.run(work, hear, CHECK_SECONDS)
                (result,) = done
                state = state_of(result)
            except WorkTimeoutError as problem:
                result.told, result.refused = [], [f"the check was ended: {problem}"]
            except Exception as problem:
                if self._ended.is_set():
                    return  # the next server checks it again
                log.warning("upload %d of %s: %s", upload.id, upload.author, one_line_message(problem))
                state = UploadState.FAILED
        with closing(open_database(self.place.database, self.place.shown, write=True)) as database:
            end_upload(database, upload.id, state, result)
        self._checked = ""


def state_of(result: SubmitResult) -> UploadState:
    """The state in which the check of an upload ended, by its result."""
    if result.refused:
        return UploadState.REFUSED
    return UploadState.KNOWN if result.known else UploadState.ADMITTED


def _check_apart(
    ladders: Path,
    allowed: UploadOptions,
    upload: Upload,
    content: bytes,
    folder: Path,
    jobs: int,
    tell: Callable[[str | SubmitResult], object],
) -> None:
    """Check an upload in this process, which was made for it."""
    place = LadderFolder(ladders, BotPermissions(wider=allowed.wider))
    place.shown = Path(ladders.name)  # the author reads what messages call it
    tell(check_upload(place, upload, content, folder, jobs, tell, ModelOptions(allowed=allowed.models)))
