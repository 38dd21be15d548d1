"""B4.5: the initiative order stands in nobody's view. What a seat sees of offers and agreements is the same in every
order, wherever the order does not change what happens."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from arena.games.contract import Event

from .scenario import Scenario, offer


def after_accepting(order: tuple[int, ...]) -> tuple[list[Event], list[Any]]:
    """News and views of every seat after the accept phase of a tick played in this order."""
    scenario = Scenario(
        hands={1: "clan blue", 2: "clan red, clan green", 3: "clan orange"}, initiative=lambda tick: order
    )
    scenario.open()
    made = {
        0: [offer(1, 2, placards="yellow"), offer(2, 1, clans="red"), offer(3, 1)],
        1: [offer(0, 3, clans="blue")],
        2: [offer(0, 2, clans="green")],
        3: [offer(0, 4, placards="magenta")],
    }
    scenario.offers(made)
    scenario.accepts(0, 1, 2, 3)
    assert scenario.asked == "interrupt"
    seen = [seen for event in scenario.log for seat in range(4) if (seen := event.seen_by(seat)) is not None]
    return seen, [scenario.view(seat) for seat in range(4)]


def test_B4_5_offers_and_agreements_are_shown_alike_in_every_initiative_order() -> None:
    shown = [after_accepting(order) for order in permutations(range(4))]
    assert all(each == shown[0] for each in shown)
