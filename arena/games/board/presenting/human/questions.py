"""The question of each ask of the board game to a human, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.presenting.human.missing_needs import left_by, missing_needs_text
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell_ask import AskTeller
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


def question_lines(view: BoardView, rules: Rules, names: Sequence[str]) -> tuple[str, ...]:
    """The sentences of the question."""
    teller = AskTeller(rules, names, view.boss)
    match view:
        case MarkerView():
            return ("On which space does the marker begin? The first deal can be opened there.",)
        case TurnView():
            return (_turn_question(view),)
        case OfferView():
            return (_offer_question(view, teller),)
        case AcceptView(by=by):
            return (_accept_question(view, teller, by), _gain_sentence(view, rules, teller))
        case InterruptView():
            return (_interrupt_question(view, teller),)
        case CloseView():
            lack, patience = missing_needs_text(view, rules, teller), _patience_sentence(view, rules)
            if lack:
                return (f"You are the Boss: give up, or go on? The deal cannot be closed yet.{patience}", lack)
            return (f"You are the Boss: close the deal now, give up, or go on bargaining?{patience}",)
        case DiscardView(excess=excess):
            return (f"Your hand is too large: discard {_card_count(excess)}.",)
        case _:
            return ()


def _turn_question(view: BoardView) -> str:
    worth = f"the deal here, worth ${view.proceeds}M"
    if view.must_deal:
        return f"You began this turn with too many cards: you must open {worth}" + (
            "." if view.rolled else ", or roll first."
        )
    if view.rolled:
        return f"You have rolled: open {worth}, or draw cards and end your turn?"
    if view.failed_here:
        return "No deal can be opened here again now: roll?" if not view.rolled else "Draw cards?"
    return f"Your turn: open {worth}, or roll the die?"


def _offer_question(view: OfferView, teller: AskTeller) -> str:
    if view.boss == view.seat:
        return f"You are the Boss (tick {view.tick}): what do you offer the others for their cards?"
    assert view.boss is not None
    return f"{teller.seat(view.boss)} is the Boss (tick {view.tick}): what do you offer to sell, and for how much?"


def _accept_question(view: AcceptView, teller: AskTeller, by: int) -> str:
    offer = view.offer
    cards = teller.investors(offer.placards, offer.clans) or "your goodwill (no card)"
    if by == view.boss:
        mine = "; you would sell your " if offer.placards or offer.clans else " for "
        return f"{teller.seat(by)}, the Boss, offers you ${offer.price}M{mine}{cards}. Agree?"
    what = "for its" if offer.placards or offer.clans else "for"
    cards = cards.replace("your goodwill", "its goodwill") if what == "for" else cards
    return f"{teller.seat(by)} wants ${offer.price}M {what} {cards}, paid if you close the deal with it. Agree?"


def _gain_sentence(view: AcceptView, rules: Rules, teller: AskTeller) -> str:
    """What a yes may bring the seat."""
    if view.boss == view.seat:
        return left_by(view, rules, teller)
    offer = view.offer
    when = "closes the deal with it" if offer.placards or offer.clans else "closes the deal"
    return f"You get ${offer.price}M of the ${view.proceeds}M that the deal pays, if {teller.seat(view.by)} {when}."


def _interrupt_question(view: InterruptView, teller: AskTeller) -> str:
    if view.can_stop is not None:
        play = f"{teller.seat(view.can_stop.by)} {teller.play(view.can_stop.play)}"
        return f"{play}. Spend a STOP card to cancel it?"
    if view.last_call and view.closing is not None:
        closing = f"{teller.seat(view.closing.by)} {teller.move(view.closing.closing)}"
        return f"Last call: {closing}. Do you play a card before that?"
    return "Do you play cards now (clan, travel, boss, recruitment)?"


def _patience_sentence(view: BoardView, rules: Rules) -> str:
    """How much longer the negotiation may go on."""
    if view.tick >= rules.max_ticks or view.quiet + 1 >= rules.quiet_ticks:
        return " If nothing new has happened in this tick, going on makes the deal fail."
    return ""


def _card_count(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def idle_told(view: BoardView) -> str:
    """What an empty line does at this ask."""
    match view:
        case OfferView():
            mine = any(each.by == view.seat for each in view.offers)
            return "leave your offers as they are" if mine else "offer nothing"
        case AcceptView():
            return "no"
        case InterruptView():
            return "let it happen" if view.can_stop is not None else "play nothing"
        case CloseView():
            return "go on"
        case _:
            return ""
