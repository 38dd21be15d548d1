"""A measure is one entry in the list: nothing else has to be told of it."""

from __future__ import annotations

import csv
import gc
import random
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest

from arena.penalties import SeatEnd
from arena.tournament.inference.intervals import Estimate
from arena.tournament.measures import same_seat, tally
from arena.tournament.measures.measures import MEASURES, Measure, MeasureUnit, order_measures
from arena.tournament.measures.tally import Numberings, Tally
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.standings.standings import fold_standings
from arena.tournament.standings.standings_text import (
    standings_caption,
    standings_csv,
    standings_data,
    standings_markdown,
    standings_table,
)

LEAD = Measure(
    name="mean_lead",
    meaning="money beyond that of the poorest seat",
    of=lambda at: at.seat.money - min(seat.money for seat in at.record.seats),
    unit=MeasureUnit.MONEY,
    header="mean lead",
    decimals=2,
    interval=True,
    across_games=False,
)
LASTS = Measure(
    name="lasts",
    meaning="matches in which nobody was worse",
    of=lambda at: at.seat.rank == max(at.ranks),
    unit=MeasureUnit.COUNT,
    header="lasts",
    parts=lambda at: [(f"seat {at.number}", 1)] if at.seat.rank == max(at.ranks) else [],
)
HALVES = Measure("half_ranks", "ranks, each halved", lambda at: Fraction(at.seat.rank, 2), MeasureUnit.POINTS)


def match(block: int, *seats: tuple[str, int, int], game: str = "board") -> MatchRecord:
    """A record from (entrant, money, rank) of each seat."""
    return MatchRecord("id", game, f"{game}-3p", block, "s", "end", 9, tuple(SeatRecord(*seat) for seat in seats))


RECORDS = [
    match(0, ("ann", 30, 1), ("ben", 10, 3), ("cat", 12, 2)),
    match(1, ("cat", 0, 3), ("ann", 8, 1), ("ben", 4, 2)),
    match(2, ("ben", 6, 2), ("cat", 2, 3), ("ann", 10, 1)),
]
# Ann leads by 20, 8 and 8: 12 on average, off by 8, -4 and -4; error² = (64 + 16 + 16) / (3 * 2), so error = 4, and
# Student's t at two degrees of freedom is 4.303.


def data_of(records: list[MatchRecord], *measures: Measure) -> Any:
    return standings_data(fold_standings(records, measures=measures))


def test_a_new_measure_is_tallied_by_block() -> None:
    tally = Tally((*MEASURES, LEAD, LASTS), Numberings())
    tally.add(RECORDS)
    lead = tally.column(LEAD)
    assert list(tally.of_entrant("ann").clusters(lead)) == [(20, 1), (8, 1), (8, 1)]
    assert tally.total("ben", LASTS) == 1
    assert tally.parts["cat", "lasts"] == {"seat 0": 1, "seat 1": 1}


def test_a_new_measure_stands_in_json() -> None:
    ann, ben, _ = data_of(RECORDS, *MEASURES, LEAD, LASTS, HALVES)["board-3p"]["rows"]
    assert list(ann)[-5:] == ["forfeits", "mean_lead", "lasts", "lasts_by_kind", "half_ranks"]
    assert ann["mean_lead"] == {"mean": 12.0, "half_width": 17.212, "low": -5.212, "high": 29.212, "clusters": 3}
    assert (ann["lasts"], ann["lasts_by_kind"], ann["half_ranks"]) == (0, {}, 1.5)
    assert (ben["lasts"], ben["lasts_by_kind"], ben["half_ranks"]) == (1, {"seat 1": 1}, 3.5)


def test_a_new_measure_stands_in_csv() -> None:
    text = standings_csv(fold_standings(RECORDS, measures=(*MEASURES, LEAD, LASTS, HALVES)))
    ann, ben, _ = csv.DictReader(StringIO(text))
    assert list(ann)[-4:] == ["lasts", "half_ranks", "lasts.seat 0", "lasts.seat 1"]
    assert (ann["mean_lead"], ann["mean_lead_half_width"]) == ("12.000000", "17.212000")
    assert (ben["lasts"], ben["half_ranks"], ben["lasts.seat 0"], ben["lasts.seat 1"]) == ("1", "3.500000", "0", "1")


@pytest.mark.parametrize("shown", [standings_table, standings_markdown])
def test_a_new_measure_with_a_header_has_a_column(shown: Any) -> None:
    (standings,) = fold_standings(RECORDS, measures=(LEAD, LASTS, HALVES))
    lines = [line.replace("|", " ").split() for line in shown(standings).splitlines()]
    assert lines[0] == ["#", "entrant", "matches", "mean", "lead", "lasts"]
    assert lines[2] == ["1", "ann", "3", "12.00", "±17.21", "0"]


def test_a_measure_that_does_not_go_across_games_is_not_known_over_several() -> None:
    records = [*RECORDS, match(0, ("ann", 9, 1), ("ben", 8, 2), game="cards")]
    total = Measure(
        "money", "all of it", lambda at: at.seat.money, MeasureUnit.MONEY, header="total", across_games=False
    )
    *_, together = fold_standings(records, measures=(LEAD, total, LASTS))
    assert together.rows[0].values == {"mean_lead": Estimate(None, None, None, 0), "money": None, "lasts": 0}
    assert standings_table(together).splitlines()[0].split() == ["#", "entrant", "matches", "lasts"]
    assert data_of(records, total)["all"]["rows"][0]["money"] is None
    (*_, line) = csv.DictReader(StringIO(standings_csv([together])))
    assert (line["edition"], line["money"], line["mean_lead"]) == ("all", "", "")


def test_standings_go_by_the_places_of_measures() -> None:
    lasts = Measure("lasts", "", LASTS.of, MeasureUnit.COUNT, "lasts", less_is_better=True, place=2, place_across=1)
    lead = Measure("lead", "", LEAD.of, MeasureUnit.MONEY, interval=True, across_games=False, place=1, place_across=2)
    assert order_measures((lasts, lead), ["board"]) == (lead, lasts)
    assert order_measures((lasts, lead), ["board", "cards"]) == (lasts,)
    (standings,) = fold_standings(RECORDS, measures=(lasts, lead))
    assert [row.entrant for row in standings.rows] == ["ann", "ben", "cat"]
    *_, together = fold_standings([*RECORDS, match(0, ("ann", 9, 2), ("ben", 8, 1), game="cards")], measures=(lasts,))
    assert [(row.entrant, row["lasts"]) for row in together.rows] == [("ann", 1), ("ben", 1), ("cat", 2)]
    assert " Ordered by lasts. " in standings_caption(together)


def test_measures_have_names_of_their_own() -> None:
    names = [measure.name for measure in MEASURES]
    fixed = {"edition", "games", "place", "entrant", "opponent", "matches", "even_share"}
    assert len({*names, *fixed}) == len(names) + len(fixed)


TALLY_MATCHES = 384
"""How many are added up at a time in the test of memory."""


def records_of(matches: int) -> Iterator[MatchRecord]:
    """Matches of three entrants in five blocks, twenty of each deal."""
    source = random.Random(1)
    for number in range(matches):
        ranks = source.sample([1, 2, 3], 3)
        seats = [
            SeatRecord(name, source.randint(0, 99), rank, SeatEnd.PLAYED, {"late": 1})
            for name, rank in zip(["ann", "ben", "cat"], ranks, strict=True)
        ]
        yield MatchRecord("id", "board", "base", number % 5, f"deal {number // 100}", "end", 9, tuple(seats))


@pytest.mark.slow
def test_standings_take_few_bytes_for_each_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_seat, "SLICE_MATCHES", 128)
    monkeypatch.setattr(tally, "TALLY_MATCHES", TALLY_MATCHES)

    def most(matches: int) -> int:
        gc.collect()  # so that garbage of other tests has no say in when it is collected next
        tracemalloc.start()
        fold_standings(records_of(matches))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    fold_standings(records_of(TALLY_MATCHES))  # what is loaded and cached at first
    assert most(4 * TALLY_MATCHES) - most(2 * TALLY_MATCHES) < 64 * 2 * TALLY_MATCHES
