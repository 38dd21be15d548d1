"""Who won a knockout, and in which round the others were out: in words, and as a table for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.tournament.formats.format import Placing
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.standings.standings_tables import EDITION, ENTRANT, PLACE
from arena.tournament.tables.result_table import ResultColumn, ResultTable, table_csv


def elimination_words(schedule: Schedule, names: Sequence[str]) -> list[str]:
    """A sentence for each edition whose format eliminates entrants, once somebody is out."""
    return [
        f"{label}: {_placings_sentence(schedule.rounds_of(label), places, names)}"
        for label, places in schedule.placings().items()
    ]


def placings_csv(placings: Mapping[str, Sequence[Placing]], names: Sequence[str]) -> str:
    """A line for each entrant of each edition, the best first, with the round (from 1) in which it was out; an empty
    field for the winner, and for all who are still in."""
    rows = [
        (label, number, names[each.entrant], each.out)
        for label, places in placings.items()
        for number, each in enumerate(places, 1)
    ]
    return table_csv(ResultTable((EDITION, PLACE, ENTRANT, ResultColumn("out_in_round")), rows))


def _placings_sentence(rounds: int, places: Sequence[Placing], names: Sequence[str]) -> str:
    """A sentence on who is still in, then on who was out in each round, the last one first."""
    still_in = [names[each.entrant] for each in places if each.out is None]
    told = [f"{still_in[0]} has won" if len(still_in) == 1 else f"still in: {', '.join(still_in)}"]
    for round in range(rounds, 0, -1):
        if out := [names[each.entrant] for each in places if each.out == round]:
            told.append(f"out in {'the final' if round == rounds else f'round {round}'}: {', '.join(out)}")
    return "; ".join(told)
