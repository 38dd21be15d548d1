"""List bundled bots with the games they play; make a new bot from a template."""

from __future__ import annotations

import ast
import json
import keyword
import re
import sys
from functools import cache
from itertools import cycle, islice
from pathlib import Path

import msgspec

from arena.app.isolation import TRUSTED
from arena.app.loading import Plays, plays_of
from arena.app.match import DEFAULT_RULES
from arena.app.rules import list_editions
from arena.app.wholefile import check_place, write_whole
from arena.config.editions import load_edition
from arena.errors import UserError, nearest
from arena.finding.reference import bundled_bots, find_file
from arena.games import games
from arena.resources import templates

TABLE = 4
"""Seats at an example table, where the game allows so many."""


class Described(msgspec.Struct):
    """A bundled bot: name, first line of its description, the games it plays, file."""

    name: str
    description: str
    games: tuple[str, ...]
    file: str


def list_bots() -> list[Described]:
    """The bots that ship with arena, described by their first lines."""
    found = []
    for name, path in bundled_bots().items():
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found.append(Described(name, text.partition("\n")[0], tuple(_bundled()[name]) or games(), str(path)))
    return found


@cache
def _bundled() -> dict[str, Plays]:
    return {name: plays_of(find_file(name), TRUSTED) for name in bundled_bots()}


def bundled_for(game: str) -> list[str]:
    """The bundled bots that play ``game``: those of few games first, those that do nothing in any last."""
    active = [name for name, plays in _bundled().items() if game in plays]
    idle = [name for name, plays in _bundled().items() if not plays]
    return [*sorted(active, key=lambda name: len(_bundled()[name])), *idle]


class Written(msgspec.Struct):
    """A new bot: its file, that of its tests, and an example table: opponents, and rules ("" for the default)."""

    bot: Path
    test: Path
    opponents: tuple[str, ...]
    rules: str


def templated() -> tuple[str, ...]:
    """The games that there is a template of a bot for."""
    return tuple(game for game in games() if (templates() / f"{game}.py.txt").is_file())


def new_bot(name: str, folder: Path, game: str) -> Written:
    """Write ``NAME.py``, a bot for ``game``, and ``test_NAME.py`` into ``folder``. Raises UserError for a name that
    cannot be a class, a game without a template, or a file that exists already."""
    if game not in templated():
        raise UserError(f"no template for {game!r}{nearest(game, templated())}; there are {', '.join(templated())}")
    if "/" in name or "\\" in name:
        raise UserError(f"{name!r} is a path; give a name, and the folder with --folder")
    stem = re.sub(r"\W+", "_", name.removesuffix(".py")).strip("_").lower()
    title = "".join(part.capitalize() for part in stem.split("_"))
    if not title.isidentifier():
        raise UserError(f"{name!r} cannot be a bot's name; take letters, digits and _, beginning with a letter")
    if keyword.iskeyword(stem) or stem == "arena" or stem in sys.stdlib_module_names:
        raise UserError(f"{stem!r} is a word or a module of Python's, and {stem}.py would hide it; choose another name")
    check_place(folder, "--folder", folder=True)
    bot, test = folder / f"{stem}.py", folder / f"test_{stem}.py"
    for path in (bot, test):
        if path.exists():
            raise UserError(f"{path} exists already; choose another name or --folder")
    rules = first_edition(game)
    opponents = tuple(company(game, load_edition(rules).seats, 1))
    words = {"title": title, "file": bot.name, "test": test.name, "opponents": json.dumps(opponents), "rules": rules}
    for path, template in ((bot, f"{game}.py.txt"), (test, "test_bot.py.txt")):
        text = (templates() / template).read_text(encoding="utf-8")
        write_whole(path, text.format(**words).encode())
    return Written(bot, test, opponents, "" if rules == DEFAULT_RULES else rules)


def first_edition(game: str) -> str:
    """The default edition of a game."""
    names = [each.name for each in list_editions() if each.game == game]
    if not names:
        raise UserError(f"no edition of the game {game!r} ships with arena")
    return DEFAULT_RULES if DEFAULT_RULES in names else names[0]


def company(game: str, seats: range, taken: int = 0) -> list[str]:
    """Bundled bots for the seats of an example table of ``game`` that are not ``taken``."""
    return list(islice(cycle(bundled_for(game)), min(max(TABLE, seats[0]), seats[-1]) - taken))
