"""The standings of a run without some of its entrants: every match in which one of them sat is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.errors import UserError, unknown_entrant
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.standings.standings import Standings, fold_standings


@dataclass(frozen=True)
class StandingsWithout:
    """The ``standings`` without the matches of the entrants ``names``: ``left_out`` of ``matches`` matches do not
    count."""

    names: tuple[str, ...]
    standings: tuple[Standings, ...]
    left_out: int
    matches: int

    def in_words(self) -> str:
        """Says what was left out, and how that affects the standings."""
        return (
            f"without {', '.join(self.names)}: {self.left_out} of {self.matches} matches, all in which they sat, are "
            f"left out. The rest is not balanced: entrants may not have met equally often, and seats and deals count "
            f"unequally. The standings files in the folder do not change."
        )


def standings_without(store: FolderStore, names: Sequence[str]) -> StandingsWithout:
    """The standings without these entrants; nothing is written. Raises UserError for a name that no entrant has, and
    where no match is left."""
    facts = store.facts()
    entrants = tuple(facts.entrants)
    for name in names:
        if name not in entrants:
            raise unknown_entrant(name, entrants)
    gone = frozenset(names)
    matches = left = 0

    def others() -> Iterator[MatchRecord]:
        nonlocal matches, left
        for record in store.records():
            matches += 1
            if gone.isdisjoint(seat.entrant for seat in record.seats):
                left += 1
                yield record

    kept = tuple(name for name in entrants if name not in gone)
    standings = fold_standings(others(), kept, tuple(facts.editions), facts.measures)
    told = ", ".join(sorted(gone, key=entrants.index))
    if not left:
        raise UserError(f"{store.shown} has no match without {told}")
    return StandingsWithout(tuple(sorted(gone, key=entrants.index)), standings, matches - left, matches)
