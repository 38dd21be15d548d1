"""The data from which a page draws the card game: the edition's numbers (the value of a share, the length of a match),
and the table after every event, with what the rules say about shares."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arena.games.cards.cards import CARDS, Card
from arena.games.cards.log.fold_table import CardsTable
from arena.games.cards.rules import Layout, Rules
from arena.games.cards.table import paid_amount, share_value, signed_stake


class CardsShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The edition as drawn with the table: the ``factor`` of a share's value and its ``limit`` in $ (None: none)
    (C5.1); how many ``rounds`` a match has, and how many Cousin tokens (``cousins``) a round, at a table of ``players``
    (C2.1); ``cards`` are all kinds, in the order of the counts of discards."""

    edition: str
    players: int
    factor: int
    limit: int | None
    rounds: int
    cousins: int
    cards: tuple[Card, ...]


def shown_rules(rules: Rules, players: int) -> CardsShown:
    """The parts of ``rules`` that a page shows, for a table of ``players``."""
    layout = Layout(rules, players)
    return CardsShown(
        edition=rules.title,
        players=players,
        factor=rules.factor,
        limit=layout.limit,
        rounds=layout.rounds,
        cousins=layout.cousins,
        cards=CARDS,
    )


class SeatStake(msgspec.Struct, frozen=True, gc=False):
    """A seat's part of the round (C5.2): its ``shares``, how many ``reverses`` lie in front of it, whether these have
    ``turned`` its shares negative, and the ``amount`` that it would receive now, in $."""

    shares: int
    reverses: int
    turned: bool
    amount: int


class CardsOnPage(CardsTable, frozen=True, gc=False, kw_only=True):
    """The table with what the rules say about it: the ``total`` of the centre, what a share would be worth ``uncut`` by
    the limit, in $ (C5.1), and the ``stakes`` of the seats."""

    total: int
    uncut: int
    stakes: tuple[SeatStake, ...]


def cards_on_page(rules: Rules, players: int) -> Callable[[CardsTable], CardsOnPage]:
    """A function that turns a table into the one that a page draws."""

    def shown(table: CardsTable) -> CardsOnPage:
        total = sum(card.worth for card in table.centre)
        return CardsOnPage(
            **{name: getattr(table, name) for name in table.__struct_fields__},
            total=total,
            uncut=share_value(rules.factor * table.multiplier, total, None),
            stakes=tuple(_stake(table, seat) for seat in range(players)),
        )

    return shown


def _stake(table: CardsTable, seat: int) -> SeatStake:
    front = table.fronts[seat]
    shares = (seat == table.boss) + (seat in table.cousins) + sum(card.is_pota for card in front)
    reverses = sum(card.is_reverse for card in front)
    held = signed_stake(shares, reverses)
    return SeatStake(
        shares, reverses, signed_stake(1, reverses) < 0, paid_amount(held * table.value, table.money[seat])
    )
