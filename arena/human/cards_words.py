"""The card game as a human plays it: the words that answer each ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.cards import moves
from arena.games.cards.cards import Card
from arena.games.cards.judge import described
from arena.games.cards.moves import Want
from arena.games.cards.rules import Rules
from arena.games.cards.tell_ask import AskTeller
from arena.games.cards.views import AcceptView, CardsView, DiscardView, LeadView, OfferView, PlayView
from arena.games.contract import NO, YES, Move, No, View, Yes
from arena.human.asked import Asked, Choice, Draft, Read, Verb
from arena.human.cards_names import COLORS, KINDS, apart, card_words, read_card, read_cards
from arena.human.cards_questions import idle_told, question
from arena.human.cards_table import CardsDrawn
from arena.human.ink import Ink
from arena.human.lexicon import Unclear, choose, read_seat, seat_words, shown
from arena.human.primers import CARD_GLOSSES, CARD_MOMENTS, CARDS

MOST = 16
"""Choices that are numbered at most."""
AWAY = ("away", "discard", "pile", "out")
CENTRE = ("centre", "center", "middle")


class CardsWords:
    """Implements :class:`arena.human.asked.GameWords`. ``names`` are the entrants', by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.entrants = rules, names
        self.teller = AskTeller(names)
        self.drawn = CardsDrawn(rules, names)

    def asked(self, view: View) -> Asked:
        """The ask in words."""
        assert isinstance(view, CardsView)
        words = _Ask(self, view)
        idle = _IDLE.get(type(view))
        choices = self.choices(view)
        return Asked(
            question=question(view, self.teller),
            verbs=words.verbs(),
            choices=tuple(choices[:MOST]),
            more=_more(view, len(choices) - MOST),
            idle=idle,
            idle_told="" if idle is None else idle_told(view),
            words=(*words.seats, *COLORS, *KINDS, "to", "from", "away", "twice"),
        )

    def choices(self, view: CardsView) -> list[Choice]:
        """Every legal answer but the idle one; of exchanges of cards between rounds none, they are too many."""
        if isinstance(view, DiscardView):
            return []
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        shown = [move for move in legal if move != _IDLE.get(type(view)) or isinstance(view, AcceptView)]
        if isinstance(view, OfferView):
            shown.sort(key=_unlikely)
        if isinstance(view, AcceptView):
            shown.reverse()
        return [Choice(self.typed(view, move)[0], self.told(view, move)) for move in shown]

    def told(self, view: CardsView, move: Move) -> str:
        """What a choice does."""
        match move:
            case moves.Lead(card):
                return f"the colour of the round is {card.color} then"
            case moves.Propose(action):
                to = action.to if isinstance(action, moves.Play) else None
                return "" if to is None else f"in front of {self.teller.seat(to)}"
            case moves.Request(want):
                return "a gift: the seat acts freely" if want is Want.GIFT else f"for {described(move)}"
            case moves.Play(card, to):
                return f"in front of {self.teller.seat(to)}" if to is not None else _effect(card)
            case moves.Pass(double):
                return "turn both your disks: you are out" if double else _passing(view)
            case Yes() | No():
                return "agree" if move == YES else "do not agree"
            case _:
                return self.teller.move(move)

    def typed(self, view: View, move: Move) -> list[str]:
        """The line that means ``move``."""
        match move:
            case moves.Lead(card):
                return [f"lead {card_words(card)}"]
            case moves.NameColor(color):
                return [f"color {color}"]
            case moves.Propose(action):
                return [f"propose {_action(action)}"]
            case moves.Request(want, least):
                value = {Want.POSITIVE: f"+{least}", Want.NEGATIVE: f"-{least}"}.get(want, str(want))
                return [f"request {value}"]
            case moves.NoBargain():
                return ["nothing"]
            case moves.Shift():
                return [f"move {_shift(move)}"]
            case moves.Enough():
                return ["enough"]
            case moves.Discard(cards):
                return [f"discard {', '.join(map(card_words, cards))}" if cards else "keep"]
            case moves.Play() | moves.Drop() | moves.Pass():
                return [_action(move)]
            case _:
                return ["yes" if move == YES else "no"]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """The whole table."""
        assert isinstance(view, CardsView)
        return self.drawn.table(view, width, ink)

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """Centre, share and hand, where the table is not drawn anew."""
        assert isinstance(view, CardsView)
        return self.drawn.brief(view, width, ink)

    def moment(self, view: View) -> tuple[object, ...]:
        """The table is drawn at every turn of the seat, and once when others are on turn after it."""
        assert isinstance(view, CardsView)
        mine = view.on_turn == view.seat
        return view.round, mine, (view.hand, view.passes) if mine else view.color

    def stretch(self, view: View) -> tuple[object, ...]:
        """The round."""
        assert isinstance(view, CardsView)
        return (view.round,)

    def must_answer(self, view: View) -> bool:
        """Everything but offers: what else is asked has to be done."""
        return not isinstance(view, OfferView)

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """What else can be looked at."""
        return {"hand": self.drawn.hand, "ledger": self.drawn.ledger}

    def gloss(self, view: View) -> tuple[str, str]:
        """A word that this ask needs."""
        return CARD_GLOSSES.get(type(view), ("", ""))

    def elsewhere(self) -> Mapping[str, str]:
        """Words of other asks, and when they are used."""
        return CARD_MOMENTS

    def primer(self) -> str:
        """The game in a few sentences."""
        return CARDS

    def forced(self, view: View) -> Move | None:
        """The only legal answer."""
        if isinstance(view, OfferView | DiscardView):
            return None
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None


_IDLE: dict[type[CardsView], Move] = {OfferView: moves.NO_BARGAIN, AcceptView: NO, DiscardView: moves.KEEP_ALL}


def _more(view: CardsView, beyond: int) -> str:
    if isinstance(view, OfferView) and view.seat != view.boss:
        return (
            "Any action can be proposed: propose ACTION, such as: propose +3, or propose move 2: +4, pota from 1 to 2."
        )
    return f"{beyond} more can be typed; see: help." if beyond > 0 else ""


def _unlikely(move: Move) -> int:
    """Proposals to discard a card come last."""
    return int(isinstance(move, moves.Propose) and isinstance(move.action, moves.Drop))


def _effect(card: Card) -> str:
    """What playing a card does that goes in front of nobody."""
    if card.moves:
        return "then move 1 card" if card.moves == 1 else f"then move up to {card.moves} cards"
    return f"to the centre, whose sum changes by {card.worth:+d}"


def _passing(view: CardsView) -> str:
    return "turn your last disk: you are out" if view.passes[view.seat] else "turn one of your two disks"


def _action(action: moves.Action) -> str:
    """The words of an action."""
    match action:
        case moves.Pass(double):
            return "pass twice" if double else "pass"
        case moves.Drop(card):
            return f"drop {card_words(card)}"
        case moves.Play(card, to, shifts):
            where = "" if to is None else f" to {to}"
            moved = f": {', '.join(map(_shift, shifts))}" if shifts else ""
            return f"play {card_words(card)}{where}{moved}"


def _shift(shift: moves.Shift) -> str:
    """The words of one move of a move card."""
    source = "centre" if shift.source is None else str(shift.source)
    return f"{card_words(shift.card)} from {source} to {'pile' if shift.to is None else shift.to}"


class _Ask:
    """The verbs of one ask."""

    def __init__(self, words: CardsWords, view: CardsView) -> None:
        self.rules, self.view = words.rules, view
        self.seats = seat_words(words.entrants, view.seat, view.boss)

    def verbs(self) -> tuple[Verb, ...]:
        """What answers this ask."""
        match self.view:
            case LeadView():
                return (
                    Verb("lead", "lead CARD", "lead a positive or negative card, such as: lead red +3", self.lead),
                    Verb(
                        "color", "color COLOUR", "name a colour, without a card to lead", self.color, ("colour", "name")
                    ),
                )
            case OfferView() if self.view.seat == self.view.boss:
                wanted = "+N, -N, pota, reverse, pass or gift"
                return (
                    Verb(
                        "request", "request KIND", f"offer a Cousin token for {wanted}", self.request, ("ask", "offer")
                    ),
                    Verb("nothing", "nothing", "offer nothing", just(moves.NO_BARGAIN), ("no",)),
                )
            case OfferView():
                return (
                    Verb(
                        "propose",
                        "propose ACTION",
                        "offer the Boss an action for a Cousin token",
                        self.propose,
                        ("offer",),
                    ),
                    Verb("nothing", "nothing", "propose nothing; you act freely", just(moves.NO_BARGAIN), ("no",)),
                )
            case AcceptView():
                return (
                    Verb("yes", "yes", "agree", just(YES), ("accept",)),
                    Verb("no", "no", "do not agree", just(NO), ("refuse",)),
                )
            case PlayView() if self.view.moving is not None:
                usage = "move CARD [from SEAT] [to SEAT]"
                return (
                    Verb("move", usage, "from the centre, or from a seat to another or away", self.move),
                    Verb("enough", "enough", "make no further move", just(moves.ENOUGH), ("done",)),
                )
            case PlayView():
                return (
                    Verb("play", "play CARD [to SEAT]", "play a card, such as: play +3, or play pota to 2", self.play),
                    Verb("pass", "pass [twice]", "turn one of your disks, or both", self.passing),
                    Verb("drop", "drop CARD", "discard a card, where a bargain says so", self.drop),
                )
            case _:
                return (
                    Verb("discard", "discard CARDS", "exchange cards, such as: red +1, wild pota", self.discard),
                    Verb("keep", "keep", "keep all cards", just(moves.KEEP_ALL), ("nothing", "no")),
                )

    def card(self, words: Sequence[str]) -> tuple[Card, list[str]]:
        """A card of the round's colour, and the words after it."""
        left = apart(words)
        card, used = read_card(left, self.view.color, self.view.hand)
        return card, left[used:]

    def only_card(self, words: Sequence[str]) -> Card:
        """A card and nothing else."""
        card, rest = self.card(words)
        _nothing_after(rest)
        return card

    def lead(self, words: Sequence[str], draft: Draft) -> Read:
        """``lead red +3``."""
        return Read(moves.Lead(self.only_card(words)))

    def color(self, words: Sequence[str], draft: Draft) -> Read:
        """``color red``."""
        if len(words) != 1:
            raise Unclear("expected a colour: color blue, color green or color red")
        return Read(moves.NameColor(choose(words[0], COLORS, "colour")))

    def play(self, words: Sequence[str], draft: Draft) -> Read:
        """``play pota to 2``."""
        return Read(self.read_play(words))

    def read_play(self, words: Sequence[str]) -> moves.Play:
        """A card, where it goes, and after a colon what it moves."""
        left = apart(words)
        parts = _split(left, ":")
        card, rest = self.card(parts[0])
        to: int | None = None
        if rest:
            rest = rest[1:] if rest[0] in ("to", "for", "on") else rest
            if len(rest) != 1:
                raise Unclear("expected one seat: play CARD to SEAT")
            to = read_seat(rest[0], self.seats)
        shifts = [self.read_shift(each) for part in parts[1:] for each in _split(part, ",", ";", "and") if each]
        return moves.Play(card, to, tuple(shifts))

    def drop(self, words: Sequence[str], draft: Draft) -> Read:
        """``drop reverse``."""
        return Read(moves.Drop(self.only_card(words)))

    def passing(self, words: Sequence[str], draft: Draft) -> Read:
        """``pass``, ``pass twice``."""
        return Read(self.read_pass(words))

    def read_pass(self, words: Sequence[str]) -> moves.Pass:
        """Once or twice."""
        if not words or list(words) in (["once"], ["1"]):
            return moves.PASS
        if len(words) == 1 and (words[0] in ("2", "both", "double") or "twice".startswith(words[0])):
            return moves.PASS_TWICE
        raise Unclear(f"{shown(words[0])} is too much here: pass, or pass twice")

    def move(self, words: Sequence[str], draft: Draft) -> Read:
        """``move pota from 1 to 2``."""
        return Read(self.read_shift(words))

    def read_shift(self, words: Sequence[str]) -> moves.Shift:
        """One move of a move card."""
        card, rest = self.card(words)
        source: int | None = None
        to: int | None = None
        while rest:
            if rest[0] in AWAY and len(rest) == 1:
                break
            if rest[0] not in ("from", "of", "to") or len(rest) < 2:
                raise Unclear(
                    "expected: CARD from SEAT to SEAT; a card of the centre: CARD; off the table: CARD from SEAT"
                )
            if rest[0] == "to":
                to = None if rest[1] in AWAY else read_seat(rest[1], self.seats)
            else:
                source = None if rest[1] in CENTRE else read_seat(rest[1], self.seats)
            rest = rest[2:]
        return moves.Shift(card, source, to)

    def propose(self, words: Sequence[str], draft: Draft) -> Read:
        """``propose play +3``, ``propose pass twice``, ``propose drop reverse``."""
        if not words:
            raise Unclear("expected an action: propose +3, propose pota to 0, propose pass, propose drop reverse")
        verb, rest = words[0], words[1:]
        if len(verb) > 1 and "pass".startswith(verb):
            return Read(moves.Propose(self.read_pass(rest)))
        if len(verb) > 1 and "drop".startswith(verb):
            return Read(moves.Propose(moves.Drop(self.only_card(rest))))
        return Read(moves.Propose(self.read_play(rest if len(verb) > 1 and "play".startswith(verb) else words)))

    def request(self, words: Sequence[str], draft: Draft) -> Read:
        """``request +3``, ``request pota``."""
        left = [word for word in words if word not in ("a", "least", "at")]
        usage = "request +2 (or more), -3 (or lower), pota, reverse, pass or gift"
        if len(left) == 1 and left[0][0] in "+-" and left[0][1:].isdecimal() and left[0].isascii():
            want = Want.POSITIVE if left[0][0] == "+" else Want.NEGATIVE
            return Read(moves.Request(want, int(left[0][1:3])))
        if not left:
            raise Unclear(f"expected a kind of action: {usage}")
        want = choose(left[0], {str(each): each for each in Want}, f"kind of action ({usage})")
        if len(left) == 2 and left[1].isdecimal() and left[1].isascii():
            return Read(moves.Request(want, int(left[1][:2])))
        _nothing_after(left[1:])
        return Read(moves.Request(want))

    def discard(self, words: Sequence[str], draft: Draft) -> Read:
        """``discard red +3, wild pota``."""
        return Read(moves.Discard(read_cards(words, self.view.hand)))


def just(move: Move) -> Callable[[Sequence[str], Draft], Read]:
    """A reader for a verb that takes no more words."""

    def read(words: Sequence[str], draft: Draft) -> Read:
        _nothing_after(words)
        return Read(move)

    return read


def _nothing_after(words: Sequence[str]) -> None:
    if words:
        raise Unclear(f"{shown(words[0])} is too much here")


def _split(words: Sequence[str], *marks: str) -> list[list[str]]:
    """The words between these marks."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in marks:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
