"""Why the rules refuse a move, hook by hook, with the number of the rule.

A move is judged twice (B4.5): when the bot gives it, where a refusal is the bot's fault, and when it takes effect,
where an impossible move fizzles.
"""

from __future__ import annotations

from arena.games.board.answers.closing import barred_placard, must_close, refuse_close
from arena.games.board.answers.legal import ALL_FAMILIES, ASIDE_OWNER, owned_mask, triple_fits
from arena.games.board.cards import (
    BOSS,
    CARD_ID,
    FAMILY_ID,
    RECRUITMENT,
    STOP,
    TRAVEL,
    WILD,
    Card,
    Family,
    mask_of,
)
from arena.games.board.moves import (
    Close,
    Discard,
    Draw,
    GiveUp,
    Lay,
    Offer,
    Offers,
    Open,
    Pass,
    PlaceMarker,
    Recruit,
    Roll,
    Stop,
    TakeOver,
    Travel,
)
from arena.games.board.rules import Rules
from arena.games.board.table import Asked, Table, family_order, free_clan_mask, promised_placards
from arena.games.contract import Move, Refusal, Yes


def refuse_marker(asked: Asked, move: PlaceMarker) -> Refusal | None:
    """Why the marker may not be placed there in the set-up (B2.4); None if it may."""
    spaces = len(asked.table.layout.rules.spaces)
    if 0 <= move.space < spaces:
        return None
    return Refusal("B2.4", f"there is no space {move.space}; spaces are 0 to {spaces - 1}")


def refuse_turn(asked: Asked, move: Move) -> Refusal | None:
    """Why the seat on turn may not open, roll or draw (B3.1, B3.2, B8); None if it may."""
    table, hand = asked.table, asked.hand
    if type(move) is Roll:
        return Refusal("B3.1", "the die is rolled once a turn") if table.rolled else None
    if type(move) is Draw:
        if not table.rolled:
            return Refusal("B3.2", "cards are drawn after rolling")
        return Refusal("B8", "this seat began its turn with too many cards and must deal") if table.must_deal else None
    assert isinstance(move, Open)
    opening = refuse_opening(table.layout.rules, sum(hand), table.failed_here)
    return opening or _refuse_lay(hand, move.lay, "B4.1")


def refuse_opening(rules: Rules, cards: int, failed_here: bool) -> Refusal | None:
    """Why a seat with ``cards`` cards may not open a deal; ``failed_here``: one has failed on this space (B4.9, B8)."""
    if cards < rules.min_cards_to_deal:
        return Refusal("B8", f"opening a deal takes at least {rules.min_cards_to_deal} cards in hand")
    if failed_here and not rules.reopen_failed:
        return Refusal("B4.9", "a deal failed on this space; the marker must move first")
    return None


def _refuse_lay(hand: bytes, clans: tuple[Family, ...], rule: str) -> Refusal | None:
    for family in clans:
        if hand[FAMILY_ID[family]] < clans.count(family):
            return Refusal(
                rule, f"{clans.count(family)} {family} clan card(s) named, {hand[FAMILY_ID[family]]} in hand"
            )
    return None


def refuse_offers(asked: Asked, move: Move) -> Refusal | None:
    """Why this set of offers is illegal; one illegal offer makes the whole answer illegal (B4.5 phase 1)."""
    if type(move) is not Offers or not move.offers:
        return None
    table, seat, offers = asked.table, asked.seat, move.offers
    if len(offers) > table.layout.rules.max_offers:
        return Refusal("B4.5", f"{len(offers)} offers; at most {table.layout.rules.max_offers} may be open")
    for offer in offers:
        refused = (
            _refuse_addressee(table, seat, offer.to) or _refuse_price(table, offer.price) or _refuse_cards(asked, offer)
        )
        if refused:
            return refused
    if len(offers) > 1 and len(set(tidy_offers(offers))) < len(offers):
        return Refusal("B4.5", "the same offer stands twice")
    return None


def tidy_offers(offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """The offers with their cards in family order, the form in which offers are compared (B4.5)."""
    for offer in offers:
        if len(offer.placards) > 1 or len(offer.clans) > 1:
            return tuple([Offer(o.to, o.price, family_order(o.placards), family_order(o.clans)) for o in offers])
    return offers


def _refuse_addressee(table: Table, seat: int, to: int) -> Refusal | None:
    if seat != table.boss:
        if to != table.boss:
            return Refusal("B4.5", f"offers go to the Boss, seat {table.boss}, not to seat {to}")
    elif to == seat or not 0 <= to < table.layout.players:
        return Refusal("B4.5", f"the Boss cannot make an offer to seat {to}")
    return None


def _refuse_price(table: Table, price: int) -> Refusal | None:
    if price < 0:
        return Refusal("B4.4", f"a price of ${price}M; the least is $0M")
    proceeds = table.proceeds
    if price > proceeds:
        return Refusal("B4.5", f"a price of ${price}M exceeds the proceeds of ${proceeds}M")
    if table.layout.rules.prices == "dividends" and (price < 1 or price % table.dividend):
        return Refusal("B4.4", f"a price of ${price}M; prices are whole dividends of ${table.dividend}M")
    return None


def _refuse_cards(asked: Asked, offer: Offer) -> Refusal | None:
    table, seat, mask = asked.table, asked.seat, 0
    partner = offer.to if seat == table.boss else seat
    if offer.placards:
        free = owned_mask(table.owners, partner) & ~table.travelling & ~promised_placards(table.agreements)
        for family in offer.placards:
            bit = 1 << FAMILY_ID[family]
            if not free & bit:
                return Refusal("B4.5", barred_placard(table, partner, family))
            if mask & bit:
                return Refusal("B4.5", f"{family} stands twice in one offer")
            mask |= bit
    if offer.clans:
        free = ALL_FAMILIES if seat == table.boss else free_clan_mask(table, seat, asked.hand)
        for family in offer.clans:
            bit = 1 << FAMILY_ID[family]
            if not free & bit:
                return Refusal("B4.5", _barred_clan(asked, family))
            if mask & bit:
                return Refusal("B4.5", f"{family} stands twice in one offer")
            mask |= bit
    if not mask and not table.layout.rules.side_promises:
        return Refusal("B4.4", "this tournament allows no side promises")
    return None


def _barred_clan(asked: Asked, family: Family) -> str:
    """Why the seat that is asked has no clan card of this family to promise."""
    index = FAMILY_ID[family]
    if not asked.hand[index] + asked.table.laid[asked.seat][index]:
        return f"this seat has no {family} clan card"
    return f"every {family} clan card of this seat is promised already"


def refuse_accept(asked: Asked, move: Move) -> Refusal | None:
    """Why a yes is illegal: it needs the cards the offer names (B4.5 phase 2). The topic is (offering seat, offer)."""
    if type(move) is not Yes:
        return None
    table, (by, offer) = asked.table, asked.topic
    if by == table.boss and mask_of(offer.clans) & ~(free := free_clan_mask(table, asked.seat, asked.hand)):
        missing = next(family for family in offer.clans if not free >> FAMILY_ID[family] & 1)
        return Refusal("B4.5", _barred_clan(asked, missing))
    return None


def refuse_interrupt(asked: Asked, move: Move) -> Refusal | None:
    """Why a play (B5.1 to B5.4) is illegal, or, if the topic is a play, a STOP against it (B5.5)."""
    if asked.topic is None:
        return refuse_play(asked.table, asked.seat, asked.hand, move)
    return _refuse_stop(asked.hand, move)


def refuse_play(table: Table, seat: int, hand: bytes, move: Move) -> Refusal | None:
    """Why a play of influence cards in a negotiation is illegal (B5.1 to B5.4)."""
    if type(move) is Lay:
        return _refuse_lay(hand, move.clans, "B5.1") if move.clans else Refusal("B5.1", "no clan card is named")
    if type(move) is Travel:
        return _refuse_travel(table, hand, move)
    if type(move) is TakeOver:
        if not hand[BOSS]:
            return Refusal("B5.3", "no boss card in hand")
        return Refusal("B5.3", "the Boss cannot play a boss card on himself") if seat == table.boss else None
    if type(move) is Recruit:
        return refuse_recruit(table, seat, hand, move.placard)
    return Refusal("B5.5", "there is no play to stop") if type(move) is Stop else None


def _refuse_travel(table: Table, hand: bytes, move: Travel) -> Refusal | None:
    family = FAMILY_ID[move.family]
    if not hand[WILD if move.wild else TRAVEL + family]:
        return Refusal("B5.2", f"no {'wild' if move.wild else move.family} travel card in hand")
    if move.clan_of is None:
        return Refusal("B5.2", f"the {move.family} placard travels already") if table.travelling >> family & 1 else None
    if 0 <= move.clan_of < table.layout.players and table.laid[move.clan_of][family]:
        return None
    return Refusal("B5.2", f"no {move.family} clan card lies in front of seat {move.clan_of}")


def refuse_recruit(table: Table, seat: int, hand: bytes, placard: Family) -> Refusal | None:
    """Why three recruitment cards may not take this placard (B5.4)."""
    if hand[RECRUITMENT] < 3:
        return Refusal("B5.4", f"{hand[RECRUITMENT]} recruitment cards in hand; a play takes three")
    owner = table.owners[FAMILY_ID[placard]]
    if owner == seat:
        return Refusal("B5.4", f"the {placard} placard is one's own")
    if owner != ASIDE_OWNER and ASIDE_OWNER in table.owners:
        return Refusal("B5.4", "while placards lie aside, one of those must be taken")
    return None


def _refuse_stop(hand: bytes, move: Move) -> Refusal | None:
    """Why the answer to a STOP question is illegal (B5.5)."""
    if type(move) is Stop:
        return None if hand[STOP] else Refusal("B5.5", "no STOP in hand")
    return None if type(move) is Pass else Refusal("B5.5", "only a STOP may answer a play")


def refuse_closing(asked: Asked, move: Move) -> Refusal | None:
    """Why the Boss may not close, give up or go on like this (B4.5 phase 4, B9.3)."""
    if type(move) is Close:
        return refuse_close(asked.table, asked.hand, move)
    if type(move) is GiveUp and must_close(asked.table):
        return Refusal("B9.3", "placards and laid clan cards suffice: this deal must be closed")
    return None


def refuse_discard(asked: Asked, move: Move) -> Refusal | None:
    """Why this answer to ``discard`` is illegal: cards down to the hand limit, or a triple (B3.3, B8)."""
    table, seat, hand = asked.table, asked.seat, asked.hand
    if type(move) is Recruit:
        if not triple_fits(table.layout.rules, table.cards_only):
            return Refusal("B3.3", "no recruitment triple may be played here")
        return refuse_recruit(table, seat, hand, move.placard)
    assert isinstance(move, Discard)
    cards: tuple[Card, ...] = move.cards
    if len(cards) != table.excess[seat]:
        return Refusal("B3.3", f"{len(cards)} cards; exactly {table.excess[seat]} must go")
    for card in cards:
        if hand[CARD_ID[card]] < cards.count(card):
            return Refusal("B3.3", f"not {cards.count(card)} times {card!s} in hand")
    return None
