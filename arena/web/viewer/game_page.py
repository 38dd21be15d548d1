"""What a game provides for the page of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from arena.games.contract import Event, Game
from arena.games.presenting import checked_part
from arena.pages.page_file import PageFile
from arena.replay.ledger_events import Tables
from arena.web.viewer.moment import FoundMoment, JumpPlace, MomentTeller

NumberedEvents = Sequence[tuple[int, Event]]
"""The events of a match, each with the number of its line in the replay."""


class TableDrawing(NamedTuple):
    """How the table is drawn: ``about(rules, players)`` returns what the drawing needs from the edition, anything that
    can be written as JSON. The page includes its ``scripts`` and ``styles``, in this order; the scripts set
    ``matchTable.draw`` (``arena/pages/scripts/viewer_tables.js``). ``shown(rules, players)`` returns a function that
    turns each folded table into the one that is drawn, adding what only the rules can compute (None: the table as it
    is)."""

    about: Callable[[Any, int], Any]
    scripts: tuple[str | PageFile, ...]
    styles: tuple[str | PageFile, ...] = ()
    shown: Callable[[Any, int], Callable[[Any], msgspec.Struct]] | None = None


class PageLevel(NamedTuple):
    """A kind of part of a match, such as ``turn``: ``begins(event, before, after)`` returns whether a part begins with
    this event, given the tables before and after it."""

    name: str
    begins: Callable[[Event, Any, Any], bool]


class GamePage(NamedTuple):
    """What a game provides for its pages; every field is optional.

    ``drawing`` draws the table; without it the page lists the table's fields. ``levels`` are the kinds of parts, the
    smallest first; without any, the page steps from event to event. ``jumps(events)`` finds the changes of the Boss and
    the ends of negotiations, each of which is called a ``deal`` (or ``round``); ``payments(events, teller)`` finds the
    payments; without it the page finds them in the ``money`` of the game's tables, if these have it. ``moments(tables,
    game, events, teller)`` finds other moments worth a look."""

    drawing: TableDrawing | None = None
    levels: tuple[PageLevel, ...] = ()
    jumps: Callable[[NumberedEvents], Iterable[JumpPlace]] | None = None
    payments: Callable[[NumberedEvents, MomentTeller], Iterable[FoundMoment]] | None = None
    moments: Callable[[Tables, Game, NumberedEvents, MomentTeller], Iterable[FoundMoment]] | None = None
    deal: str = "deal"


def game_page(game: Game) -> GamePage:
    """Return what this game provides for its pages."""
    page = game.presenting.page
    return GamePage() if page is None else checked_part(game.name, page(), GamePage)
