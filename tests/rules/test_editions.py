"""B10: the editions at a glance."""

from __future__ import annotations

import pytest

from .scenario import edition

COLUMNS = ("face2face-2003", "outline", "eagle-gryphon", "schmidt-1994")
GLANCE = {
    "players": ((2, 6), (3, 6), (2, 6), (3, 6)),
    "start": ("alphabetical", "alphabetical", "random", "alphabetical"),
    "marker_by": ("left", "right", "right", "left"),
    "prices": ("any", "dividends", "any", "any"),
    "last_call": (True, False, False, True),
    "triple_at_limit": ("stoppable", "no", "unstoppable", "stoppable"),
    "self_sufficient_close": (False, True, False, False),
    "hand_limit": (12,) * 4,
    "start_hand": (5,) * 4,
    "draw": (3,) * 4,
    "quiet_ticks": (2,) * 4,
    "max_ticks": (16,) * 4,
    "max_turns": (300,) * 4,
    "max_offers": (12,) * 4,
    "turn_order": ("boss",) * 4,
    "must_deal_with": (None,) * 4,
    "min_cards_to_deal": (0,) * 4,
    "active_to_be_paid": (False,) * 4,
    "former_boss_is_active": (True, True, False, True),
    "draw_by_placards": (None,) * 4,
    "late_limit_from": (None,) * 4,
    "skip_deals": ((),) * 4,
    "end_sum": (None,) * 4,
    "fair_share": (False,) * 4,
    "pay_all_agreements": (False,) * 4,
    "reopen_failed": (True,) * 4,
    "side_promises": (True,) * 4,
}


@pytest.mark.parametrize("key", GLANCE)
def test_B10_the_editions_differ_as_printed(key: str) -> None:
    assert tuple(getattr(edition(name), key) for name in COLUMNS) == GLANCE[key]
