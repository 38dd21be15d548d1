"""Chooses the decisions of a seat that a scan looks at, if there are more than it has time for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import zip_longest

import msgspec


class CandidateReason(StrEnum):
    """Why a decision is looked at."""

    UNSURE = "unsure"
    """The bot answers otherwise with another seed."""

    OPINION = "opinion"
    """The second opinion answers otherwise."""

    FEW = "few"
    """There are few legal answers, and all are compared."""

    NOTHING = "nothing"
    """There are many legal answers; the default for a bot without an answer is compared."""


class Candidate(msgspec.Struct, frozen=True):
    """A decision that a scan may look at: the ``ask`` (from 1) and its ``hook``, the number of ``legal`` answers, the
    share of other seeds with which the bot answered otherwise (``unsure``), whether a second ``opinion`` differs,
    whether ``all`` other legal answers are compared, and the compared answers (``others``), as JSON, without
    duplicates."""

    ask: int
    hook: str
    legal: int
    unsure: float
    opinion: bool
    all: bool
    others: tuple[bytes, ...]

    @property
    def first_reason(self) -> CandidateReason:
        """The first reason that holds."""
        if self.unsure:
            return CandidateReason.UNSURE
        if self.opinion:
            return CandidateReason.OPINION
        return CandidateReason.FEW if self.all else CandidateReason.NOTHING


def choose_candidates(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """Choose at most ``most`` candidates, and return them in the order of asks: first those where the bot is unsure,
    the most unsure first; then those where the second opinion differs; then those with few answers; then the rest.

    If too many have the same reason, the hooks take turns, the hook with the fewest asks first, each with its latest
    decision: bots are asked some questions ten times as often as others, and most of these matter little."""
    every = list(candidates)
    found = sorted(
        (each for each in every if each.first_reason is CandidateReason.UNSURE),
        key=lambda each: (-each.unsure, -each.ask),
    )
    for why in list(CandidateReason)[1:]:
        found += _in_turns([each for each in every if each.first_reason is why])
    return sorted(found[:most], key=lambda each: each.ask)


def _in_turns(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates of the hooks by turns, one from each hook at a time; the latest of each hook first."""
    by_hook: dict[str, list[Candidate]] = {}
    for each in sorted(candidates, key=lambda each: -each.ask):
        by_hook.setdefault(each.hook, []).append(each)
    columns = sorted(by_hook.values(), key=lambda each: (len(each), each[0].hook))
    return [each for row in zip_longest(*columns) for each in row if each is not None]
