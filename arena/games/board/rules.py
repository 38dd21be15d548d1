"""The rules of one edition, resolved: every number and every variant of the board game is data.

An edition file (``configs/rules/*.yaml``) names its parent and its differences; :mod:`arena.config.editions`
resolves it into :class:`Rules`. :class:`Layout` is what the engine precomputes from one.
"""

from __future__ import annotations

from copy import copy
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.games.board.cards import FAMILIES, Family
from arena.games.board.spaces import Count, Positive, RulesRecord, Space, filled_needs, refuse_space, wanted_mask

Cards = Annotated[int, Meta(ge=0, le=99)]
Face = Annotated[int, Meta(ge=1, le=6)]


class Deck(RulesRecord, frozen=True):
    """Influence cards (B1.2): ``clan`` and ``travel`` count cards of each family."""

    clan: Cards
    travel: Cards
    wild_travel: Cards
    recruitment: Cards
    boss: Cards
    stop: Cards

    def counts(self) -> bytes:
        """Counts by kind."""
        return bytes([self.clan] * 6 + [self.travel] * 6 + [self.wild_travel, self.recruitment, self.boss, self.stop])


class EndSum(RulesRecord, frozen=True):
    """Short game [F] (B8): from deal card ``since`` on, the match ends if roll + ``add`` is ``reach`` or more."""

    since: Positive
    reach: Positive
    add: Literal["dividends", "dividend value"]


class Rules(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A resolved edition. Every key is described, with its rule, in ``docs/rules.md``."""

    game: Literal["board"]
    name: str
    title: str
    source: str
    players: tuple[Annotated[int, Meta(ge=2, le=6)], Annotated[int, Meta(ge=2, le=6)]]
    names: dict[Family, str]
    spaces: tuple[Space, ...]
    deals: dict[Positive, Positive]
    end_rolls: dict[Positive, tuple[Face, ...]] = {}
    deck: Deck
    placards: dict[Annotated[int, Meta(ge=2, le=6)], Annotated[int, Meta(ge=1, le=3)]]
    start_hand: Count
    draw: Annotated[int, Meta(ge=1, le=6)]
    hand_limit: Annotated[int, Meta(ge=1, le=90)]
    start: Literal["alphabetical", "random"]
    marker_by: Literal["left", "right"]
    prices: Literal["any", "dividends"]
    triple_at_limit: Literal["no", "unstoppable", "stoppable"]
    last_call: bool
    self_sufficient_close: bool
    max_offers: Annotated[int, Meta(ge=1, le=12)]
    quiet_ticks: Positive
    max_ticks: Positive
    max_turns: Positive
    turn_order: Literal["boss", "fixed"]
    must_deal_with: Positive | None = None
    min_cards_to_deal: Count
    active_to_be_paid: bool
    former_boss_is_active: bool
    draw_by_placards: tuple[Annotated[int, Meta(ge=0, le=6)], ...] | None = None
    late_limit_from: Positive | None = None
    late_hand_limit: Positive
    skip_deals: tuple[Positive, ...]
    end_sum: EndSum | None = None
    fair_share: bool
    pay_all_agreements: bool
    reopen_failed: bool
    side_promises: bool


def seats(rules: Rules) -> range:
    """The numbers of players an edition allows."""
    return range(rules.players[0], rules.players[1] + 1)


def check_rules(rules: Rules) -> list[str]:
    """What is inconsistent in an edition, as ``key: problem`` sentences; empty when it can be played."""
    found = []
    low, high = rules.players
    if low > high:
        found.append(f"players: {low} to {high} is no range")
    if sorted(rules.names) != sorted(FAMILIES):
        found.append("names: expected one name for each of the six families")
    if not rules.spaces:
        found.append("spaces: expected at least one space")
    for index, space in enumerate(rules.spaces):
        for key, problem in refuse_space(space):
            found.append(f"spaces[{index}]{'.' * bool(key)}{key}: {problem}")
    played = [card for card in rules.deals if card not in rules.skip_deals]
    if not played:
        found.append("deals: no deal card is left to play")
    if len(played) >= len(rules.spaces):
        found.append(f"deals: {len(played)} deal cards need more than {len(rules.spaces)} spaces (B7.2)")
    for card in (*rules.end_rolls, *rules.skip_deals):
        if card not in rules.deals:
            found.append(f"deal card {card} is named but not in deals")
    for players in seats(rules):
        each = rules.placards.get(players)
        if each is None:
            found.append(f"placards: nothing for {players} players (B2.1)")
        elif each * players > 6:
            found.append(f"placards.{players}: {each} each needs more than six placards (B2.1)")
    if sum(rules.deck.counts()) < high * rules.start_hand:
        found.append("deck: too few cards for the starting hands (B2.2)")
    if rules.draw_by_placards is not None and len(rules.draw_by_placards) != 4:
        found.append("draw_by_placards: expected four numbers, for 0, 1, 2 and 3 or more placards (B8)")
    if rules.must_deal_with is not None and rules.min_cards_to_deal > rules.must_deal_with:
        found.append("min_cards_to_deal: a seat that must deal must be able to; at most must_deal_with (B8)")
    return found


def deal_proceeds(rules: Rules, space: int, number: int) -> int:
    """What a deal on ``space`` pays under deal card ``number``, in $M (B4.1)."""
    return rules.spaces[space].dividends * rules.deals[number]


def fair_shares(rules: Rules, players: int) -> bool:
    """Whether B9 holds: always with two players, else by the key."""
    return rules.fair_share or players == 2


class Layout:
    """What the engine precomputes for one edition and number of players.

    By space: ``wanted`` (the mask of all families that may take part), ``needs`` (how many families must) and
    ``filled`` (how many needs each set of families fills, see :func:`arena.games.board.spaces.filled_needs`). By deal
    index: ``cards``, the numbers of the deal cards in play, and ``values``, what a dividend is worth under each.
    ``proceeds[space][deal index]`` is what a deal pays. ``shown`` are the spaces as views hold them: copies, so that no
    move is judged by an object that a bot holds. ``grids[space][deal index]`` are the prices at which legal offers are
    listed unless the caller gives others: one and two dividends, as far as the deal pays so much.
    """

    __slots__ = (
        "cards",
        "fair",
        "filled",
        "grids",
        "needs",
        "players",
        "proceeds",
        "rules",
        "shown",
        "values",
        "wanted",
    )

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.shown = _copy_spaces(rules)
        self.wanted = tuple(map(wanted_mask, rules.spaces))
        self.filled = tuple(map(filled_needs, rules.spaces))
        self.needs = tuple(space.needs for space in rules.spaces)
        self.cards = tuple(card for card in sorted(rules.deals) if card not in rules.skip_deals)
        self.values = tuple(rules.deals[card] for card in self.cards)
        self.fair = fair_shares(rules, players)
        self.proceeds = tuple(
            tuple(deal_proceeds(rules, space, number) for number in self.cards) for space in range(len(rules.spaces))
        )
        self.grids = tuple(_grids(self.values, by_deal) for by_deal in self.proceeds)

    def with_own_spaces(self) -> Layout:
        """A copy of this layout for another match, whose views get their own copies of the spaces."""
        new = copy(self)
        new.shown = _copy_spaces(self.rules)
        return new


@lru_cache(maxsize=1024)
def _grids(values: tuple[int, ...], by_deal: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The prices at which offers on one space are listed, by deal index."""
    pairs = zip(values, by_deal, strict=True)
    return tuple(tuple(price for price in (value, 2 * value) if price <= pays) for value, pays in pairs)


def _copy_spaces(rules: Rules) -> tuple[Space, ...]:
    return msgspec.json.decode(msgspec.json.encode(rules.spaces), type=tuple[Space, ...])
