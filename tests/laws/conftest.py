"""The laws of one case stand together: what they share, such as its matches, is played once and then let go."""

from __future__ import annotations

from pathlib import Path

import pytest

from .cases import CASES, Case

HERE = Path(__file__).parent
PLACES: dict[object, int] = {case: place for place, case in enumerate(CASES)}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the laws by their cases, after the tests that have none, and leave out the cases that the option leaves
    out. Tests elsewhere stay where they are."""
    places = [place for place, item in enumerate(items) if HERE in item.path.parents]
    laws = sorted((items[place] for place in places), key=_place)
    for place, item in zip(places, laws, strict=True):
        items[place] = item
    cases = config.getoption("--cases")
    left_out = {
        item for item in laws if cases != "all" and _place(item) >= 0 and (_place(item) % 3 == 0) != (cases == "third")
    }
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def _place(item: pytest.Item) -> int:
    case = item.callspec.params.get("case") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None
    return PLACES[case] if isinstance(case, Case) else -1
