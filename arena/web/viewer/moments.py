"""Finds the places in a match worth going to: faults, payments, and those that its game names: ends of deals, new
Bosses, and moments that stand out in its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from arena.games.contract import Event, Game
from arena.replay.ledger_events import Tables
from arena.replay.lines import Faulted
from arena.web.viewer.game_page import game_page
from arena.web.viewer.moment import FoundMoment, Jump, JumpPlace, MomentTeller
from arena.web.viewer.money_changes import money_changes

MOST_MOMENTS = 10
"""How many moments, and how many payments, are shown of a match, and of each of its seats."""
OF_A_KIND = 4
"""How many moments of one kind are shown, if there are enough of others."""


def jump_places(
    game: Game, rules: Any, lines: Sequence[Event], tables: Tables, names: Sequence[str], seat: int | None
) -> list[JumpPlace]:
    """The places of a match in the order of its lines, with a ``seat`` those that it knew."""
    numbered, page = list(enumerate(lines, 1)), game_page(game)
    teller = MomentTeller(game.unit, names)
    payments = (
        money_changes(game, rules, numbered, teller) if page.payments is None else page.payments(numbered, teller)
    )
    moments = () if page.moments is None else page.moments(tables, game, numbered, teller)
    places = [*_fault_jumps(numbered), *(() if page.jumps is None else page.jumps(numbered))]
    places += _ten_jumps(list(payments), Jump.PAYMENT, teller, seat)
    places += _ten_jumps(list(moments), Jump.MOMENT, teller, seat)
    known = [place for place in places if seat is None or place.only is None or seat in place.only]
    if seat is not None:
        for place in known:
            place.only = None
    return sorted(known, key=lambda place: place.n)


def _fault_jumps(numbered: Iterable[tuple[int, Event]]) -> Iterator[JumpPlace]:
    for number, line in numbered:
        if isinstance(line, Faulted):
            yield JumpPlace(number, Jump.FAULT, only=[line.seat], seats=[line.seat])


def _ten_jumps(found: Sequence[FoundMoment], jump: Jump, teller: MomentTeller, seat: int | None) -> Iterator[JumpPlace]:
    """Yield the top ten of the match, and of each of its seats, in the order in which they were found."""
    of_match = _places_in(found, top_moments(found, seat))
    concerned = [[one for one in found if each in one.seats] for each in range(len(teller.names))]
    of_seats = [_places_in(found, top_moments(its, seat)) for its in concerned]
    for at, one in enumerate(found):
        seats = [each for each, its in enumerate(of_seats) if at in its]
        if seats or at in of_match:
            kind, figure = one.kind if jump is Jump.MOMENT else None, teller.money(one.figure)
            yield JumpPlace(one.n, jump, one.text, figure, kind, one.only, seats, at not in of_match)


def _places_in(found: Sequence[FoundMoment], kept: Iterable[FoundMoment]) -> set[int]:
    """Return the indices of the ``kept`` moments among the found ones, some of which may be equal."""
    ids = {id(each) for each in kept}
    return {at for at, each in enumerate(found) if id(each) in ids}


def top_moments(found: Iterable[FoundMoment], seat: int | None) -> list[FoundMoment]:
    """Return the ten moments with the highest figures, at most four of a kind while there are others; among equals the
    first. With a ``seat``, only those that it may know."""
    known = [each for each in found if seat is None or each.only is None or seat in each.only]
    ordered = sorted(known, key=lambda each: (-each.figure, each.n, each.text))
    kept: list[FoundMoment] = []
    left: list[FoundMoment] = []
    for each in ordered:
        few = sum(other.kind == each.kind for other in kept) < OF_A_KIND
        (kept if few else left).append(each)
    return (kept + left)[:MOST_MOMENTS] if len(kept) < MOST_MOMENTS else kept[:MOST_MOMENTS]
