"""A file that bytes are appended to."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from arena.errors import ArenaError
from arena.foreign_files import open_descriptor
from arena.system.platform_support import place_of_file, sync_content


class AppendFile:
    """A file that bytes are appended to, each content in one piece: all of it, or nothing where there is no room."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = open_descriptor(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.size = os.fstat(self._file).st_size

    def add(self, content: bytes) -> None:
        """Append the content. Raises OSError, naming the file; the file is then unchanged."""
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as problem:
            with suppress(OSError):
                os.ftruncate(self._file, self.size)
            problem.filename = str(self.path)
            raise
        self.size += len(content)

    def check(self, shown: Path, resume: Callable[[Path], str] | None = None) -> None:
        """Raise ArenaError where the file at the path is no longer the open one, or its size has changed: appended
        bytes would then go where nobody looks, or some are missing. The message calls the file ``shown``; ``resume``
        gives the command that resumes the run in the folder to which the file was moved, if that is a run's."""
        found = os.fstat(self._file)
        try:
            if not os.path.samestat(os.stat(self.path), found):
                self._moved(shown, resume)
        except OSError:
            self._moved(shown, resume)
        if found.st_size != self.size:
            problem = f"{shown} was changed by another program while the run played"
            raise ArenaError(f"{problem}; arena run --resume repairs it")

    def _moved(self, shown: Path, resume: Callable[[Path], str] | None) -> NoReturn:
        problem = f"{shown} was moved or removed while the run played"
        now = place_of_file(self._file)
        with suppress(OSError):
            if now is not None and now.is_file() and now.name == self.path.name:
                again = "" if resume is None else f"; resume with: {resume(now.parent)}"
                raise ArenaError(f"{problem}: it is {now} now{again}")
        raise ArenaError(f"{problem}; restore it and resume with arena run --resume, or start a new run")

    def sync(self) -> None:
        """Flush the file to disk, so that it survives a power cut. Raises OSError, naming the file."""
        try:
            sync_content(self._file)
        except OSError as problem:
            problem.filename = str(self.path)
            raise

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
