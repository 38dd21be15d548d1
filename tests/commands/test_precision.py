"""How long a run must be, by what is finished of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.commands.plan.pilot import Pilot
from arena.commands.plan.precision import Forecast, ForecastRow, PrecisionOptions, forecast_precision
from arena.errors import UserError
from arena.penalties import SeatEnd
from arena.tournament.measures.measures import MeasureUnit
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from arena.tournament.schedule.seat_orders import SeatOrders
from arena.tournament.standings.standings import fold_standings

NAMES = ("ann", "bob", "cid", "dan")
SHARE = PrecisionOptions(half_widths={MeasureUnit.SHARE: 0.02})


def record(schedule: Schedule, index: int, money: Sequence[int]) -> MatchRecord:
    fixture = schedule[index]
    ranks = [1 + sum(other > own for other in money) for own in money]
    seats = tuple(
        SeatRecord(entrant=NAMES[entrant], money=own, rank=rank, ended=SeatEnd.PLAYED, faults={})
        for entrant, own, rank in zip(fixture.entrants, money, ranks, strict=True)
    )
    label, block = schedule.editions[fixture.edition].label, fixture.block
    return MatchRecord(fixture.id, "board", label, block, f"seed{block}", "last deal", 9, seats)


def pilot_of(blocks: int, played: int | None = None, editions: Sequence[str] = ("one-2p",), cycle: int = 1) -> Pilot:
    """A round robin at tables of two, with results that look random; of each edition so many matches."""
    scheduled = [ScheduledEdition(label, 2) for label in editions]
    schedule = Schedule(len(NAMES), scheduled, blocks, SeatOrders.ROTATIONS)
    records = []
    for edition in range(len(editions)):
        size = schedule.edition_size(edition)
        for index in range(size if played is None else played):
            at = edition * size + index
            records.append(record(schedule, at, [(at * 7919 + seat * 31) % 23 for seat in range(2)]))
    return Pilot(
        schedule=schedule,
        records=lambda: list(records),
        seconds=dict.fromkeys(editions, 2.0),
        bytes=1000.0,
        names=NAMES,
        cycle=cycle,
        host="here",
        kept=True,
    )


def row(told: Forecast, what: str) -> ForecastRow:
    return next(each for each in told.rows if each.what == what)


def test_now_is_the_half_width_of_the_standings() -> None:
    pilot = pilot_of(30)
    (standings,) = fold_standings(pilot.records())
    found = row(forecast_precision(pilot, SHARE, None, jobs=1), "win rate")
    own = next(each for each in standings.rows if each.entrant == found.whom[0])["win_rate"]
    assert found.now == pytest.approx(own.half_width, rel=0.03)  # type: ignore[union-attr]


def test_half_the_width_takes_about_four_times_the_blocks() -> None:
    pilot = pilot_of(40)
    wide, narrow = (
        row(
            forecast_precision(pilot, PrecisionOptions(half_widths={MeasureUnit.SHARE: width}), None, jobs=1), "beaten"
        ).blocks
        for width in (0.02, 0.01)
    )
    assert wide is not None
    assert narrow == pytest.approx(4 * wide, rel=0.02)


def test_numbers_of_blocks_are_whole_cycles() -> None:
    told = forecast_precision(pilot_of(30, cycle=7), SHARE, None, jobs=1)
    assert told.rows
    assert all(each.blocks % 7 == each.low % 7 == each.high % 7 == 0 for each in told.rows)  # type: ignore[operator]


def test_time_and_disk_are_those_of_the_blocks_that_are_missing() -> None:
    pilot = pilot_of(30)
    found = row(forecast_precision(pilot, SHARE, None, jobs=4), "win rate")
    assert found.blocks is not None
    assert found.more == found.blocks - 30
    assert found.matches == pilot.schedule.block_size(0) * found.more
    assert found.seconds == found.matches * 2 / 4
    assert found.bytes == found.matches * 1000


def test_what_is_reached_already_needs_nothing_more() -> None:
    found = row(
        forecast_precision(pilot_of(30), PrecisionOptions(half_widths={MeasureUnit.MONEY: 50}), None, jobs=1),
        "mean money",
    )
    assert (found.more, found.matches, found.seconds) == (0, 0, 0)


def test_only_what_is_asked_for_is_told() -> None:
    wanted = PrecisionOptions(half_widths={MeasureUnit.MONEY: 1})
    assert [each.what for each in forecast_precision(pilot_of(30), wanted, None, jobs=1).rows] == [
        "mean money",
        "pair's money",
    ]


def test_a_difference_between_two_is_planned_with_its_power() -> None:
    sure, surer = (
        PrecisionOptions(half_widths={}, between=("ann", "cid"), differences={MeasureUnit.SHARE: 0.1}, power=power)
        for power in (0.8, 0.95)
    )
    one, two = (row(forecast_precision(pilot_of(30), wanted, None, jobs=1), "win rate") for wanted in (sure, surer))
    assert one.to_find
    assert one.whom == ("ann", "cid")
    assert one.blocks is not None
    assert two.blocks is not None
    assert one.blocks < two.blocks


def test_a_block_that_is_not_whole_does_not_count() -> None:
    size = pilot_of(1).schedule.block_size(0)
    assert forecast_precision(pilot_of(30, played=10 * size + size - 1), SHARE, None, jobs=1).blocks == 10
    with pytest.raises(
        UserError, match=r"^expected 3 complete blocks of one-2p or more to estimate how blocks differ, got 2$"
    ):
        forecast_precision(pilot_of(30, played=3 * size - 1), SHARE, None, jobs=1)
    with pytest.raises(UserError, match=r"^expected 3 complete blocks of all editions together or more .*--edition$"):
        forecast_precision(pilot_of(30, played=size, editions=("one-2p", "two-2p")), SHARE, None, jobs=1)


def test_over_several_editions_a_block_is_that_of_all_and_one_can_be_chosen() -> None:
    pilot = pilot_of(12, editions=("one-2p", "two-2p"))
    whole, one = (forecast_precision(pilot, SHARE, label, jobs=1) for label in (None, "two-2p"))
    assert (whole.edition, one.edition) == ("all", "two-2p")
    both = row(whole, "win rate")
    assert both.blocks is not None
    assert both.matches == pilot.schedule.matches_in(0) * (both.blocks - 12)
    with pytest.raises(UserError, match=r"^--edition: no edition 'tow-2p' \(did you mean 'two-2p'\?\)"):
        forecast_precision(pilot, SHARE, "tow-2p", jobs=1)


def test_a_name_that_nobody_has_is_refused() -> None:
    wanted = PrecisionOptions(half_widths={}, between=("ann", "bop"), differences={MeasureUnit.SHARE: 0.1})
    with pytest.raises(UserError, match=r"^--between: no entrant 'bop' \(did you mean 'bob'\?\)$"):
        forecast_precision(pilot_of(30), wanted, None, jobs=1)


def test_what_was_the_same_in_every_block_is_named() -> None:
    pilot = pilot_of(5)
    drawn_games = [record(pilot.schedule, index, [4, 4]) for index in range(len(pilot.schedule))]
    same = Pilot(schedule=pilot.schedule, records=lambda: drawn_games, seconds={}, bytes=0, names=NAMES, cycle=1)
    told = forecast_precision(same, SHARE, None, jobs=1)
    assert told.rows == ()
    assert told.same == ("win rate", "beaten", "matchpoints", "pair's share")
    assert told.longest_row is None


def test_more_than_any_machine_plays_is_none() -> None:
    found = row(
        forecast_precision(pilot_of(30), PrecisionOptions(half_widths={MeasureUnit.SHARE: 1e-7}), None, jobs=1),
        "win rate",
    )
    assert (found.blocks, found.more, found.matches, found.seconds) == (None, None, None, None)
