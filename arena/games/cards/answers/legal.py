"""The legal moves of every hook.

All results depend on public facts and the asked seat's own hand only, given as small immutable values. So each function
is cached: within a round the same few questions recur. A move is one shared object in all lists that contain it: few
moves take up memory, and each is known to be well-formed (:mod:`arena.games.field_types`).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, compress

from arena.games.cards.cards import (
    CARD_ID,
    CARD_KINDS,
    CARDS,
    COLORS,
    MOVE,
    POTA,
    REVERSE,
    SUIT_KINDS,
    SUIT_VALUES,
    SUITS,
    WILD,
    front_kind,
    present_mask,
    seats_in,
)
from arena.games.cards.moves import (
    ENOUGH_MOVES,
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
from arena.games.cards.table import Table, is_value, mask_still_in
from arena.games.contract import NO, YES, Move

Moves = tuple[Move, ...]

ONLY_NO: Moves = (NO,)
YES_OR_NO: Moves = (NO, YES)
COLORS_TO_NAME: Moves = tuple(map(NameColor, COLORS))
ANY_VALUE = (1 << REVERSE) - 1
ANY_MOVE = (1 << SUIT_KINDS) - (1 << MOVE)
UNTARGETED_CARDS = ANY_VALUE | ANY_MOVE


LEAD_MOVES = tuple([Lead(CARDS[kind]) for kind in range(WILD) if is_value(kind)])


def legal_leads(hand: bytes) -> Moves:
    """Every lead of a positive or negative card in the hand; without any, naming each of the three colours (C3.1)."""
    values = b"".join([hand[start : start + REVERSE] for start in SUITS])
    return tuple(compress(LEAD_MOVES, values)) or COLORS_TO_NAME


PLAY_MOVES = tuple(map(Play, CARDS))
DROP_MOVES = tuple(map(Drop, CARDS))
"""The moves that discard a card, by the kind of the card."""
ONLY_PASS: Moves = (PASS,)
PASS_MOVES: Moves = (PASS, PASS_TWICE)
PROPOSE_PASS: Moves = (NO_BARGAIN, Propose(PASS))
PROPOSE_PASSES: Moves = (*PROPOSE_PASS, Propose(PASS_TWICE))


@lru_cache(maxsize=512)
def _in_front(kind: int, seat: int) -> Play:
    return Play(CARDS[kind], seat)


@lru_cache(maxsize=4096)
def _shift_move(kind: int, source: int | None, to: int | None) -> Shift:
    return Shift(CARDS[kind], source, to)


@lru_cache(maxsize=16384)
def _proposal_move(action: Action) -> Propose:
    return Propose(action)


@lru_cache(maxsize=32768)
def _centre_plays(color: int, suit_mask: int) -> tuple[Play, ...]:
    """The plays of value and move cards of the suit (C3.3)."""
    return tuple(PLAY_MOVES[SUIT_KINDS * color + place] for place in range(SUIT_KINDS) if suit_mask >> place & 1)


@lru_cache(maxsize=8192)
def _front_plays(color: int, front_mask: int, inside: int) -> tuple[Play, ...]:
    """The plays of POTA and reverse cards, in front of any seat that is still in (C3.3). ``front_mask`` has the places
    in a front (reverse, POTA, wild POTA) for which the hand holds a card."""
    kinds = [front_kind(color, place) for place in range(3) if front_mask >> place & 1]
    return tuple(_in_front(kind, seat) for kind in kinds for seat in seats_in(inside))


@lru_cache(maxsize=32768)
def _propose_untargeted(color: int, suit_mask: int) -> Moves:
    """Proposals to play value cards, and to discard value and move cards (C4.2); plays of move cards are not here."""
    cards = _centre_plays(color, suit_mask)
    played = [_proposal_move(play) for play in cards if not play.card.moves]
    return (*played, *(_proposal_move(DROP_MOVES[CARD_ID[play.card]]) for play in cards))


@lru_cache(maxsize=8192)
def _propose_targeted(color: int, front_mask: int, inside: int) -> Moves:
    """Proposals to play or discard POTA and reverse cards (C4.2)."""
    played = _front_plays(color, front_mask, inside)
    dropped = dict.fromkeys(DROP_MOVES[CARD_ID[play.card]] for play in played)
    return tuple(map(_proposal_move, (*played, *dropped)))


def legal_plays(table: Table, seat: int, hand: bytes) -> Moves:
    """Pass, or play a card (C3.2 to C3.4); under a bargain only what it asks for, in card order."""
    color, fresh = table.color, not table.passes[seat]
    start = SUIT_KINDS * color
    mask = present_mask(hand[start : start + SUIT_KINDS])
    if table.bound is not None:
        return promised_plays(color, mask, hand[WILD] > 0, table.bound, table.boss, fresh)
    found = PASS_MOVES if fresh else ONLY_PASS
    if untargeted := mask & (UNTARGETED_CARDS if mask & ANY_MOVE and can_shift(table) else ANY_VALUE):
        found += _centre_plays(color, untargeted)
    if targeted := mask >> REVERSE & 3 | (hand[WILD] > 0) << 2:
        found += _front_plays(color, targeted, mask_still_in(table.passes))
    return found


def promised_plays(color: int, suit_mask: int, wild: bool, bound: Request, boss: int, fresh: bool) -> Moves:
    """The moves that fulfil a request, in card order; none if the seat cannot fulfil it (C4.2)."""
    if bound.want is Want.PASS:
        return PASS_MOVES if fresh else ONLY_PASS
    if bound.want is Want.REVERSE:
        return (DROP_MOVES[SUIT_KINDS * color + REVERSE],) if suit_mask >> REVERSE & 1 else ()
    if bound.want is Want.POTA:
        own: Moves = (_in_front(SUIT_KINDS * color + POTA, boss),) if suit_mask >> POTA & 1 else ()
        return (*own, _in_front(WILD, boss)) if wild else own
    return _centre_plays(color, suit_mask & _fulfilling_mask(bound.want, bound.least))


@lru_cache(maxsize=64)
def _fulfilling_mask(want: Want, least: int) -> int:
    """The mask of the values of a suit that fulfil a request for a positive or negative card (C4.2)."""
    sign = 1 if want is Want.POSITIVE else -1
    return sum(1 << place for place, value in enumerate(SUIT_VALUES) if sign * value >= least)


def can_fulfil(table: Table, seat: int, hand: bytes, bound: Request) -> bool:
    """Whether the seat could do what the Boss asks for (C4.2)."""
    if bound.want is Want.GIFT:
        return True
    color, start = table.color, SUIT_KINDS * table.color
    mask = present_mask(hand[start : start + SUIT_KINDS])
    return bool(promised_plays(color, mask, hand[WILD] > 0, bound, table.boss, not table.passes[seat]))


@lru_cache(maxsize=65536)
def _movable_mask(front: bytes, moved: bytes) -> int:
    """The mask of the places in a front that hold a card which the current move card has not moved yet."""
    return sum(1 << place for place in range(3) if front[place] > moved[place])


def can_shift(table: Table) -> bool:
    """Whether there is any card that a move card can move (C3.3)."""
    spread, passes = table.spread, table.passes
    if any(spread.centre):
        return True
    return any(_movable_mask(spread.fronts[s], spread.moved[s]) for s, turned in enumerate(passes) if turned < 2)


@lru_cache(maxsize=4096)
def _from_centre(color: int, centre_mask: int) -> tuple[Shift, ...]:
    return tuple(
        _shift_move(SUIT_KINDS * color + place, None, None) for place in range(REVERSE) if centre_mask >> place & 1
    )


@lru_cache(maxsize=16384)
def _from_front(color: int, seat: int, places: int, inside: int) -> tuple[Shift, ...]:
    targets = [None, *(other for other in seats_in(inside) if other != seat)]
    kinds = [front_kind(color, place) for place in range(3) if places >> place & 1]
    return tuple(_shift_move(kind, seat, to) for kind in kinds for to in targets)


def legal_shifts(table: Table) -> tuple[Shift, ...]:
    """Every possible single move of a move card, cards from the centre first (C3.3)."""
    color, spread, inside = table.color, table.spread, mask_still_in(table.passes)
    found = _from_centre(color, present_mask(spread.centre))
    for seat in seats_in(inside):
        if places := _movable_mask(spread.fronts[seat], spread.moved[seat]):
            found += _from_front(color, seat, places, inside)
    return found


def further_moves(table: Table) -> Moves:
    """The legal answers while a move card is in use: the next move, or enough, but not before the first move (C3.3)."""
    found: Moves = legal_shifts(table)
    made = table.moves_left < CARDS[table.moving].moves
    return (ENOUGH_MOVES, *found) if made else found


@lru_cache(maxsize=4096)
def _moves_from_centre(color: int, place: int, centre_mask: int) -> Moves:
    card = CARDS[SUIT_KINDS * color + place]
    return tuple(_proposal_move(Play(card, None, (shift,))) for shift in _from_centre(color, centre_mask))


@lru_cache(maxsize=65536)
def _moves_from_front(color: int, place: int, seat: int, places: int, inside: int) -> Moves:
    card = CARDS[SUIT_KINDS * color + place]
    return tuple(_proposal_move(Play(card, None, (shift,))) for shift in _from_front(color, seat, places, inside))


def legal_proposals(table: Table, seat: int, hand: bytes) -> Moves:
    """Every exact action the seat may propose; move cards with one move each (C4.2)."""
    color, inside = table.color, mask_still_in(table.passes)
    start = SUIT_KINDS * color
    mask = present_mask(hand[start : start + SUIT_KINDS])
    found = PROPOSE_PASS if table.passes[seat] else PROPOSE_PASSES
    movable = bool(mask & ANY_MOVE) and can_shift(table)
    if untargeted := mask & (UNTARGETED_CARDS if movable else ANY_VALUE):
        found += _propose_untargeted(color, untargeted)
    if targeted := mask >> REVERSE & 3 | (hand[WILD] > 0) << 2:
        found += _propose_targeted(color, targeted, inside)
    if movable:
        spread = table.spread
        centre = present_mask(spread.centre)
        fronts = [(s, _movable_mask(spread.fronts[s], spread.moved[s])) for s in seats_in(inside)]
        for place in range(MOVE, SUIT_KINDS):
            if mask >> place & 1:
                found += _moves_from_centre(color, place, centre)
                for source, places in fronts:
                    if places:
                        found += _moves_from_front(color, place, source, places, inside)
    return found


def legal_requests(table: Table) -> Moves:
    """What the Boss may request; a POTA in front of itself only while the Boss is still in (C4.2)."""
    boss_in = table.passes[table.boss] < 2
    return (NO_BARGAIN, *table.layout.requests[boss_in])


ALL_KINDS = tuple(range(CARD_KINDS))
AT_LEAST = [bytes(count >= times for count in range(256)) for times in range(5)]
"""By number, up to the four cards that rules allow to discard: the table for ``bytes.translate`` that turns each count
into 1 if it is at least this number, else into 0."""


def legal_discards(hand: bytes, most: int) -> Moves:
    """Every choice of at most ``most`` cards to discard, the empty one first, each in card order (C6.2)."""
    kinds = list(compress(ALL_KINDS, hand))
    once = True  # no kind is there twice
    for times in range(2, most + 1):
        if 1 in (again := hand.translate(AT_LEAST[times])):
            kinds += compress(ALL_KINDS, again)
            once = False
    kinds.sort()
    found: list[Move] = [_CHOICE_CACHE[()]]
    for size in range(1, most + 1):
        chosen = combinations(kinds, size)
        found += map(_CHOICE_CACHE.__getitem__, chosen if once else dict.fromkeys(chosen))
    return tuple(found)


class _Choices(dict[tuple[int, ...], Discard]):
    """Discards by the kinds of their cards, each created on first use: a few hundred to a few thousand."""

    def __missing__(self, kinds: tuple[int, ...]) -> Discard:
        self[kinds] = made = Discard(tuple(CARDS[kind] for kind in kinds))
        return made


_CHOICE_CACHE = _Choices()
