"""Draws a match that fits a view: what the seat knows is kept, the rest is random (B5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.games.board.answers.seat import lay_open, layout_of
from arena.games.board.cards import CARD_ID, CARD_KINDS, NO_CARDS, clans_counted, count_cards
from arena.games.board.memory import Knowledge
from arena.games.board.phases import negotiation, plays, turn
from arena.games.board.position import Phase
from arena.games.board.rules import Rules
from arena.games.board.state import State
from arena.games.board.views import (
    AcceptView,
    BoardView,
    CloseView,
    DiscardView,
    InterruptView,
    MarkerView,
    OfferView,
    TurnView,
)
from arena.games.chance import Chance
from arena.games.contract import Event, Imagined
from arena.games.hand_counts import add_counts, shuffle_counts, take_counts, tally_cards
from arena.games.phase_state import ask_one_seat

if TYPE_CHECKING:
    from random import Random


def imagine(view: BoardView, rules: Rules, rng: Random) -> State:
    """Draw, with ``rng``, a match that is consistent with ``view``: it may be the one in which the seat is asked.

    The cards that the seat does not see are dealt to the other hands by their sizes, and the rest becomes the draw
    pile; every way to deal them is equally likely. So is every initiative order in which the plays of this tick can
    have taken effect as they did. Future rolls and shuffles are new. All seats that are asked in this phase are asked,
    and none has answered yet. If the ask is about a STOP, the plays queued behind the play in question are unknown; the
    imagined match has none.
    """
    return _imagine(view, rules, rng, None)


def recall(view: BoardView, rules: Rules, rng: Random, seen: Sequence[Event], n: int) -> list[Imagined]:
    """As :func:`imagine`, ``n`` states in agreement with what the seat has ``seen``: clan cards that went back to a
    hand are still there, unless they were seen to leave it. Weighed by the STOPs that others did not spend."""
    known = Knowledge(view.players, seen)
    states = [_imagine(view, rules, rng, known) for _ in range(n)]
    return [Imagined(state, known.likelihood(state, view.seat)) for state in states]


def _imagine(view: BoardView, rules: Rules, rng: Random, known: Knowledge | None) -> State:
    state = State()
    state.begin(layout_of(rules, view.players), Chance(f"{rng.getrandbits(128):032x}"))
    lay_open(state, view)
    _put_public(state, view)
    _deal(state, view, rng, known)
    state.initiative = _draw_initiative(view, rng)
    _ask_viewer(state, view)
    return state


def _put_public(state: State, view: BoardView) -> None:
    state.turn, state.on_turn = view.turn, view.on_turn
    state.tick, state.quiet = view.tick, view.quiet
    state.fresh, state.new_boss = view.fresh, view.new_boss
    state.offered, state.played = view.offered, view.played
    state.to_close = view.closing
    state.ledger = view.ledger
    state.discards = bytes(view.discards)
    state.travel_cards = bytes([0 if each.card is None else CARD_ID[each.card] for each in view.placards])
    for deal in view.ledger:
        for seat, amount in enumerate(deal.amounts):
            state.money[seat] += amount


def _deal(state: State, view: BoardView, rng: Random, known: Knowledge | None) -> None:
    own = count_cards(view.hand)
    unseen = [
        count - mine - gone
        for count, mine, gone in zip(state.layout.rules.deck.counts(), own, state.discards, strict=True)
    ]
    for laid in map(clans_counted, view.laid):
        for family, count in enumerate(laid):
            unseen[family] -= count
    for placard in view.placards:
        if placard.card is not None:
            unseen[CARD_ID[placard.card]] -= 1
    sure = [NO_CARDS] * view.players
    if known is not None:
        for seat, size in enumerate(view.hand_sizes):
            if seat != view.seat:
                sure[seat] = take_counts(known.hands[seat], unseen, size)
    cards, dealt = shuffle_counts(unseen, rng), 0
    for seat, size in enumerate(view.hand_sizes):
        if seat == view.seat:
            state.hands[seat] = own
        else:
            until = dealt + size - sum(sure[seat])
            state.hands[seat] = add_counts(sure[seat], tally_cards(cards[dealt:until], CARD_KINDS))
            dealt = until
    state.pile = cards[dealt:]


def _draw_initiative(view: BoardView, rng: Random) -> tuple[int, ...]:
    first, second = (*view.played, (), ())[:2]
    while True:
        order = rng.sample(range(view.players), view.players)
        for place, seat in zip(sorted(map(order.index, first)), first, strict=True):
            order[place] = seat
        places = [order.index(seat) for seat in second]
        if places == sorted(places):
            return tuple(order)


def _ask_viewer(state: State, view: BoardView) -> None:
    seat = view.seat
    match view:
        case MarkerView():
            state.ask(Phase.MARKER, ask_one_seat("place_marker", seat))
        case TurnView():
            state.ask(Phase.TURN, ask_one_seat("turn", seat))
        case DiscardView(cards_only=True):
            turn.ask_late_hands(state)
        case DiscardView():
            state.ask(Phase.DISCARD, ask_one_seat("discard", seat))
        case OfferView():
            state.ask_everyone(Phase.OFFER, "offer")
        case AcceptView():
            negotiation.ask_to_accept(state, view.offered[-view.asked :])
        case InterruptView(can_stop=None):
            negotiation.ask_plays(state, _plays_of(view))
        case InterruptView(can_stop=play) if play is not None:
            state.play, state.queue_of = (play.by, play.play), _plays_of(view)
            plays.ask_to_stop(state)
        case CloseView():
            state.ask(Phase.CLOSE, ask_one_seat("close", seat))
        case _:
            raise TypeError(f"expected the view of an ask, not a {type(view).__name__}")


def _plays_of(view: BoardView) -> Phase:
    """The phase in which plays are made at the time of this view."""
    if view.closing is not None:
        return Phase.LAST_CALL
    return Phase.DISCARD if view.boss is None else Phase.INTERRUPT
