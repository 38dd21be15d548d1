"""The board game as a human plays it: the words that answer each ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.board import moves
from arena.games.board.cards import TRAVEL_CARDS, Card
from arena.games.board.rules import Rules
from arena.games.board.tell_ask import AskTeller
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
from arena.games.contract import NO, YES, Move, View
from arena.human.asked import Asked, Draft, Read, Verb
from arena.human.board_choices import choices_of
from arena.human.board_closings import cheapest, closing_words, read_closing
from arena.human.board_names import FILLERS, WILD, BoardNames
from arena.human.board_questions import idle_told, question
from arena.human.board_table import BoardDrawn
from arena.human.board_terms import (
    FROM,
    offer_words,
    read_demand,
    read_goodwill,
    read_offer,
    read_payment,
)
from arena.human.ink import Ink
from arena.human.lexicon import Unclear, money, read_seat, seat_words, shown
from arena.human.primers import BOARD, BOARD_GLOSSES, BOARD_MOMENTS

DONE = "done"
NO_PLAY = "None of your cards bears on this deal; any can be played all the same."


class BoardWords:
    """Implements :class:`arena.human.asked.GameWords`. ``names`` are the entrants', by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.entrants = rules, names
        self.names = BoardNames(rules)
        self.teller = AskTeller(rules, names)
        self.drawn = BoardDrawn(rules, names)

    def asked(self, view: View) -> Asked:
        """The ask in words."""
        assert isinstance(view, BoardView)
        words = _Ask(self, view)
        idle = _IDLE.get(type(view))
        choices = choices_of(view, self.rules, self.names, self.teller)
        return Asked(
            question=question(view, self.rules, self.entrants),
            verbs=words.verbs(),
            choices=choices,
            more=_MORE.get(type(view), "") if choices or not isinstance(view, InterruptView) else NO_PLAY,
            idle=idle,
            idle_told="" if idle is None else idle_told(view),
            words=words.completed(),
            number="marker" if isinstance(view, MarkerView) else "",
            composed=words.composed,
            sent=lambda draft: moves.UNCHANGED if draft is None else moves.Offers(draft),
        )

    def typed(self, view: View, move: Move) -> list[str]:
        """The lines that mean ``move``."""
        assert isinstance(view, BoardView)
        match move:
            case moves.Offers(offers):
                return ["withdraw", *(f"{offer_words(each, view, self.names)} also" for each in offers), DONE]
            case moves.Close():
                return [closing_words(move, view, self.names)]
            case _:
                return [self._line(move)]

    def _line(self, move: Move) -> str:
        word, listed = self.names.word, " ".join
        match move:
            case moves.PlaceMarker(space):
                return f"marker {space}"
            case moves.Open(lay):
                return listed(["open", *map(word, lay)])
            case moves.Lay(clans):
                return listed(["lay", *map(word, clans)])
            case moves.Travel(family, clan_of, wild):
                target = word(family) if clan_of is None else f"{word(family)}@{clan_of}"
                return f"travel {target}{' ' + WILD if wild else ''}"
            case moves.Recruit(placard):
                return f"recruit {word(placard)}"
            case moves.Discard(cards):
                return f"discard {', '.join(map(self.names.card, cards))}"
            case _:
                return _PLAIN[type(move)]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """The whole table."""
        assert isinstance(view, BoardView)
        return self.drawn.table(view, width, ink)

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """Offers and agreements."""
        assert isinstance(view, BoardView)
        return self.drawn.bargaining(view, width, ink) if isinstance(view, OfferView | CloseView) else []

    def moment(self, view: View) -> tuple[object, ...]:
        """The table is drawn once a turn, and once for each Boss of a deal."""
        assert isinstance(view, BoardView)
        return view.turn, view.rolled, view.boss

    def stretch(self, view: View) -> tuple[object, ...]:
        """The turn, under one Boss."""
        assert isinstance(view, BoardView)
        return view.turn, view.boss

    def must_answer(self, view: View) -> bool:
        """Yes-and-no questions, and everything that a Boss decides."""
        assert isinstance(view, BoardView)
        return type(view) not in _IDLE or isinstance(view, AcceptView | CloseView) or view.boss == view.seat

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """What else can be looked at."""
        drawn = self.drawn
        return {"hand": drawn.hand, "ring": drawn.ring, "ledger": drawn.ledger}

    def gloss(self, view: View) -> tuple[str, str]:
        """A word that this ask needs."""
        return BOARD_GLOSSES.get(type(view), ("", ""))

    def elsewhere(self) -> Mapping[str, str]:
        """Words of other asks, and when they are used."""
        return BOARD_MOMENTS

    def primer(self) -> str:
        """The game in a few sentences."""
        return BOARD

    def forced(self, view: View) -> Move | None:
        """The only legal answer. An offer is never forced, and no decision of a Boss."""
        if isinstance(view, OfferView | CloseView | MarkerView):
            return None
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None


_IDLE: dict[type[BoardView], Move] = {
    OfferView: moves.UNCHANGED,
    AcceptView: NO,
    InterruptView: moves.PASS,
    CloseView: moves.GO_ON,
}
_PLAIN = {
    moves.Roll: "roll",
    moves.Draw: "draw",
    moves.Unchanged: DONE,
    type(YES): "yes",
    type(NO): "no",
    moves.TakeOver: "boss",
    moves.Stop: "stop",
    moves.Pass: "pass",
    moves.GiveUp: "give up",
    moves.GoOn: "go on",
}
_MORE: dict[type[BoardView], str] = {
    MarkerView: "Type the number of a space.",
    OfferView: "Any card at any price can be typed.",
    CloseView: "Another closing: close with CARDS.",
}


class _Ask:
    """The verbs of one ask."""

    def __init__(self, words: BoardWords, view: BoardView) -> None:
        self.rules, self.names, self.teller, self.view = words.rules, words.names, words.teller, view
        self.seats = seat_words(words.entrants, view.seat, view.boss)

    def verbs(self) -> tuple[Verb, ...]:
        """What answers this ask."""
        match self.view:
            case MarkerView():
                return (Verb("marker", "marker SPACE", "put the marker on a space", self.marker, ("place", "put")),)
            case TurnView():
                return (
                    Verb("roll", "roll", "roll the die and move the marker", just(moves.ROLL)),
                    Verb("open", "open [FAMILY...]", "open the deal, laying own clan cards if you like", self.open),
                    Verb("draw", "draw", "draw cards and end the turn", just(moves.DRAW)),
                )
            case OfferView():
                return self.bargaining()
            case AcceptView():
                return (
                    Verb("yes", "yes", "agree", just(YES), ("accept",)),
                    Verb("no", "no", "do not agree", just(NO), ("refuse", "pass")),
                )
            case InterruptView() if self.view.can_stop is not None:
                return (
                    Verb("stop", "stop", "spend a STOP card on this play", just(moves.STOP_IT)),
                    Verb("pass", "pass", "let it happen", just(moves.PASS), ("no",)),
                )
            case InterruptView():
                return self.plays()
            case CloseView():
                return (
                    Verb("close", "close [with CARDS]", "close the deal, by itself in the cheapest way", self.close),
                    Verb("give", "give up", "end the negotiation without a deal", self.give_up),
                    Verb("go", "go on", "negotiate for another tick", self.go_on, ("wait", "pass")),
                )
            case _:
                return self.discarding()

    def bargaining(self) -> tuple[Verb, ...]:
        """Words of the phase of offers."""
        withdraw = Verb(
            "withdraw", "withdraw [NUMBER]", "take back all your open offers, or one of them", self.withdraw
        )
        done = Verb(DONE, DONE, "send your offers as they are now", self.done, ("pass",))
        if self.view.boss == self.view.seat:
            ask = Verb("ask", "ask FAMILY from SEAT for PRICE", "buy a card from a seat", self.adds(read_demand))
            also = Verb("offer", ask.usage, ask.meaning, ask.read, hidden=True)
            pay = Verb("pay", "pay SEAT PRICE", "promise goodwill money, paid if you close", self.adds(read_payment))
            return ask, pay, withdraw, done, also
        sell = Verb("offer", "offer FAMILY PRICE", "sell the Boss your card", self.adds(read_offer), ("sell",))
        also = Verb("ask", sell.usage, sell.meaning, sell.read, hidden=True)
        good = Verb(
            "goodwill", "goodwill PRICE", "ask the Boss for money for nothing but goodwill", self.adds(read_goodwill)
        )
        return sell, good, withdraw, done, also

    def plays(self) -> tuple[Verb, ...]:
        """Words of the phase of plays."""
        return (
            Verb("lay", "lay FAMILY...", "lay clan cards in front of you", self.lay),
            Verb("travel", "travel FAMILY[@SEAT] [wild]", "send a placard, or a seat's clan card, away", self.travel),
            Verb("boss", "boss", "play a boss card: you become the Boss", just(moves.TAKE_OVER), ("takeover",)),
            Verb("recruit", "recruit FAMILY", "take a placard with three recruitment cards", self.recruit),
            Verb("pass", "pass", "play nothing", just(moves.PASS), ("no",)),
            Verb("stop", "stop", "spend a STOP card", just(moves.STOP_IT), hidden=True),
        )

    def discarding(self) -> tuple[Verb, ...]:
        """Words for a hand that is too large."""
        return (
            Verb("discard", "discard CARDS", "discard these cards, such as: red clan, stop", self.discard),
            Verb("recruit", "recruit FAMILY", "play three recruitment cards instead, where allowed", self.recruit),
        )

    def marker(self, words: Sequence[str], draft: Draft) -> Read:
        """``marker 4``."""
        if len(words) != 1 or (space := money(words[0])) is None:
            raise Unclear("expected the number of a space: marker SPACE; see: ring")
        return Read(moves.PlaceMarker(space))

    def open(self, words: Sequence[str], draft: Draft) -> Read:
        """``open red``."""
        return Read(moves.Open(self.names.clans(words)))

    def lay(self, words: Sequence[str], draft: Draft) -> Read:
        """``lay red red``."""
        if not words:
            raise Unclear("say which clan cards: lay FAMILY...")
        return Read(moves.Lay(self.names.clans(words)))

    def travel(self, words: Sequence[str], draft: Draft) -> Read:
        """``travel blue``, ``travel blue@1``, ``travel blue@1 wild``."""
        usage = "travel FAMILY, or travel FAMILY@SEAT for a clan card that lies in front of a seat"
        joiners = (*FROM, *FILLERS, "clan", "card", "placard", "with")
        wild = any(word == WILD for word in words)
        left = [word for word in words if word != WILD and word not in joiners]
        if len(left) == 1:
            left = left[0].split("@", 1)
        if not 1 <= len(left) <= 2 or not all(left):
            raise Unclear(f"expected one family: {usage}")
        family = self.names.family(left[0])
        clan_of = read_seat(left[1], self.seats) if len(left) == 2 else None
        hand = self.view.hand
        if not wild and TRAVEL_CARDS[family] not in hand and Card.TRAVEL_WILD in hand:
            return Read(moves.Travel(family, clan_of, True), told="with your wild travel card")
        return Read(moves.Travel(family, clan_of, wild))

    def recruit(self, words: Sequence[str], draft: Draft) -> Read:
        """``recruit red``."""
        if len(words) != 1:
            raise Unclear("expected one family: recruit FAMILY")
        return Read(moves.Recruit(self.names.family(words[0])))

    def discard(self, words: Sequence[str], draft: Draft) -> Read:
        """``discard red clan, stop``."""
        assert isinstance(self.view, DiscardView)
        return Read(moves.Discard(self.names.cards(words, self.view.hand)))

    def close(self, words: Sequence[str], draft: Draft) -> Read:
        """``close``, ``close with …``."""
        left = words[1:] if words and words[0] == "with" else words
        if left:
            return Read(read_closing(left, self.view, self.rules, self.names, self.seats))
        found = cheapest(self.view, self.rules)
        if not found:
            raise Unclear(self.why_none())
        cost, close = found[0]
        return Read(close, told=f"{self.teller.move(close)}; you keep ${self.view.proceeds - cost}M")

    def why_none(self) -> str:
        """What is missing for a closing."""
        refused = self.view.refusal(self.rules, moves.Close())
        missing = f" ({refused.reason} with nothing named; {refused.rule})" if refused else ""
        return f"the deal cannot be closed yet: cards you have or may buy fill not all its needs{missing}"

    def give_up(self, words: Sequence[str], draft: Draft) -> Read:
        """``give up``."""
        return Read(_exactly(moves.GIVE_UP, words, "up"))

    def go_on(self, words: Sequence[str], draft: Draft) -> Read:
        """``go on``."""
        return Read(_exactly(moves.GO_ON, words, "on"))

    def open_now(self, draft: Draft) -> tuple[moves.Offer, ...]:
        """The offers as composed so far: at first those that are open."""
        if draft is not None:
            return draft
        return tuple(each.offer for each in self.view.offers if each.by == self.view.seat)

    def adds(self, read: Callable[..., tuple[moves.Offer, bool]]) -> Callable[[Sequence[str], Draft], Read]:
        """A reader that adds an offer to the draft; one of the same cards is replaced unless it stands beside it."""

        def add(words: Sequence[str], draft: Draft) -> Read:
            offer, also = read(words, self.view, self.names, self.seats)
            have = self.open_now(draft)
            kept = have if also else tuple(each for each in have if not _same_cards(each, offer))
            new = moves.Offers((*kept, offer))
            refused = self.view.refusal(self.rules, new)
            if refused is not None:
                raise Unclear(f"{refused.reason} ({refused.rule})")
            return Read(draft=new.offers, told="replaces your earlier price" if kept != have else "")

        return add

    def withdraw(self, words: Sequence[str], draft: Draft) -> Read:
        """``withdraw``, ``withdraw 2``."""
        have = self.open_now(draft)
        if not words or words == ["all"]:
            return Read(draft=())
        number = money(words[0]) if len(words) == 1 else None
        if number is None or not 1 <= number <= len(have):
            raise Unclear(f"expected the number of one of your {len(have)} offers: withdraw NUMBER, or withdraw all")
        return Read(draft=(*have[: number - 1], *have[number:]))

    def done(self, words: Sequence[str], draft: Draft) -> Read:
        """Send what has been composed."""
        return Read(moves.UNCHANGED if draft is None else moves.Offers(draft))

    def composed(self, draft: Draft) -> list[str]:
        """The offers of a draft."""
        if draft is None:
            return []
        if not draft:
            return ["no offer of yours stays open"]
        return [f"{number}. {self.teller.offer(each)}" for number, each in enumerate(draft, 1)]

    def completed(self) -> tuple[str, ...]:
        """Words that completion offers."""
        joiners = ("from", "for", "clan", "placard", "with", "wild", "goodwill", "travel")
        return (*self.names.families, *self.seats, *joiners, "recruitment", "stop", "boss")


def just(move: Move) -> Callable[[Sequence[str], Draft], Read]:
    """A reader for a verb that takes no more words."""

    def read(words: Sequence[str], draft: Draft) -> Read:
        if words:
            raise Unclear(f"{shown(words[0])} is too much: nothing comes after this word")
        return Read(move)

    return read


def _exactly(move: Move, words: Sequence[str], particle: str) -> Move:
    if words and (len(words) > 1 or not particle.startswith(words[0])):
        raise Unclear(f"{shown(words[0])} is too much here")
    return move


def _same_cards(one: moves.Offer, other: moves.Offer) -> bool:
    return (one.to, one.placards, one.clans) == (other.to, other.placards, other.clans)
