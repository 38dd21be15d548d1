"""One log file for all processes of a run, through multiprocessing-logging, that no dying worker can stop."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import multiprocessing_logging

MESSAGE, TRACEBACK = 1800, 1200
"""Bytes kept of a record's message and traceback: a whole record must fit into one write of 4,096 bytes to the pipe."""


class NoLock:
    """Stands in for the lock that writers to the log's queue share.

    A worker that is killed while it holds the lock would silence all others and keep the run from ending. A write
    of at most 4,096 bytes to a pipe is whole or not at all (POSIX, PIPE_BUF), so records that short need none.
    """

    def acquire(self) -> bool:
        """Nothing to wait for."""
        return True

    def release(self) -> None:
        """Nothing was held."""

    def __enter__(self) -> bool:
        return True

    def __exit__(self, *raised: object) -> None:
        return None


class Short(logging.Filter):
    """Cuts records to a length that one write takes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, with its message and traceback made into text and cut."""
        record.msg, record.args = _cut(record.getMessage(), MESSAGE), None
        if record.exc_info:
            record.exc_text = _cut(logging.Formatter().formatException(record.exc_info), -TRACEBACK)
            record.exc_info = None
        return True


def _cut(text: str, length: int) -> str:
    """The first ``length`` bytes of a text, or the last ones where ``length`` is negative."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= abs(length):
        return data.decode()
    return (data[:length] if length > 0 else data[length:]).decode("utf-8", "ignore")


@contextmanager
def joint_log(path: Path) -> Iterator[None]:
    """Everything that any process logs while inside goes to the file at ``path``."""
    root = logging.getLogger()
    file = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    file.setFormatter(logging.Formatter("%(asctime)s %(processName)s %(levelname)s %(name)s: %(message)s"))
    level = root.level
    root.addHandler(file)
    root.setLevel(logging.INFO)
    multiprocessing_logging.install_mp_handler(root)
    ours: list[Any] = [handler for handler in root.handlers if getattr(handler, "sub_handler", None) is file]
    for handler in ours:
        handler.addFilter(Short())
        handler.queue._wlock = NoLock()
        handler.queue.cancel_join_thread()
    try:
        yield
    finally:
        multiprocessing_logging.uninstall_mp_handler(root)
        for handler in ours:
            handler.close()
        root.removeHandler(file)
        root.setLevel(level)
        file.close()
