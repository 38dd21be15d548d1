"""What many functions would be given one by one travels as records: only commands, whose parameters are their options,
have eight parameters or more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ARENA = Path(__file__).parents[2] / "arena"
MANY = 8


def long_lists() -> Iterator[tuple[str, bool]]:
    """Every function with many parameters, and whether it is a command."""
    for path in sorted(ARENA.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                if len([each for each in given if each.arg != "self"]) >= MANY:
                    commands = (".command(" in ast.unparse(each) for each in node.decorator_list)
                    yield f"{path.relative_to(ARENA)}: {node.name}", any(commands)


@pytest.mark.slow
def test_only_commands_have_many_parameters_and_few_of_them() -> None:
    found = list(long_lists())
    assert [name for name, is_command in found if not is_command] == []
    assert 1 <= len(found) <= 21
