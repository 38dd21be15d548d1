"""Which bots ship with arena, which games they play, and which sit at an example table."""

from __future__ import annotations

import ast
from functools import cache
from itertools import cycle, islice

import msgspec

from arena.errors import UserError
from arena.finding.reference import UNSEATED_BOTS, bundled_bots, find_file
from arena.games import built_in_games
from arena.runs.planning.edition_list import list_editions
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from arena.runs.planning.load_bots import Plays, plays_of
from arena.runs.single_match import DEFAULT_RULES

TABLE_SEATS = 4
"""Seats at an example table, where the game allows so many."""


class BundledBot(msgspec.Struct):
    """A bundled bot: name, first line of its description, the games it plays, file."""

    name: str
    description: str
    games: tuple[str, ...]
    file: str


def list_bots() -> list[BundledBot]:
    """The bots that ship with arena, described by their first lines."""
    found = []
    for name, path in bundled_bots().items():
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found.append(
            BundledBot(name, text.partition("\n")[0], tuple(_bundled_plays()[name]) or built_in_games(), str(path))
        )
    return found


@cache
def _bundled_plays() -> dict[str, Plays]:
    return {name: plays_of(find_file(name), TRUSTED_ISOLATION) for name in bundled_bots()}


def bundled_for(game: str) -> list[str]:
    """The bundled bots that play ``game``, without those that search, consult models or say hostile words: those that
    play the fewest games first, those that do nothing in any game last."""
    quick = {name: plays for name, plays in _bundled_plays().items() if name not in UNSEATED_BOTS}
    active = [name for name, plays in quick.items() if game in plays]
    idle = [name for name, plays in quick.items() if not plays]
    return [*sorted(active, key=lambda name: len(quick[name])), *idle]


def first_edition(game: str) -> str:
    """The default edition of a game."""
    names = [each.name for each in list_editions() if each.game == game]
    if not names:
        raise UserError(f"no edition of the game {game!r} ships with arena")
    return DEFAULT_RULES if DEFAULT_RULES in names else names[0]


def bundled_opponents(game: str, seats: range, taken: int = 0) -> list[str]:
    """Names of bundled bots for the seats of an example table of ``game``; ``taken`` seats are occupied already, and
    ``seats`` are the allowed table sizes."""
    return list(islice(cycle(bundled_for(game)), min(max(TABLE_SEATS, seats[0]), seats[-1]) - taken))
