"""One question to a model, asked until its answer is of use or the ask is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from arena.bot import SAY_LENGTH, ChatMessage, Consult, Consulted, ConsultFailed, ConsultProblem
from arena.consulting.consultation import ModelQuestion
from arena.talking.phrasebook import Phrasebook

M = TypeVar("M")
MUTE_PROBLEMS = (ConsultProblem.NO_MODEL, ConsultProblem.OVER_BUDGET, ConsultProblem.UNREACHABLE)
"""Where no model answers. The first two are answered by rules; in the last the match is void anyway."""
LONGEST_ANSWER = 2000
"""How much of a wrong answer a model is shown again, in characters."""


class Objection(NamedTuple):
    """What is wrong with an answer of the right form: the ``phrase`` that asks for another (under ``wrong``), and the
    ``reason``."""

    phrase: str
    reason: str


class ModelTalk:
    """Puts questions to a model. ``consult`` is the bot's own; ``model`` the model's name in the tournament file
    (empty: the bot's first); an answer has at most ``max_tokens``."""

    def __init__(self, consult: Callable[[Consult], Consulted], book: Phrasebook, model: str, max_tokens: int) -> None:
        self.consult, self.book, self.model, self.max_tokens = consult, book, model, max_tokens
        self.has_model = True
        """Whether a model may still answer in this match."""

    def ask_until(
        self,
        system: str,
        table: str,
        question: ModelQuestion,
        read: Callable[[dict[str, Any]], tuple[M, Objection | None]],
    ) -> tuple[M, str] | None:
        """What ``read`` makes of the model's answer, and what the model says with it; None where no model may be
        asked.

        An answer without use, as the desk judges it, goes back with problem and evidence for as long as tries are
        left; one that ``read`` objects to goes back once. The second time it counts as it is, so that a bot whose model
        breaks the rules twice breaks them. Raises ConsultFailed where no try is left.
        """
        if not self.has_model:
            return None
        user = "\n".join(part for part in (table, question.task, question.line(self.book.language)) if part)
        asked = ChatMessage("system", system), ChatMessage("user", user)
        messages: tuple[ChatMessage, ...] = asked
        objected = False
        while True:
            told = self.consult(Consult(self.model, messages, question.schema, self.max_tokens))
            if told.problem in MUTE_PROBLEMS:
                self.has_model = told.problem is not ConsultProblem.NO_MODEL
                if self.model and not self.has_model:
                    print(f"no model {self.model!r}: {told.evidence}")  # into the bot's log: a name may be mistyped
                return None
            if told.problem is not None:
                if told.tries_left < 1:
                    raise ConsultFailed(f"{told.problem}: {told.evidence}")
                line = _wrong_line(str(told.problem), told.evidence)
                messages = _answered_back(asked, told.text, f"{line}\n{self.book.phrase('wrong.problem')}")
                continue
            made, objection = read(told.data)
            if objection is None or objected:
                return made, shortened_say(told.data["say"])
            objected = True
            line = _wrong_line("illegal", objection.reason)
            again = self.book.phrase(f"wrong.{objection.phrase}")
            messages = _answered_back(asked, told.text, f"{line}\n{again}")


def shortened_say(text: str) -> str:
    """The words as a bot may say them: on one line, at most as long as allowed, cut after a word."""
    plain = " ".join(text.encode("utf-8", "replace").decode().split())
    if len(plain) <= SAY_LENGTH:
        return plain
    cut = plain[:SAY_LENGTH]
    return cut[: cut.rindex(" ")] if " " in cut else cut


def _wrong_line(problem: str, reason: str) -> str:
    return msgspec.json.encode({"wrong": problem, "because": reason}).decode()


def _answered_back(asked: tuple[ChatMessage, ...], answer: str, wrong: str) -> tuple[ChatMessage, ...]:
    """What was ``asked``, the answer and what is wrong with it; of several wrong answers a model sees the last. An
    empty one is left out, because some servers take no empty message, nor two of the same role in a row."""
    if answer.strip():
        return (*asked, ChatMessage("assistant", answer[:LONGEST_ANSWER]), ChatMessage("user", wrong))
    *before, last = asked
    return (*before, ChatMessage(last.role, f"{last.content}\n{wrong}"))
