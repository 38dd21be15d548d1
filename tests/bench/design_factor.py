"""What a match is worth by design: how much surer a result is than as many matches with nothing in common.

    nice python tests/bench/design_factor.py [--matches 1500] [--seed 1]

Plays every design in both games in editions of each, with bundled bots, in one process, and prints a table. The design
factor is explained in `arena/tournament/inference/design_factor.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tabulate import tabulate

from arena.executors.make import make_executor
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.runs.play_run import start_run
from arena.storage.store import MemoryStore
from arena.tournament.measures.measures import MEASURES, Measure, MeasureUnit, SeatInMatch
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.appearances import count_appearances
from arena.tournament.standings.design_worth import factor_told
from arena.tournament.standings.standings import fold_standings

BOTS = {
    "board": "[dealmaker, greedy, fair, hard, saboteur, hoarder]",
    "cards": "[tycoon, closer, spoiler, fair, counter, cousin]",
}
EDITIONS = {"eagle-gryphon": "board", "face2face-2003": "board", "card-game": "cards"}
SEATS = 4
MEASURED = (
    *(each for each in MEASURES if each.name in ("win_rate", "beaten", "mean_money")),
    Measure("lead", "money above the mean of the table", lambda at: lead(at), MeasureUnit.MONEY, interval=True),
)


class Design(NamedTuple):
    """Keys of a tournament file that make up a design."""

    tables: str
    deals: str
    seat_orders: str

    def __str__(self) -> str:
        return f"{self.tables}, {self.deals}, {self.seat_orders}"


DESIGNS = (
    Design("all", "duplicate", "rotations"),
    Design("spread", "duplicate", "rotations"),
    Design("spread", "table", "rotations"),
    Design("spread", "table", "williams"),
    Design("spread", "table", "balanced"),
    Design("spread", "fresh", "rotations"),
)


def plan_of(folder: Path, edition: str, design: Design, matches: int, seed: str) -> Plan:
    """A tournament of this design with the balanced number of matches nearest to ``matches``."""
    path = folder / "bench.yaml"
    path.write_text(
        f"name: bench\nseed: '{seed}'\nentrants: {BOTS[EDITIONS[edition]]}\neditions: [{edition}]\nseats: {SEATS}\n"
        f"tables: {design.tables}\ndeals: {design.deals}\nseat_orders: {design.seat_orders}\n"
        "replays: none\nisolation: none\n"
    )
    cycle = len(make_plan(path).schedule)
    return make_plan(path, matches=max(1, round(matches / cycle)) * cycle)


def records_of(plan: Plan) -> Iterator[MatchRecord]:
    """Play it, and keep nothing but the records."""
    store = MemoryStore(records_only=True)
    with closing(make_executor(1)) as executor:
        start_run(plan, store, executor)
    yield from store.records()


def measure(edition: str, design: Design, matches: int, seed: str) -> list[object]:
    """A row of the table."""
    with TemporaryDirectory() as folder:
        plan = plan_of(Path(folder), edition, design, matches, seed)
        records = list(records_of(plan))
    counted = count_appearances(plan.schedule, plan.tournament.deal_sharing)
    (standings,) = fold_standings(records, measures=MEASURED)
    factors = [factor_told(standings.design[each.name]) for each in MEASURED]
    return [edition, str(design), len(records), counted.deals if counted else "", *factors]


def lead(at: SeatInMatch) -> Fraction:
    """By how much a seat has more money than the mean of its table."""
    return at.seat.money - Fraction(sum(seat.money for seat in at.record.seats), len(at.record.seats))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1500, help="matches of each design in each edition")
    parser.add_argument("--seed", default="1", help="the tournaments' seed")
    given = parser.parse_args(arguments)
    rows = []
    for edition in EDITIONS:
        for design in DESIGNS:
            rows.append(measure(edition, design, given.matches, given.seed))
            print(*rows[-1], sep="  ", flush=True)
    headers = ["edition", "tables, deals, seat orders", "matches", "deals", "wins", "beaten", "money", "lead"]
    print(tabulate(rows, headers, disable_numparse=True))


if __name__ == "__main__":
    main()
