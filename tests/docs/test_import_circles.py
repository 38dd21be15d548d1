"""No module imports, through whichever others, itself: also not for the types alone, and also inside of folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from .source import read_module

ROOT = Path(__file__).parents[2]


def modules_below(package: Path) -> dict[str, Path]:
    """The files of a package by the names of their modules."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules that a file imports: at its head, in functions, and where types are checked."""
    for each in read_module(path).imports:
        assert not each.is_relative, f"{path}: imports are absolute"
        if each.module:
            names = (f"{each.module}.{name}" for name in each.names)
            yield from (name if name in modules else each.module for name in names)
        else:
            yield from (name for name in each.names if name in modules)


def circles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules of which each imports, through others of the group, each other (Tarjan 1972)."""
    number, lowest, stack, found = dict[str, int](), dict[str, int](), list[str](), list[list[str]]()

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in imports[module]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(group) > 1 or module in imports[module]:
                found.append(sorted(group))

    for module in imports:
        if module not in number:
            visit(module)
    return found


def circles_below(package: Path) -> list[list[str]]:
    modules = modules_below(package)
    return circles({name: {*imports_of(path, modules)} & modules.keys() for name, path in modules.items()})


@pytest.mark.slow
def test_no_module_of_arena_imports_itself_through_others() -> None:
    assert circles_below(ROOT / "arena") == []


def test_a_circle_would_be_found_wherever_its_imports_stand(tmp_path: Path) -> None:
    package = tmp_path / "made"
    (package / "room").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "one.py").write_text("from made.room import two\n")
    (package / "room" / "__init__.py").touch()
    (package / "room" / "two.py").write_text("if TYPE_CHECKING:\n    from made.room.three import Three\n")
    (package / "room" / "three.py").write_text("def three():\n    import made.one\n")
    (package / "room" / "four.py").write_text("from made.one import two\n")
    assert circles_below(package) == [["made.one", "made.room.three", "made.room.two"]]
