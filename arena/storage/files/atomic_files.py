"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import UserError, cut_text, nearest_hint


def check_place(path: Path, option: str, folder: bool = False) -> None:
    """Raise UserError, which names the ``option`` that gave the path, where no file can be written at ``path``, or
    where ``path`` cannot be a ``folder`` with files. Called before there is anything to write. Missing parent folders
    of a folder can be created; those of a file must exist, because a mistyped name should not create one."""
    if str(path) == "-":
        raise UserError(f"{option}: expected the name of a {'folder' if folder else 'file'}, got -")
    if not folder:
        _check_above(path, option)
    try:
        with suppress(FileNotFoundError):
            found = stat.S_ISDIR(path.stat().st_mode)
            if found and not folder:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not found:
                if folder:
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
                if not os.access(path, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                return
        with suppress(FileNotFoundError):
            path.absolute().with_name(f".{path.name}.{os.getpid()}").lstat()  # what it is called while it is written
        above = next(each for each in (path, *path.absolute().parents) if each.is_dir())
        with tempfile.TemporaryFile(dir=above):
            pass
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise UserError(f"{option} {cut_text(str(path))}: cannot be written: {why}; choose another place") from None


def _check_above(path: Path, option: str) -> None:
    """Raise UserError where a parent folder of the file is missing; the message names the nearest one that exists."""
    try:
        missing = [each for each in path.parents if not each.exists()][-1]
        known = [each.name for each in missing.parent.iterdir() if each.is_dir()]
    except (OSError, ValueError, IndexError):
        return  # all are there, or it is told why not where it is tried
    near = nearest_hint(missing.name, known)
    raise UserError(
        f"{option} {cut_text(str(path))}: there is no folder {cut_text(str(missing))}{near}; choose another place"
    )


@contextmanager
def blame_path(path: Path) -> Iterator[None]:
    """Inside this context an OSError that names no file gets this path as its file name: the error of a full disk does
    not say which file it refused to write."""
    try:
        yield
    except OSError as problem:
        problem.filename = problem.filename or str(path)
        raise


def has_ended(process: str) -> bool:
    """Whether the process of this number runs no more; another may be writing at the same time."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (ValueError, OverflowError, PermissionError):
        pass
    return False


def remove_left(path: Path) -> None:
    """Remove what processes have left that were killed while they wrote ``path``: files and folders beside it, called
    ``.NAME.PID``."""
    for left in path.absolute().parent.glob(f".{glob.escape(path.name)}.*"):
        if left.name.removeprefix(f".{path.name}.").isdecimal() and has_ended(left.suffix[1:]):
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes | Iterable[bytes], durable: bool = True) -> None:
    """Write a file atomically, from its content or an iterable of parts: the file is complete or does not exist, if
    ``durable`` also after a power cut. Anything but a regular file (a device) is written to directly."""
    parts = [content] if isinstance(content, bytes) else content
    with blame_path(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.writelines(parts)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with unfinished.open("wb") as file:
                file.writelines(parts)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())  # else the name may be on disk before the content
            unfinished.replace(path)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise
