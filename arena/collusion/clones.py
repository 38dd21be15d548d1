"""How often two bots answer the same ask differently; copies of a bot never do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.tournament.inference.intervals import Estimate, clustered_mean


@dataclass(frozen=True)
class CloneAskCounts:
    """Asks in a ``block`` that were recorded from bot ``of`` and put to bot ``to``, by hook: how many there were, and
    how many got a different answer."""

    of: str
    to: str
    block: int
    hooks: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class CloneDistance:
    """How far two bots are apart: ``asks`` of either were put to the other, and ``other`` of them got a different
    answer; ``share`` is the share of these, with its interval clustered by block. ``hooks`` has both numbers by
    hook."""

    one: str
    two: str
    asks: int
    other: int
    share: Estimate
    hooks: dict[str, tuple[int, int]]

    @property
    def answers_alike(self) -> bool:
        """Whether there were asks, and all got the same answer."""
        return self.asks > 0 and self.other == 0


def clone_distances(asked: Iterable[CloneAskCounts]) -> list[CloneDistance]:
    """The distance of every pair of bots that was compared, the nearest first. A bot's distance from itself shows
    whether it repeats itself."""
    pairs: dict[tuple[str, str], list[CloneAskCounts]] = {}
    for each in asked:
        pairs.setdefault((min(each.of, each.to), max(each.of, each.to)), []).append(each)
    found = [_distance(one, two, every) for (one, two), every in pairs.items()]
    return sorted(found, key=lambda each: (each.other / each.asks if each.asks else 2.0, each.one, each.two))


def _distance(one: str, two: str, asked: Sequence[CloneAskCounts]) -> CloneDistance:
    hooks: dict[str, tuple[int, int]] = {}
    blocks: dict[int, list[int]] = {}
    for each in asked:
        for hook, (asks, other) in sorted(each.hooks.items()):
            before = hooks.get(hook, (0, 0))
            hooks[hook] = before[0] + asks, before[1] + other
            sums = blocks.setdefault(each.block, [0, 0])
            sums[0] += asks
            sums[1] += other
    share = clustered_mean(((other, asks) for asks, other in blocks.values()), share=True)
    asks, other = (sum(each[at] for each in hooks.values()) for at in (0, 1))
    return CloneDistance(one, two, asks, other, share, dict(sorted(hooks.items())))
