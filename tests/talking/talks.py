"""Matches in which talkers consult the scripted model, with all that they asked it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from arena.bot import Consult
from arena.config.editions import load_edition
from arena.consultation.backend import Completion, PayAgain, pay_always
from arena.consultation.match_desk import CassetteMode, LiveCalls, MatchDesk
from arena.consultation.model_spec import CallBudget, CallBudgets, MatchModels, ModelSpec
from arena.consultation.scripted_model import ScriptedModel
from arena.consultation.spending import RunAllowance
from arena.finding.reference import BotRef, find_file, refer_file
from arena.match.refereeing.match_result import MatchResult
from arena.match.runner import play_here
from tests.conftest import spec_of


class NotingModel(ScriptedModel):
    """The scripted model; notes what it was asked and what it answered."""

    def __init__(self) -> None:
        self.calls: list[tuple[Consult, Completion]] = []

    def complete(self, name: str, model: ModelSpec, consult: Consult, pay_again: PayAgain = pay_always) -> Completion:
        answer = super().complete(name, model, consult)
        self.calls.append((consult, answer))
        return answer


class Talk(NamedTuple):
    """A match, and what was asked and answered in it, in order."""

    result: MatchResult
    calls: list[tuple[Consult, Completion]]

    def users(self) -> list[str]:
        """The user's message of each question when it was first asked."""
        return [consult.messages[1].content for consult, _ in self.calls if len(consult.messages) == 2]

    def first(self, question: str) -> str:
        """The user's message of the first question of this name."""
        users = [user for user in self.users() if question_in(user)["question"] == question]
        return users[0]


def question_in(user: str) -> dict[str, Any]:
    """The question in a user's message."""
    (line,) = [line for line in user.split("\n") if line.startswith('{"question":')]
    found: dict[str, Any] = msgspec.json.decode(line)
    return found


def talker(**options: Any) -> BotRef:
    """The talker with these options."""
    return replace(find_file("talker"), options=options)


def talk(
    *bots: BotRef | Path | str,
    style: str = "",
    rules: str = "eagle-gryphon",
    turns: int | None = None,
    rounds: int | None = None,
    calls: int | None = None,
    **more: Any,
) -> Talk:
    """A match of these bots (of so many ``turns``, or ``rounds`` of each Boss; None: a whole one) under ``rules`` with
    their variants, such as ``eagle-gryphon+less-cutthroat``, whose talkers may consult a scripted model of this
    ``style``, with at most so many ``calls``."""
    refs = tuple(_ref_of(bot) for bot in bots)
    name, *variants = rules.split("+")
    changes: dict[str, Any] = {"max_turns": turns} if turns else {}
    changes |= {"rounds": {len(bots): rounds}} if rounds else {}
    edition = load_edition(name, variants, changes=changes)
    spec = spec_of(refs, edition, **more)
    allowed = tuple(("m",) if ref.name == "talker" else () for ref in refs)
    budgets = CallBudgets(match=CallBudget(calls=calls))
    models = MatchModels({"m": ModelSpec(url="scripted", model=style)}, allowed, budgets)
    backend = NotingModel()
    with ThreadPoolExecutor(1) as threads:
        live = LiveCalls(backend, threads, RunAllowance(budgets))
        names = tuple(seat.entrant for seat in spec.seats)
        desk = MatchDesk(models, names, mode=CassetteMode.PASSTHROUGH, live=live)
        return Talk(play_here(spec, refs, desk=desk), backend.calls)


def _ref_of(bot: BotRef | Path | str) -> BotRef:
    if isinstance(bot, BotRef):
        return bot
    return refer_file(str(bot), None) if isinstance(bot, Path) else find_file(bot)


def words_said(result: MatchResult, seat: int) -> list[str]:
    """What a seat said in a match."""
    lines: Sequence[dict[str, Any]] = [msgspec.json.decode(line) for line in result.replay.splitlines()]
    return [line["say"] for line in lines if line.get("say") and line["seat"] == seat]
