"""Files that are never taken as a bot's: those in the folder of a run or a ladder, targets of links, and files that
their owner keeps private; and safe opening of a file, so that nobody can replace it meanwhile."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from arena.errors import BotError
from arena.foreign_files import open_below

RUN_FILE, LADDER_FILE = "config.resolved.yaml", "ladder.sqlite"
"""A folder that contains one of these files is a run's, or one of ladders: it holds seeds, and files of others."""


class FileRead(NamedTuple):
    """A file that was opened and read once: its real ``path`` and its ``content``; whether it is ``executable``;
    whether only its owner may read it (``private``); its ``identity`` (device and inode), and the number of its names
    (``links``)."""

    path: str
    content: bytes
    executable: bool
    private: bool
    identity: tuple[int, int]
    links: int


def results_around(path: str) -> str:
    """The folder of a run or of ladders that contains the real ``path``, with its kind in words; empty where there is
    none."""
    for folder in Path(path).parents:
        for marker, what in ((RUN_FILE, "a run"), (LADDER_FILE, "ladders")):
            if os.path.lexists(folder / marker):
                return f"{folder}, the folder of {what}"
    return ""


def is_below(path: str, folder: str) -> bool:
    """Whether the real ``path`` lies below the real ``folder``."""
    return path.startswith(folder.rstrip("/") + "/")


def is_hidden(path: str) -> bool:
    """Whether a path contains a hidden part, leads upwards, or leads to files compiled by Python."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.split("/"))


def read_bot_file(place: str, base: str, folder: str, most: int) -> FileRead:
    """Read the file at ``place``, of at most ``most`` bytes: found in the folder ``base``, for a bot whose folder is
    ``folder``. The checks apply to what is read: the file is opened once, and no link is followed on the way to it.

    Raises BotError where there is no such file, for a link that leads out of the bot's folder or to something hidden,
    and for anything that is not a regular file.
    """
    whole, own = os.path.realpath(place), os.path.realpath(folder)
    root = next((each for each in (os.path.realpath(base), own) if is_below(whole, each)), "")
    if not root or (os.path.islink(place) and not is_below(whole, own)):
        raise BotError(f"{place} is a link that leads out of the bot's folder; put the file itself there")
    if os.path.islink(place) and is_hidden(os.path.relpath(whole, own)):
        raise BotError(f"{place} is a link to something hidden; put the file itself there")
    if not os.path.isfile(whole):
        what = "is neither a file nor a folder" if os.path.exists(whole) else "is not there"
        raise BotError(f"{place} {what}")
    try:
        opened, closed = open_below(whole, root)
        with opened as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise BotError(f"{place} is neither a file nor a folder")
            content = file.read(most + 1) if found.st_size <= most else b""
            if found.st_size > most or len(content) > most:
                raise BotError(f"{place} holds more than {most >> 20} MB, too much for one bot")
    except OSError as problem:
        raise BotError(f"{place}: {problem.strerror}") from None
    private = closed or not found.st_mode & (stat.S_IRGRP | stat.S_IROTH)
    return FileRead(whole, content, os.access(whole, os.X_OK), private, (found.st_dev, found.st_ino), found.st_nlink)
