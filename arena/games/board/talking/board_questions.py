"""The questions of a negotiation that a model is asked, each with the choices that make sense, the JSON Schema of its
answer, and the move that an answer means.

A model that was refused is kept from trying the same again: a card that a seat did not give for $4M is asked for at $5M
and more, one that the Boss did not buy for $6M is offered for $6M and less, and after a few prices no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import Any, NamedTuple

import msgspec

from arena.consulting.consultation import ModelQuestion, choice_schema, object_schema
from arena.games.board.answers.closing import closing_payments
from arena.games.board.answers.seat import table_of
from arena.games.board.cards import Family
from arena.games.board.deal_money import kept_by_boss
from arena.games.board.moves import GIVE_UP, GO_ON, UNCHANGED, Close, CloseMove, Offer, OfferMove, Offers
from arena.games.board.strategy import bids, goods, legal_price, mine, missing
from arena.games.board.talking.board_brief import BoardBrief, refused_offers
from arena.games.board.views import AcceptView, BoardView, CloseView, OfferView, OpenOffer
from arena.games.contract import Refusal, Yes

MOST_CLOSINGS = 6
"""The most closings that are listed, the cheapest first."""
Terms = tuple[int, int, tuple[Family, ...], tuple[Family, ...]]
"""Who makes an offer to whom, and for which placards and clan cards."""


class PriceRange(NamedTuple):
    """A card that may be offered or asked for, with the least and the highest price in $M."""

    terms: Offer
    least: int
    most: int


class BoardQuestions:
    """Makes the questions of one match, in the words of ``brief``. Of one card to one seat at most ``attempts`` prices
    are tried under one Boss."""

    def __init__(self, brief: BoardBrief, attempts: int) -> None:
        self.brief, self.rules, self.attempts = brief, brief.rules, attempts
        self.phrase = brief.phrase

    # accept ------------------------------------------------------------------------------------------

    def asked_offers(self, view: AcceptView) -> list[OpenOffer]:
        """The offers that this seat is asked about in this phase and may say yes to. Of several for the same cards of
        the same seat only the best: who takes the lowest price gets no more."""
        best: dict[Terms, OpenOffer] = {}
        sign = 1 if view.boss == view.seat else -1
        for each in view.offered[-view.asked :]:
            if each.offer.to != view.seat or self.yes_refusal(view, each) is not None:
                continue
            terms = _terms_of(each)
            if terms not in best or sign * each.offer.price < sign * best[terms].offer.price:
                best[terms] = each
        return list(best.values())

    def yes_refusal(self, view: AcceptView, each: OpenOffer) -> Refusal | None:
        """Why the rules refuse a yes to this offer of the phase, or None."""
        return msgspec.structs.replace(view, by=each.by, offer=each.offer).refusal(self.rules, Yes())

    def accept_question(self, view: AcceptView, asked: Sequence[OpenOffer]) -> ModelQuestion:
        """Which of the ``asked`` offers the seat accepts: all of a phase in one question."""
        pays, choices = view.boss == view.seat, []
        for number, each in enumerate(asked):
            cards = self.brief.investors(each.offer.placards, each.offer.clans)
            words = self.phrase("choice.pay" if pays else "choice.get", to=each.by, price=each.offer.price, cards=cards)
            choices.append({"choice": number, "what": words, "gain": -each.offer.price if pays else each.offer.price})
        answer = {"type": "array", "items": choice_schema(choices), "maxItems": len(choices)}
        return self.question(view, "accept", "accept", choices, "yes", answer)

    # offer -------------------------------------------------------------------------------------------

    def price_ranges(self, view: OfferView) -> list[PriceRange]:
        """The cards that the seat may sensibly sell to the Boss, or ask for as the Boss, that were not refused too
        often, with the prices that were not refused."""
        one, buying = legal_price(view, self.rules, view.dividend), view.boss == view.seat
        have = mine(view)
        if buying:
            listed = bids(view, self.rules, [one], have) if missing(view.space, have).number else ()
        else:
            listed = goods(view, self.rules, one)
        step, found = self.step(view), []
        for offer in listed:
            prices = self.refused_prices(view, offer)
            if len(prices) >= self.attempts:
                continue
            least = max(prices) + step if prices and buying else step
            most = min(prices) if prices and not buying else view.proceeds
            if least <= most:
                found.append(PriceRange(offer, least, most))
        return found

    def refused_prices(self, view: OfferView, offer: Offer) -> set[int]:
        """The prices at which the seat's offer of these terms was refused under this Boss."""
        own = [each for each in refused_offers(view) if each.by == view.seat]
        return {each.offer.price for each in own if _terms_of(each) == _terms_of(OpenOffer(view.seat, offer))}

    def offer_question(self, view: OfferView, ranges: Sequence[PriceRange]) -> ModelQuestion:
        """Which cards the seat offers or asks for, and at which prices."""
        buying, choices = view.boss == view.seat, []
        for number, (offer, least, most) in enumerate(ranges):
            cards = self.brief.investors(offer.placards, offer.clans)
            words = self.phrase("choice.buy" if buying else "choice.sell", to=offer.to, cards=cards)
            choices.append({"choice": number, "what": words, "least": least, "most": most})
        price = {
            "type": "integer",
            "minimum": min(each.least for each in ranges),
            "maximum": max(each.most for each in ranges),
        }
        answer = {
            "type": "array",
            "items": object_schema({"choice": choice_schema(choices), "price": price}),
            "maxItems": self.rules.max_offers,
        }
        task = "buy" if buying else "sell"
        return self.question(view, "buy" if buying else "sell", task, choices, "offers", answer)

    def read_offers(
        self, view: OfferView, ranges: Sequence[PriceRange], data: dict[str, Any]
    ) -> tuple[OfferMove | None, str]:
        """The move that an answer means, and which of its prices are out of range, in words (empty: none); those are
        not in the move, and None is left where all are. What stands open and is not asked about any more, goes on
        standing."""
        wanted, wrong = [], []
        for each in data["offers"]:
            number, price = int(each["choice"]), int(each["price"])
            offer, least, most = ranges[number]
            if least <= price <= most:
                wanted.append(msgspec.structs.replace(offer, price=price))
            else:
                wrong.append(self.phrase("wrong.range", choice=number, least=least, most=most))
        if wrong and not wanted:
            return None, "; ".join(wrong)
        listed = {_terms_of(OpenOffer(view.seat, each.terms)) for each in ranges}
        standing = [each.offer for each in view.offers if each.by == view.seat]
        if view.boss != view.seat:
            beside = [offer for offer in standing if _terms_of(OpenOffer(view.seat, offer)) not in listed]
            legal = [offer for offer in beside if view.refusal(self.rules, Offers((offer,))) is None]
            wanted += legal[: max(0, self.rules.max_offers - len(wanted))]
        return (UNCHANGED if wanted == standing else Offers(tuple(wanted))), "; ".join(wrong)

    # close -------------------------------------------------------------------------------------------

    def closing_choices(self, view: CloseView) -> list[tuple[CloseMove, int | None]]:
        """The cheapest legal closings, each with what is left for the Boss in $M, then going on and giving up; empty
        where there is nothing to close."""
        table = table_of(view, self.rules)
        legal = view.legal_moves(self.rules)

        def rank(close: Close) -> tuple[int, int, str]:
            clans = len(close.clans) + sum(len(terms.clans) for terms in close.partners)
            return sum(closing_payments(table, close)), clans, repr(close)

        closings = nsmallest(MOST_CLOSINGS, [move for move in legal if isinstance(move, Close)], key=rank)
        if not closings:
            return []
        found: list[tuple[CloseMove, int | None]] = [
            (close, kept_by_boss(view.proceeds, sum(closing_payments(table, close)))) for close in closings
        ]
        return [*found, *((move, None) for move in (GO_ON, GIVE_UP) if move in legal)]

    def choice_question(self, view: CloseView, closings: Sequence[tuple[CloseMove, int | None]]) -> ModelQuestion:
        """Whether the Boss closes, and how."""
        choices: list[dict[str, Any]] = []
        for number, (move, gain) in enumerate(closings):
            choices.append({"choice": number, "what": self.closing_words(view, move)})
            if gain is not None:
                choices[-1]["gain"] = gain
        return self.question(view, "close", "close", choices, "choice", choice_schema(choices))

    def closing_words(self, view: CloseView, move: CloseMove) -> str:
        """A closing, going on or giving up in words."""
        if not isinstance(move, Close):
            return self.phrase("choice.go_on" if move == GO_ON else "choice.give_up")
        placards = [*move.placards, *(family for terms in move.partners for family in terms.placards)]
        clans = [*move.clans, *(family for terms in move.partners for family in terms.clans)]
        paid = closing_payments(table_of(view, self.rules), move)
        said = [self.phrase("choice.pays", partner=seat, price=price) for seat, price in enumerate(paid) if price]
        payments = ", ".join(said) or self.phrase("choice.pays_nobody")
        return self.phrase("choice.close", cards=self.brief.investors(placards, clans), paid=payments)

    # all ---------------------------------------------------------------------------------------------

    def question(
        self,
        view: BoardView,
        name: str,
        task: str,
        choices: Sequence[dict[str, Any]],
        key: str,
        answer: dict[str, Any],
    ) -> ModelQuestion:
        """A question whose answer stands under ``key``, beside what the seat says."""
        schema = object_schema({key: answer, "say": {"type": "string"}})
        return ModelQuestion(name, self.phrase(f"task.{task}"), choices, view.dividend, self.step(view), schema)

    def step(self, view: BoardView) -> int:
        """The step of prices in $M, which is also the least price that is offered."""
        return view.dividend if self.rules.prices == "dividends" else 1


def _terms_of(each: OpenOffer) -> Terms:
    return each.by, each.offer.to, each.offer.placards, each.offer.clans
