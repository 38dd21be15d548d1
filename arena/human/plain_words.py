"""Generic words for a game that has none of its own: legal moves are chosen by number and shown as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.contract import Game, Move, View, hook_of
from arena.human.lexicon import Unclear, parse_money
from arena.human.question import Draft, HumanQuestion, NumberedChoice, TypedAnswer, Verb
from arena.human.terminals.ink import Ink
from arena.human.terminals.text_columns import fold_text, heading_line

MOST_PLAIN_CHOICES = 20
"""The most legal moves that an ask lists; the page ``moves`` lists them all."""


class PlainWords:
    """Implements :class:`arena.human.question.GameWords`. ``names`` are the entrants' names by seat."""

    def __init__(self, game: Game, rules: Any, names: Sequence[str]) -> None:
        self.game, self.rules, self.names = game, rules, names

    def asked(self, view: View) -> HumanQuestion:
        """The ask as a question whose choices are the first legal moves."""
        hook, legal = hook_of(type(view)), view.legal_moves(self.rules)

        def read(words: Sequence[str], draft: Draft) -> TypedAnswer:
            number = parse_money(words[0]) if len(words) == 1 else None
            if number is None or not 1 <= number <= len(legal):
                raise Unclear(f"expected the number of a legal move, 1 to {len(legal)}: move NUMBER; see: moves")
            return TypedAnswer(legal[number - 1])

        listed = tuple(
            NumberedChoice(f"move {n}", self.move_text(move, view))
            for n, move in enumerate(legal[:MOST_PLAIN_CHOICES], 1)
        )
        return HumanQuestion(
            question=(f"You are asked: {hook.name}.",),
            verbs=(Verb("move", "move NUMBER", "answer with a legal move; the page moves lists them", read),),
            choices=listed,
            more=f"{len(legal) - MOST_PLAIN_CHOICES} more; see: moves." if len(legal) > MOST_PLAIN_CHOICES else "",
            idle=hook.idle,
            idle_told="" if hook.idle is None else self.move_text(hook.idle, view),
        )

    def move_text(self, move: Move, view: View) -> str:
        """A move in the game's own words, or as JSON if the game has no words for it."""
        return self.game.tell_move(move, view, self.rules, self.names)

    def typed(self, view: View, move: Move) -> list[str]:
        """The line to type for a legal move, as a list of one."""
        return [f"move {view.legal_moves(self.rules).index(move) + 1}"]

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """Lines that show every field of the view."""
        lines = [*map(ink.bold_text, heading_line(f"Seat {view.seat} of {view.players}", width))]
        for name, text in self.game.tell_view(view, self.rules, self.names):
            lines += fold_text(f"{name}: {text}", width, 2)
        return lines

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """No lines: this class has no brief form of the table."""
        return []

    def moment(self, view: View) -> tuple[object, ...]:
        """The view's contents as text, so that the table is drawn whenever any of them has changed."""
        return (repr(self.game.tell_view(view, self.rules, self.names)),)

    def stretch(self, view: View) -> tuple[object, ...]:
        """A new object each time, so that ``skip`` never covers another ask."""
        return (object(),)

    def must_answer(self, view: View) -> bool:
        """Always True."""
        return True

    def more_pages(self) -> dict[str, Callable[[Any, int, Ink], list[str]]]:
        """One page, ``moves``, which lists all legal moves."""

        def moves(view: View, width: int, ink: Ink) -> list[str]:
            legal = view.legal_moves(self.rules)
            return [
                line
                for n, move in enumerate(legal, 1)
                for line in fold_text(f"{n:>4}  {self.move_text(move, view)}", width, 6)
            ]

        return {"moves": moves}

    def gloss(self, view: View) -> tuple[str, str]:
        """Two empty strings: there is no word to explain."""
        return "", ""

    def elsewhere(self) -> Mapping[str, str]:
        """No words: all asks are answered with the same one."""
        return {}

    def named(self) -> str:
        """The text "words": nothing else of an unknown game can be typed by name."""
        return "words"

    def primer(self) -> str:
        """A sentence that refers to the game's own documentation."""
        return f"This is {self.game.name}, a game from outside arena; its rules come with it.\n"

    def forced(self, view: View) -> Move | None:
        """The only legal answer, or None if there are several."""
        legal = view.legal_moves(self.rules)
        return legal[0] if len(legal) == 1 else None
