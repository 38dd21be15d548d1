"""The engine in use: arena's sources, read by Python (``pure``), or a compiled build of the very same sources.

``pip install "arena-negotiation[c]"`` adds the package ``arena_compiled``: an extension module for each source that is
compiled, and :data:`BUILD_FILE`, which says of which sources. It holds no file of arena's own, so each of the two can
be installed and removed without the other. While :mod:`arena` is imported, :func:`use_build` arranges that Python takes
the modules of the build in place of those sources, in this process and in those that it starts.

A build of other sources than these is never used. Without one, or with ``ARENA_PURE=1``, arena plays the same, only
slower.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, NamedTuple

PURE_VARIABLE = "ARENA_PURE"
"""The environment variable with which a build is not used, unless it is empty or 0."""
BUILD_PACKAGE, BUILD_FILE = "arena_compiled", "build.json"
PURE = "pure"
REMEDY = "install the one of this arena, or none (pip uninstall arena-negotiation-c)"


class CompiledBuild(NamedTuple):
    """An installed build: its folder, the version of arena that it was made of, the path of each of its modules' source
    below arena's folder, and the digest of these sources."""

    folder: str
    version: str
    sources: dict[str, str]
    digest: str


class EngineChoice(NamedTuple):
    """The ``name`` of the engine in use, and the ``problem`` with an installed build that is not used (empty: there is
    none)."""

    name: str
    problem: str = ""


class BuildFinder:
    """Finds the modules of a build, by the path of each one's file."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module's specification, or None where it is not in the build."""
        file = self.files.get(name)
        if file is None:
            return None
        from importlib.util import spec_from_file_location

        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))


_choice = EngineChoice(PURE)


def use_build(version: str, sources: str) -> None:
    """Use an installed build of this ``version`` of arena, whose sources are in the folder ``sources``. To be called
    before any of them is imported."""
    global _choice
    if os.environ.get(PURE_VARIABLE, "") not in ("", "0"):
        return
    found = PathFinder.find_spec(BUILD_PACKAGE)
    places = found.submodule_search_locations if found is not None else None
    if not places:
        return
    folder = next(iter(places))
    try:
        build = read_build(folder)
        files = _module_files(build)
        problem = _difference(build, files, version, sources)
    except (OSError, ValueError, TypeError, KeyError) as error:
        build, problem = None, f"it cannot be read ({type(error).__name__}: {error})"
    if build is None or problem:
        _choice = EngineChoice(PURE, f"the compiled build in {folder} is not used: {problem}; {REMEDY}")
        return
    sys.meta_path.insert(0, BuildFinder(files))
    _choice = EngineChoice(f"compiled {build.version} ({build.digest[:12]})")


def engine_in_use() -> str:
    """The engine that plays in this process: ``pure``, or ``compiled``, its version and the beginning of its digest."""
    return _choice.name


def engine_problem() -> str:
    """Why an installed build is not used, as a sentence; empty where there is none, or none is wanted."""
    return _choice.problem


def read_build(folder: str) -> CompiledBuild:
    """What the build in this folder says of itself. Raises OSError, ValueError, TypeError or KeyError where it says
    nothing of the kind."""
    import json

    with open(os.path.join(folder, BUILD_FILE), encoding="utf-8") as file:
        read = json.load(file)
    sources = {str(module): str(path) for module, path in dict(read["sources"]).items()}
    return CompiledBuild(folder, str(read["arena"]), sources, str(read["sha256"]))


def sources_digest(folder: str, paths: list[str]) -> str:
    """The SHA-256 of the sources at these ``paths`` below ``folder``, with their names. Raises OSError where one is
    missing."""
    from hashlib import sha256

    whole = sha256()
    for path in sorted(paths):
        with open(os.path.join(folder, path), "rb") as file:
            content = file.read()
        whole.update(f"{path} {len(content)}\n".encode() + content)
    return whole.hexdigest()


def _module_files(build: CompiledBuild) -> dict[str, str]:
    """The file of each module of the build that this Python can load."""
    there = {os.path.join(folder, name) for folder, _, names in os.walk(build.folder) for name in names}
    files: dict[str, str] = {}
    for module in build.sources:
        path = os.path.join(build.folder, *module.split("."))
        for suffix in EXTENSION_SUFFIXES:
            if path + suffix in there:
                files.setdefault(module, path + suffix)
    return files


def _difference(build: CompiledBuild, files: dict[str, str], version: str, sources: str) -> str:
    """Why the build cannot stand for these sources, as a clause; empty where it can."""
    if build.version != version:
        return f"it was built from arena {build.version}, this is {version}"
    if missing := [module for module in build.sources if module not in files]:
        return f"{missing[0]} was not compiled for this Python"
    if sources_digest(sources, [*build.sources.values()]) != build.digest:
        return "it was built from other sources"
    return ""
