"""The questions about bargains that a model is asked, each with the choices that make sense and what they change for
the seat as things stand, in $."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.consulting.consultation import ModelQuestion, choice_schema, object_schema
from arena.games.cards.moves import NO_BARGAIN, Bargain, OfferMove, Propose, Request
from arena.games.cards.strategy import accepted, outlook, wealth
from arena.games.cards.talking.cards_brief import CardsBrief
from arena.games.cards.views import AcceptView, CardsView, OfferView
from arena.games.contract import NO, YES, No, Yes

MOST_OFFERS = 6
"""The most bargains that are listed, those with the highest gain first."""
Choices = list[tuple[OfferMove | Yes | No, int | None]]


class CardsQuestions:
    """Makes the questions of one match, in the words of ``brief``. In a round one seat is offered the same bargain at
    most once."""

    def __init__(self, brief: CardsBrief, attempts: int) -> None:
        self.brief, self.rules, self.phrase = brief, brief.rules, brief.phrase
        self.attempts = attempts
        self.tried: dict[tuple[int, int], list[OfferMove]] = {}

    def offer_choices(self, view: OfferView) -> Choices:
        """The bargains that bring the seat something and cost the Boss nothing, as things stand, then none; empty where
        there are none, or ``attempts`` were in vain on this turn's seat in this round."""
        tried = self.tried.get((view.round, view.on_turn), [])
        if len(tried) >= self.attempts:
            return []
        now = self.amounts(view, None)
        found: list[tuple[int, OfferMove]] = []
        for move in view.legal_moves(self.rules):
            if not isinstance(move, Propose | Request) or move in tried:
                continue
            then = self.amounts(view, move)
            gain = then[view.seat] - now[view.seat]
            if gain > 0 and then[view.boss] >= now[view.boss]:
                found.append((gain, move))
        best = sorted(found, key=lambda each: -each[0])[:MOST_OFFERS]
        return [*((move, gain) for gain, move in best), (NO_BARGAIN, None)] if best else []

    def accept_choices(self, view: AcceptView) -> Choices:
        """Yes and no; empty where the rules allow no yes."""
        if view.refusal(self.rules, YES) is not None:
            return []
        gain = self.amounts(view, view.bargain.offer)[view.seat] - self.amounts(view, None)[view.seat]
        return [(YES, gain), (NO, None)]

    def choice_question(self, view: CardsView, choices: Choices) -> ModelQuestion:
        """Which of the choices the seat takes."""
        listed: list[dict[str, Any]] = []
        for number, (move, gain) in enumerate(choices):
            listed.append({"choice": number, "what": self.choice_words(view, move)})
            if gain is not None:
                listed[-1]["gain"] = gain
        name = "agree" if isinstance(view, AcceptView) else "request" if view.seat == view.boss else "propose"
        schema = object_schema({"choice": choice_schema(listed), "say": {"type": "string"}})
        return ModelQuestion(name, self.phrase(f"task.{name}"), listed, 1, 1, schema)

    def choice_words(self, view: CardsView, move: OfferMove | Yes | No) -> str:
        """A choice in words."""
        match move:
            case Propose() | Request():
                return self.brief.offer(move)
            case Yes():
                assert view.bargain is not None
                return self.phrase("choice.yes", offer=self.brief.offer(view.bargain.offer))
            case No():
                return self.phrase("choice.no")
            case _:
                return self.phrase("choice.nothing")

    def note_offer(self, view: OfferView, move: OfferMove | None) -> None:
        """Remember what the seat offers now; None or no bargain: nothing."""
        if move is not None and move != NO_BARGAIN:
            self.tried.setdefault((view.round, view.on_turn), []).append(move)

    def amounts(self, view: CardsView, offer: Propose | Request | None) -> Sequence[int]:
        """What each seat would receive if the round ended now, or after this bargain, in $."""
        found = outlook(view, self.rules)
        if offer is not None:
            found = accepted(view, self.rules, Bargain(view.seat, offer))
        return found.amounts(wealth(view, self.rules))
