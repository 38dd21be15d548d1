"""The verbs that answer the asks of the board game, and the functions that read the words after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.board import moves
from arena.games.board.cards import TRAVEL_CARDS, Card
from arena.games.board.deal_money import kept_by_boss
from arena.games.board.presenting.human.missing_needs import missing_needs_text
from arena.games.board.presenting.human.names import FILLER_WORDS, WILD_WORD, BoardNames
from arena.games.board.presenting.human.terms import (
    FROM_WORDS,
    read_demand,
    read_goodwill,
    read_offer,
    read_payment,
)
from arena.games.board.presenting.human.typed_closings import cheapest_closings, read_closing
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
from arena.games.contract import NO, YES, Move
from arena.human.lexicon import Unclear, parse_money, quote_word, read_seat, seat_words
from arena.human.question import Draft, TypedAnswer, Verb

DONE_WORD = "done"


class BoardVerbs:
    """The verbs of one ask, and methods that read the words after each. ``entrants`` are the names by seat."""

    def __init__(self, view: BoardView, rules: Rules, names: BoardNames, entrants: Sequence[str]) -> None:
        self.view, self.rules, self.names = view, rules, names
        self.teller = AskTeller(rules, entrants, view.boss)
        self.seats = seat_words(entrants, view.seat, view.boss)

    def verbs(self) -> tuple[Verb, ...]:
        """The verbs that answer this ask."""
        match self.view:
            case MarkerView():
                return (Verb("marker", "marker SPACE", "put the marker on a space", self.marker, ("place", "put")),)
            case TurnView():
                return (
                    Verb("roll", "roll", "roll the die and move the marker", verb_alone(moves.ROLL)),
                    Verb("open", "open [FAMILY...]", "open the deal, laying own clan cards if you like", self.open),
                    Verb("draw", "draw", "draw cards and end the turn", verb_alone(moves.DRAW)),
                )
            case OfferView():
                return self.bargaining()
            case AcceptView():
                return (
                    Verb("yes", "yes", "agree", verb_alone(YES), ("accept",)),
                    Verb("no", "no", "do not agree", verb_alone(NO), ("refuse", "pass")),
                )
            case InterruptView() if self.view.can_stop is not None:
                return (
                    Verb("stop", "stop", "spend a STOP card on this play", verb_alone(moves.STOP_IT)),
                    Verb("pass", "pass", "let it happen", verb_alone(moves.PASS), ("no",)),
                )
            case InterruptView():
                return self.play_verbs()
            case CloseView():
                return (
                    Verb("close", "close [with CARDS]", "close the deal, by default in the cheapest way", self.close),
                    Verb("give", "give up", "end the negotiation without a deal", self.give_up),
                    Verb("go", "go on", "negotiate for another tick", self.go_on, ("wait", "pass")),
                )
            case _:
                return self.discard_verbs()

    def bargaining(self) -> tuple[Verb, ...]:
        """The verbs of the offer phase."""
        withdraw = Verb(
            "withdraw", "withdraw [NUMBER]", "take back all your open offers, or one of them", self.withdraw
        )
        done = Verb(DONE_WORD, DONE_WORD, "send your offers as they are now", self.send_draft, ("pass",))
        if self.view.boss == self.view.seat:
            ask = Verb(
                "ask", "ask FAMILY from SEAT for PRICE", "buy a card from a seat", self.offer_reader(read_demand)
            )
            also = Verb("offer", ask.usage, ask.meaning, ask.read, hidden=True)
            pay = Verb(
                "pay", "pay SEAT PRICE", "promise goodwill money, paid if you close", self.offer_reader(read_payment)
            )
            return ask, pay, withdraw, done, also
        sell = Verb("offer", "offer FAMILY PRICE", "sell the Boss your card", self.offer_reader(read_offer), ("sell",))
        also = Verb("ask", sell.usage, sell.meaning, sell.read, hidden=True)
        good = Verb(
            "goodwill",
            "goodwill PRICE",
            "ask the Boss for money for goodwill only",
            self.offer_reader(read_goodwill),
        )
        return sell, good, withdraw, done, also

    def play_verbs(self) -> tuple[Verb, ...]:
        """The verbs of the phase of plays."""
        return (
            Verb("lay", "lay FAMILY...", "lay clan cards in front of you", self.read_lay),
            Verb("travel", "travel FAMILY[@SEAT] [wild]", "send a placard, or a seat's clan card, away", self.travel),
            Verb("boss", "boss", "play a boss card: you become the Boss", verb_alone(moves.TAKE_OVER), ("takeover",)),
            Verb("recruit", "recruit FAMILY", "take a placard with three recruitment cards", self.recruit),
            Verb("pass", "pass", "play nothing", verb_alone(moves.PASS), ("no",)),
            Verb("stop", "stop", "spend a STOP card", verb_alone(moves.STOP_IT), hidden=True),
        )

    def discard_verbs(self) -> tuple[Verb, ...]:
        """The verbs for a hand that is too large."""
        return (
            Verb("discard", "discard CARDS", "discard these cards, such as: red clan, stop", self.discard),
            Verb("recruit", "recruit FAMILY", "play three recruitment cards instead, if allowed", self.recruit),
        )

    def marker(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``marker 4``."""
        if len(words) != 1 or (space := parse_money(words[0])) is None:
            raise Unclear("expected the number of a space: marker SPACE; see: ring")
        return TypedAnswer(moves.PlaceMarker(space))

    def open(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``open red``."""
        return TypedAnswer(moves.Open(self.names.clans(words)))

    def read_lay(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``lay red red``."""
        if not words:
            raise Unclear("name the clan cards: lay FAMILY...")
        return TypedAnswer(moves.Lay(self.names.clans(words)))

    def travel(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``travel blue``, ``travel blue@1`` or ``travel blue@1 wild``."""
        usage = "travel FAMILY, or travel FAMILY@SEAT for a clan card that lies in front of a seat"
        joiners = (*FROM_WORDS, *FILLER_WORDS, "clan", "card", "placard", "with")
        wild = any(word == WILD_WORD for word in words)
        left = [word for word in words if word != WILD_WORD and word not in joiners]
        if len(left) == 1:
            left = left[0].split("@", 1)
        if not 1 <= len(left) <= 2 or not all(left):
            raise Unclear(f"expected one family: {usage}")
        family = self.names.family(left[0])
        clan_of = read_seat(left[1], self.seats) if len(left) == 2 else None
        hand = self.view.hand
        if not wild and TRAVEL_CARDS[family] not in hand and Card.TRAVEL_WILD in hand:
            return TypedAnswer(moves.Travel(family, clan_of, True), told="with your wild travel card")
        return TypedAnswer(moves.Travel(family, clan_of, wild))

    def recruit(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``recruit red``."""
        if len(words) != 1:
            raise Unclear("expected one family: recruit FAMILY")
        return TypedAnswer(moves.Recruit(self.names.family(words[0])))

    def discard(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``discard red clan, stop``."""
        assert isinstance(self.view, DiscardView)
        return TypedAnswer(moves.Discard(self.names.cards(words, self.view.hand)))

    def close(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``close`` (the cheapest closing) or ``close with …``."""
        left = words[1:] if words and words[0] == "with" else words
        if left:
            return TypedAnswer(read_closing(left, self.view, self.rules, self.names, self.seats))
        found = cheapest_closings(self.view, self.rules)
        if not found:
            raise Unclear(self.why_none())
        cost, close = found[0]
        return TypedAnswer(
            close, told=f"{self.teller.move(close)}; you keep ${kept_by_boss(self.view.proceeds, cost)}M"
        )

    def why_none(self) -> str:
        """Why there is no closing, as a message."""
        return f"the deal cannot be closed yet. {missing_needs_text(self.view, self.rules, self.teller)}"

    def give_up(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``give up``."""
        return TypedAnswer(_refuse_rest(moves.GIVE_UP, words, "up"))

    def go_on(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``go on``."""
        return TypedAnswer(_refuse_rest(moves.GO_ON, words, "on"))

    def open_now(self, draft: Draft) -> tuple[moves.Offer, ...]:
        """The offers of the draft; without a draft, the seat's open offers."""
        if draft is not None:
            return draft
        return tuple(each.offer for each in self.view.offers if each.by == self.view.seat)

    def offer_reader(
        self, read: Callable[..., tuple[moves.Offer, bool]]
    ) -> Callable[[Sequence[str], Draft], TypedAnswer]:
        """A reader that adds an offer to the draft, in place of one for the same cards unless ``also`` was typed."""

        def add(words: Sequence[str], draft: Draft) -> TypedAnswer:
            offer, also = read(words, self.view, self.names, self.seats)
            have = self.open_now(draft)
            kept = have if also else tuple(each for each in have if not _same_cards(each, offer))
            new = moves.Offers((*kept, offer))
            refused = self.view.refusal(self.rules, new)
            if refused is not None:
                raise Unclear(f"{refused.reason} ({refused.rule})")
            return TypedAnswer(draft=new.offers, told="replaces your earlier price" if kept != have else "")

        return add

    def withdraw(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``withdraw`` (all offers) or ``withdraw 2``."""
        have = self.open_now(draft)
        if not words or words == ["all"]:
            return TypedAnswer(draft=())
        number = parse_money(words[0]) if len(words) == 1 else None
        if number is None or not 1 <= number <= len(have):
            raise Unclear(f"expected the number of one of your {len(have)} offers: withdraw NUMBER, or withdraw all")
        return TypedAnswer(draft=(*have[: number - 1], *have[number:]))

    def send_draft(self, words: Sequence[str], draft: Draft) -> TypedAnswer:
        """Read ``done``: send the draft."""
        return TypedAnswer(moves.UNCHANGED if draft is None else moves.Offers(draft))

    def draft_lines(self, draft: Draft) -> list[str]:
        """The offers of a draft, one line each."""
        if draft is None:
            return []
        if not draft:
            return ["no offer of yours stays open"]
        return [f"{number}. {self.offer_text(each)}" for number, each in enumerate(draft, 1)]

    def offer_text(self, offer: moves.Offer) -> str:
        """An own offer in words: what is bought from whom, or sold to the Boss, and the price."""
        cards = self.teller.investors(offer.placards, offer.clans)
        if self.view.boss != self.view.seat:
            return f"you sell {cards} for ${offer.price}M" if cards else f"you ask ${offer.price}M for goodwill"
        whom = self.teller.seat(offer.to)
        return f"you offer {whom} ${offer.price}M for its {cards or 'goodwill'}"

    def completion_words(self) -> tuple[str, ...]:
        """Words that completion offers."""
        joiners = ("from", "for", "clan", "placard", "with", "wild", "goodwill", "travel")
        return (*self.names.families, *self.seats, *joiners, "recruitment", "stop", "boss")


def verb_alone(move: Move) -> Callable[[Sequence[str], Draft], TypedAnswer]:
    """A reader for a verb that is typed alone, and means ``move``."""

    def read(words: Sequence[str], draft: Draft) -> TypedAnswer:
        if words:
            raise Unclear(f"{quote_word(words[0])} is too much: nothing may follow this word")
        return TypedAnswer(move)

    return read


def _refuse_rest(move: Move, words: Sequence[str], particle: str) -> Move:
    if words and (len(words) > 1 or not particle.startswith(words[0])):
        raise Unclear(f"{quote_word(words[0])} is too much here")
    return move


def _same_cards(one: moves.Offer, other: moves.Offer) -> bool:
    return (one.to, one.placards, one.clans) == (other.to, other.placards, other.clans)
