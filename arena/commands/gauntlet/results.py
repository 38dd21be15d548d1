"""The results of a gauntlet, while it is played and at its end: the challengers' scores, and the faults with
evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UnsetType

from arena.commands.gauntlet.until_clear import RowEnd
from arena.games import load_game
from arena.games.summary import Summary
from arena.match.work import WorkResult
from arena.replay.fault_counts import count_faults
from arena.replay.read import read_replay_lines
from arena.runs.planning.plan import Plan
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.inference.trials import Trial, fold_trials
from arena.tournament.measures.measures import Number, shared_wins
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Pairing, Standings, fold_standings


class GauntletFault(msgspec.Struct):
    """Faults of one kind of one entrant: how many (``count``), in how many ``matches``, and the first of them in the
    schedule's order: its rule, hook, ask and ``evidence``, and the id, seed, and entrants by seat of its match."""

    entrant: str
    kind: str
    rule: str
    hook: str
    evidence: str
    ask: int
    match: str
    seed: str
    seats: tuple[str, ...]
    count: int = 0
    matches: int = 0


class EntrantCounts(msgspec.Struct):
    """The counts of one entrant (:class:`arena.games.summary.Summary`), by name, over its ``matches``."""

    matches: int
    counts: dict[str, int]


class GauntletScores:
    """Adds up the results of a gauntlet match by match. The order of the matches does not matter; void matches count
    only for faults."""

    def __init__(self) -> None:
        self._wins: dict[str, dict[int, tuple[Number, int]]] = {}
        self._sums: dict[str, EntrantCounts] = {}
        self._faults: dict[tuple[str, str], GauntletFault] = {}
        self._first: dict[tuple[str, str], tuple[int, str]] = {}

    def add(self, done: WorkResult) -> None:
        """Take in one match."""
        self._count_wins(done.record)
        if not isinstance(done.record.counts, UnsetType) and not done.record.void:
            for number, seat in enumerate(done.record.seats):
                sums = self._sums.setdefault(seat.entrant, EntrantCounts(0, {}))
                sums.matches += 1
                for name, by_seat in done.record.counts.items():
                    sums.counts[name] = sums.counts.get(name, 0) + by_seat[number]
        for number, seat in enumerate(done.record.seats):
            for kind, count in seat.faults.items():
                shown = self._fault(done, number, kind)
                shown.count += count
                shown.matches += 1

    def win_rate(self, entrant: str) -> Estimate:
        """The entrant's share of wins so far."""
        blocks = self._wins.get(entrant, {}).values()
        return clustered_mean([(float(wins), matches) for wins, matches in blocks], share=True, step=1.0)

    @property
    def sums(self) -> dict[str, EntrantCounts]:
        """The counts of each entrant, summed up; empty for a game that keeps none."""
        return self._sums

    @property
    def faults(self) -> list[GauntletFault]:
        """The faults, by entrant and kind."""
        return [self._faults[key] for key in sorted(self._faults)]

    def _count_wins(self, record: MatchRecord) -> None:
        """Count the wins and matches of each entrant by block. It takes one match at a time; many together would be
        faster."""
        if record.void:
            return
        shares = shared_wins(tuple([seat.rank for seat in record.seats]))
        for seat, share in zip(record.seats, shares, strict=True):
            blocks = self._wins.setdefault(seat.entrant, {})
            wins, matches = blocks.get(record.block, (0, 0))
            blocks[record.block] = (wins + share, matches + 1)

    def _fault(self, done: WorkResult, number: int, kind: str) -> GauntletFault:
        """The entry for faults of this kind by the entrant in seat ``number``; it takes its evidence from the first
        match."""
        record = done.record
        key, place = (record.seats[number].entrant, kind), (record.block, record.id)
        if key in self._faults and self._first[key] < place:
            return self._faults[key]
        lines = read_replay_lines(done.replay)[1] if done.replay is not None else []
        first = next((each for each in count_faults(lines) if each.seat == number and each.kind == kind), None)
        before = self._faults.get(key)
        self._first[key] = place
        self._faults[key] = GauntletFault(
            *key,
            rule=first.rule if first else "",
            hook=first.hook if first else "",
            evidence=first.evidence if first else "",
            ask=first.ask if first else 0,
            match=record.id,
            seed=record.seed,
            seats=tuple(seat.entrant for seat in record.seats),
            count=before.count if before else 0,
            matches=before.matches if before else 0,
        )
        return self._faults[key]


class GauntletResult(msgspec.Struct):
    """The result of a gauntlet: the ``standings`` of the challengers and the field at these tables, the challengers'
    ``duels`` with each opponent, the ``trials`` that compare several challengers with one of them, the summed counts of
    each entrant (``sums``, empty for a game without a ``summary``), and the faults."""

    standings: Standings
    duels: Sequence[Pairing]
    trials: Sequence[Trial]
    summary: Summary | None
    sums: dict[str, EntrantCounts]
    faults: Sequence[GauntletFault]
    ends: dict[str, RowEnd] = {}
    """Where the sequential test of each challenger but the base stands, if rows end by it."""


def gauntlet_result(plan: Plan, records: Iterable[MatchRecord], scores: GauntletScores, base: str) -> GauntletResult:
    """Compute the result from the matches; several challengers are compared with the one called ``base``."""
    every = list(records)
    challengers = plan.tournament.challengers
    field = [name for name in plan.names if name not in challengers]
    (standings,) = fold_standings(every, plan.names, plan.labels)
    trials = fold_trials(every, challengers, base) if len(challengers) > 1 else ()
    summary = load_game(plan.tables[0][0].game).summary
    pairs = {(pair.entrant, pair.opponent): pair for pair in standings.crosstable}
    duels = [pairs[challenger, opponent] for challenger in challengers for opponent in field]
    return GauntletResult(standings, duels, trials, summary, scores.sums, scores.faults)
