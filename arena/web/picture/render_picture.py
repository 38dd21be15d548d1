"""Pictures of single negotiations, drawn from replays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.drawing.deal_pictures import DealPictures
from arena.drawing.draw import draw_svg
from arena.drawing.measure import shorten_middle
from arena.drawing.spans import Span
from arena.errors import ReplayError, UserError
from arena.games import built_in_games, load_game
from arena.games.contract import Event
from arena.games.presenting import checked_part
from arena.recorded.replay_files import load_replay
from arena.recorded.replay_names import name_file_in
from arena.recorded.seat_numbers import check_seat
from arena.replay.lines import Header
from arena.replay.read import rules_of

LONGEST_NAME = 40
"""The longest name of an entrant that fits into sentences, in letters."""


class DrawableDeal(msgspec.Struct):
    """A negotiation that can be drawn: its ``number`` in the match, from 1, how it went, and how much money it
    ``paid``."""

    number: int
    summary: str
    paid: int


def list_deals(path: Path) -> list[DrawableDeal]:
    """The deals (or rounds) of a replay. Raises ReplayError or UserError where nothing can be drawn."""
    return [DrawableDeal(span.number, span.summary, span.paid) for span in read_pictures(path).spans]


def draw_deal(path: Path, number: int, seat: int | None = None) -> str:
    """Deal (or round) ``number`` of a replay as SVG; with ``seat`` only what that seat knew. Raises UserError for a
    deal or a seat that the match did not have."""
    read = read_pictures(path)
    check_seat(read.header, seat)
    span = next((span for span in read.spans if span.number == number), None)
    if span is None:
        word, last = read.pictures.word, len(read.spans)
        there = (
            f"there are {word}s 1 to {last}; list them with: arena picture {path} --list" if last else "none was opened"
        )
        raise UserError(f"{path}: there is no {word} {number}; {there}")
    rules = translate_errors(path, lambda: rules_of(read.header))
    return draw_svg(
        translate_errors(path, lambda: read.pictures.scene(read.header, rules, read.lines, span, read.names, seat))
    )


class ReadReplay(NamedTuple):
    """A replay whose negotiations can be drawn: its ``names`` by seat, its game's ``pictures``, where they stand."""

    header: Header
    lines: list[Event]
    names: list[str]
    pictures: DealPictures
    spans: list[Span]


def read_pictures(path: Path) -> ReadReplay:
    """Read a replay. Raises ReplayError or UserError where nothing of it can be drawn."""
    header, lines = load_replay(path)
    names = [shorten_middle(each.entrant, LONGEST_NAME) for each in header.seats]
    pictures = _pictures_of(header.game)
    if pictures is None:
        known = [(each.word, name) for name in built_in_games() if (each := _pictures_of(name)) is not None]
        there = " and ".join(f"the {word}s of {name!r}" for word, name in known)
        raise UserError(f"{path}: a match of the game {header.game!r} cannot be drawn; games that can: {there}")
    return ReadReplay(header, lines, names, pictures, translate_errors(path, lambda: pictures.find(lines, names)))


def _pictures_of(game: str) -> DealPictures | None:
    pictures = load_game(game).presenting.pictures
    return None if pictures is None else checked_part(game, pictures(), DealPictures)


def translate_errors(path: Path, made: Callable[[], Any]) -> Any:
    """Call ``made``, which reads a replay's lines, and return its result. Raises ReplayError, which names the file, if
    the lines contradict each other."""
    try:
        return made()
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    except (ValueError, IndexError, KeyError, AssertionError) as problem:
        raise ReplayError(f"{path}: its lines contradict each other ({problem}); try: arena verify {path}") from None
