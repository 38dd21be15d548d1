"""One ask as a human meets it: what is asked, which words answer it, and the numbered choices.

Each game makes an :class:`HumanQuestion` of a view; everything else that talks with the human knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from arena.games.contract import Move, View
from arena.human.terminals.ink import Ink

Draft = tuple[Any, ...] | None
"""An answer that is composed of several lines, so far; None: nothing has been composed."""


class TypedAnswer(NamedTuple):
    """What a typed line means: a ``move``, which answers the ask; or without one a ``draft`` that goes on being
    composed. ``told`` says what was understood where the words left it open."""

    move: Move | None = None
    draft: Draft = None
    told: str = ""


TypedReader = Callable[[Sequence[str], Draft], TypedAnswer]
"""Reads the words after a verb. Raises Unclear."""


class Verb(NamedTuple):
    """A word that begins an answer: how it is used, what it means, and how the words after it are read. ``also`` are
    other words for it. ``hidden`` ones are understood but not listed."""

    word: str
    usage: str
    meaning: str
    read: TypedReader
    also: tuple[str, ...] = ()
    hidden: bool = False


class NumberedChoice(NamedTuple):
    """A numbered choice: the line that it stands for, and what that does."""

    typed: str
    told: str


@dataclass(frozen=True)
class HumanQuestion:
    """One ask. ``question`` are the lines that say what is asked; ``idle`` is the move of an empty line (None: an empty
    line answers nothing) and ``idle_told`` what that does. ``words`` are those that completion offers besides verbs.

    ``number`` is the word that a bare number stands behind where there are no choices (``marker``: 4 is space 4).
    ``composed`` lists what a draft holds, line by line, and ``sent`` makes the move of it.
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
        """The ask that ``view`` came with, as the human meets it."""

    def typed(self, view: View, move: Move) -> list[str]:
        """The lines that mean ``move`` as the answer to the ask, the last of which sends it."""

    def table(self, view: View, width: int, ink: Ink) -> list[str]:
        """The whole table."""

    def brief(self, view: View, width: int, ink: Ink) -> list[str]:
        """What changes from ask to ask, in few lines."""

    def moment(self, view: View) -> tuple[object, ...]:
        """What the whole table is shown anew for: it is drawn when this has changed."""

    def stretch(self, view: View) -> tuple[object, ...]:
        """The negotiation, turn or round that ``skip`` skips."""

    def must_answer(self, view: View) -> bool:
        """Whether the seat is asked in any case, though it skips: doing nothing is no answer, or costs a deal."""

    def more_pages(self) -> dict[str, Callable[[View, int, Ink], list[str]]]:
        """More to look at, by the word that shows it: ``hand``, ``ledger``."""

    def gloss(self, view: View) -> tuple[str, str]:
        """A word that this ask needs and what it means, for who meets it first; empty where there is none."""

    def elsewhere(self) -> Mapping[str, str]:
        """Words that answer other asks, with the moment when they do."""

    def named(self) -> str:
        """What is understood by its name: "seats and families"."""

    def primer(self) -> str:
        """The game in a few sentences, for who has never played it."""

    def forced(self, view: View) -> Move | None:
        """The only legal answer, where there is no other."""
