"""The growth of entrants' money from deal to deal: exact sums by entrant and block, from the tables of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, zip_longest
from typing import NamedTuple

from arena.games import load_game
from arena.games.presenting import GameRows, MoneyByDeal
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.records.match_record import MatchRecord


class MoneyPoint(NamedTuple):
    """The mean money after a number of deals (or rounds), and how many of the ``matches`` had that many; shorter ones
    count with their final money."""

    deals: int
    reached: int
    matches: int
    money: Estimate


def money_by_deal(game: str) -> MoneyByDeal | None:
    """Return the function that finds the money of each deal in this game; None where the game has none."""
    money = load_game(game).presenting.money
    return None if money is None else money()


@dataclass(slots=True)
class BlockSum:
    """Sums over the matches of an entrant in one block: its money at the ``start``, then the gain of each deal."""

    matches: int = 0
    start: int = 0
    gains: list[int] = field(default_factory=list)

    def add(self, other: BlockSum) -> None:
        """Add the sums of other matches."""
        self.matches += other.matches
        self.start += other.start
        self.gains = [one + two for one, two in zip_longest(self.gains, other.gains, fillvalue=0)]


@dataclass(slots=True)
class MoneyOverDeals:
    """The sums of many matches: by edition and entrant, then by block."""

    sums: dict[tuple[str, str], dict[int, BlockSum]] = field(default_factory=dict)
    reached: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)

    def add(self, record: MatchRecord, rows: GameRows) -> None:
        """Add a match; does nothing if its game does not give its money by deal."""
        by_deal = money_by_deal(record.game)
        if by_deal is None:
            return
        gained = by_deal.gains(rows)
        for seat, result in enumerate(record.seats):
            gains = [each.get(seat, 0) for each in gained]
            key = (record.edition, result.entrant)
            blocks = self.sums.setdefault(key, {})
            blocks.setdefault(record.block, BlockSum()).add(BlockSum(1, result.money - sum(gains), gains))
            self.reached.setdefault(key, Counter())[len(gains)] += 1

    def merge(self, other: MoneyOverDeals) -> None:
        """Add the sums of another instance."""
        for key, blocks in other.sums.items():
            own = self.sums.setdefault(key, {})
            for block, sums in blocks.items():
                own.setdefault(block, BlockSum()).add(sums)
        for key, counts in other.reached.items():
            self.reached.setdefault(key, Counter()).update(counts)

    def points(self, editions: Collection[str], entrant: str) -> list[MoneyPoint]:
        """Return the mean money of an entrant after 0, 1, 2 … deals in matches of these editions, which must be of one
        game, up to the most deals of any of these matches. Blocks of the same number are one cluster."""
        blocks: dict[int, BlockSum] = {}
        ended = Counter[int]()
        for edition in editions:
            for block, sums in self.sums.get((edition, entrant), {}).items():
                blocks.setdefault(block, BlockSum()).add(sums)
            ended.update(self.reached.get((edition, entrant), {}))
        most = max((max(counts) for (edition, _), counts in self.reached.items() if edition in editions), default=0)
        return list(_money_points(blocks, ended, most)) if ended else []


def _money_points(blocks: Mapping[int, BlockSum], ended: Counter[int], most: int) -> Iterator[MoneyPoint]:
    matches = ended.total()
    counts = [each.matches for each in blocks.values()]
    series = [list(accumulate([each.start, *each.gains, *[0] * (most - len(each.gains))])) for each in blocks.values()]
    reached = matches
    for deals in range(most + 1):
        sums = [float(each[deals]) for each in series]
        yield MoneyPoint(deals, reached, matches, clustered_mean(zip(sums, counts, strict=True)))
        reached -= ended[deals]
