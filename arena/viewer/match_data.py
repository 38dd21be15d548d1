"""All that the page of a match is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.errors import ReplayError
from arena.games.contract import Event
from arena.match.recall import asks_of_lines
from arena.replay.ledger import tables_of
from arena.replay.lines import Header, Result
from arena.replay.read import game_of, read_lines, rules_of
from arena.replay.sentences import printable
from arena.viewer.drawings import about
from arena.viewer.frames import Frames, frames_of
from arena.viewer.moments import Place, places_of


class MatchData(msgspec.Struct):
    """A match as its page is given it: the ``game``, ``edition`` and ``match`` (its id), the ``entrants`` by seat, the
    ``unit`` of money (``$M``: $12M), how many ``lines`` its replay has, whether it is ``void``, what its table's
    drawing knows of the edition (``about``, null for a game without a drawing), its ``course``, and the ``places``
    worth going to.

    ``seat`` is the seat through whose eyes alone the match is shown; the ``seed`` is null then, because it gives every
    hand away.
    """

    game: str
    edition: str
    match: str
    seed: str | None
    seat: int | None
    entrants: list[str]
    unit: str
    lines: int
    void: bool
    about: Any
    course: Frames
    places: list[Place]


def match_data(content: bytes, seat: int | None = None) -> MatchData:
    """The match in a replay file, with a ``seat`` (one that it has) only what that seat knew. Raises ReplayError for
    what is no finished replay, or has lines that contradict each other."""
    header, lines = read_lines(content)
    rules, game = rules_of(header), game_of(header)
    names = [printable(each.entrant) for each in header.seats]
    asks = asks_of_lines(content, lines) if seat is None else {}
    course = frames_of(header, lines, game, rules, asks, seat)
    return MatchData(
        game=header.game,
        edition=header.edition,
        match=header.id,
        seed=header.seed if seat is None else None,
        seat=seat,
        entrants=names,
        unit=game.unit,
        lines=len(lines),
        void=_void(lines),
        about=about(header.game, rules, len(names)),
        course=course,
        places=_places(header, lines, names, seat),
    )


def _places(header: Header, lines: Sequence[Event], names: Sequence[str], seat: int | None) -> list[Place]:
    tables = tables_of(header, lines[1:])
    try:
        return places_of(game_of(header), lines, tables, names, seat)
    except (ValueError, LookupError, AssertionError) as problem:
        raise ReplayError(f"its lines contradict each other ({problem}); try: arena verify") from None


def _void(lines: Sequence[Event]) -> bool:
    last = lines[-1]
    return isinstance(last, Result) and last.void
