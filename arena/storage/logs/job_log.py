"""One log file for all processes of a run, through multiprocessing-logging, safe against workers that die."""

from __future__ import annotations

import logging
import logging.handlers
import os
import pickle
import select
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

import multiprocessing_logging

from arena.errors import ArenaError
from arena.match.playing import playing_now

MESSAGE_BYTES, TRACEBACK_BYTES = 1800, 1200
"""The bytes of a record's message and of its traceback that are kept: a whole record must fit into one write of 4,096
bytes to the pipe."""
LOG_FILE_BYTES, OLDER_LOGS = 10_000_000, 3
"""The maximum size of a log file in bytes, and how many older files are kept."""
_LENGTH_STRUCT = struct.Struct("=H")


class RecordPipe:
    """The pipe through which the handler of multiprocessing-logging sends records, instead of its
    ``multiprocessing.Queue``.

    Writers to that queue share a lock: a worker that is killed while it holds the lock would silence all others and
    keep the run from ending. A write of at most 4,096 bytes to a pipe is atomic (POSIX, PIPE_BUF), so such short
    records need no lock. Nor do they wait in the memory of a process that may end at any time.
    """

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        self._is_ending = False

    def end(self) -> None:
        """Announce that no more records come: :meth:`get` returns what is in the pipe, and no longer waits."""
        self._is_ending = True
        if select.select([], [self._writing], [], 0)[1]:  # else it is full, and nobody waits
            os.write(self._writing, _LENGTH_STRUCT.pack(0))

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a record; drop one that is too long in spite of :class:`ShortRecords`."""
        content = pickle.dumps(record)
        if len(content) + _LENGTH_STRUCT.size <= select.PIPE_BUF:
            os.write(self._writing, _LENGTH_STRUCT.pack(len(content)) + content)

    def get(self, timeout: float) -> logging.LogRecord:
        """The next record. Raises Empty after ``timeout`` seconds, and at once after :meth:`end`."""
        if not select.select([self._reading], [], [], 0.0 if self._is_ending else timeout)[0]:
            raise Empty
        (length,) = _LENGTH_STRUCT.unpack(os.read(self._reading, _LENGTH_STRUCT.size))
        if not length:
            raise Empty
        record: logging.LogRecord = pickle.loads(os.read(self._reading, length))
        return record

    def qsize(self) -> int:
        """1 if a record is waiting, else 0."""
        return len(select.select([self._reading], [], [], 0)[0])

    def close(self) -> None:
        """Close both ends of the pipe."""
        os.close(self._reading)
        os.close(self._writing)

    def join_thread(self) -> None:
        """Do nothing: a pipe has no feeder thread to wait for."""


class PipeHandler(multiprocessing_logging.MultiProcessingHandler):  # type: ignore[misc]
    """A handler that uses a :class:`RecordPipe` in place of the queue that its base class makes as it starts."""

    @property
    def queue(self) -> RecordPipe:
        """The pipe."""
        return self._pipe

    @queue.setter
    def queue(self, made: object) -> None:
        self._pipe = RecordPipe()


class ShortRecords(logging.Filter):
    """Cuts records to a length that fits into one write to the pipe."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Format the record's message and traceback as text, cut them, and keep the record."""
        record.msg, record.args = _cut_bytes(record.getMessage(), MESSAGE_BYTES), None
        if record.exc_info:
            record.exc_text = _cut_bytes(logging.Formatter().formatException(record.exc_info), -TRACEBACK_BYTES)
            record.exc_info = None
        return True


def _cut_bytes(text: str, length: int) -> str:
    """The first ``length`` bytes of a text, or the last ones where ``length`` is negative."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= abs(length):
        return data.decode()
    return (data[:length] if length > 0 else data[length:]).decode("utf-8", "ignore")


class MatchNameFilter(logging.Filter):
    """Adds to every record the id of the match that was being played in its process, ``-`` where none was."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the match's id and keep the record. A record that already has a match keeps it: it was logged about
        another process, with ``extra={"match": …}``."""
        record.match = getattr(record, "match", "") or playing_now() or "-"
        return True


class LogFile(logging.handlers.RotatingFileHandler):
    """The log file, of at most :data:`LOG_FILE_BYTES` bytes; older parts are called ``run.log.1``, and so on.

    When it can no longer be written (a full disk), this is reported once, and the run continues without a log.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=LOG_FILE_BYTES, backupCount=OLDER_LOGS, encoding="utf-8", errors="backslashreplace"
        )
        self._failed = False

    def handleError(self, record: logging.LogRecord) -> None:
        """Report the first error of writing the log; ignore later ones."""
        problem = sys.exc_info()[1]
        if not self._failed:
            self._failed = True
            why = getattr(problem, "strerror", None) or problem
            with suppress(OSError, ValueError):
                print(f"{self.baseFilename}: {why}; no more is logged", file=sys.stderr)

    def close(self) -> None:
        """Close the file; records that could not be written are lost."""
        try:
            super().close()
        except OSError:
            self.handleError(logging.makeLogRecord({}))


@contextmanager
def joint_log(path: Path) -> Iterator[None]:
    """Inside this context, everything that this process and processes forked from it log goes to the file at
    ``path``. Raises ArenaError where the system gives no semaphores."""
    root = logging.getLogger()
    file = LogFile(path)
    file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(match)s %(levelname)s %(name)s: %(message)s"))
    try:
        handler: Any = PipeHandler("run-log", file)  # of ours alone
    except OSError as problem:  # it makes a queue, which needs a semaphore
        file.close()
        why = problem.strerror or problem
        raise ArenaError(f"/dev/shm: {why}; it must be writable: processes of a run share semaphores there") from None
    handler.addFilter(MatchNameFilter())
    handler.addFilter(ShortRecords())
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    handler.handleError = file.handleError
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.queue.end()  # else its thread might wait for another fifth of a second
        handler.close()
        root.setLevel(level)
