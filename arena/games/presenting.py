"""What a game hands over of itself to the rooms that show its matches to people.

A game says it in one place, :attr:`arena.games.contract.Game.presenting`. Every part may be left out; whoever shows a
match then does with what every game has: its moves, its views, its table and its events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from arena.drawing.deal_pictures import DealPictures
    from arena.human.question import GameWords
    from arena.ledger.game_tables import LedgerTables
    from arena.study.finding import StudyQuestion
    from arena.web.viewer.game_page import GamePage


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

    ``words(rules, names)`` is how a human plays the game (without: the legal moves by their numbers), ``pictures()``
    how one of its negotiations is drawn (without: not at all), ``page()`` what the page of a match shows of it beside
    its sentences and the course of money (without: its tables as their fields), ``ledger()`` how the rows of its
    :attr:`arena.games.contract.Game.tables` are added up by entrant (without: each column's mean), and
    ``money()`` how a report follows the money of its entrants from deal to deal (without: not at all).
    ``questions()`` are those of ``arena study`` that its tables answer, ``bot_template()`` is the text of a bot that
    ``arena bots new`` writes, in which ``{title}``, ``{file}``, ``{table}`` and ``{test}`` are filled in (without: it
    writes none), and ``rules_page`` the page of ``arena docs`` that has the rules.
    """

    words: Callable[[Any, Sequence[str]], GameWords] | None = None
    pictures: Callable[[], DealPictures] | None = None
    page: Callable[[], GamePage] | None = None
    ledger: Callable[[], LedgerTables] | None = None
    money: Callable[[], MoneyByDeal] | None = None
    questions: Callable[[], Sequence[StudyQuestion]] = tuple
    bot_template: Callable[[], str] | None = None
    rules_page: str = "rules"


NOTHING_PRESENTED = Presenting()
"""Of a game that hands over nothing."""
