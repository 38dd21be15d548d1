"""The parts that a game supplies for showing its matches to people.

A game supplies them in one place, :attr:`arena.games.contract.Game.presenting`. Every part is optional; without one,
matches are shown by what every game has: its moves, its views, its table and its events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from arena.errors import UserError
from arena.games.chance import Chance

Part = TypeVar("Part")

GameRows = Mapping[str, Sequence[Any]]
"""The rows of a match by the name of their table, as :attr:`arena.games.contract.Game.tables` has them."""


class SeatPayment(NamedTuple):
    """A payment from one seat to another in a deal (or round) of a match, numbered from 1."""

    amount: int
    deal: int
    payer: int
    payee: int


class MoneyByDeal(NamedTuple):
    """How the seats of a match gain money deal by deal. ``deal`` is the game's word for a deal; ``gains(rows)`` lists
    for each deal, including failed ones if the game has any (``fails``), what each seat gained with it;
    ``payments(rows)`` lists what seats paid each other (None: seats make no payments)."""

    deal: str
    gains: Callable[[GameRows], Sequence[Mapping[int, int]]]
    payments: Callable[[GameRows], Iterable[SeatPayment]] | None = None
    fails: bool = False


class SteadyFigure(NamedTuple):
    """A figure that new rules must leave much as it was: the sum of the counts named ``of`` of the game's summary over
    all seats, divided by the sum of those named ``per`` (none: by the number of matches). It may differ by the part
    ``most`` of what it was, such as 0.25. ``told`` is what messages call it."""

    told: str
    of: str
    per: tuple[str, ...]
    most: float


class RedrawnRules(NamedTuple):
    """How a game draws new rules from those of an edition, so that nobody has seen them before. ``draw(rules, chance)``
    gives the new rules, the same from the same chance; ``steady`` are figures that bots must reach with them too."""

    draw: Callable[[Any, Chance], Any]
    steady: tuple[SteadyFigure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenting:
    """The optional parts. Each is a function, called only where its part is needed; only then does it import what it
    needs, so that bots, which import the game, load none of this.

    ``words(rules, names)`` is how a human plays the game (:class:`arena.human.question.GameWords`; without: by the
    numbers of legal moves). ``pictures()`` is how one of its negotiations is drawn
    (:class:`arena.drawing.deal_pictures.DealPictures`; without: no pictures). ``page()`` is what the page of a match
    shows of the game besides sentences and money (:class:`arena.web.viewer.game_page.GamePage`; without: the fields of
    its tables). ``ledger()`` is how the rows of its :attr:`arena.games.contract.Game.tables` are added up by entrant
    (:class:`arena.ledger.game_tables.LedgerTables`; without: the mean of each column). ``money()`` is how a report
    follows the money of entrants from deal to deal (without: it does not). ``questions()`` are the questions of ``arena
    study`` that its tables answer (:class:`arena.study.finding.StudyQuestion`). ``coding(rules)`` numbers the game's
    moves and views for agents that learn (:class:`arena.coding.coding.Coding`; without: it has no environments).
    ``bot_template()`` is the text of a bot that ``arena bots new`` writes, in which ``{title}``, ``{file}``,
    ``{table}`` and ``{test}`` are filled in (without: it writes none). ``redrawn()`` is how ``arena rules generate``
    draws new rules from an edition (without: it draws none). ``rules_page`` is the page of ``arena docs`` with the
    rules.
    """

    words: Callable[[Any, Sequence[str]], object] | None = None
    pictures: Callable[[], object] | None = None
    page: Callable[[], object] | None = None
    ledger: Callable[[], object] | None = None
    money: Callable[[], MoneyByDeal] | None = None
    questions: Callable[[], Sequence[object]] = tuple
    coding: Callable[[Any], object] | None = None
    bot_template: Callable[[], str] | None = None
    redrawn: Callable[[], RedrawnRules] | None = None
    rules_page: str = "rules"


NOTHING_PRESENTED = Presenting()
"""For a game that supplies no parts."""


def checked_part(game: str, part: object, kind: type[Part]) -> Part:
    """``part`` of the game named ``game``, checked to be a ``kind``. Raises UserError if it is not."""
    if not isinstance(part, kind):
        raise UserError(f"the game {game!r} hands over a {type(part).__name__}, expected a {kind.__name__}")
    return part
