"""A game is one folder: nothing outside of ``arena/games`` names one, so that a game from outside is treated alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from arena.games import built_in_games
from tests.docs.pages import ROOT

from .source import read_module

ARENA = ROOT / "arena"
NAMES = "|".join(built_in_games())
PUBLIC = {"results.py": {"board", "cards"}}
"""Public modules that name games: research reads the classes of their rows as ``arena.results.board.OfferRow``."""


def names_in(path: Path) -> Iterator[str]:
    """The games that a module imports from, or has as a text of its own."""
    yield from re.findall(rf"[\"']({NAMES})[\"']", path.read_text(encoding="utf-8"))
    for each in read_module(path).imports:
        modules = [each.module, *(f"{each.module}.{name}" for name in each.names)] if each.module else each.names
        for name in modules:
            if found := re.match(rf"arena\.games\.({NAMES})(\.|$)", name):
                yield found[1]


def test_no_module_outside_of_the_games_names_one() -> None:
    modules = [path for path in ARENA.rglob("*.py") if ARENA / "games" not in path.parents]
    named = {path.relative_to(ARENA).as_posix(): set(names_in(path)) for path in modules}
    assert {path: found for path, found in named.items() if found} == PUBLIC


def test_no_script_style_or_template_outside_of_the_games_names_one() -> None:
    files = [path for folder in ("pages", "templates") for path in (ARENA / folder).rglob("*") if path.is_file()]
    texts = [path for path in files if path.suffix in (".js", ".css", ".html", ".txt")]
    assert texts
    quoted, of_object, in_file_name = rf"[\"'](?:{NAMES})[\"']", rf"\.(?:{NAMES}) = ", rf"(?:^|_)(?:{NAMES})[_.]"
    found = {
        path.name
        for path in texts
        if re.search(in_file_name, path.name) or re.search(f"{quoted}|{of_object}", path.read_text(encoding="utf-8"))
    }
    assert found == set()
