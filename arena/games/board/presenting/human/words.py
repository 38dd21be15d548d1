"""How a human plays the board game: the words for each ask, and what is drawn when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.board import moves
from arena.games.board.presenting.human.choices import choices_of
from arena.games.board.presenting.human.names import WILD_WORD, BoardNames
from arena.games.board.presenting.human.primer import GLOSSES, MOMENTS, PRIMER
from arena.games.board.presenting.human.questions import idle_told, question_lines
from arena.games.board.presenting.human.table_text import BoardDrawn
from arena.games.board.presenting.human.terms import (
    offer_words,
)
from arena.games.board.presenting.human.typed_closings import cheapest_closings, closing_words
from arena.games.board.presenting.human.verbs import DONE_WORD, BoardVerbs
from arena.games.board.rules import Rules
from arena.games.board.sentences.tell_ask import AskTeller
from arena.games.board.views import (
    AcceptView,
    BoardView,
    CloseView,
    InterruptView,
    MarkerView,
    OfferView,
)
from arena.games.contract import NO, YES, Move, View
from arena.human.question import HumanQuestion
from arena.human.terminals.ink import Ink

NO_PLAY = "None of your cards matters for this deal; you may still play any of them."


class BoardWords:
    """Implements :class:`arena.human.question.GameWords`. ``names`` are the entrants' names by seat."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self.rules, self.entrants = rules, names
        self.names = BoardNames(rules)
        self.teller = AskTeller(rules, names)
        self.drawn = BoardDrawn(rules, names)

    def asked(self, view: View) -> HumanQuestion:
        """The ask as a question to the human."""
        assert isinstance(view, BoardView)
        words = BoardVerbs(view, self.rules, self.names, self.entrants)
        idle = _IDLE_MOVES.get(type(view))
        choices = choices_of(view, self.rules, self.names, self.teller)
        return HumanQuestion(
            question=question_lines(view, self.rules, self.entrants),
            verbs=words.verbs(),
            choices=choices,
            more=_MORE_HINTS.get(type(view), "") if choices or not isinstance(view, InterruptView) else NO_PLAY,
            idle=idle,
            idle_told="" if idle is None else idle_told(view),
            words=words.completion_words(),
            number="marker" if isinstance(view, MarkerView) else "",
            composed=words.draft_lines,
            sent=lambda draft: moves.UNCHANGED if draft is None else moves.Offers(draft),
        )

    def typed(self, view: View, move: Move) -> list[str]:
        """The lines to type for ``move``."""
        assert isinstance(view, BoardView)
        match move:
            case moves.Offers(offers):
                return ["withdraw", *(f"{offer_words(each, view, self.names)} also" for each in offers), DONE_WORD]
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
                return f"travel {target}{' ' + WILD_WORD if wild else ''}"
            case moves.Recruit(placard):
                return f"recruit {word(placard)}"
            case moves.Discard(cards):
                return f"discard {', '.join(map(self.names.card, cards))}"
            case _:
                return _PLAIN_WORDS[type(move)]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """The whole table."""
        assert isinstance(view, BoardView)
        return self.drawn.table(view, width, ink)

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """The offers and agreements, at asks of the offer and closing phases."""
        assert isinstance(view, BoardView)
        return self.drawn.bargaining(view, width, ink) if isinstance(view, OfferView | CloseView) else []

    def moment(self, view: View) -> tuple[object, ...]:
        """Turn, roll and Boss: the table is drawn again when one of them changes."""
        assert isinstance(view, BoardView)
        return view.turn, view.rolled, view.boss

    def stretch(self, view: View) -> tuple[object, ...]:
        """The turn and its Boss: ``skip`` ends when one of them changes."""
        assert isinstance(view, BoardView)
        return view.turn, view.boss

    def must_answer(self, view: View) -> bool:
        """Whether the ask has no idle move, or the seat as the Boss could close the deal now."""
        assert isinstance(view, BoardView)
        if isinstance(view, CloseView):
            return bool(cheapest_closings(view, self.rules))
        return type(view) not in _IDLE_MOVES

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """The pages ``hand``, ``ring`` and ``ledger``."""
        drawn = self.drawn
        return {"hand": drawn.hand, "ring": drawn.ring, "ledger": drawn.ledger}

    def gloss(self, view: View) -> tuple[str, str]:
        """A term that this ask needs, and its explanation."""
        return GLOSSES.get(type(view), ("", ""))

    def elsewhere(self) -> Mapping[str, str]:
        """Words that answer other asks, each with the moment at which it can be typed."""
        return MOMENTS

    def named(self) -> str:
        """Which things can be typed by name."""
        return "seats and families"

    def primer(self) -> str:
        """The game in a few sentences."""
        return PRIMER

    def forced(self, view: View) -> Move | None:
        """The only legal answer, or None. Offers and decisions of a Boss are never forced."""
        if isinstance(view, OfferView | CloseView | MarkerView):
            return None
        legal: tuple[Move, ...] = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None


_IDLE_MOVES: dict[type[BoardView], Move] = {
    OfferView: moves.UNCHANGED,
    AcceptView: NO,
    InterruptView: moves.PASS,
    CloseView: moves.GO_ON,
}
_PLAIN_WORDS = {
    moves.Roll: "roll",
    moves.Draw: "draw",
    moves.Unchanged: DONE_WORD,
    type(YES): "yes",
    type(NO): "no",
    moves.TakeOver: "boss",
    moves.Stop: "stop",
    moves.Pass: "pass",
    moves.GiveUp: "give up",
    moves.GoOn: "go on",
}
_MORE_HINTS: dict[type[BoardView], str] = {
    MarkerView: "Type the number of a space.",
    OfferView: "You can type any card at any price.",
    CloseView: "Another closing: close with CARDS.",
}
