"""Draws a match that fits a view: what the seat knows is kept, the rest is random (C6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.games.cards.answers.seat import lay_open, layout_of
from arena.games.cards.cards import CARD_ID, CARD_KINDS, NO_CARDS, X, count_cards
from arena.games.cards.memory import Knowledge
from arena.games.cards.moves import Pass, Propose
from arena.games.cards.position import Phase
from arena.games.cards.rules import Rules
from arena.games.cards.state import State
from arena.games.cards.views import AcceptView, CardsView, DiscardView, LeadView, OfferView, PlayView
from arena.games.chance import Chance
from arena.games.contract import Event, Imagined
from arena.games.hand_counts import add_counts, change_count, shuffle_counts, take_counts, tally_cards
from arena.games.phase_state import ask_every_seat, ask_one_seat

if TYPE_CHECKING:
    from random import Random


def imagine(view: CardsView, rules: Rules, rng: Random) -> State:
    """Draw, with ``rng``, a match that is consistent with ``view``: it may be the one in which the seat is asked.

    The cards that the seat does not see are dealt to the other hands by their sizes, to the face-down discards (also
    its own, because one view does not tell which those were) and to the deck. Every way to deal them is equally likely,
    except that a seat that proposes to play a card has that card. The X cards lie where C2.3 and C6.4 may have put
    them. Future shuffles are new. All seats that are asked in this phase are asked, and none has answered yet.
    """
    return _imagine(view, rules, rng, None)


def recall(view: CardsView, rules: Rules, rng: Random, seen: Sequence[Event], n: int) -> list[Imagined]:
    """As :func:`imagine`, ``n`` states in agreement with what the seat has ``seen``: the cards that it has discarded
    face down lie in the discard pile, and cards that others proposed to play are still in their hands, unless they may
    have left it. Weighed by the colour that the Boss has led."""
    known = Knowledge(view.players, seen)
    states = [_imagine(view, rules, rng, known) for _ in range(n)]
    return [Imagined(state, known.likelihood(state, view.seat)) for state in states]


def _imagine(view: CardsView, rules: Rules, rng: Random, known: Knowledge | None) -> State:
    state = State()
    state.begin(layout_of(rules, view.players), Chance(f"{rng.getrandbits(128):032x}"))
    lay_open(state, view)
    state.round, state.ledger, state.third_x, state.moved = view.round, view.ledger, view.third_x, view.moved
    for deal in view.ledger:
        for seat, amount in enumerate(deal.amounts):
            state.money[seat] += amount
    _deal(state, view, rng, known)
    _ask_viewer(state, view)
    return state


def _deal(state: State, view: CardsView, rng: Random, known: Knowledge | None) -> None:
    own, state.known = count_cards(view.hand), bytes(view.discards)
    unseen = [count - mine - gone for count, mine, gone in zip(state.layout.counts, own, state.known, strict=True)]
    for card in (*view.centre, *(card for front in view.fronts for card in front)):
        unseen[CARD_ID[card]] -= 1
    shown = _proposed_kind(view)
    if shown is not None:
        unseen[shown] -= 1
    face_down, sizes = view.discard_pile - sum(state.known), _unknown_sizes(view)
    sure, hidden = [NO_CARDS] * view.players, NO_CARDS
    if known is not None:
        hidden = take_counts(known.discarded, unseen, face_down)
        for seat, size in enumerate(sizes):
            wanted = known.hands[seat].copy()
            if shown is not None and seat == view.on_turn:
                wanted[shown] -= 1
            sure[seat] = take_counts(wanted, unseen, size)
            sizes[seat] -= sum(sure[seat])
    while True:
        cards = shuffle_counts(unseen, rng)
        for seat, size in enumerate(sizes):
            state.hands[seat] = add_counts(sure[seat], tally_cards(cards[:size], CARD_KINDS))
            cards = cards[size:]
        state.hands[view.seat] = own
        if shown is None:
            break
        state.hands[view.on_turn] = change_count(state.hands[view.on_turn], shown, 1)
        # a hand with n such cards is drawn n times as often: keep it in one of n cases
        if rng.random() * state.hands[view.on_turn][shown] < 1:
            break
    face_down -= sum(hidden)
    hidden = add_counts(hidden, tally_cards(cards[:face_down], CARD_KINDS))
    state.discards = add_counts(state.known, hidden)
    state.deck = _with_exes(cards[face_down:], state, rng)


def _proposed_kind(view: CardsView) -> int | None:
    """The kind of the proposed card, known to be in the hand of the seat on turn (C4.2); None if not known so."""
    if view.bargain is None or view.seat == view.on_turn or not isinstance(view.bargain.offer, Propose):
        return None
    action = view.bargain.offer.action
    return None if isinstance(action, Pass) else CARD_ID[action.card]


def _unknown_sizes(view: CardsView) -> list[int]:
    """How many cards each seat holds that the viewer does not know by a proposal; of its own none."""
    sizes = list(view.hand_sizes)
    sizes[view.seat] = 0
    if _proposed_kind(view) is not None:
        sizes[view.on_turn] -= 1
    return sizes


def _with_exes(cards: bytes, state: State, rng: Random) -> bytes:
    """The rest of the deck: ``cards`` with the X cards that have not been drawn yet put in."""
    left = state.layout.rules.deck.x - state.exes - state.third_x
    for place in map(rng.choice, state.parts_of_exes(len(cards) + left)):
        cards = cards[:place] + bytes([X]) + cards[place:]
    return cards


def _ask_viewer(state: State, view: CardsView) -> None:
    seat = view.seat
    match view:
        case LeadView():
            state.ask(Phase.LEAD, ask_one_seat("lead", seat))
        case OfferView():
            state.ask(Phase.REQUEST if seat == view.boss else Phase.PROPOSE, ask_one_seat("offer", seat))
        case AcceptView():
            state.ask_to_accept(Phase.ANSWER if seat == view.boss else Phase.ACCEPT, seat, view.bargain)
        case PlayView():
            state.ask(Phase.PLAY if view.moving is None else Phase.MOVE, ask_one_seat("play", seat))
        case DiscardView():  # the view names the round to come
            state.round -= 1
            state.boss = (state.boss - 1) % view.players
            state.ask(Phase.DISCARD, ask_every_seat("discard", view.players))
        case _:
            raise TypeError(f"expected the view of an ask, not a {type(view).__name__}")
