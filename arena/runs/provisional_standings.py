"""Standings of an unfinished run, with what they cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.tournament.measures.measures import Measure
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings, fold_standings


class ProvisionalStandings(msgspec.Struct):
    """``standings`` so far, of ``matches`` finished matches; ``blocks`` has, by edition, the first and last block that
    has a finished match."""

    standings: tuple[Standings, ...]
    matches: int
    blocks: dict[str, tuple[int, int]]

    def in_words(self, total: int) -> str:
        """A sentence saying which matches the standings cover."""
        spans = [f"{label} {_blocks_text(*ends)}" for label, ends in self.blocks.items()]
        return f"provisional, after {self.matches} of {total} matches: {', '.join(spans) or 'none yet'}"


def _blocks_text(first: int, last: int) -> str:
    return f"block {first}" if first == last else f"blocks {first} to {last}"


def provisional_standings(
    records: Iterable[MatchRecord], names: Sequence[str], labels: Sequence[str], measures: Sequence[Measure]
) -> ProvisionalStandings:
    """The standings of these records; the records are read once."""
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
