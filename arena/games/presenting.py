"""What a game hands over of itself to the rooms that show its matches to people.

A game says it in one place, :attr:`arena.games.contract.Game.presenting`. Every part may be left out; whoever shows a
match then does with what every game has: its moves, its views, its table and its events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from arena.errors import UserError

Part = TypeVar("Part")

GameRows = Mapping[str, Sequence[Any]]
"""The rows of a match by the name of their table, as :attr:`arena.games.contract.Game.tables` has them."""


class SeatPayment(NamedTuple):
    """What one seat paid another in a deal (or round) of a match, numbered from 1."""

    amount: int
    deal: int
    payer: int
    payee: int


class MoneyByDeal(NamedTuple):
    """How money comes to the seats of a match deal by deal. ``deal`` is what a deal is called; ``gains(rows)`` lists
    for each, failed ones too where the game has any (``fails``), what each seat gained with it, and ``payments(rows)``
    what seats paid each other (without: nothing)."""

    deal: str
    gains: Callable[[GameRows], Sequence[Mapping[int, int]]]
    payments: Callable[[GameRows], Iterable[SeatPayment]] | None = None
    fails: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenting:
    """The parts. Each is a function that is called only where its part is needed, and imports then what it needs:
    bots, which import the game, load nothing of it.

    ``words(rules, names)`` is how a human plays the game (:class:`arena.human.question.GameWords`; without: the legal
    moves by their numbers), ``pictures()`` how one of its negotiations is drawn
    (:class:`arena.drawing.deal_pictures.DealPictures`; without: not at all), ``page()`` what the page of a match shows
    of it beside its sentences and the course of money (:class:`arena.web.viewer.game_page.GamePage`; without: its
    tables as their fields), ``ledger()`` how the rows of its :attr:`arena.games.contract.Game.tables` are added up by
    entrant (:class:`arena.ledger.game_tables.LedgerTables`; without: each column's mean), and ``money()`` how a report
    follows the money of its entrants from deal to deal (without: not at all). ``questions()`` are those of ``arena
    study`` that its tables answer (:class:`arena.study.finding.StudyQuestion`), ``bot_template()`` is the text of a bot
    that ``arena bots new`` writes, in which ``{title}``, ``{file}``, ``{table}`` and ``{test}`` are filled in (without:
    it writes none), and ``rules_page`` the page of ``arena docs`` that has the rules.

    The classes of parts are those of the rooms that show them, which the rules know nothing of: so each room checks
    what it is handed (:func:`checked_part`).
    """

    words: Callable[[Any, Sequence[str]], object] | None = None
    pictures: Callable[[], object] | None = None
    page: Callable[[], object] | None = None
    ledger: Callable[[], object] | None = None
    money: Callable[[], MoneyByDeal] | None = None
    questions: Callable[[], Sequence[object]] = tuple
    bot_template: Callable[[], str] | None = None
    rules_page: str = "rules"


NOTHING_PRESENTED = Presenting()
"""Of a game that hands over nothing."""


def checked_part(game: str, part: object, kind: type[Part]) -> Part:
    """This ``part`` that a game hands over, which is of the class that its room expects. Raises UserError where it is
    something else."""
    if not isinstance(part, kind):
        raise UserError(f"the game {game!r} hands over a {type(part).__name__}, expected a {kind.__name__}")
    return part
