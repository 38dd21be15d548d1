"""The progress of a sequential test toward each verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.sequential.test_settings import Settings

if TYPE_CHECKING:
    from arena.sequential.sequential_test import SequentialState  # numpy is slow to load


def ways_to_go(state: SequentialState, settings: Settings) -> dict[str, float]:
    """The part of the way to each verdict that is done, from 0 to 1, the greatest first."""
    excluded = [
        1.0 if done else ratio / settings.lower_bound
        for done, ratio in ((state.better_excluded, state.better), (state.worse_excluded, state.worse))
    ]
    ways = {
        "better": 0.0 if state.better_excluded else state.better / settings.upper_bound,
        "worse": 0.0 if state.worse_excluded else state.worse / settings.upper_bound,
        "no difference": min(excluded),
    }
    shares = {name: min(1.0, max(0.0, share)) for name, share in ways.items()}
    return dict(sorted(shares.items(), key=lambda way: -way[1]))
