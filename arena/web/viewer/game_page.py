"""What a game hands over for the page of a match."""

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
    """How the table is drawn: ``about(rules, players)`` is what the drawing must know of the edition, anything that
    can be written as JSON. The page takes its ``scripts`` and ``styles``, in this order; the scripts set
    ``matchTable.draw`` (``arena/pages/scripts/viewer_tables.js``). ``shown(rules, players)`` makes of each folded table
    the one that is drawn, with what only the rules can reckon (None: the table as it is)."""

    about: Callable[[Any, int], Any]
    scripts: tuple[str | PageFile, ...]
    styles: tuple[str | PageFile, ...] = ()
    shown: Callable[[Any, int], Callable[[Any], msgspec.Struct]] | None = None


class PageLevel(NamedTuple):
    """A kind of part that a match falls into, such as ``turn``: ``begins(event, before, after)`` says whether one
    begins with this event, which changed the table from the first to the second."""

    name: str
    begins: Callable[[Event, Any, Any], bool]


class GamePage(NamedTuple):
    """Every part may be left out.

    ``drawing`` draws the table; without it the table is shown as its fields. ``levels`` are the kinds of parts, the
    smallest first; without any, one goes from event to event. ``jumps(events)`` finds the changes of the Boss and the
    ends of negotiations, each of which is called a ``deal`` (or ``round``), ``payments(events, teller)`` what was paid;
    without it the page finds it in the ``money`` of the game's tables, where these have it.
    ``moments(tables, game, events, teller)`` finds what else is worth a look.
    """

    drawing: TableDrawing | None = None
    levels: tuple[PageLevel, ...] = ()
    jumps: Callable[[NumberedEvents], Iterable[JumpPlace]] | None = None
    payments: Callable[[NumberedEvents, MomentTeller], Iterable[FoundMoment]] | None = None
    moments: Callable[[Tables, Game, NumberedEvents, MomentTeller], Iterable[FoundMoment]] | None = None
    deal: str = "deal"


def game_page(game: Game) -> GamePage:
    """What this game hands over for its pages."""
    page = game.presenting.page
    return GamePage() if page is None else checked_part(game.name, page(), GamePage)
