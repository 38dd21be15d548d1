"""A bot by value: :class:`BotRef`, and how it is made from a bundled name, a file, a folder or a module."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import msgspec

from arena.errors import BotError, nearest_hint
from arena.finding.files import BotFile, Trust, digest_of, gather_bot_files
from arena.resources import bundled_folder

Scalar = str | int | float | bool


class CommandWord(msgspec.Struct, frozen=True):
    """A word of a command. ``own``: the word names a file or folder of the bot, relative to the bot's folder."""

    text: str
    own: bool = False


class BotRef(msgspec.Struct, frozen=True, kw_only=True):
    """A bot by value: everything needed to load it anywhere.

    ``name`` is portable (a bundled name, ``file.py``, ``folder/`` or ``package.module``, with ``:Class`` where one was
    given); ``sha256`` is the digest of all its files. A Python bot has the ``file`` to load, relative to the bot's
    folder, or else the ``module``; a bot that is a program has the ``command`` that runs it.

    ``files`` are the files that the digest covers. It is empty for bundled bots and modules, which are installed
    wherever they are played, and for a bot that has been unpacked already. ``folder`` is the folder of the files on
    this machine, and ``origin`` the author's own folder, which appears only in messages.
    """

    name: str
    sha256: str
    file: str = ""
    module: str = ""
    cls: str = ""
    options: dict[str, Scalar] = {}
    command: tuple[CommandWord, ...] = ()
    files: tuple[BotFile, ...] = ()
    folder: str = ""
    origin: str = ""
    bundled: bool = False

    def as_its_author_knows(self, text: bytes) -> bytes:
        """The bot's output, with the paths of its files replaced by those in the author's folder."""
        if not self.origin or self.origin == self.folder:
            return text
        return text.replace(os.fsencode(self.folder), os.fsencode(self.origin))

    @property
    def path(self) -> str:
        """The path of the bot's file on this machine; empty for modules."""
        return os.path.join(self.folder, self.file) if self.file else ""


def bundled_bots() -> dict[str, Path]:
    """The bots that ship with arena, by name."""
    files = sorted(bundled_folder("bots").glob("*.py"))
    return {path.stem.replace("_", "-"): path for path in files if not path.stem.startswith("_")}


SEARCHING_BOTS = ("planner", "schemer", "strategist", "tactician")
"""The bundled bots that search. They think a hundred times as long as the others: none sits at a table unasked."""
CONSULTING_BOTS = ("talker",)
"""The bundled bots that consult language models; without a model each plays as another does. None sits at a table
unasked."""
HOSTILE_BOTS = ("injector",)
"""The bundled bots whose words attack bots that read them. None sits at a table unasked."""
UNSEATED_BOTS = (*SEARCHING_BOTS, *CONSULTING_BOTS, *HOSTILE_BOTS)
"""The bundled bots that sit only where they are named."""


def find_file(name: str) -> BotRef:
    """The bundled bot ``name``. Raises BotError, naming the nearest."""
    known, name = bundled_bots(), name.replace("_", "-")
    if name not in known:
        raise BotError(
            f"no bundled bot {name!r}{nearest_hint(name, known)}; there are {', '.join(known)}. "
            f"Name a bot of your own by its file, such as ./{name}.py"
        )
    path = known[name]
    digest, folder = sha256(path.read_bytes()).hexdigest(), os.path.abspath(path.parent)
    return BotRef(name=name, sha256=digest, file=path.name, folder=folder, bundled=True)


ENTRY_FILES = "bot.py", "__init__.py"
"""The file that is loaded from a folder: the first of these that exists."""


def refer_file(
    path: str,
    cls: str | None,
    options: dict[str, Scalar] | None = None,
    more: Sequence[str] = (),
    others: Sequence[str] = (),
    trust: Trust = Trust.OWN,
) -> BotRef:
    """The bot in the file or folder at ``path``, with ``more`` files and without those of ``others``; ``trust`` says
    whether files that it names are included. Raises BotError where there is no bot."""
    whole = os.path.abspath(path)
    origin, name = os.path.split(whole)
    if os.path.isdir(whole):
        entry = next((each for each in ENTRY_FILES if os.path.isfile(os.path.join(whole, each))), None)
        if entry is None:
            raise BotError(f"the folder {path} is not a bot: it holds neither {' nor '.join(ENTRY_FILES)}")
        files = gather_bot_files(whole, [whole, *more], others, trust)
        digest, file, name = digest_of(files), f"{name}/{entry}", f"{name}/"
        files = tuple(msgspec.structs.replace(each, path=name + each.path) for each in files)
    elif os.path.isfile(whole):
        files, file = gather_bot_files(origin, [whole, *more], others, trust), name
        digest = digest_of(files)
    else:
        beside = sorted(os.listdir(origin)) if os.path.isdir(origin) else []
        near = [each for each in beside if each.endswith(".py") or os.path.isdir(os.path.join(origin, each))]
        raise BotError(f"no bot file {path}{nearest_hint(name, near)}")
    name += f":{cls}" if cls else ""
    return BotRef(
        name=name,
        sha256=digest,
        file=file,
        cls=cls or "",
        options=options or {},
        files=files,
        folder=origin,
        origin=origin,
    )


def refer_module(module: str, cls: str, options: dict[str, Scalar] | None = None) -> BotRef:
    """The bot ``module:cls`` of an importable package. Raises BotError where it cannot be found."""
    return BotRef(
        name=f"{module}:{cls}", sha256=digest_of_module(module), module=module, cls=cls, options=options or {}
    )


@lru_cache(maxsize=256)
def digest_of_module(module: str) -> str:
    """The digest of a module's file, or of all files of the package that contains it. Raises BotError where there is
    none."""
    spec = _find_module(module)
    if spec is None or spec.origin is None or not spec.has_location:
        raise BotError(f"no module {module!r} to import; is its package installed, or its folder on PYTHONPATH?")
    top = _find_module(module.partition(".")[0])
    package = list(top.submodule_search_locations or ()) if top else []
    if package:
        return digest_of(gather_bot_files(package[0], package[:1], trust=Trust.INSTALLED))
    return sha256(Path(spec.origin).read_bytes()).hexdigest()


def _find_module(module: str) -> ModuleSpec | None:
    """The place of a module, found without importing the packages above it."""
    path: list[str] | None = None
    spec = None
    name = ""
    for part in module.split("."):
        name = f"{name}.{part}" if name else part
        spec = PathFinder.find_spec(name, path)
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or ())
    return spec
