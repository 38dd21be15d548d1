"""The legal moves of every hook.

Everything depends on public facts and the asked seat's own hand only, given as small immutable values.
So each function is cached: within a round the same few questions are asked again and again. A move is one object in
all lists that it stands in: that keeps few of them in memory, and known as proper (:mod:`arena.games.field_types`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from arena.games.cards.cards import (
    CARD_ID,
    CARDS,
    COLORS,
    MOVE,
    POTA,
    REVERSE,
    SUIT,
    VALUES,
    WILD,
    front_kind,
    present,
    seats_in,
    suit,
)
from arena.games.cards.moves import (
    ENOUGH,
    NO_BARGAIN,
    PASS,
    PASS_TWICE,
    Action,
    Discard,
    Drop,
    Lead,
    NameColor,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.cards.table import Table, is_value, still_in
from arena.games.contract import NO, YES, Move

Moves = tuple[Move, ...]

ONLY_NO: Moves = (NO,)
YES_OR_NO: Moves = (NO, YES)
COLORS_TO_NAME: Moves = tuple(map(NameColor, COLORS))
ANY_VALUE = (1 << REVERSE) - 1
ANY_MOVE = (1 << SUIT) - (1 << MOVE)
UNTARGETED = ANY_VALUE | ANY_MOVE


LEADS = [(kind, Lead(CARDS[kind])) for kind in range(WILD) if is_value(kind)]


def leads(hand: bytes) -> Moves:
    """C3.1: every kind of positive or negative card in the hand; without any, the three colours."""
    return tuple([lead for kind, lead in LEADS if hand[kind]]) or COLORS_TO_NAME


PLAYS = tuple(map(Play, CARDS))
DROPS = tuple(map(Drop, CARDS))
"""Moves by the kind of their card."""
ONLY_PASS: Moves = (PASS,)
PASSES: Moves = (PASS, PASS_TWICE)
PROPOSE_PASS: Moves = (NO_BARGAIN, Propose(PASS))
PROPOSE_PASSES: Moves = (*PROPOSE_PASS, Propose(PASS_TWICE))


@lru_cache(maxsize=512)
def _in_front(kind: int, seat: int) -> Play:
    return Play(CARDS[kind], seat)


@lru_cache(maxsize=4096)
def _shift(kind: int, source: int | None, to: int | None) -> Shift:
    return Shift(CARDS[kind], source, to)


@lru_cache(maxsize=16384)
def _proposed(action: Action) -> Propose:
    return Propose(action)


@lru_cache(maxsize=32768)
def _untargeted(color: int, suit_mask: int) -> tuple[Play, ...]:
    """C3.3: value and move cards."""
    return tuple(PLAYS[SUIT * color + place] for place in range(SUIT) if suit_mask >> place & 1)


@lru_cache(maxsize=8192)
def _targeted(color: int, front_mask: int, inside: int) -> tuple[Play, ...]:
    """C3.3: POTA and reverse cards, in front of any seat that is still in."""
    kinds = [front_kind(color, place) for place in range(3) if front_mask >> place & 1]
    return tuple(_in_front(kind, seat) for kind in kinds for seat in seats_in(inside))


@lru_cache(maxsize=32768)
def _propose_untargeted(color: int, suit_mask: int) -> Moves:
    """C4.2: to play value cards, and to discard value and move cards; what a move card moves is proposed with it."""
    cards = _untargeted(color, suit_mask)
    played = [_proposed(play) for play in cards if not play.card.moves]
    return (*played, *(_proposed(DROPS[CARD_ID[play.card]]) for play in cards))


@lru_cache(maxsize=8192)
def _propose_targeted(color: int, front_mask: int, inside: int) -> Moves:
    """C4.2: to play or discard POTA and reverse cards."""
    played = _targeted(color, front_mask, inside)
    dropped = dict.fromkeys(DROPS[CARD_ID[play.card]] for play in played)
    return tuple(map(_proposed, (*played, *dropped)))


def plays(table: Table, seat: int, hand: bytes) -> Moves:
    """C3.2 to C3.4: pass, or play a card; under a bargain only what it asks for, in card order."""
    color, fresh = table.color, not table.passes[seat]
    mask = present(suit(hand, color))
    if table.bound is not None:
        return promised(color, mask, hand[WILD] > 0, table.bound, table.boss, fresh)
    found = PASSES if fresh else ONLY_PASS
    if untargeted := mask & (UNTARGETED if mask & ANY_MOVE and can_shift(table) else ANY_VALUE):
        found += _untargeted(color, untargeted)
    if targeted := _front_mask(mask, hand):
        found += _targeted(color, targeted, still_in(table.passes))
    return found


def _front_mask(suit_mask: int, hand: bytes) -> int:
    """What of a hand goes in front of seats: reverse, POTA, wild POTA."""
    return (suit_mask >> REVERSE & 3) | (4 if hand[WILD] else 0)


@lru_cache(maxsize=8192)
def promised(color: int, suit_mask: int, wild: bool, bound: Request, boss: int, fresh: bool) -> Moves:
    """C4.2: what fulfils a bargain for a kind of action, in card order; nothing where the seat cannot."""
    if bound.want is Want.PASS:
        return (PASS, PASS_TWICE) if fresh else (PASS,)
    first = SUIT * color
    if bound.want is Want.REVERSE:
        return (DROPS[first + REVERSE],) if suit_mask >> REVERSE & 1 else ()
    if bound.want is Want.POTA:
        own = (_in_front(first + POTA, boss),) if suit_mask >> POTA & 1 else ()
        return own + ((_in_front(WILD, boss),) if wild else ())
    sign = 1 if bound.want is Want.POSITIVE else -1
    return tuple(
        PLAYS[first + place]
        for place, value in enumerate(VALUES)
        if suit_mask >> place & 1 and sign * value >= bound.least
    )


def can_fulfil(table: Table, seat: int, hand: bytes, bound: Request) -> bool:
    """C4.2: whether the seat could do what the Boss asks for."""
    if bound.want is Want.GIFT:
        return True
    mask = present(suit(hand, table.color))
    return bool(promised(table.color, mask, hand[WILD] > 0, bound, table.boss, not table.passes[seat]))


@lru_cache(maxsize=65536)
def _movable(front: bytes, moved: bytes) -> int:
    """The mask of the places of a front at which a card lies that has not been moved by the card in use."""
    return sum(1 << place for place in range(3) if front[place] > moved[place])


def can_shift(table: Table) -> bool:
    """C3.3: whether there is anything to move."""
    spread, passes = table.spread, table.passes
    if any(spread.centre):
        return True
    return any(_movable(spread.fronts[s], spread.moved[s]) for s, turned in enumerate(passes) if turned < 2)


@lru_cache(maxsize=4096)
def _from_centre(color: int, centre_mask: int) -> tuple[Shift, ...]:
    return tuple(_shift(SUIT * color + place, None, None) for place in range(REVERSE) if centre_mask >> place & 1)


@lru_cache(maxsize=16384)
def _from_front(color: int, seat: int, places: int, inside: int) -> tuple[Shift, ...]:
    targets = [None, *(other for other in seats_in(inside) if other != seat)]
    kinds = [front_kind(color, place) for place in range(3) if places >> place & 1]
    return tuple(_shift(kind, seat, to) for kind in kinds for to in targets)


def shifts(table: Table) -> tuple[Shift, ...]:
    """C3.3: every single move there is, cards from the centre first."""
    color, spread, inside = table.color, table.spread, still_in(table.passes)
    found = _from_centre(color, present(spread.centre))
    for seat in seats_in(inside):
        if places := _movable(spread.fronts[seat], spread.moved[seat]):
            found += _from_front(color, seat, places, inside)
    return found


def further_moves(table: Table) -> Moves:
    """C3.3: the next move of the move card in use, or enough of them, but not before the first."""
    found: Moves = shifts(table)
    made = table.moves_left < CARDS[table.moving].moves
    return (ENOUGH, *found) if made else found


@lru_cache(maxsize=4096)
def _moves_from_centre(color: int, place: int, centre_mask: int) -> Moves:
    card = CARDS[SUIT * color + place]
    return tuple(_proposed(Play(card, None, (shift,))) for shift in _from_centre(color, centre_mask))


@lru_cache(maxsize=65536)
def _moves_from_front(color: int, place: int, seat: int, places: int, inside: int) -> Moves:
    card = CARDS[SUIT * color + place]
    return tuple(_proposed(Play(card, None, (shift,))) for shift in _from_front(color, seat, places, inside))


def proposals(table: Table, seat: int, hand: bytes) -> Moves:
    """C4.2: every exact action the seat may offer, move cards with one move each."""
    color, inside = table.color, still_in(table.passes)
    mask = present(suit(hand, color))
    found = PROPOSE_PASS if table.passes[seat] else PROPOSE_PASSES
    movable = bool(mask & ANY_MOVE) and can_shift(table)
    if untargeted := mask & (UNTARGETED if movable else ANY_VALUE):
        found += _propose_untargeted(color, untargeted)
    if targeted := _front_mask(mask, hand):
        found += _propose_targeted(color, targeted, inside)
    if movable:
        spread = table.spread
        centre = present(spread.centre)
        fronts = [(s, _movable(spread.fronts[s], spread.moved[s])) for s in seats_in(inside)]
        for place in range(MOVE, SUIT):
            if mask >> place & 1:
                found += _moves_from_centre(color, place, centre)
                for source, places in fronts:
                    if places:
                        found += _moves_from_front(color, place, source, places, inside)
    return found


def requests(table: Table) -> Moves:
    """C4.2: what the Boss may ask for; a POTA in front of itself only while it is still in."""
    boss_in = table.passes[table.boss] < 2
    return (NO_BARGAIN, *table.layout.requests[boss_in])


def discards(hand: bytes, most: int) -> Moves:
    """C6.2: every choice of at most ``most`` cards, the empty one first, each in card order."""
    kinds = [kind for kind, count in enumerate(hand) if count for _ in range(min(count, most))]
    found: list[tuple[int, ...]] = [()]
    for size in range(1, most + 1):
        found += dict.fromkeys(combinations(kinds, size))
    return tuple([_CHOICES[chosen] for chosen in found])


class _Choices(dict[tuple[int, ...], Discard]):
    """Discards by the kinds of their cards, each made when it is first wanted: a few hundred to a few thousand."""

    def __missing__(self, kinds: tuple[int, ...]) -> Discard:
        self[kinds] = made = Discard(tuple(CARDS[kind] for kind in kinds))
        return made


_CHOICES = _Choices()
