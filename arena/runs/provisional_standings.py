"""Standings of a run that is not finished, with what they are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.tournament.measures.measures import Measure
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings, fold_standings


class ProvisionalStandings(msgspec.Struct):
    """``standings`` so far, of so many finished ``matches``; ``blocks`` has the first and last block, by edition, of
    which there is a match."""

    standings: tuple[Standings, ...]
    matches: int
    blocks: dict[str, tuple[int, int]]

    def in_words(self, total: int) -> str:
        """What the standings are of."""
        spans = [f"{label} {_blocks_text(*ends)}" for label, ends in self.blocks.items()]
        return f"provisional, after {self.matches} of {total} matches: {', '.join(spans) or 'none yet'}"


def _blocks_text(first: int, last: int) -> str:
    return f"block {first}" if first == last else f"blocks {first} to {last}"


def provisional_standings(
    records: Iterable[MatchRecord], names: Sequence[str], labels: Sequence[str], measures: Sequence[Measure]
) -> ProvisionalStandings:
    """The standings of these records, which are read once."""
    blocks: dict[str, tuple[int, int]] = {}
    matches = 0

    def noted() -> Iterator[MatchRecord]:
        nonlocal matches
        for record in records:
            matches += 1
            first, last = blocks.get(record.edition, (record.block, record.block))
            blocks[record.edition] = min(first, record.block), max(last, record.block)
            yield record

    standings = fold_standings(noted(), names, labels, measures)
    return ProvisionalStandings(standings, matches, {label: blocks[label] for label in labels if label in blocks})
