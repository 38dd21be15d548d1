"""The legal moves of every hook but ``close`` (see ``closing.py``).

All results depend on public facts and the asked seat's own hand only, given as small immutable values. So each function
is cached: within a negotiation the same few questions recur. Offers, by far the most numerous moves, are shared objects
in all lists that contain them: few of them take up memory, and each is known to be well-formed
(:mod:`arena.games.field_types`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from arena.games.board.cards import (
    BOSS,
    FAMILIES,
    RECRUITMENT,
    STOP,
    TRAVEL,
    WILD,
    Card,
    Family,
    families_in,
    list_cards,
)
from arena.games.board.moves import (
    DRAW,
    PASS,
    ROLL,
    STOP_IT,
    TAKE_OVER,
    UNCHANGED,
    Discard,
    Draw,
    Lay,
    Offer,
    Offers,
    Open,
    Recruit,
    Roll,
    Travel,
)
from arena.games.board.rules import Rules
from arena.games.contract import NO, YES, Move

Moves = tuple[Move, ...]
ASIDE_OWNER = 255
"""Stands for the owner of a placard that lies next to the board (B2.1)."""

ALL_FAMILIES = 0b111111
"""The mask of all families."""

WITHDRAW_ALL = Offers()
NO_NEW_OFFER: Moves = (UNCHANGED, WITHDRAW_ALL)
NO_TRAVEL_CARDS = bytes(7)
ONLY_NO: Moves = (NO,)
YES_OR_NO: Moves = (NO, YES)
ONLY_PASS: Moves = (PASS,)
STOP_OR_PASS: Moves = (PASS, STOP_IT)


def turn_without_deal(rolled: bool, must_deal: bool) -> Roll | Draw | Open:
    """The move of a seat on turn that wants no deal: roll, then draw, or open if a variant forbids drawing (B3, B8)."""
    if not rolled:
        return ROLL
    return Open() if must_deal else DRAW


@lru_cache(maxsize=8192)
def owned_mask(owners: bytes, seat: int) -> int:
    """The mask of the placards that ``seat`` (or ``ASIDE_OWNER``) owns."""
    return sum(1 << family for family, owner in enumerate(owners) if owner == seat)


@lru_cache(maxsize=1024)
def clan_selections(clans: bytes) -> tuple[tuple[Family, ...], ...]:
    """Every selection of clan cards from ``clans`` (counts by family), the empty one first."""
    ranges = [range(count + 1) for count in clans]
    found = (tuple(FAMILIES[f] for f, n in enumerate(chosen) for _ in range(n)) for chosen in product(*ranges))
    return tuple(sorted(found, key=len))


@lru_cache(maxsize=1024)
def legal_openings(clans: bytes) -> Moves:
    """All moves that open the deal, each with some (or none) of the own clan cards laid (B4.1)."""
    return tuple(Open(lay) for lay in clan_selections(clans))


@lru_cache(maxsize=4096)
def price_grid(prices: tuple[int, ...], least: int, most: int, step: int) -> tuple[int, ...]:
    """Those of the ``prices``, in $M, that lie between the least and the most and are multiples of the step."""
    return tuple(sorted({p for p in prices if least <= p <= most and p % step == 0}))


@lru_cache(maxsize=16384)
def offer_terms(to: int, placards: int, clans: int, prices: tuple[int, ...], side_promises: bool) -> Moves:
    """Single-card offers and side promises addressed to ``to`` at the given prices."""
    found: list[Move] = []
    if side_promises:
        found += _priced_offers(to, (), (), prices)
    for family in families_in(placards):
        found += _priced_offers(to, (family,), (), prices)
    for family in families_in(clans):
        found += _priced_offers(to, (), (family,), prices)
    return tuple(found)


@lru_cache(maxsize=4096)
def _priced_offers(
    to: int, placards: tuple[Family, ...], clans: tuple[Family, ...], prices: tuple[int, ...]
) -> tuple[Offers, ...]:
    """At each of ``prices``, one offer of these cards, or without cards a side promise."""
    return tuple(Offers((Offer(to, price, placards, clans),)) for price in prices)


@lru_cache(maxsize=4096)
def boss_offers(
    boss: int, players: int, owners: bytes, barred: int, prices: tuple[int, ...], side_promises: bool
) -> Moves:
    """The Boss's legal answers to ``offer``; ``barred`` is the mask of placards that travel or are promised (B4.5)."""
    found = NO_NEW_OFFER
    for seat in range(players):
        if seat != boss:
            found += offer_terms(seat, owned_mask(owners, seat) & ~barred, ALL_FAMILIES, prices, side_promises)
    return found


@lru_cache(maxsize=16384)
def seat_offers(boss: int, placards: int, clans: int, prices: tuple[int, ...], side_promises: bool) -> Moves:
    """The legal answers to ``offer`` of a seat that is not the Boss, all addressed to the Boss (B4.5)."""
    return NO_NEW_OFFER + offer_terms(boss, placards, clans, prices, side_promises)


def legal_plays(seat: int, boss: int, hand: bytes, owners: bytes, travelling: int, laid: tuple[bytes, ...]) -> Moves:
    """The legal answers to ``interrupt`` in a negotiation (B5)."""
    found = _pass_or_lay(hand[:6])
    cards = hand[TRAVEL : WILD + 1]
    if cards != NO_TRAVEL_CARDS:
        found += _travel_moves(cards, travelling, laid)
    if hand[BOSS] and seat != boss:
        found += (TAKE_OVER,)
    if hand[RECRUITMENT] >= 3:
        found += legal_recruits(seat, owners)
    return found


@lru_cache(maxsize=1024)
def _pass_or_lay(clans: bytes) -> Moves:
    return (PASS, *[Lay(chosen) for chosen in clan_selections(clans) if chosen])


@lru_cache(maxsize=4096)
def _travel_moves(cards: bytes, travelling: int, laid: tuple[bytes, ...]) -> Moves:
    found: list[Move] = []
    for index in range(6):
        for wild, count in (False, cards[index]), (True, cards[6]):
            if count:
                if not travelling >> index & 1:
                    found.append(_travel_move(index, None, wild))
                for seat, clans in enumerate(laid):
                    if clans[index]:
                        found.append(_travel_move(index, seat, wild))
    return tuple(found)


@lru_cache(maxsize=128)
def _travel_move(family: int, clan_of: int | None, wild: bool) -> Travel:
    return Travel(FAMILIES[family], clan_of, wild)


def takeable_placards(seat: int, owners: bytes) -> tuple[Family, ...]:
    """Placards a triple may take: those aside while there are any, else the other seats' (B5.4)."""
    return tuple(families_in(owned_mask(owners, ASIDE_OWNER) or ALL_FAMILIES & ~owned_mask(owners, seat)))


@lru_cache(maxsize=4096)
def legal_recruits(seat: int, owners: bytes) -> Moves:
    """All plays of three recruitment cards (B5.4)."""
    return tuple(map(Recruit, takeable_placards(seat, owners)))


def triple_fits(rules: Rules, cards_only: bool) -> bool:
    """Whether three recruitment cards may be played instead of discarding (B3.3, B8)."""
    return not cards_only and rules.triple_at_limit != "no"


@lru_cache(maxsize=512)
def legal_discards(hand: bytes, excess: int) -> Moves:
    """Every way to discard exactly ``excess`` cards (B3.3)."""
    chosen: set[tuple[Card, ...]] = {()}
    kinds = [(list_cards(hand)[sum(hand[:kind])], count) for kind, count in enumerate(hand) if count]
    for card, count in kinds:
        chosen |= {have + (card,) * n for have in chosen for n in range(1, min(count, excess - len(have)) + 1)}
    return tuple(Discard(cards) for cards in sorted(have for have in chosen if len(have) == excess))


def default_discard(hand: bytes, excess: int) -> Discard:
    """The default discard: the lowest cards in kind order."""
    return Discard(list_cards(hand)[:excess])


def legal_stops(hand: bytes) -> Moves:
    """The legal answers to a STOP question (B5.5)."""
    return STOP_OR_PASS if hand[STOP] else ONLY_PASS
