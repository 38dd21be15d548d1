"""Any game that has no words of its own here: the legal moves by their numbers, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.contract import Game, Move, View, hook_of
from arena.human.lexicon import Unclear, parse_money
from arena.human.question import Draft, HumanQuestion, NumberedChoice, TypedAnswer, Verb
from arena.human.terminals.ink import Ink
from arena.human.terminals.text_columns import fold_text, heading_line

MOST_PLAIN_CHOICES = 20
"""Choices that are numbered at most; the page ``moves`` lists all."""


class PlainWords:
    """Implements :class:`arena.human.question.GameWords`. ``names`` are the entrants', by seat."""

    def __init__(self, game: Game, rules: Any, names: Sequence[str]) -> None:
        self.game, self.rules, self.names = game, rules, names

    def asked(self, view: View) -> HumanQuestion:
        """The ask, with its moves by number."""
        hook, legal = hook_of(type(view)), view.legal_moves(self.rules)

        def read(words: Sequence[str], draft: Draft) -> TypedAnswer:
            number = parse_money(words[0]) if len(words) == 1 else None
            if number is None or not 1 <= number <= len(legal):
                raise Unclear(f"expected the number of a legal move, 1 to {len(legal)}: move NUMBER; see: moves")
            return TypedAnswer(legal[number - 1])

        listed = tuple(
            NumberedChoice(f"move {n}", self.told(move, view)) for n, move in enumerate(legal[:MOST_PLAIN_CHOICES], 1)
        )
        return HumanQuestion(
            question=(f"You are asked: {hook.name}.",),
            verbs=(Verb("move", "move NUMBER", "answer with a legal move; the page moves lists them", read),),
            choices=listed,
            more=f"{len(legal) - MOST_PLAIN_CHOICES} more; see: moves." if len(legal) > MOST_PLAIN_CHOICES else "",
            idle=hook.idle,
            idle_told="" if hook.idle is None else self.told(hook.idle, view),
        )

    def told(self, move: Move, view: View) -> str:
        """A move in the game's own words, or as JSON."""
        return self.game.tell_move(move, view, self.rules, self.names)

    def typed(self, view: View, move: Move) -> list[str]:
        """The line that means a legal move."""
        return [f"move {view.legal_moves(self.rules).index(move) + 1}"]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """Every part of the view."""
        lines = [*map(ink.strong, heading_line(f"Seat {view.seat} of {view.players}", width))]
        for name, text in self.game.tell_view(view, self.rules, self.names):
            lines += fold_text(f"{name}: {text}", width, 2)
        return lines

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """Nothing: the whole table is drawn at every ask."""
        return []

    def moment(self, view: View) -> tuple[object, ...]:
        """The table is drawn whenever it has changed."""
        return (repr(self.game.tell_view(view, self.rules, self.names)),)

    def stretch(self, view: View) -> tuple[object, ...]:
        """No part of the match is known to be skipped."""
        return (object(),)

    def must_answer(self, view: View) -> bool:
        """Everything."""
        return True

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """All legal moves."""

        def moves(view: View, width: int, ink: Ink) -> list[str]:
            legal = view.legal_moves(self.rules)
            return [
                line
                for n, move in enumerate(legal, 1)
                for line in fold_text(f"{n:>4}  {self.told(move, view)}", width, 6)
            ]

        return {"moves": moves}

    def gloss(self, view: View) -> tuple[str, str]:
        """Nothing is known of the game."""
        return "", ""

    def elsewhere(self) -> Mapping[str, str]:
        """Nothing: every ask is answered by the same word."""
        return {}

    def named(self) -> str:
        """Nothing is known of the game but its words."""
        return "words"

    def primer(self) -> str:
        """Nothing is known of the game."""
        return f"This is {self.game.name}, whose rules are told where it comes from.\n"

    def forced(self, view: View) -> Move | None:
        """The only legal answer."""
        legal = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None
