"""Finds versions that answer exactly as others do: asks a new version the recorded questions of older ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from arena.errors import CassetteMiss, Mismatch, ReplayError
from arena.finding.reference import BotRef
from arena.match.walk.timeline import Timeline
from arena.recorded.feeding import BotFeeder
from arena.recorded.recorded_models import RecordedModels
from arena.runs.planning.isolation_level import Isolation

FEWEST_ASKS = 20
"""With fewer asks than these, equal answers prove nothing."""


class RecordedSeat(msgspec.Struct, frozen=True):
    """A match in which the older version ``name`` sat in this ``seat``, with its ``replay``, and what language
    ``models`` answered in it."""

    name: str
    replay: bytes
    seat: int
    models: RecordedModels = RecordedModels()


class AlikeVersion(msgspec.Struct, frozen=True):
    """An older version whose ``asks``, from this many ``matches``, the new version answers all alike."""

    name: str
    asks: int
    matches: int

    def in_words(self) -> str:
        """The finding as a sentence."""
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return f"it answers as {self.name} does: all {self.asks} asks of {matches} alike"


def find_alike(new: BotRef, recorded: Iterable[RecordedSeat], isolation: Isolation) -> list[AlikeVersion]:
    """Return the older versions, in order, whose recorded asks the new one answers always as they did. The words that
    bots say are not compared. Language models answer as recorded of the match; who asks them something else differs.
    Versions with fewer than :data:`FEWEST_ASKS` recorded asks, and replays that do not verify, are passed over."""
    asks: dict[str, list[int]] = {}
    other: set[str] = set()
    with BotFeeder(isolation.demand) as again:
        for each in recorded:
            if each.name in other:
                continue
            with suppress(Mismatch, ReplayError):
                desk = each.models.make_desk()
                try:
                    hooks = again.ask(Timeline(each.replay), each.seat, new, first_only=True, desk=desk)
                except CassetteMiss:
                    other.add(each.name)
                    continue
                asks.setdefault(each.name, []).append(sum(put for put, _ in hooks.values()))
                if any(differ for _, differ in hooks.values()):
                    other.add(each.name)
    return list(_alike_versions(asks, other))


def _alike_versions(asks: dict[str, list[int]], other: set[str]) -> Iterator[AlikeVersion]:
    for name, counts in asks.items():
        if name not in other and sum(counts) >= FEWEST_ASKS:
            yield AlikeVersion(name, sum(counts), len(counts))
