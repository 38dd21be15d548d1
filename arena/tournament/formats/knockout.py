"""The format in which the best of each table go on, and the others are out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.tournament.formats.format import Placing
from arena.tournament.formats.ranking import rank_entrants
from arena.tournament.formats.rounds_format import RoundsFormat
from arena.tournament.formats.separate_tables import kept_apart
from arena.tournament.records.earlier_results import EarlierResults


@dataclass(frozen=True, slots=True)
class _Stage:
    """A drawn round: its ``tables``, the entrants with a bye (``resting``), and ``standing``, all who are still in,
    best first."""

    tables: list[tuple[int, ...]]
    resting: list[int]
    standing: list[int]


class Knockout(RoundsFormat):
    """In every round the entrants who are still in sit at as many tables as they can fill. Of each table the best half
    goes on, rounded down; those without a table have a bye and go on. The round in which one table is left is the
    final, and its best is the winner. Where fewer would reach the final than it has seats, the best of those who lost
    in the round before it fill it up (lucky losers).

    Entrants at a table are ranked by their results there, in all blocks of the round: by the share of opponents beaten,
    then by money per match (:func:`arena.tournament.formats.ranking.rank_entrants`); then by all earlier results, in
    the same way; then by the draw. Before each round all who are still in are ranked in this way. Byes go to those with
    the fewest byes so far, among these to the best. The others are dealt out to the tables in turn, forth and back, so
    that the best do not meet early; team-mates are moved to different tables where possible."""

    def rounds(self, seats: int) -> int:
        """The number of rounds from all entrants to the final."""
        return len(self._sizes(seats))

    def period(self, seats: int) -> int:
        """The number of all blocks: nothing repeats, because there is only one final."""
        return self.first_block(seats, self.rounds(seats))

    def count_in(self, seats: int, round: int) -> int:
        """As many tables as the entrants who are still in can fill."""
        return self._sizes(seats)[round] // seats

    def drawn_tables(self, seats: int, round: int, earlier: EarlierResults) -> list[tuple[int, ...]]:
        """The tables, the one with the best entrant first."""
        return self._play(seats, round, earlier)[-1].tables

    def placings(self, seats: int, earlier: EarlierResults, finished: int) -> Sequence[Placing]:
        """See :meth:`Format.placings`."""
        rounds = self.rounds(seats)
        over = min(finished // self.each_lasts(seats), rounds)
        if not over:
            return ()
        stages = self._play(seats, min(over, rounds - 1), earlier)
        found = [Placing(each, None) for each in stages[over].standing] if over < rounds else []
        for round in range(over - 1, -1, -1):
            through = {placing.entrant for placing in found}
            lost = [each for each in self._after(seats, round, stages[round], earlier) if each not in through]
            found += [
                Placing(each, None if not found and not number else round + 1) for number, each in enumerate(lost)
            ]
        return found

    def in_words(self, seats: int) -> str:
        """A sentence with the entrants and tables of every round."""
        sizes, lasts = self._sizes(seats), self.each_lasts(seats)
        told = [
            f"{size} entrants at {size // seats} {'table' if size < 2 * seats else 'tables'}" for size in sizes[:-1]
        ]
        rounds = (
            f"{len(sizes)} {'round' if len(sizes) == 1 else 'rounds'} of {lasts} {'block' if lasts == 1 else 'blocks'}"
        )
        return f"{rounds}: {', then '.join([*told, f'the final of {seats}'])}; the results decide who goes on"

    def _sizes(self, seats: int) -> list[int]:
        """The number of entrants who are still in, round by round."""
        sizes = [self.entrants]
        while sizes[-1] > seats:
            tables, byes = divmod(sizes[-1], seats)
            sizes.append(max(seats, tables * (seats // 2) + byes))
        return sizes

    def _play(self, seats: int, last: int, earlier: EarlierResults) -> list[_Stage]:
        """Draw all rounds up to and including the ``last`` one."""
        stages: list[_Stage] = []
        still_in, rested = self.drawn, Counter[int]()
        for round, size in enumerate(self._sizes(seats)[: last + 1]):
            if stages:
                still_in = self._going_on(seats, round - 1, stages[-1], size, earlier)
            start = self.first_block(seats, round)
            absent = earlier.suspended_entrants(start)
            standing = rank_entrants(self._by_draw(still_in), earlier.scores(range(start)), seats, absent)
            order = sorted(standing, key=lambda each: (each not in absent, rested[each]))
            resting = order[: size % seats]
            rested.update(resting)
            playing = [each for each in standing if each not in resting]
            stages.append(_Stage(self._seated(playing, size // seats), resting, standing))
        return stages

    def _going_on(self, seats: int, round: int, stage: _Stage, wanted: int, earlier: EarlierResults) -> list[int]:
        """The ``wanted`` entrants who go on from a round: those with a bye, the best of each table, then lucky
        losers."""
        order = self._after(seats, round, stage, earlier)
        place = {entrant: number for number, entrant in enumerate(order)}
        best = [each for table in stage.tables for each in sorted(table, key=place.__getitem__)[: seats // 2]]
        lucky = [each for each in order if each not in best and each not in stage.resting]
        through = [*stage.resting, *best]
        return [*through, *lucky[: wanted - len(through)]]

    def _after(self, seats: int, round: int, stage: _Stage, earlier: EarlierResults) -> list[int]:
        """All entrants of a round, best first: by their results in it, then by their rank before it."""
        next_block = min(self.first_block(seats, round + 1), self.first_block(seats, self.rounds(seats)) - 1)
        absent = earlier.suspended_entrants(next_block)  # whoever is put out in the last block has played to the end
        return rank_entrants(stage.standing, earlier.scores(self.blocks_of(seats, round)), seats, absent)

    def _by_draw(self, entrants: Sequence[int]) -> list[int]:
        return [each for each in self.drawn if each in entrants]

    def _seated(self, playing: Sequence[int], tables: int) -> list[tuple[int, ...]]:
        """Deal the ``playing`` entrants out to the tables forth and back, and separate team-mates."""
        seated: list[list[int]] = [[] for _ in range(tables)]
        for number, entrant in enumerate(playing):
            turn, place = divmod(number, tables)
            seated[tables - 1 - place if turn % 2 else place].append(entrant)
        return kept_apart(seated, lambda one, other: self.teams[one] == self.teams[other])
