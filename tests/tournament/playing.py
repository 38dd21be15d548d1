"""Plays a schedule on paper: block by block, with results that follow from the ids of the matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from arena.penalties import SeatEnd
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.schedule import Schedule

Strength = Callable[[Fixture, int], int]
"""The money that an entrant makes in a match; who makes more ranks better, and nobody who makes less than nothing
stays in it to the end."""


def by_chance(fixture: Fixture, entrant: int) -> int:
    """Some money from 0 to 3, so that equal ranks come too."""
    return sha256(f"{fixture.id}/{entrant}".encode()).digest()[0] % 4


def name(entrant: int) -> str:
    return f"bot{entrant:03d}"


def record(schedule: Schedule, fixture: Fixture, strength: Strength = by_chance, void: bool = False) -> MatchRecord:
    """The record of a match that ended so."""
    money = [strength(fixture, entrant) for entrant in fixture.entrants]
    seats = tuple(
        SeatRecord(name(entrant), own, 1 + sum(other > own for other in money), _end(own))
        for entrant, own in zip(fixture.entrants, money, strict=True)
    )
    label = schedule.editions[fixture.edition].label
    return MatchRecord(fixture.id, "board", label, fixture.block, "s", "end", 1, seats, void)


def _end(money: int) -> SeatEnd:
    return SeatEnd.PLAYED if money >= 0 else SeatEnd.STRUCK_OUT


def play(
    schedule: Schedule,
    strength: Strength = by_chance,
    blocks: Sequence[int] = (),
    void: Callable[[Fixture], bool] = lambda fixture: False,
) -> list[MatchRecord]:
    """The records of all blocks, or of these, each noted before the next block is looked at."""
    records = []
    for block in blocks or range(schedule.blocks):
        played = [record(schedule, each, strength, void(each)) for each in schedule.of_block(block)]
        for each in reversed(played):
            schedule.add_record(each)
        records += played
    return records
