"""The journal of a match that is being played: a cassette to which each call of a model is appended before its bot
hears the answer, so that nothing paid for is lost, whatever kills the run."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

from arena.consultation.call_record import Cassette, RecordedCall, encode_call, encode_header, read_cassette
from arena.foreign_files import read_foreign_file


class CallJournal:
    """The journal at ``path`` of the match ``id`` between these ``entrants`` (by seat). The file is created with the
    first call. Several threads may use it."""

    def __init__(self, path: Path, id: str, entrants: tuple[str, ...]) -> None:
        self.path, self.id, self.entrants = path, id, entrants
        self._descriptor = -1
        self._lock = Lock()

    def calls(self) -> list[RecordedCall]:
        """The calls in the file, before any is added. Raises ReplayError for a damaged file."""
        there = read_journal(self.path)
        return there.calls if there is not None and there.id == self.id else []

    def add(self, call: RecordedCall) -> None:
        """Append a call. Raises OSError where there is no room."""
        with self._lock:
            if self._descriptor < 0:
                self._descriptor = self._open()
                if not os.fstat(self._descriptor).st_size:
                    self._write(encode_header(self.id, self.entrants))
            self._write(encode_call(call))

    def _open(self) -> int:
        """Open the file, in a folder that another match may just be removing because it is empty. A link, which a
        stranger may have put there, is not followed."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        while True:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                return os.open(self.path, flags, 0o600)

    def _write(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._descriptor, line) :]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1


def journal_path(folder: Path, match_id: str) -> Path:
    """The journal of a match in the ``folder`` of the journals of a run. An id may have letters that no file's name
    has, so the name is a digest."""
    return folder / f"{sha256(match_id.encode()).hexdigest()[:32]}.jsonl"


def forget_journal(folder: Path, match_id: str, make_safe: Callable[[], None]) -> None:
    """Remove the journal of a match from the ``folder`` of journals, if it is there: its calls are in a pack now, which
    ``make_safe`` flushes to disk before."""
    path = journal_path(folder, match_id)
    if path.exists():
        make_safe()
        with suppress(FileNotFoundError):
            path.unlink()
        with suppress(OSError):  # others are there
            folder.rmdir()


def read_journal(path: Path, mend: bool = True) -> Cassette | None:
    """What a journal holds, without a last line that is cut off; with ``mend`` that is dropped from the file too, so
    that others can follow, which nobody else may be writing to. None where there is no file, or not even its first
    line. Raises ReplayError for a damaged one."""
    try:
        content = read_foreign_file(path)
    except FileNotFoundError:
        return None
    whole = content.rfind(b"\n") + 1
    if mend and whole < len(content):
        os.truncate(path, whole)
    return read_cassette(content[:whole], str(path)) if whole else None
