"""Finds the payments of each seat in a match of any game whose folded table has the ``money`` of the seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.games.contract import Game
from arena.recorded.seat_numbers import table_money
from arena.web.viewer.frames import TableWatch
from arena.web.viewer.game_page import NumberedEvents
from arena.web.viewer.moment import FoundKind, FoundMoment, MomentTeller


def money_changes(game: Game, rules: Any, events: NumberedEvents, teller: MomentTeller) -> Iterator[FoundMoment]:
    """Yield every change of a seat's money with the seats that saw it; nothing in a game whose tables have no money."""
    players = range(len(teller.names))
    whole, *eyes = [TableWatch(game, rules, len(players), seat) for seat in (None, *players)]
    before = [table_money(watch.table) for watch in (whole, *eyes)]
    if not before[0]:
        return
    for number, event in events:
        for watch in (whole, *eyes):
            watch.follow(event)
        after = [table_money(watch.table) for watch in (whole, *eyes)]
        all_gains, *seen = [_money_gains(*each) for each in zip(before, after, strict=True)]
        for seat, gain in all_gains.items():
            does = "receives" if gain > 0 else "pays"
            text = f"{teller.seat(seat)} {does} {teller.money(abs(gain))}"
            only = [eye for eye in players if seen[eye].get(seat) == gain]
            known = None if len(only) == len(players) else only
            yield FoundMoment(FoundKind.PAYMENT, number, text, abs(gain), (seat,), known)
        before = after


def _money_gains(before: dict[int, int], after: dict[int, int]) -> dict[int, int]:
    """Return the change of each seat's money, by seat, where it is known."""
    return {seat: amount - before[seat] for seat, amount in after.items() if before.get(seat, amount) != amount}
