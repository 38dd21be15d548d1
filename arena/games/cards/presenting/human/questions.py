"""The question of each ask of the card game to a human, in a sentence or two."""

from __future__ import annotations

from arena.games.cards.answers.judge import request_text
from arena.games.cards.moves import Propose, Request
from arena.games.cards.sentences.tell_ask import AskTeller
from arena.games.cards.views import AcceptView, CardsView, DiscardView, LeadView, OfferView, PlayView


def question_lines(view: CardsView, teller: AskTeller) -> tuple[str, ...]:
    """The sentences of the question."""
    match view:
        case LeadView():
            return ("You are the Boss of this round: which card do you lead? Its colour is the colour of the round.",)
        case OfferView() if view.seat == view.boss:
            who = teller.seat(view.on_turn)
            return (f"You are the Boss: do you offer {who} a Cousin token (a share) for a kind of action?",)
        case OfferView():
            boss = teller.seat(view.boss)
            return (f"Before your turn: do you offer {boss}, the Boss, an action for a Cousin token (a share)?",)
        case AcceptView():
            return (_accept_question(view, teller),)
        case PlayView() if view.moving is not None:
            left = "1 move" if view.moves_left == 1 else f"{view.moves_left} moves"
            return (f"Your {view.moving} card allows {left} more: what do you move?",)
        case PlayView():
            bound = f" You have agreed on {request_text(view.bound)}." if view.bound is not None else ""
            return (f"Your turn: play a card, or pass?{bound}",)
        case DiscardView(most=most):
            return (f"Between rounds: exchange up to {most} of your cards?",)
        case _:
            return ()


def _accept_question(view: AcceptView, teller: AskTeller) -> str:
    bargain = view.bargain
    match bargain.offer:
        case Propose(action):
            return f"{teller.seat(bargain.by)} offers to {teller.action(action)} if you make it a Cousin. Agree?"
        case Request():
            wanted = request_text(bargain.offer)
            asked = "as a gift: you then act freely" if wanted == "nothing" else f"for {wanted} now"
            return f"{teller.seat(bargain.by)}, the Boss, offers you a Cousin token {asked}. Agree?"


def idle_told(view: CardsView) -> str:
    """What an empty line does at this ask."""
    match view:
        case OfferView():
            return "offer nothing"
        case AcceptView():
            return "no"
        case _:
            return "keep all cards"
