"""The tick loop of a negotiation (B4.5): offer, accept, interrupt, close."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from arena.games.board.answers.closing import (
    canonical_closing,
    cheapest_closing,
    matching_offer,
    may_be_paid,
    must_close,
    refuse_close,
)
from arena.games.board.answers.judge import tidy_offers
from arena.games.board.answers.legal import owned_mask
from arena.games.board.cards import FAMILY_ID, NO_CARDS, Family, families_in, mask_of
from arena.games.board.events import Agreed, Fizzled, Laid, Named, Offered, Opened, TickBegan
from arena.games.board.moves import Agreement, Close, GiveUp, Offer, Offers, Open
from arena.games.board.phases import settle
from arena.games.board.phases.plays import drop_placard, end_clan_offers
from arena.games.board.position import Log, Phase, Position
from arena.games.board.table import free_clans, promised_placards
from arena.games.board.views import NamedClosing, OpenOffer
from arena.games.contract import Ask, Chanced, Event, Yes
from arena.games.phase_state import ask_one_seat


def open_deal(position: Position, move: Open, log: Log) -> None:
    """Open the deal: the seat on turn becomes the Boss (B4.1)."""
    position.boss = position.on_turn
    if log is not None:
        log.append(Opened(position.boss, position.marker, position.proceeds))
    if move.lay:
        position.lay(position.boss, move.lay, log)
    if position.layout.rules.self_sufficient_close:
        closing = _self_sufficient(position)
        if closing is not None:
            if log is not None:
                log.append(Named(position.boss, closing.placards, closing.clans))
            settle.close_deal(position, closing, log)
            return
    begin_tick(position, log)


def _self_sufficient(position: Position) -> Close | None:
    """The closing with the Boss's own placards (used first) and laid clan cards alone, or None (B4.7)."""
    layout, space = position.layout, position.marker
    placards = owned_mask(position.owners, position.boss) & ~position.travelling
    clans = sum(1 << index for index in range(6) if position.laid[position.boss][index])
    filled, chosen = layout.filled[space], 0
    for family in (*families_in(placards), *families_in(clans & ~placards)):
        more = chosen | 1 << FAMILY_ID[family]
        if filled[more] > filled[chosen]:
            chosen = more
    if filled[chosen] < layout.needs[space]:
        return None
    return Close(families_in(chosen & placards), families_in(chosen & ~placards))


def begin_tick(position: Position, log: Log) -> None:
    """Begin a tick: draw its initiative order and ask every seat for offers."""
    position.tick += 1
    position.fresh = position.new_boss = False
    position.played = ()
    players = position.layout.players
    position.initiative = position.chance.permutation(players, "initiative", position.turn, position.tick)
    if log is not None:
        log.append(Chanced("initiative", (position.turn, position.tick), position.initiative))
        log.append(TickBegan(position.tick))
    position.ask_everyone(Phase.OFFER, "offer")


def answer_offers(position: Position, log: Log) -> None:
    """End phase 1: put the offers on the table and ask about the new ones.

    The offers of different seats do not affect each other, so they are processed in seat order: the initiative order,
    in which answers otherwise take effect, must not show (B4.5).
    """
    new: list[OpenOffer] = []
    boss, offered, now_open = position.boss, position.offered, list(position.offers)
    for seat, move in enumerate(position.answers):
        if type(move) is not Offers:
            continue
        now_open[seat] = offers = tidy_offers(move.offers)
        if log is not None:
            log.append(Offered(seat, offers))
        for offer in offers:
            if offer.clans and seat != boss:
                _lay_offered(position, seat, offer.clans, log)
            open_offer = OpenOffer(seat, offer)
            if open_offer not in offered:
                new.append(open_offer)
    position.offers = tuple(now_open)
    if not new:
        _boss_offers_lapse(position)  # some may have been sent again: nobody is asked about those
        ask_plays(position, Phase.INTERRUPT)
        return
    position.fresh = True
    position.offered += tuple(new)
    ask_to_accept(position, new)


_seat_of = attrgetter("seat")


def ask_to_accept(position: Position, offers: Sequence[OpenOffer]) -> None:
    """Begin phase 2: ask each new offer's addressee about it; ``offers`` are in order of the offering seats."""
    asks = [Ask(each.offer.to, "accept", (each.by, each.offer)) for each in offers]
    if len(asks) > 1:
        asks.sort(key=_seat_of)
    position.ask(Phase.ACCEPT, tuple(asks))


def _lay_offered(position: Position, seat: int, clans: tuple[Family, ...], log: Log) -> None:
    """Lay the clan cards in hand that the seat's offer names (B4.5)."""
    needed = tuple(family for family in clans if free_clans(position, seat, family) <= 0)
    if needed:
        position.lay(seat, needed, log)


def answer_accepts(position: Position, log: Log) -> None:
    """End phase 2. Yeses take effect in the initiative order of the seats that answer; those of one seat by the
    offering seat, then in the order of its list (B4.5)."""
    accepted = [ask for ask, move in zip(position.asks, position.answers, strict=True) if type(move) is Yes]
    if len(accepted) > 1:
        place = position.initiative.index
        accepted.sort(key=lambda ask: place(ask.seat))  # stable: asks stand by offering seat, then list
    told: Log = None if log is None else []
    for ask in accepted:
        by, offer = ask.topic
        _agree(position, by, offer, told)
    if log is not None and told is not None:
        log.extend(sorted(told, key=_by_seat))  # for the initiative order must not show
    _boss_offers_lapse(position)
    ask_plays(position, Phase.INTERRUPT)


def _by_seat(event: Event) -> tuple[int, int, tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """A sort key for events of the accept phase that hides the initiative order: by seat, then by kind and terms."""
    match event:
        case Laid(seat, clans):
            return seat, 0, (0, clans, ())
        case Agreed(terms):
            return terms.partner, 1, (terms.price, terms.placards, terms.clans)
        case Fizzled(seat):
            return seat, 2, (0, (), ())
        case _:
            raise AssertionError(event)


def _boss_offers_lapse(position: Position) -> None:
    boss = position.boss
    if position.offers[boss]:
        position.offers = (*position.offers[:boss], (), *position.offers[boss + 1 :])


def _agree(position: Position, by: int, offer: Offer, log: Log) -> None:
    """Let a yes take effect, or fizzle because a card has been promised meanwhile or the proceeds do not suffice."""
    partner = offer.to if by == position.boss else by
    if not _still_possible(position, partner, by, offer):
        if log is not None:
            log.append(Fizzled(offer.to, "B4.5"))
        return
    if offer.clans:
        _lay_offered(position, partner, offer.clans, log)
    add_agreement(position, Agreement(partner, offer.price, offer.placards, offer.clans), log)


def _still_possible(position: Position, partner: int, by: int, offer: Offer) -> bool:
    """Whether the cards of an accepted offer are still free, or its side promise is still within the proceeds."""
    if not offer.placards and not offer.clans:
        promises = sum(a.price for a in position.agreements if not a.placards and not a.clans)
        return promises + offer.price <= position.proceeds
    if offer.placards and promised_placards(position.agreements) & mask_of(offer.placards):
        return False
    in_hand = position.hands[partner] if by == position.boss else NO_CARDS
    return all(free_clans(position, partner, family) + in_hand[FAMILY_ID[family]] > 0 for family in offer.clans)


def add_agreement(position: Position, agreement: Agreement, log: Log) -> None:
    """Add an agreement; open offers that name its cards end (B4.5)."""
    position.fresh = True
    partner, boss = agreement.partner, position.boss
    if position.offers[partner]:
        same = Offer(boss, agreement.price, agreement.placards, agreement.clans)
        kept = tuple([offer for offer in position.offers[partner] if offer != same])
        position.offers = (*position.offers[:partner], kept, *position.offers[partner + 1 :])
    for family in agreement.placards:
        drop_placard(position, FAMILY_ID[family], None)
    position.agreements += (agreement,)
    if agreement.clans:
        end_clan_offers(position, partner)
    if log is not None:
        log.append(Agreed(agreement))


def ask_plays(position: Position, phase: Phase) -> None:
    """Begin phase 3, or the last call: ask every seat for at most one play."""
    position.ask_everyone(phase, "interrupt")


def after_plays(position: Position, log: Log) -> None:
    """Go on after all plays have taken effect: the Boss may close, or the named closing goes through (B4.5, B4.6)."""
    if position.to_close is not None:
        named, position.to_close = position.to_close, None
        if position.boss == named.by and refuse_close(position, NO_CARDS, named.closing) is None:
            settle.close_deal(position, named.closing, log)
        else:
            end_tick(position, log)
    elif position.new_boss:
        end_tick(position, log)
    else:
        position.ask(Phase.CLOSE, ask_one_seat("close", position.boss))


def answer_close(position: Position, log: Log) -> None:
    """End phase 4: close, give up, or go on."""
    move = position.answers[0]
    if type(move) is GiveUp:
        settle.fail_deal(position, True, log)
    elif type(move) is Close:
        _name_closing(position, canonical_closing(move), log)
    else:
        end_tick(position, log)


def _name_closing(position: Position, closing: Close, log: Log) -> None:
    """Lay the hand cards named, accept the offers named, then close or give the last call (B4.6)."""
    position.fresh = True
    if log is not None:
        log.append(Named(position.boss, closing.placards, closing.clans, closing.partners))
    boss_laid = position.laid[position.boss]
    from_hand = tuple(family for family in closing.clans if not boss_laid[FAMILY_ID[family]])
    if from_hand:
        position.lay(position.boss, from_hand, log)
    for terms in closing.partners:
        if terms in position.agreements or matching_offer(position, terms) is None:
            continue
        if may_be_paid(position, terms.partner):  # else it is the fair share of that card, which needs no accepting
            add_agreement(position, terms, log)
    if position.layout.rules.last_call:
        position.to_close = NamedClosing(position.boss, closing)
        ask_plays(position, Phase.LAST_CALL)
    else:
        settle.close_deal(position, closing, log)


def end_tick(position: Position, log: Log) -> None:
    """Begin another tick, or let time run out (B4.9, B9.3)."""
    rules = position.layout.rules
    position.quiet = 0 if position.fresh else position.quiet + 1
    if position.quiet < rules.quiet_ticks and position.tick < rules.max_ticks:
        begin_tick(position, log)
        return
    closing = cheapest_closing(position) if must_close(position) else None
    if closing is None:
        settle.fail_deal(position, False, log)
        return
    if log is not None:
        log.append(Named(position.boss, closing.placards, closing.clans, closing.partners))
    settle.close_deal(position, closing, log)
