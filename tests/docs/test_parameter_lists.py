"""What many functions would be given one by one travels as records: only commands, whose parameters are their options,
have eight parameters or more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .source import read_module

ARENA = Path(__file__).parents[2] / "arena"
MANY = 8


def long_lists() -> Iterator[tuple[str, bool]]:
    """Every function with many parameters, and whether it is a command."""
    for path in sorted(ARENA.rglob("*.py")):
        for each in read_module(path).functions:
            if each.parameters >= MANY:
                yield f"{path.relative_to(ARENA)}: {each.name}", any(".command(" in one for one in each.decorators)


@pytest.mark.slow
def test_only_commands_have_many_parameters_and_few_of_them() -> None:
    found = list(long_lists())
    assert [name for name, is_command in found if not is_command] == []
    assert 1 <= len(found) <= 21
