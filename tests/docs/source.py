"""What the modules of arena say of themselves: each is read once for all tests of how the source is laid out."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Definition(NamedTuple):
    """A function or a class, with its decorators as text."""

    name: str
    decorators: tuple[str, ...]
    is_class: bool
    parameters: int


class Import(NamedTuple):
    """An import statement: ``module`` is empty for ``import names``."""

    module: str
    names: tuple[str, ...]
    is_relative: bool


class Module(NamedTuple):
    """A module: what stands at its top, and all its functions and imports wherever they stand."""

    top: tuple[Definition, ...]
    functions: tuple[Definition, ...]
    imports: tuple[Import, ...]


Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def read_module(path: Path) -> Module:
    gc.disable()  # nothing of a tree is garbage as long as it grows, and to look through it takes longer than to parse
    try:
        return _read(ast.parse(path.read_text(encoding="utf-8")))
    finally:
        gc.enable()


def _read(tree: ast.Module) -> Module:
    functions, imports = list[Definition](), list[Import]()
    for node in _statements(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions.append(_definition(node))
            case ast.Import(names):
                imports.append(Import("", tuple(each.name for each in names), False))
            case ast.ImportFrom(module, names, level):
                imports.append(Import(module or "", tuple(each.name for each in names), bool(level)))
    top = tuple(_definition(node) for node in tree.body if isinstance(node, Defined))
    return Module(top, tuple(functions), tuple(imports))


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements, wherever they stand. Expressions, which hold none, are most of a tree, and left out."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for parts in ("body", "handlers", "cases", "orelse", "finalbody"):
            waiting += getattr(node, parts, ())


def _definition(node: Defined) -> Definition:
    decorators = tuple(map(ast.unparse, node.decorator_list))
    if isinstance(node, ast.ClassDef):
        return Definition(node.name, decorators, True, 0)
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return Definition(node.name, decorators, False, len([each for each in given if each.arg != "self"]))
