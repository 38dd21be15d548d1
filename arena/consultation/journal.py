"""The journal of a match that is being played: each call of a model is appended to a file before its bot hears the
answer, so that nothing paid for is lost, whatever kills the run."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from threading import Lock

from arena.consultation.call_record import RecordedCall, encode_call, read_calls
from arena.foreign_files import read_foreign_file


class CallJournal:
    """Appends calls to the file at ``path``, which is created with the first. Several threads may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        self._lock = Lock()

    def add(self, call: RecordedCall) -> None:
        """Append a call. Raises OSError where there is no room."""
        with self._lock:
            if self._descriptor < 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            line = encode_call(call)
            while line:
                line = line[os.write(self._descriptor, line) :]

    def calls(self) -> list[RecordedCall]:
        """The calls in the file; a last line that is cut off is dropped, from the file too, so that others can follow.
        An absent file has none. Raises ReplayError for a damaged one."""
        return read_journal(self.path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1


def journal_path(folder: Path, match_id: str) -> Path:
    """The journal of a match in the ``folder`` of the journals of a run. Ids may have parts that no file's name has, so
    the name is a digest."""
    return folder / f"{sha256(match_id.encode()).hexdigest()[:32]}.jsonl"


def read_journal(path: Path) -> list[RecordedCall]:
    """The calls in a journal; a last line that is cut off is dropped, from the file too, so that others can follow. An
    absent file has none. Raises ReplayError for a damaged one."""
    try:
        content = read_foreign_file(path)
    except FileNotFoundError:
        return []
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)
    return read_calls(content[:whole], str(path))
