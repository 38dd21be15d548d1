"""The files that make up a bot, read into memory, and their digest: so a bot can travel by value.

If a bot is a folder, all its files belong to it. A single file of the user's own also brings the modules beside it that
it imports, and the files beside it that it names in quotes; and these in turn what they need. The text is searched, not
compiled or executed, because it may be a stranger's. What a stranger's file names is not brought along, but only
reported.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import msgspec

from arena.errors import BotError
from arena.finding.file_protection import (
    LADDER_FILE,
    RUN_FILE,
    FileRead,
    is_below,
    is_hidden,
    read_bot_file,
    results_around,
)

MOST_FILES, MOST_BYTES = 10_000, 256 << 20
"""The maximum number of files of one bot, and of bytes in all of them."""
TEXT_LIMIT = 4 << 20
"""The size in bytes above which a file is not searched for what it needs."""
MOST_NAMES, MOST_LISTED = 10_000_000, 10_000
"""The maximum number of names in the texts of one bot, and of folders that are listed to look for them."""

_QUOTED_NAME = re.compile(r"""["'`]([^"'`\n\\]{1,200})(?=["'`])""")
_IMPORT_LINE = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_MODULE_ENDINGS = ("", ".py", ".js", ".mjs", ".cjs", ".json", ".lua", ".rb", "/index.js")
"""Suffixes that a quoted module name may lack."""
_ARENA_ENDINGS = (".yaml", ".yml", ".jsonl", ".jsonl.gz", ".jsonl.zst", ".sqlite", ".token")
"""The suffixes of tournaments, rules, results, ladders and tokens: such files contain seeds and secrets, and are never
included in a bot because it names them."""
_SHARED_MODULES = sys.stdlib_module_names | {"arena"}
"""Modules that no file beside a bot can replace."""


class Trust(Enum):
    """Who decides which files belong to a bot."""

    OWN = auto()
    """The bot belongs to the user of the command: files beside it that its files name are included."""

    STRANGER = auto()
    """The bot may be a stranger's, and must not get the user's files: only those that the command names are included,
    and none that other users may not read anyway."""

    INSTALLED = auto()
    """All files lie in a folder that arena created for the bot, or where it is installed: all of them belong to it."""


class BotFile(msgspec.Struct, frozen=True):
    """One file: its path relative to the bot's folder, with ``/`` as the separator, and its content."""

    path: str
    content: bytes
    executable: bool = False


def digest_of(files: Sequence[BotFile]) -> str:
    """The digest of a bot's files: of a single file that of its content, else of a list of all, by path."""
    if len(files) == 1:
        return sha256(files[0].content).hexdigest()
    lines = [
        f"{sha256(file.content).hexdigest()} {'x' if file.executable else '-'} {file.path}\n"
        for file in sorted(files, key=lambda file: file.path)
    ]
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def gather_bot_files(
    folder: str, paths: Sequence[str], others: Sequence[str] = (), trust: Trust = Trust.OWN
) -> tuple[BotFile, ...]:
    """The files of a bot whose folder is ``folder``: the files and folders at ``paths``, in this order, then what those
    in ``folder`` need there, unless it is among the files and folders of ``others``, or the bot is a stranger's.

    Of a folder all files are included except hidden files, compiled ones and the folders of runs and ladders. Raises
    BotError for a path that does not exist, for anything in the folder of a run or a ladder, for links that lead out of
    the folder, for a file that has another name outside of what is included, for anything that is neither file nor
    folder, and for too many files or bytes; and in a stranger's bot for files that only their owner may read.
    """
    return _Gathering(folder, others, trust).gather(paths)


class _Place(NamedTuple):
    """The path of a file, the folder in which it was found (``base``), and whether the file itself was ``named``, not a
    folder above it; for a file that another file names, also whether that one is ``private``."""

    path: str
    base: str
    named: bool = False
    brought: bool = False
    private: bool = False


class _Gathering:
    """Collects the files of one bot."""

    def __init__(self, folder: str, others: Sequence[str], trust: Trust) -> None:
        self._folder, self._others, self._trust = folder, others, trust
        self._places: dict[str, _Place] = {}
        self._read: dict[str, FileRead] = {}
        self._listing = _Listing(folder)

    @cached_property
    def _foreign(self) -> list[str]:
        """The real paths of the ``others``: where there are many bots, each has many, and few ever need them."""
        return [os.path.realpath(other) for other in self._others]

    def gather(self, paths: Sequence[str]) -> tuple[BotFile, ...]:
        """All files, those at ``paths`` first."""
        for path in map(os.path.abspath, paths):
            self._list(path)
        waiting, found, size = list(self._places), [], 0
        while waiting:
            name = waiting.pop(0)
            place = self._places[name]
            read = self._take(place)
            if read is None:
                continue
            self._read[name] = read
            found.append(file := BotFile(name, read.content, read.executable))
            size += len(read.content)
            if size > MOST_BYTES:
                raise self._too_much()
            if self._trust is Trust.OWN and place.path == os.path.join(self._folder, name):
                waiting += self._named_by(file, read.private)  # beside what comes from elsewhere lies nothing
        self._check_links()
        return tuple(found)

    def _list(self, path: str) -> None:
        """Add the file, or the files in the folder, at ``path`` to the list."""
        name = name_within(self._folder, path)
        if not os.path.isdir(path):
            self._note(name, _Place(path, os.path.dirname(path), named=True))
            return
        for each in _files_below(path, ""):
            self._note(os.path.normpath(os.path.join(name, each)), _Place(os.path.join(path, each), path))

    def _note(self, name: str, place: _Place) -> None:
        self._places[name] = place
        if len(self._places) > MOST_FILES:
            raise self._too_much()

    def _too_much(self) -> BotError:
        most = f"{MOST_FILES:,} files or {MOST_BYTES >> 20} MB"
        return BotError(f"{self._folder} holds more than {most}, too much for one bot; give it a folder of its own")

    def _take(self, place: _Place) -> FileRead | None:
        """Read the file at this place; None where another file names it, but may not bring it along."""
        read = read_bot_file(place.path, place.base, self._folder, MOST_BYTES)
        if self._trust is Trust.INSTALLED:
            return read
        if place.brought and not _may_come(read, place.private):
            return None
        if results := results_around(read.path):
            raise BotError(f"{place.path} lies in {results}, and bots may not use files from there; copy it elsewhere")
        if read.private and self._trust is Trust.STRANGER:
            raise BotError(
                f"{place.path} is readable only by its owner, but files of a ladder are readable by others; if it "
                f"belongs to the bot: chmod -R go+rX {shlex.quote(place.path if place.named else place.base)}"
            )
        return read

    def _named_by(self, file: BotFile, private: bool) -> Iterator[str]:
        """Add the files that this one needs in the bot's folder to the list, and return their names."""
        for name in _named_in(self._listing, file):
            beside = os.path.join(self._folder, name)
            if name not in self._places and not _is_among(os.path.realpath(beside), self._foreign):
                self._note(name, _Place(beside, self._folder, brought=True, private=private))
                yield name

    def _check_links(self) -> None:
        """Raise BotError for a file with a name outside of what is included, because it belongs to somebody else too. A
        file of the user's own that was itself named is exempt: compilers link their programs in this way."""
        if self._trust is Trust.INSTALLED:
            return
        names: dict[tuple[int, int], set[str]] = {}
        for read in self._read.values():
            names.setdefault(read.identity, set()).add(read.path)
        for name, read in self._read.items():
            place = self._places[name]
            if read.links > len(names[read.identity]) and not (place.named and self._trust is Trust.OWN):
                raise BotError(
                    f"{place.path} has another name outside of the bot's files (a hard link), so it may belong to "
                    f"somebody else; use a copy instead (cp)"
                )


def _may_come(read: FileRead, private: bool) -> bool:
    """Whether a file may be included because another file names it: a file with a single name that is not private, or
    one named by a ``private`` file."""
    return read.links == 1 and (private or not read.private)


class NeighbourFile(msgspec.Struct, frozen=True):
    """A file in the folder of a stranger's bot, which names it but does not own it: its path there, and whether it is
    ``secret``, so that no bot gets it for naming it."""

    path: str
    secret: bool


def names_beside(folder: str, files: Sequence[BotFile]) -> list[NeighbourFile]:
    """The files in ``folder`` that these files of a stranger's bot import or name in quotes, but that are not among
    them."""
    found: dict[str, bool] = {}
    listing = _Listing(folder)
    for file in files:
        found |= {name: not _is_open(os.path.join(folder, name)) for name in _named_in(listing, file)}
        for quoted in dict.fromkeys(_QUOTED_NAME.findall(file.content[:TEXT_LIMIT].decode("utf-8", "replace"))):
            name = os.path.normpath(quoted)
            if name in found or name.startswith("..") or not listing.may_have(name, ("",)):
                continue
            if _is_file(os.path.join(folder, name)):
                found[name] = True
    taken = {file.path for file in files}
    return [NeighbourFile(name, secret) for name, secret in found.items() if name not in taken]


def _is_open(path: str) -> bool:
    """Whether the file could be included in a stranger's bot, if it were named."""
    found = os.stat(path)
    return found.st_nlink == 1 and bool(found.st_mode & (stat.S_IRGRP | stat.S_IROTH))


def _is_file(path: str) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:
        return False


def name_within(folder: str, path: str) -> str:
    """The name of a path relative to the bot's folder; a path outside is placed directly in the folder."""
    inside = os.path.relpath(os.path.abspath(path), folder)
    return os.path.basename(os.path.abspath(path)) if inside.startswith("..") else inside


def _is_among(path: str, others: Sequence[str]) -> bool:
    """Whether the real ``path`` is one of ``others`` (real paths), or lies below one."""
    return any(path == other or path.startswith(f"{other}/") for other in others)


class _Listing:
    """The contents of a bot's ``folder``, listed once: most of the many names in its text belong to no file, and this
    shows it without a disk access for each."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._considered = self._listed = 0
        self._names: dict[str, frozenset[str]] = {}
        self._told: set[tuple[str, Sequence[str]]] = set()

    def may_have(self, path: str, endings: Sequence[str] = _MODULE_ENDINGS) -> bool:
        """Whether a file or folder exists at this path, perhaps with one of these ``endings``, and was not requested
        before. Raises BotError where there were too many requests."""
        self._considered += 1
        self._check(self._considered <= MOST_NAMES)
        parent, _, name = path.rpartition("/")
        there = frozenset() if path.startswith("/") else self._names_in(parent)
        if not there or not (name in there or any(name + end in there for end in endings)):
            return False
        new = (path, endings) not in self._told
        self._told.add((path, endings))
        return new

    def _names_in(self, path: str) -> frozenset[str]:
        """The names in the folder at this path; empty where there is no folder."""
        if (known := self._names.get(path)) is not None:
            return known
        parent, _, name = path.rpartition("/")
        there = frozenset[str]()
        if not path or name in self._names_in(parent):
            self._listed += 1
            self._check(self._listed <= MOST_LISTED)
            with suppress(OSError):
                there = frozenset(os.listdir(os.path.join(self.folder, path)))
        self._names[path] = there
        return there

    def _check(self, few: bool) -> None:
        if not few:
            most = f"{MOST_NAMES:,} names in quotes, or names of files in more than {MOST_LISTED:,} folders"
            raise BotError(f"the bot in {self.folder} has more than {most}; keep long lists in a file of data")


def _named_in(listing: _Listing, file: BotFile) -> Iterator[str]:
    """The files in the folder, by relative path, that this file imports or names in quotes."""
    folder = listing.folder
    name, text = file.path, file.content.decode("utf-8", "replace")
    if len(text) > TEXT_LIMIT or "\0" in text:
        return
    near = os.path.dirname(name)
    if name.endswith(".py"):
        for module in _imported_modules(text):
            for base in dict.fromkeys((near, "")):
                path = os.path.join(base, module.replace(".", "/"))
                if listing.may_have(path.partition("/")[0], (".py",)):
                    yield from _module_files(folder, path)
    for quoted in dict.fromkeys(_QUOTED_NAME.findall(text)):
        for base in dict.fromkeys((near, "")):
            path = os.path.normpath(os.path.join(base, quoted))
            if listing.may_have(path) and (
                found := next((path + end for end in _MODULE_ENDINGS if _is_own(folder, path + end)), "")
            ):
                yield found


def _imported_modules(text: str) -> Iterator[str]:
    """The names of the modules that a Python text seems to import."""
    for match in _IMPORT_LINE.finditer(text):
        for name in (match[1] or match[2]).split(","):
            module = "".join(name.split()[:1]).lstrip(".")
            if module and module.partition(".")[0] not in _SHARED_MODULES:
                yield module


def _module_files(folder: str, path: str) -> Iterator[str]:
    """The files of a module below ``folder``; for a package all its files."""
    top = path.partition("/")[0]
    if _is_own(folder, f"{top}.py"):
        yield f"{top}.py"
    elif top and os.path.isdir(os.path.join(folder, top)) and not os.path.islink(os.path.join(folder, top)):
        first = next(iter(part for part in _files_below(folder, top) if part.endswith(".py")), "")
        if first:
            yield from _files_below(folder, top)


def _is_own(folder: str, path: str) -> bool:
    """Whether a name in a bot's text may refer to a file of the bot: one in its folder or below, but no file of
    arena."""
    if not path or path.startswith("/") or is_hidden(path) or path.lower().endswith(_ARENA_ENDINGS):
        return False
    whole, own = os.path.join(folder, path), os.path.realpath(folder)
    if not _is_file(whole):
        return False
    real = os.path.realpath(whole)
    inside = is_below(real, own) and not is_hidden(os.path.relpath(real, own))
    return inside and not real.lower().endswith(_ARENA_ENDINGS) and not results_around(real)


def _files_below(folder: str, start: str) -> Iterator[str]:
    """The paths of all files below ``start`` in ``folder``, in order."""
    for place, folders, names in os.walk(os.path.join(folder, start)):
        inside = os.path.relpath(place, folder)
        if inside != "." and (RUN_FILE in names or LADDER_FILE in names):
            folders.clear()
            continue
        folders[:] = sorted(each for each in folders if not (each.startswith(".") or each == "__pycache__"))
        for name in sorted([*names, *(each for each in folders if os.path.islink(os.path.join(place, each)))]):
            if not (name.startswith(".") or name.endswith(".pyc")):
                yield os.path.normpath(os.path.join(inside, name))
