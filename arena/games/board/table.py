"""The open table: the public facts from which, with a seat's own hand, legality follows.

The engine's position is a :class:`Table` with hidden parts added; a seat's view is turned back into one when a bot asks
for its legal moves. So the same code judges both.
"""

from __future__ import annotations

from functools import lru_cache

from arena.games.board.cards import FAMILY_ID, Family
from arena.games.board.moves import Agreement, Offer
from arena.games.board.rules import Layout
from arena.games.contract import Question

NOBODY_SEAT = -1
"""Stands for no seat: the Boss outside a negotiation."""


class Table:
    """The public part of a position. All values are immutable and only ever replaced whole, so copies share them.

    ``owners`` maps a family to a seat (or ``ASIDE_OWNER``); ``travelling`` is a mask of placards; ``laid`` holds counts
    by family for each seat; ``offers`` are the open offers of each seat; ``agreements`` are those that stand;
    ``active`` is a mask of the seats that may be paid under B8; ``covered`` is a mask of spaces; ``deal`` is the index
    of the top deal card among those in play; ``excess`` is how many cards each seat must discard now.
    """

    __slots__ = (
        "active",
        "agreements",
        "boss",
        "cards_only",
        "covered",
        "deal",
        "excess",
        "failed_here",
        "laid",
        "layout",
        "marker",
        "must_deal",
        "offers",
        "owners",
        "rolled",
        "travelling",
    )

    layout: Layout
    boss: int
    owners: bytes
    travelling: int
    laid: tuple[bytes, ...]
    offers: tuple[tuple[Offer, ...], ...]
    agreements: tuple[Agreement, ...]
    active: int
    marker: int
    covered: int
    deal: int
    rolled: bool
    must_deal: bool
    failed_here: bool
    excess: tuple[int, ...]
    cards_only: bool

    @property
    def dividend(self) -> int:
        """What one dividend is worth under the top deal card, in $M (B1.3)."""
        return self.layout.values[self.deal]

    @property
    def proceeds(self) -> int:
        """What the space under the marker pays now, in $M (B4.1)."""
        return self.layout.proceeds[self.marker][self.deal]

    @property
    def fair_price(self) -> int:
        """The fair share for one card, in $M (B9.1)."""
        return self.proceeds // self.layout.needs[self.marker]


Asked = Question[Table, bytes]
"""A question, by which an answer is judged; the hand is counts by kind."""


def promised_placards(agreements: tuple[Agreement, ...]) -> int:
    """The mask of the placards that stand in an agreement (B4.5: a card can be promised once)."""
    mask = 0
    for agreement in agreements:
        for family in agreement.placards:
            mask |= 1 << FAMILY_ID[family]
    return mask


def by_terms(agreement: Agreement) -> tuple[int, int, tuple[str, ...], tuple[str, ...]]:
    """The sort key by which agreements are shown and used: partner and terms. The order in which they were made would
    reveal the initiative order (B4.5)."""
    return agreement.partner, agreement.price, agreement.placards, agreement.clans


def free_clans(table: Table, seat: int, family: Family) -> int:
    """How many clan cards of ``family`` lie in front of ``seat`` and are not promised."""
    free = table.laid[seat][FAMILY_ID[family]]
    for agreement in table.agreements:
        if agreement.partner == seat and family in agreement.clans:
            free -= 1
    return free


def free_clan_mask(table: Table, seat: int, hand: bytes) -> int:
    """The mask of the families of which ``seat`` has an unpromised clan card, laid or in ``hand``."""
    laid, mask = table.laid[seat], 0
    for agreement in table.agreements:
        if agreement.clans and agreement.partner == seat:
            break
    else:  # nothing is promised
        return either_mask(hand, laid)
    counts = [hand[index] + laid[index] for index in range(6)]
    for agreement in table.agreements:
        if agreement.partner == seat:
            for family in agreement.clans:
                counts[FAMILY_ID[family]] -= 1
    for index in range(6):
        if counts[index] > 0:
            mask |= 1 << index
    return mask


@lru_cache(maxsize=4096)
def either_mask(hand: bytes, laid: bytes) -> int:
    """The mask of the families of which there is any clan card in a hand or laid."""
    mask = 0
    for index in range(6):
        if hand[index] or laid[index]:
            mask |= 1 << index
    return mask


def family_order(families: tuple[Family, ...]) -> tuple[Family, ...]:
    """``families`` in family order, the form in which terms are compared."""
    return families if len(families) < 2 else tuple(sorted(families, key=FAMILY_ID.__getitem__))
