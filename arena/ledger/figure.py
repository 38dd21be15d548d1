"""What a figure of the ledger is: a mean or a share, its definition, and the sums by block from which it comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from arena.ledger.ledger_view import WHOLE_TABLE, LedgerView

MILLION = 1_000_000
"""Quotients are added up in millionths, each rounded once: whole numbers, so that no order of matches matters."""
SEAT_CASES = "seats"
"""The value of :attr:`LedgerFigure.cases` for the matches that the entrant played, each of its seats counted."""
MET_COUNT = "met"
"""The sum of a table of pairs that counts the matches in which both sat."""


class LedgerUnit(StrEnum):
    """The unit of a figure."""

    SHARE = "share"
    """A number in 0…1; tables show it in percent."""
    MONEY = "money"
    """In the unit of the game."""
    DIVIDENDS = "dividends"
    """In dividends of the deal."""
    COUNT = "count"
    """A mean number of things."""
    NUMBER = "number"
    """A number without a unit, of either sign."""


class SeatRole(StrEnum):
    """What a seat is in a negotiation: its ``boss``, or a ``partner``: any other seat."""

    BOSS = "boss"
    PARTNER = "partner"


def seat_role(seat: int, boss: int) -> SeatRole:
    """The role of ``seat`` in a negotiation with this ``boss``."""
    return SeatRole.BOSS if seat == boss else SeatRole.PARTNER


@dataclass(frozen=True, slots=True)
class LedgerFigure:
    """One statistic: ``total`` ÷ ``cases``, both names of sums.

    ``definition`` says in one or two sentences what it is, ``of`` what the cases are, whose number is ``n``. A
    ``quotient`` is added up in millionths, anything else as it is. Each case of a ``yes_or_no`` figure is 0 or 1. A
    figure with a ``weight`` is ``total`` ÷ this sum: its cases count only for ``n``.
    """

    name: str
    heading: str
    unit: LedgerUnit
    total: str
    cases: str
    of: str
    definition: str
    quotient: bool = False
    yes_or_no: bool = False
    weight: str = ""

    @property
    def divisor(self) -> str:
        """The name of the sum by which the total is divided."""
        return self.weight or self.cases

    @property
    def decimals(self) -> int:
        """With how many decimals tables show it."""
        return 1 if self.unit in (LedgerUnit.SHARE, LedgerUnit.MONEY) else 2

    @property
    def scale(self) -> int:
        """The number to divide sums by, to get them in the figure's unit."""
        return MILLION if self.quotient else 1


class RuleFixedFigures(NamedTuple):
    """Figures that the rules alone determine: in rows where ``key`` has this ``value``, these ``figures`` could not be
    different, so they have no interval."""

    key: str
    value: str | int
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures with the same keys: ``keys`` name the columns that identify a row (:data:`KEY_MEANINGS`), ``sums`` is the
    class with the sums of one row. ``told`` are the figures of the overview, in its order; the overview adds up the
    keys in ``over``. ``by_rule`` are the figures that the rules determine; ``note`` says how the figures belong
    together; ``views`` are the ways in which a report shows the table. ``compared`` are the figures by which entrants
    are compared (None: those in ``told``; empty if another table shows the same)."""

    name: str
    heading: str
    keys: tuple[str, ...]
    sums: type[msgspec.Struct]
    figures: tuple[LedgerFigure, ...]
    told: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    by_rule: tuple[RuleFixedFigures, ...] = ()
    note: str = ""
    views: tuple[LedgerView, ...] = WHOLE_TABLE
    compared: tuple[str, ...] | None = None

    @property
    def of_pairs(self) -> bool:
        """Whether each row is about two entrants."""
        return MET_COUNT in self.sums.__struct_fields__

    @property
    def overview(self) -> tuple[LedgerFigure, ...]:
        """The figures named in ``told``, in its order."""
        named = {figure.name: figure for figure in self.figures}
        return tuple(named[name] for name in self.told)

    def is_by_rule(self, figure: LedgerFigure, keys: Mapping[str, str | int]) -> bool:
        """Whether the rules alone determine this figure in the row with these ``keys``."""
        return any(figure.name in rule.figures and keys.get(rule.key) == rule.value for rule in self.by_rule)


KEY_MEANINGS = {
    "edition": "the edition's label",
    "players": "how many sat at the table",
    "block": "the block, from 0",
    "entrant": "the entrant that the figure is about",
    "role": "what the entrant was: `boss`, or `partner` (any other seat of a negotiation); in the card game `boss`, "
    "`cousin` or `other`",
    "investors": "how many others were paid in the deal",
    "value": "the deal's proceeds, rounded down to tens: 20 stands for $20M to $29M, 200 for $200M or more",
    "family": "family of the card that the price is for",
    "need": "`required`: the space requires the families of the offer; `optional`: they are in its choice groups; "
    "`both`: it names both kinds",
    "tick": "tick of the negotiation in which the offer was first made; 20 stands for 20 or later",
    "payer": "the Boss who pays",
    "payee": "the seat that is paid",
    "giver": "the entrant that gives",
    "receiver": "the entrant that receives",
    "kind": "`proposal` by the seat on turn, or `request` by the Boss",
    "want": "the action asked for (`arena docs tables`, bargains)",
    "turn": "turn of the round; 20 stands for 20 or later",
    "action": "what the seat did (`arena docs tables`, actions)",
    "card": "kind of card, whatever its colour: `+1` … `-5`, `reverse`, `pota`, `wild pota`, `move 1` …",
    "table": "table of the game",
    "column": "its column",
}
"""The meaning of each key of a table, by its name."""
COMMON_KEYS = ("edition", "players", "block")
"""Keys by which every table can be split, beside its own keys; they come before these, except for the block, which
comes after them."""
ENTRANT_KEYS = ("entrant", "payer", "payee", "giver", "receiver")
"""Keys whose values are entrants."""
LAST_BAND = 20
"""Ticks, turns and tens of proceeds from this number on are combined, so that tables stay short."""
NUMBER_KEYS = frozenset({"players", "block", "investors", "value", "tick", "turn"})
"""Keys whose values are whole numbers; the values of all other keys are texts."""
