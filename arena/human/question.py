"""One ask as a human sees it: the question, the words that answer it, and the numbered choices.

Each game makes a :class:`HumanQuestion` from a view; all other code of this room knows no particular game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from arena.games.contract import Move, View
from arena.human.terminals.ink import Ink

Draft = tuple[Any, ...] | None
"""The unfinished answer, composed over several lines; None: nothing has been composed."""


class TypedAnswer(NamedTuple):
    """The meaning of a typed line: a ``move``, which answers the ask, or without one a ``draft`` to continue composing.
    ``told`` tells the human how an ambiguous line was understood."""

    move: Move | None = None
    draft: Draft = None
    told: str = ""


TypedReader = Callable[[Sequence[str], Draft], TypedAnswer]
"""Reads the words after a verb, given the draft so far. Raises Unclear."""


class Verb(NamedTuple):
    """A word that begins an answer: its ``usage``, its ``meaning``, and the function that reads the words after it.
    ``also`` are synonyms. A ``hidden`` verb is understood but not listed."""

    word: str
    usage: str
    meaning: str
    read: TypedReader
    also: tuple[str, ...] = ()
    hidden: bool = False


class NumberedChoice(NamedTuple):
    """A numbered choice: the line that its number is short for (``typed``), and what that line does (``told``)."""

    typed: str
    told: str


@dataclass(frozen=True)
class HumanQuestion:
    """One ask. ``question`` has the lines of the question itself; ``idle`` is the move that an empty line plays (None:
    an empty line is no answer) and ``idle_told`` describes it. ``words`` are further words, besides the verbs, that
    completion offers.

    ``number`` is the verb to put before a bare number if the ask has no choices (``marker``: 4 means space 4).
    ``composed`` lists the contents of a draft, one line each, and ``sent`` turns a draft into a move.
    """

    question: tuple[str, ...]
    verbs: tuple[Verb, ...]
    choices: tuple[NumberedChoice, ...]
    more: str = ""
    idle: Move | None = None
    idle_told: str = ""
    words: tuple[str, ...] = ()
    number: str = ""
    composed: Callable[[Draft], list[str]] = lambda draft: []
    sent: Callable[[Draft], Move | None] = lambda draft: None


@runtime_checkable
class GameWords(Protocol):
    """How a human plays one game: the words of each ask, and the table as lines of text at most ``width`` wide."""

    def asked(self, view: View) -> HumanQuestion:
        """The ask that ``view`` came with, as a question to the human."""

    def typed(self, view: View, move: Move) -> list[str]:
        """The lines to type for answering the ask with ``move``; the last one sends it."""

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """Lines that show the whole table."""

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """A few lines that show only what changes from ask to ask."""

    def moment(self, view: View) -> tuple[object, ...]:
        """A value that changes when the whole table should be drawn again, such as the number of the turn."""

    def stretch(self, view: View) -> tuple[object, ...]:
        """A value that identifies the part of the match that ``skip`` skips: a negotiation, turn or round."""

    def must_answer(self, view: View) -> bool:
        """Whether to ask even a human who skips: there is no idle move, or it would forgo a deal."""

    def more_pages(self) -> dict[str, Callable[[View, int, Ink], list[str]]]:
        """Further pages, each by the word that shows it, such as ``hand`` or ``ledger``."""

    def gloss(self, view: View) -> tuple[str, str]:
        """A term that this ask uses and its explanation, shown the first time; two empty strings if there is none."""

    def elsewhere(self) -> Mapping[str, str]:
        """Words that answer other asks, each with a phrase that says when."""

    def named(self) -> str:
        """Which things can be typed by name, as text: "seats and families"."""

    def primer(self) -> str:
        """The game in a few sentences, for somebody who has never played it."""

    def forced(self, view: View) -> Move | None:
        """The only legal answer, or None if the human has a choice."""
