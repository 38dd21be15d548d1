"""Standings as a fold over match records: who won how much, how surely, and against whom.

Money is of one game: it is never added up over several. What holds across games is matchpoints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from arena.tournament.intervals import Estimate, clustered_mean
from arena.tournament.records import MatchRecord
from arena.tournament.schedule import ALL_EDITIONS
from arena.tournament.tally import Sums, Tally

STRUCK_OUT, FORFEIT = "struck-out", "forfeit"


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant.

    ``wins`` counts a win shared by n as 1/n; ``win_rate`` is in 0…1, ``mean_rank`` counts from 1, best;
    ``matchpoints`` (:func:`arena.tournament.tally.matchpoints`) are in 0…1 too, ``mean_money`` is in the game's unit
    and not known over several games. Intervals are clustered by block. ``faults_by_kind`` is in the order of its
    keys; ``struck_out`` and ``forfeits`` count the matches that the bot left so.
    """

    entrant: str
    matches: int
    wins: float
    win_rate: Estimate
    mean_rank: Estimate
    matchpoints: Estimate
    mean_money: Estimate
    faults: int
    faults_by_kind: Mapping[str, int]
    struck_out: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """How ``entrant`` did in the matches it sat in with ``opponent``: ``score`` is the share of them in which
    it ranked better, an equal rank counting half; ``money_difference`` the mean of its money less the
    opponent's. Both are None when the two never met, the latter also over several games."""

    entrant: str
    opponent: str
    matches: int
    score: float | None
    money_difference: float | None


@dataclass(frozen=True, slots=True)
class Standings:
    """Standings of one edition, of all editions of one game (``edition`` is then the game's name), or of all
    together (``all``).

    ``games`` are those of the matches, by name: one, several for ``all`` of a mixed tournament, none before the first
    match. ``matches`` leaves out the ``voids``; ``blocks`` had at least one match that counts. ``even_share`` is the
    win rate of an entrant no better and no worse than the others: 1/seats, averaged over all seats taken if
    tables differ, None before the first match. ``rows`` go by win rate, then mean rank, mean money and name;
    over several games by matchpoints, then win rate, mean rank and name; those without matches last.
    ``crosstable`` has every ordered pair, in the order of the rows.
    """

    edition: str
    games: tuple[str, ...]
    matches: int
    voids: int
    blocks: int
    even_share: float | None
    rows: tuple[Row, ...]
    crosstable: tuple[Pairing, ...]


def fold_standings(
    records: Iterable[MatchRecord], names: Iterable[str] = (), editions: Iterable[str] = ()
) -> tuple[Standings, ...]:
    """Standings of each edition; if there are several games, of each that has several editions; and, if there are
    several editions, of all together as the last.

    Everybody in ``names`` has a row, played or not, as has whoever played without being named. ``editions``
    gives the order of the result and may hold some without a record; any others follow by label. Over several
    editions the blocks of one number are one cluster, as they share the deal's seed. ``records`` is read
    once; memory grows with blocks and entrants, not with matches. Raises UserError for an edition of two games.
    """
    tallies = {edition: Tally() for edition in editions}
    listed = len(tallies)
    for record in records:
        tallies.setdefault(record.edition, Tally()).add(record)
    labels = [*list(tallies)[:listed], *sorted(list(tallies)[listed:])]
    entrants = set(names).union(*(tally.blocks for tally in tallies.values()))
    groups = {label: [tallies[label]] for label in labels}
    by_game: dict[str, list[Tally]] = {}
    for label in labels:
        for game in tallies[label].games:
            by_game.setdefault(game, []).append(tallies[label])
    if len(by_game) > 1:
        groups |= {game: group for game, group in by_game.items() if len(group) > 1}
    if len(labels) > 1:
        groups[ALL_EDITIONS] = [tallies[label] for label in labels]
    return tuple(_standings(name, _together(group), entrants) for name, group in groups.items())


def _together(tallies: list[Tally]) -> Tally:
    """One tally of all."""
    if len(tallies) == 1:
        return tallies[0]
    together = Tally(tuple(sorted({game for tally in tallies for game in tally.games})))
    for tally in tallies:
        together.absorb(tally)
    return together


def _standings(edition: str, tally: Tally, entrants: set[str]) -> Standings:
    totals = {entrant: _total(tally.blocks.get(entrant, {}).values()) for entrant in entrants}
    order = sorted(totals, key=lambda entrant: _place(entrant, totals[entrant], tally.has_money))
    return Standings(
        edition=edition,
        games=tally.games,
        matches=tally.matches,
        voids=tally.voids,
        blocks=len({block for blocks in tally.blocks.values() for block in blocks}),
        even_share=tally.matches / tally.seats if tally.seats else None,
        rows=tuple(_row(entrant, totals[entrant], tally) for entrant in order),
        crosstable=tuple(_pairing(x, y, tally) for x in order for y in order if x != y),
    )


def _total(blocks: Iterable[Sums]) -> Sums:
    total = Sums()
    for sums in blocks:
        total.add(sums)
    return total


def _place(entrant: str, total: Sums, has_money: bool) -> tuple[bool, Fraction, Fraction, Fraction, Fraction, str]:
    """The sort key, exact: a rounded mean could part two that are equal."""
    n = total.matches or 1
    return (
        not total.matches,
        Fraction(0) if has_money else -Fraction(total.matchpoints) / n,
        -Fraction(total.wins) / n,
        Fraction(total.rank, n),
        -Fraction(total.money, n),
        entrant,
    )


def _row(entrant: str, total: Sums, tally: Tally) -> Row:
    blocks = tally.blocks.get(entrant, {}).values()
    faults = tally.faults.get(entrant, Counter())
    return Row(
        entrant=entrant,
        matches=total.matches,
        wins=float(total.wins),
        win_rate=clustered_mean((float(sums.wins), sums.matches) for sums in blocks),
        mean_rank=clustered_mean((sums.rank, sums.matches) for sums in blocks),
        matchpoints=clustered_mean((float(sums.matchpoints), sums.matches) for sums in blocks),
        mean_money=clustered_mean((sums.money, sums.matches) for sums in (blocks if tally.has_money else ())),
        faults=faults.total(),
        faults_by_kind=dict(sorted(faults.items())),
        struck_out=tally.ended[entrant, STRUCK_OUT],
        forfeits=tally.ended[entrant, FORFEIT],
    )


def _pairing(entrant: str, opponent: str, tally: Tally) -> Pairing:
    met = tally.meetings.get((min(entrant, opponent), max(entrant, opponent)))
    if met is None:
        return Pairing(entrant, opponent, 0, None, None)
    first = entrant < opponent
    points = met.points if first else 2 * met.matches - met.points
    money = (met.money if first else -met.money) / met.matches if tally.has_money else None
    return Pairing(entrant, opponent, met.matches, points / (2 * met.matches), money)
