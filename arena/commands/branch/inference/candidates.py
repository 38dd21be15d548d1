"""Which decisions of a seat a scan looks at, where there are more than it has time for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import zip_longest

import msgspec


class CandidateReason(StrEnum):
    """Why a decision is looked at."""

    UNSURE = "unsure"
    """With another seed of its own the bot answers otherwise."""

    OPINION = "opinion"
    """The second opinion answers otherwise."""

    FEW = "few"
    """There are few legal answers, and all are compared."""

    NOTHING = "nothing"
    """There are many legal answers; compared is what is played for a bot that answers nothing."""


class Candidate(msgspec.Struct, frozen=True):
    """A decision that may be looked at: the ``ask`` (from 1) and its ``hook``, how many answers were ``legal``, the
    share of other seeds with which the bot answered otherwise (``unsure``), whether a second ``opinion`` differs,
    whether ``all`` the other legal answers are compared, and the ``others`` that are, as JSON, each once."""

    ask: int
    hook: str
    legal: int
    unsure: float
    opinion: bool
    all: bool
    others: tuple[bytes, ...]

    @property
    def why(self) -> CandidateReason:
        """The first reason that holds."""
        if self.unsure:
            return CandidateReason.UNSURE
        if self.opinion:
            return CandidateReason.OPINION
        return CandidateReason.FEW if self.all else CandidateReason.NOTHING


def choose_candidates(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """At most so many of them, in the order of asks: first those where the bot is unsure, the most unsure first; then
    those where the opinion differs; then those with few answers; then the rest.

    Where too many have one reason, the hooks take turns, the one that is asked least first, each with its latest
    decision: bots are asked some questions ten times as often as others, and mostly for nothing."""
    every = list(candidates)
    found = sorted(
        (each for each in every if each.why is CandidateReason.UNSURE), key=lambda each: (-each.unsure, -each.ask)
    )
    for why in list(CandidateReason)[1:]:
        found += _in_turns([each for each in every if each.why is why])
    return sorted(found[:most], key=lambda each: each.ask)


def _in_turns(candidates: Iterable[Candidate]) -> list[Candidate]:
    """One of each hook after another, while there are any; the latest of each first."""
    by_hook: dict[str, list[Candidate]] = {}
    for each in sorted(candidates, key=lambda each: -each.ask):
        by_hook.setdefault(each.hook, []).append(each)
    columns = sorted(by_hook.values(), key=lambda each: (len(each), each[0].hook))
    return [each for row in zip_longest(*columns) for each in row if each is not None]
