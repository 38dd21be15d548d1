"""How a human plays the card game: the words for each ask, and what is drawn when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.cards import moves
from arena.games.cards.answers.judge import request_text
from arena.games.cards.cards import Card
from arena.games.cards.moves import Want
from arena.games.cards.presenting.human.names import COLOR_WORDS, KIND_NAMES, card_words
from arena.games.cards.presenting.human.primer import GLOSSES, MOMENTS, PRIMER
from arena.games.cards.presenting.human.questions import idle_told, question_lines
from arena.games.cards.presenting.human.table_text import CardsDrawn
from arena.games.cards.presenting.human.verbs import CardsVerbs
from arena.games.cards.rules import Rules
from arena.games.cards.sentences.tell_ask import AskTeller
from arena.games.cards.views import AcceptView, CardsView, DiscardView, OfferView
from arena.games.contract import NO, YES, Move, No, View, Yes
from arena.human.question import HumanQuestion, NumberedChoice
from arena.human.terminals.ink import Ink

MOST_CARDS_CHOICES = 16
"""The most choices that an ask lists."""


class CardsWords:
    """Implements :class:`arena.human.question.GameWords`. ``names`` are the entrants' names by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.entrants = rules, names
        self.teller = AskTeller(names)
        self.drawn = CardsDrawn(rules, names)

    def asked(self, view: View) -> HumanQuestion:
        """The ask as a question to the human."""
        assert isinstance(view, CardsView)
        words = CardsVerbs(view, self.entrants)
        idle = _IDLE_MOVES.get(type(view))
        choices = self.choices(view)
        return HumanQuestion(
            question=question_lines(view, self.teller),
            verbs=words.verbs(),
            choices=tuple(choices[:MOST_CARDS_CHOICES]),
            more=_typing_hint(view, len(choices) - MOST_CARDS_CHOICES),
            idle=idle,
            idle_told="" if idle is None else idle_told(view),
            words=(*words.seats, *COLOR_WORDS, *KIND_NAMES, "to", "from", "away", "twice"),
        )

    def choices(self, view: CardsView) -> list[NumberedChoice]:
        """A choice for every legal answer but the idle one; none for discards between rounds, which are too many."""
        if isinstance(view, DiscardView):
            return []
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        shown = [move for move in legal if move != _IDLE_MOVES.get(type(view)) or isinstance(view, AcceptView)]
        if isinstance(view, OfferView):
            shown.sort(key=_drop_rank)
        if isinstance(view, AcceptView):
            shown.reverse()
        return [NumberedChoice(self.typed(view, move)[0], self.move_text(view, move)) for move in shown]

    def move_text(self, view: CardsView, move: Move) -> str:
        """What a choice does, in words."""
        match move:
            case moves.Lead(card):
                return f"the colour of the round is {card.color} then"
            case moves.Propose(action):
                to = action.to if isinstance(action, moves.Play) else None
                return "" if to is None else f"in front of {self.teller.seat(to)}"
            case moves.Request(want):
                return "a gift: the seat acts freely" if want is Want.GIFT else f"for {request_text(move)}"
            case moves.Play(card, to):
                return f"in front of {self.teller.seat(to)}" if to is not None else _card_effect(card)
            case moves.Pass(double):
                return "turn both your disks: you are out" if double else _pass_effect(view)
            case Yes() | No():
                return "agree" if move == YES else "do not agree"
            case _:
                return self.teller.move(move)

    def typed(self, view: View, move: Move) -> list[str]:
        """The line to type for ``move``, as a list of one."""
        match move:
            case moves.Lead(card):
                return [f"lead {card_words(card)}"]
            case moves.NameColor(color):
                return [f"color {color}"]
            case moves.Propose(action):
                return [f"propose {_action_words(action)}"]
            case moves.Request(want, least):
                value = {Want.POSITIVE: f"+{least}", Want.NEGATIVE: f"-{least}"}.get(want, str(want))
                return [f"request {value}"]
            case moves.NoBargain():
                return ["nothing"]
            case moves.Shift():
                return [f"move {_shift_words(move)}"]
            case moves.Enough():
                return ["enough"]
            case moves.Discard(cards):
                return [f"discard {', '.join(map(card_words, cards))}" if cards else "keep"]
            case moves.Play() | moves.Drop() | moves.Pass():
                return [_action_words(move)]
            case _:
                return ["yes" if move == YES else "no"]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """The whole table."""
        assert isinstance(view, CardsView)
        return self.drawn.table(view, width, ink)

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """The centre, the value of a share and the hand; shown when the whole table is not drawn."""
        assert isinstance(view, CardsView)
        return self.drawn.brief(view, width, ink)

    def moment(self, view: View) -> tuple[object, ...]:
        """A value that changes at every turn of the seat, and once when other seats are on turn after it."""
        assert isinstance(view, CardsView)
        mine = view.on_turn == view.seat
        return view.round, mine, (view.hand, view.passes) if mine else view.color

    def stretch(self, view: View) -> tuple[object, ...]:
        """The number of the round: ``skip`` ends with it."""
        assert isinstance(view, CardsView)
        return (view.round,)

    def must_answer(self, view: View) -> bool:
        """Whether the ask has no idle move."""
        return type(view) not in _IDLE_MOVES

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """The pages ``hand`` and ``ledger``."""
        return {"hand": self.drawn.hand, "ledger": self.drawn.ledger}

    def gloss(self, view: View) -> tuple[str, str]:
        """A term that this ask needs, and its explanation."""
        return GLOSSES.get(type(view), ("", ""))

    def elsewhere(self) -> Mapping[str, str]:
        """Words that answer other asks, each with the moment at which it can be typed."""
        return MOMENTS

    def named(self) -> str:
        """Which things can be typed by name."""
        return "seats, colours and cards"

    def primer(self) -> str:
        """The game in a few sentences."""
        return PRIMER

    def forced(self, view: View) -> Move | None:
        """The only legal answer, or None if there are several."""
        if isinstance(view, OfferView | DiscardView):
            return None
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None


_IDLE_MOVES: dict[type[CardsView], Move] = {OfferView: moves.NO_BARGAIN, AcceptView: NO, DiscardView: moves.KEEP_ALL}


def _typing_hint(view: CardsView, beyond: int) -> str:
    if isinstance(view, OfferView) and view.seat != view.boss:
        return (
            "You can propose any action: propose ACTION, such as: propose +3, or propose move 2: +4, pota from 1 to 2."
        )
    return f"you can type {beyond} more; see: help." if beyond > 0 else ""


def _drop_rank(move: Move) -> int:
    """A sort key: proposals to discard a card come last."""
    return int(isinstance(move, moves.Propose) and isinstance(move.action, moves.Drop))


def _card_effect(card: Card) -> str:
    """What playing a card does, for a card that goes in front of nobody."""
    if card.moves:
        return "then move 1 card" if card.moves == 1 else f"then move up to {card.moves} cards"
    return f"to the centre, whose sum changes by {card.worth:+d}"


def _pass_effect(view: CardsView) -> str:
    return "turn your last disk: you are out" if view.passes[view.seat] else "turn one of your two disks"


def _action_words(action: moves.Action) -> str:
    """The words to type for an action."""
    match action:
        case moves.Pass(double):
            return "pass twice" if double else "pass"
        case moves.Drop(card):
            return f"drop {card_words(card)}"
        case moves.Play(card, to, shifts):
            where = "" if to is None else f" to {to}"
            moved = f": {', '.join(map(_shift_words, shifts))}" if shifts else ""
            return f"play {card_words(card)}{where}{moved}"


def _shift_words(shift: moves.Shift) -> str:
    """The words to type for one move of a move card."""
    source = "centre" if shift.source is None else str(shift.source)
    return f"{card_words(shift.card)} from {source} to {'pile' if shift.to is None else shift.to}"
