"""Which decisions of a seat a scan looks at, where there are more than it has time for."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec


class Why(StrEnum):
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
    """A decision that may be looked at: the ``ask`` (from 1), how many answers were ``legal``, the share of other seeds
    with which the bot answered otherwise (``unsure``), whether a second ``opinion`` differs, whether ``all`` the other
    legal answers are compared, and the ``others`` that are, as JSON, each once."""

    ask: int
    legal: int
    unsure: float
    opinion: bool
    all: bool
    others: tuple[bytes, ...]

    @property
    def why(self) -> Why:
        """The first reason that holds."""
        if self.unsure:
            return Why.UNSURE
        if self.opinion:
            return Why.OPINION
        return Why.FEW if self.all else Why.NOTHING


def choose(candidates: Iterable[Candidate], most: int) -> list[Candidate]:
    """At most so many of them, in the order of asks: first those where the bot is unsure, the most unsure first; then
    those where the opinion differs; then those with few answers; then the rest. Of equals a later ask comes before an
    earlier one: what it cost shows more clearly, because less chance follows."""
    order = list(Why)
    found = sorted(candidates, key=lambda each: (order.index(each.why), -each.unsure, -each.ask))
    return sorted(found[:most], key=lambda each: each.ask)
