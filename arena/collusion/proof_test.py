"""Gifts of a pair in matches that were played again, compared with the same matches as they were played."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from arena.games.giving import MatchGifts
from arena.tournament.inference.intervals import Estimate, clustered_mean


class ProofPlay(StrEnum):
    """How the matches were played: as in the run; with nobody hearing what the two say (``muted``); with the receiver,
    or the giver, replaced by a neutral bot."""

    BEFORE = "as played"
    MUTED = "muted"
    RECEIVER = "receiver exchanged"
    GIVER = "giver exchanged"


class GiftChange(StrEnum):
    """How a gift changes from one play to the other: the interval of the change lies below 0, above 0, is exactly 0, or
    is none of these."""

    FALLS = "falls"
    RISES = "rises"
    SAME = "the same"
    OPEN = "undecided"


@dataclass(frozen=True)
class ProofMatch:
    """The gift under each play, in one match of a ``block``."""

    block: Hashable
    gifts: Mapping[ProofPlay, float]


@dataclass(frozen=True)
class ProofEffect:
    """What one play does to the gifts in one direction: the ``gift`` a match, and its ``change`` from the matches as
    they were played, paired by match and clustered by block; None for those matches themselves."""

    play: ProofPlay
    giver: str
    receiver: str
    gift: Estimate
    change: Estimate | None
    verdict: GiftChange | None


def gifts_at_usual_prices(
    given: MatchGifts, usual: Mapping[Hashable, float], edition: str, players: int
) -> list[list[float]]:
    """What each seat gave each other seat in a match, as ``gifts[giver][receiver]``, at the usual prices of a whole
    run."""
    parts: list[list[list[float]]] = [[[] for _ in range(players)] for _ in range(players)]
    for gift in given.gifts:
        own = usual.get((edition, gift.like), 0.0) * gift.times if gift.times else 0.0
        parts[gift.giver][gift.receiver] += (float(gift.money), own)
    return [[fsum(cell) for cell in row] for row in parts]


def preference_of_giver(matrix: Sequence[Sequence[float]], giver: int, receiver: int) -> float:
    """What the giver gave the receiver, less the mean of what it gave the others in this match."""
    others = [amount for seat, amount in enumerate(matrix[giver]) if seat not in (giver, receiver)]
    return matrix[giver][receiver] - (fsum(others) / len(others) if others else 0.0)


def compare_plays(seen: Sequence[ProofMatch], giver: str, receiver: str) -> list[ProofEffect]:
    """The effect of each play of these matches; the first is :attr:`ProofPlay.BEFORE`."""
    plays = [play for play in ProofPlay if seen and play in seen[0].gifts]
    found = []
    for play in plays:
        gift = _estimate_mean((each.block, each.gifts[play]) for each in seen)
        if play is ProofPlay.BEFORE:
            found.append(ProofEffect(play, giver, receiver, gift, None, None))
            continue
        change = _estimate_mean((each.block, each.gifts[play] - each.gifts[ProofPlay.BEFORE]) for each in seen)
        found.append(ProofEffect(play, giver, receiver, gift, change, _judge(change)))
    return found


def _estimate_mean(values: Iterable[tuple[Hashable, float]]) -> Estimate:
    blocks: dict[Hashable, list[float]] = {}
    for block, value in values:
        blocks.setdefault(block, []).append(value)
    return clustered_mean((fsum(each), len(each)) for each in blocks.values())


def _judge(change: Estimate) -> GiftChange:
    if change.alike and change.mean == 0:
        return GiftChange.SAME
    if change.high is not None and change.high < 0:
        return GiftChange.FALLS
    return GiftChange.RISES if change.low is not None and change.low > 0 else GiftChange.OPEN
