"""The files that make up a bot, read into memory, and their digest: so a bot can travel by value.

A folder's files are all in it. To a single file belong the modules beside it that it imports, and the files beside it
that it names in quotes; what those need, likewise. The text is searched, not compiled or executed: it may be a
stranger's.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import BotError

MOST_FILES, MOST_BYTES = 10_000, 256 << 20
"""Files of one bot, and bytes in all of them, at most."""
TEXT_LIMIT = 4 << 20
"""Bytes above which a file is not searched for what it needs."""

_QUOTED = re.compile(r"""["'`]([^"'`\n\\]{1,200})(?=["'`])""")
_IMPORTED = re.compile(r"(?:^|[;:])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w., \t]+))", re.MULTILINE)
_ENDINGS = ("", ".py", ".js", ".mjs", ".cjs", ".json", ".lua", ".rb", "/index.js")
"""What a name in quotes may lack, where it names a module."""
_ARENAS = (".yaml", ".yml", ".jsonl", ".jsonl.gz", ".jsonl.zst")
"""How names of tournaments, rules and results end: they hold seeds, and are never taken for a bot's because it names
them."""
_EVERYBODYS = sys.stdlib_module_names | {"arena"}
"""Modules that no file beside a bot replaces."""
_RUN = "config.resolved.yaml"
"""A folder that holds this is a run's."""


class BotFile(msgspec.Struct, frozen=True):
    """One file: its path below the bot's folder, with ``/`` between, and what it holds."""

    path: str
    content: bytes
    executable: bool = False


def digest_of(files: Sequence[BotFile]) -> str:
    """The digest of a bot's files: of a single one that of its content, else of a list of all, by path."""
    if len(files) == 1:
        return sha256(files[0].content).hexdigest()
    lines = [
        f"{sha256(file.content).hexdigest()} {'x' if file.executable else '-'} {file.path}\n"
        for file in sorted(files, key=lambda file: file.path)
    ]
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def gather(folder: str, paths: Sequence[str], others: Sequence[str] = ()) -> tuple[BotFile, ...]:
    """The files of a bot whose folder is ``folder``: the files and folders at ``paths``, in this order, then what those
    in ``folder`` need there, unless that is among the files and folders of ``others``.

    Of a folder everything counts but hidden files, compiled ones and the folders of runs. Raises BotError for a path
    where nothing is, for links that lead out of the folder, for what is neither file nor folder, and for too much.
    """
    foreign = [os.path.realpath(other) for other in others]
    places: dict[str, str] = {}
    for path in map(os.path.abspath, paths):
        name = name_within(folder, path)
        if os.path.isdir(path):
            places |= {
                os.path.normpath(os.path.join(name, each)): os.path.join(path, each) for each in _below(path, "")
            }
        else:
            places[name] = path
    found: dict[str, BotFile] = {}
    waiting, size = list(places.items()), 0
    while waiting:
        name, place = waiting.pop(0)
        found[name] = file = _read(folder, name, place)
        size += len(file.content)
        if size > MOST_BYTES or len(found) > MOST_FILES:
            most = f"{MOST_FILES:,} files or {MOST_BYTES >> 20} MB"
            raise BotError(f"{folder} holds more than {most}, too much for one bot; give it a folder of its own")
        if place != os.path.join(folder, name):
            continue  # from elsewhere: nothing lies beside it
        for other in _named_in(folder, file):
            beside = os.path.join(folder, other)
            if other not in places and not _is_among(os.path.realpath(beside), foreign):
                places[other] = beside
                waiting.append((other, beside))
    return tuple(found.values())


def name_within(folder: str, path: str) -> str:
    """What a path is called below the bot's folder: what lies elsewhere comes to lie right in it."""
    inside = os.path.relpath(os.path.abspath(path), folder)
    return os.path.basename(os.path.abspath(path)) if inside.startswith("..") else inside


def _is_among(path: str, others: Sequence[str]) -> bool:
    """Whether the real ``path`` is one of the others' real paths, or lies below one."""
    return any(path == other or path.startswith(f"{other}/") for other in others)


def _named_in(folder: str, file: BotFile) -> Iterator[str]:
    """The files in ``folder``, by their paths below it, that one of them imports or names in quotes."""
    name, text = file.path, file.content.decode("utf-8", "replace")
    if len(text) > TEXT_LIMIT or "\0" in text:
        return
    near = os.path.dirname(name)
    if name.endswith(".py"):
        for module in _imported(text):
            for base in dict.fromkeys((near, "")):
                yield from _module(folder, os.path.join(base, module.replace(".", "/")))
    for quoted in dict.fromkeys(_QUOTED.findall(text)):
        for base in dict.fromkeys((near, "")):
            path = os.path.normpath(os.path.join(base, quoted))
            if found := next((path + end for end in _ENDINGS if _is_own(folder, path + end)), ""):
                yield found


def _imported(text: str) -> Iterator[str]:
    """The names of the modules that a Python text seems to import."""
    for match in _IMPORTED.finditer(text):
        for name in (match[1] or match[2]).split(","):
            module = "".join(name.split()[:1]).lstrip(".")
            if module and module.partition(".")[0] not in _EVERYBODYS:
                yield module


def _module(folder: str, path: str) -> Iterator[str]:
    """The files of a module below ``folder``; of a package all."""
    top = path.partition("/")[0]
    if _is_own(folder, f"{top}.py"):
        yield f"{top}.py"
    elif top and os.path.isdir(os.path.join(folder, top)) and not os.path.islink(os.path.join(folder, top)):
        first = next(iter(part for part in _below(folder, top) if part.endswith(".py")), "")
        if first:
            yield from _below(folder, top)


def _is_own(folder: str, path: str) -> bool:
    """Whether a name in a bot's text may mean a file of the bot: one in its folder or below, and none of arena's."""
    parts = path.split("/")
    if not path or path.startswith("/") or any(part.startswith(".") or part == "__pycache__" for part in parts):
        return False
    whole = os.path.join(folder, path)
    try:
        if path.endswith(_ARENAS) or not os.path.isfile(whole):
            return False
    except ValueError:
        return False
    inside = os.path.realpath(whole).startswith(os.path.realpath(folder).rstrip("/") + "/")
    above = ["/".join(parts[:count]) for count in range(len(parts))]
    return inside and not any(os.path.exists(os.path.join(folder, each, _RUN)) for each in above)


def _below(folder: str, start: str) -> Iterator[str]:
    """The paths of all files below ``start`` in ``folder``, in order."""
    for place, folders, names in os.walk(os.path.join(folder, start)):
        inside = os.path.relpath(place, folder)
        if inside != "." and _RUN in names:
            folders.clear()
            continue
        folders[:] = sorted(each for each in folders if not (each.startswith(".") or each == "__pycache__"))
        for name in sorted([*names, *(each for each in folders if os.path.islink(os.path.join(place, each)))]):
            if not (name.startswith(".") or name.endswith(".pyc")):
                yield os.path.normpath(os.path.join(inside, name))


def _read(folder: str, name: str, place: str) -> BotFile:
    """The file at ``place`` under this name."""
    whole = os.path.realpath(place)
    if os.path.islink(place) and not whole.startswith(os.path.realpath(folder).rstrip("/") + "/"):
        raise BotError(f"{place} is a link that leads out of the bot's folder; put the file itself there")
    if not os.path.isfile(whole):
        what = "is neither a file nor a folder" if os.path.exists(whole) else "is not there"
        raise BotError(f"{place} {what}")
    try:
        if os.path.getsize(whole) > MOST_BYTES:
            raise BotError(f"{place} holds more than {MOST_BYTES >> 20} MB, too much for one bot")
        return BotFile(name, Path(whole).read_bytes(), os.access(whole, os.X_OK))
    except OSError as problem:
        raise BotError(f"{place}: {problem.strerror}") from None
