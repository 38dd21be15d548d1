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

from arena.match.playing import playing_now

MESSAGE_BYTES, TRACEBACK_BYTES = 1800, 1200
"""Bytes kept of a record's message and traceback: a whole record must fit into one write of 4,096 bytes to the pipe."""
LOG_FILE_BYTES, OLDER_LOGS = 10_000_000, 3
"""Bytes of a log file, and how many older ones are kept."""
_LENGTH_STRUCT = struct.Struct("=H")


class RecordPipe:
    """What the handler of multiprocessing-logging sends records through, in place of its ``multiprocessing.Queue``.

    Writers to that queue share a lock: a worker that is killed while it holds the lock would silence all others and
    keep the run from ending. A write of at most 4,096 bytes to a pipe is atomic (POSIX, PIPE_BUF), so such short
    records need no lock. They also do not wait in the memory of a process that may end at any time.
    """

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Send a record; one that is too long in spite of :class:`ShortRecords` is left out."""
        content = pickle.dumps(record)
        if len(content) + _LENGTH_STRUCT.size <= select.PIPE_BUF:
            os.write(self._writing, _LENGTH_STRUCT.pack(len(content)) + content)

    def get(self, timeout: float) -> logging.LogRecord:
        """The next record. Raises Empty after ``timeout`` seconds."""
        if not select.select([self._reading], [], [], timeout)[0]:
            raise Empty
        (length,) = _LENGTH_STRUCT.unpack(os.read(self._reading, _LENGTH_STRUCT.size))
        record: logging.LogRecord = pickle.loads(os.read(self._reading, length))
        return record

    def qsize(self) -> int:
        """1 if there is a record, else 0."""
        return len(select.select([self._reading], [], [], 0)[0])

    def close(self) -> None:
        """Close both ends."""
        os.close(self._reading)
        os.close(self._writing)

    def join_thread(self) -> None:
        """There is none."""


class ShortRecords(logging.Filter):
    """Cuts records to a length that one write takes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, with its message and traceback made into text and cut."""
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
    """Gives every record the id of the match that was being played where it was made, ``-`` where none was."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record. What is logged about another process may name its match itself (``extra``)."""
        record.match = getattr(record, "match", "") or playing_now() or "-"
        return True


class LogFile(logging.handlers.RotatingFileHandler):
    """The log, of :data:`LOG_FILE_BYTES` bytes at most; what is older is called ``run.log.1``, and so on.

    Where it cannot be written any more (a full disk) this is said once, and the run goes on without."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=LOG_FILE_BYTES, backupCount=OLDER_LOGS, encoding="utf-8", errors="backslashreplace"
        )
        self._failed = False

    def handleError(self, record: logging.LogRecord) -> None:
        """Say what went wrong, the first time."""
        problem = sys.exc_info()[1]
        if not self._failed:
            self._failed = True
            why = getattr(problem, "strerror", None) or problem
            with suppress(OSError, ValueError):
                print(f"{self.baseFilename}: {why}; no more is logged", file=sys.stderr)

    def close(self) -> None:
        """Close it; what could not be written is lost."""
        try:
            super().close()
        except OSError:
            self.handleError(logging.makeLogRecord({}))


@contextmanager
def joint_log(path: Path) -> Iterator[None]:
    """Everything that this process and those forked inside log goes to the file at ``path``."""
    root = logging.getLogger()
    file = LogFile(path)
    file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(match)s %(levelname)s %(name)s: %(message)s"))
    handler: Any = multiprocessing_logging.MultiProcessingHandler(
        "run-log", file
    )  # of ours alone, not of all there are
    handler.addFilter(MatchNameFilter())
    handler.addFilter(ShortRecords())
    handler.queue = RecordPipe()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    handler.handleError = file.handleError
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
        root.setLevel(level)
