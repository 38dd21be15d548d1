"""Compares the challengers of a gauntlet with one of them, the base. All play the same tables, deals and seats, so each
match of one has its counterpart among the matches of another. Such a paired comparison needs far fewer matches than two
separate ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.inference.verdict import IntervalVerdict, judge_interval
from arena.tournament.measures.measures import shared_wins
from arena.tournament.records.match_record import MatchRecord


@dataclass(frozen=True, slots=True)
class Trial:
    """One challenger: its share of wins, its mean money in the game's unit, and how much larger each is than the base
    challenger's, over the blocks in which both have equally many matches (None for the base itself). All have 95 %
    intervals clustered by block."""

    entrant: str
    matches: int
    win_rate: Estimate
    mean_money: Estimate
    more_wins: Estimate | None
    more_money: Estimate | None

    @property
    def verdict(self) -> IntervalVerdict | None:
        """What the interval of ``more_wins`` says; None for the base."""
        return None if self.more_wins is None else judge_interval(self.more_wins, 0)


@dataclass(slots=True)
class _Block:
    matches: int = 0
    wins: float = 0.0
    money: int = 0


@dataclass(slots=True)
class _Results:
    blocks: dict[int, _Block] = field(default_factory=dict)

    def mean(self, of: str) -> Estimate:
        won = of == "wins"
        counted = [(float(getattr(block, of)), block.matches) for block in self.blocks.values()]
        return clustered_mean(counted, share=won, step=float(won))

    def difference_from(self, base: _Results, of: str) -> Estimate:
        both = [(block, base.blocks[number]) for number, block in self.blocks.items() if number in base.blocks]
        return clustered_mean(
            [
                (float(getattr(block, of) - getattr(other, of)), block.matches)
                for block, other in both
                if block.matches == other.matches
            ]
        )


def fold_trials(records: Iterable[MatchRecord], challengers: Sequence[str], base: str) -> tuple[Trial, ...]:
    """Compare each of the ``challengers``, in this order, with the challenger ``base``; void matches do not count.
    Memory grows with challengers and blocks, not with matches."""
    found = {name: _Results() for name in challengers}
    for record in records:
        if record.void:
            continue
        wins = shared_wins(tuple([seat.rank for seat in record.seats]))
        for seat, won in zip(record.seats, wins, strict=True):
            if (results := found.get(seat.entrant)) is not None:
                block = results.blocks.setdefault(record.block, _Block())
                block.matches += 1
                block.wins += float(won)
                block.money += seat.money
    return tuple(_make_trial(name, results, None if name == base else found[base]) for name, results in found.items())


def _make_trial(name: str, own: _Results, base: _Results | None) -> Trial:
    return Trial(
        entrant=name,
        matches=sum(block.matches for block in own.blocks.values()),
        win_rate=own.mean("wins"),
        mean_money=own.mean("money"),
        more_wins=None if base is None else own.difference_from(base, "wins"),
        more_money=None if base is None else own.difference_from(base, "money"),
    )
