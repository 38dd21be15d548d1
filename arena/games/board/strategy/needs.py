"""What a space still needs, and who can give it (B4.2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from arena.games.board.cards import CARD_ID, FAMILIES, FAMILY_ID, Card, Family, mask_of
from arena.games.board.rules import Rules, fair_shares
from arena.games.board.spaces import Space, filled_needs
from arena.games.board.views import BoardView, Placard


class Missing(NamedTuple):
    """What a space still needs: every one of ``required``, and ``choose`` different ones of ``optional``.

    Each family of ``optional`` helps by itself. If a space has several choice groups, not every selection of ``choose``
    families fills it: add a family to those you have and call :func:`missing` again.
    """

    required: tuple[Family, ...]
    choose: int
    optional: tuple[Family, ...]

    @property
    def number(self) -> int:
        """How many investors are still missing."""
        return len(self.required) + self.choose

    def wants(self, family: Family) -> bool:
        """Whether one more member of ``family`` would help."""
        return family in self.required or family in self.optional


def missing(space: Space, have: Collection[Family]) -> Missing:
    """What ``space`` still needs if one has the families ``have`` (B4.2)."""
    return _missing_families(space, mask_of(have))


@lru_cache(maxsize=2048)
def _missing_families(space: Space, have: int) -> Missing:
    table = filled_needs(space)
    helpful = [family for family in space.families if table[have | 1 << FAMILY_ID[family]] > table[have]]
    required = tuple(family for family in helpful if family in space.required)
    optional = tuple(family for family in helpful if family not in space.required)
    return Missing(required, space.needs - table[have] - len(required), optional)


def fillable(space: Space, have: Collection[Family]) -> bool:
    """Whether the families ``have`` suffice for ``space``."""
    return _suffices(space, mask_of(have))


@lru_cache(maxsize=4096)
def _suffices(space: Space, have: int) -> bool:
    return filled_needs(space)[have] == space.needs


def placards_of(view: BoardView, seat: int) -> tuple[Family, ...]:
    """The placards of ``seat`` that do not travel."""
    return _placards_of_seat(view.placards, seat)


@lru_cache(maxsize=16384)
def _placards_of_seat(placards: tuple[Placard, ...], seat: int) -> tuple[Family, ...]:
    return tuple(p.family for p in placards if p.owner == seat and not p.travelling)


def clans_in_hand(view: BoardView) -> tuple[Family, ...]:
    """The families of which the viewer holds a clan card in hand, each once, in family order."""
    return _clans_of(view.hand)


@lru_cache(maxsize=65536)
def _clans_of(hand: tuple[Card, ...]) -> tuple[Family, ...]:
    return tuple(dict.fromkeys(FAMILIES[CARD_ID[card]] for card in hand if CARD_ID[card] < len(FAMILIES)))


def mine(view: BoardView) -> set[Family]:
    """The families the viewer can bring in: placards that do not travel, clan cards laid and in hand."""
    seat = view.seat
    return {*_placards_of_seat(view.placards, seat), *view.laid[seat], *_clans_of(view.hand)}


def on_table(view: BoardView) -> set[Family]:
    """The families some seat can visibly bring in, by a placard that does not travel or a laid clan card."""
    return set(_seen_families(view.placards, view.laid))


@lru_cache(maxsize=16384)
def _seen_families(placards: tuple[Placard, ...], laid: tuple[tuple[Family, ...], ...]) -> frozenset[Family]:
    found = {p.family for p in placards if p.owner is not None and not p.travelling}
    return frozenset(found.union(*laid))


def boss_has(view: BoardView, rules: Rules) -> set[Family]:
    """The families the Boss could openly name now: own placards and laid clan cards, agreements, offers to the Boss,
    and, if fair shares hold (B9), every card on the table. Cards in the Boss's hand are not included."""
    if view.boss is None:
        return set()
    if fair_shares(rules, view.players):
        return on_table(view)
    found = {*placards_of(view, view.boss), *view.laid[view.boss]}
    for terms in view.agreements:
        found.update(terms.placards, terms.clans)
    for entry in view.offers:
        if entry.offer.to == view.boss:
            found.update(entry.offer.placards, entry.offer.clans)
    return found
