"""Builds ``arena-negotiation-c``: a compiled build of the sources in ``arena/``, for ``arena/engine.py`` to find.

    pip wheel --no-deps .compiled        or, into the environment itself:    pip install .compiled

The wheel has one extension module for each source of :data:`COMPILED`, in the package ``arena_compiled``, which is no
part of ``arena``: so neither distribution ever overwrites a file of the other. ``OPTIMIZE`` is the compiler's level
(0 is enough for tests, and quickest to build).

What others subclass stays as it is, because a compiled method ignores a class attribute that an interpreted subclass
overrides: bots, ``Chance``. So do structs, for which the compiler drops the keywords of a class, and the kinds of
cards, because compiled code takes no text for a member of a compiled enum: what bots are handed, and hand over, is
Python's. Games from outside arena subclass ``Phased``; so that is compiled under another name, for arena's own games
alone (:data:`CHANGED`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES, PACKAGE = HERE / "build" / "sources", HERE / "build" / "package"
sys.path.insert(0, str(ROOT / "arena"))

import engine  # noqa: E402 - arena itself may not be importable where it is built

COMPILED = (
    "games/field_types.py",
    "games/hand_counts.py",
    "games/phase_state.py",
    "games/*/answers/*.py",
    "games/*/phases/*.py",
    "games/*/strategy/*.py",
    "games/*/imagine.py",
    "games/*/position.py",
    "games/*/state.py",
    "games/*/table.py",
    "isolation/bot/sandboxed_player.py",
    "match/exempt_player.py",
    "match/feeding/fed_bot.py",
    "match/following/branching.py",
    "match/following/record_follower.py",
    "match/following/twin_match.py",
    "match/refereeing/conduct.py",
    "match/refereeing/minutes.py",
    "match/refereeing/referee.py",
    "match/refereeing/seat_bot.py",
    "players/debugged_player.py",
    "players/inprocess.py",
    "players/reply_checks.py",
)
"""The sources that are compiled, below ``arena/``; never an ``__init__.py``."""

NATIVE_PHASED = "games/native_phase_state.py"
"""Where the copy of ``games/phase_state.py`` for arena's own games is compiled."""
IMPORT_PHASED = ("from arena.games.phase_state import", "from arena.games.native_phase_state import")
CHANGED = {
    NATIVE_PHASED: (
        ("class Phased:", "@trait\nclass Phased:"),
        ("from copy import copy\n", "from copy import copy\n\nfrom mypy_extensions import trait\n"),
        ("    __slots__ = tuple[str, ...]()  # none here: the game's own classes have them\n", ""),
        ("    hands: Sequence[Any]\n", "    hands: list[bytes]\n"),
    ),
    "games/board/position.py": (IMPORT_PHASED,),
    "games/cards/position.py": (IMPORT_PHASED,),
}
"""What is written otherwise for the compiler, each exactly once in its file."""


def find_sources() -> dict[str, str]:
    """The path below ``arena/`` of each source to compile, by the name of its module."""
    paths = sorted(
        path.relative_to(ROOT / "arena").as_posix() for each in COMPILED for path in (ROOT / "arena").glob(each)
    )
    found = {}
    for path in paths:
        if not path.endswith("__init__.py"):
            name = NATIVE_PHASED if path == "games/phase_state.py" else path
            found["arena." + name.removesuffix(".py").replace("/", ".")] = path
    return found


def copy_sources() -> None:
    """Copy arena's sources to a folder of their own, with what the compiler needs written otherwise."""
    shutil.rmtree(HERE / "build", ignore_errors=True)
    shutil.copytree(ROOT / "arena", SOURCES / "arena", ignore=shutil.ignore_patterns("__pycache__", "docs", "data"))
    shutil.copyfile(ROOT / "arena/games/phase_state.py", SOURCES / "arena" / NATIVE_PHASED)
    for path, changes in CHANGED.items():
        file = SOURCES / "arena" / path
        text = file.read_text("utf-8")
        for before, after in changes:
            if text.count(before) != 1:
                raise SystemExit(f"{path}: expected once, found {text.count(before)} times: {before!r}")
            text = text.replace(before, after)
        file.write_text(text, "utf-8")


def compile_modules(sources: dict[str, str]) -> list[object]:
    """The extension modules, placed in the package."""
    from mypyc.build import mypycify

    files = [name.replace(".", "/") + ".py" for name in sources]
    options = ["--ignore-missing-imports", "--follow-imports=silent", "--python-version=3.11"]
    before = Path.cwd()
    os.chdir(SOURCES)
    try:
        extensions = mypycify(
            [*options, *files],
            opt_level=os.environ.get("OPTIMIZE", "3"),
            debug_level="0",
            group_name=f"{engine.BUILD_PACKAGE}.modules",
            target_dir=str(HERE / "build" / "c"),
        )
    finally:
        os.chdir(before)
    for extension in extensions:
        if extension.name in sources:
            extension.name = f"{engine.BUILD_PACKAGE}.{extension.name}"
        if sys.platform != "win32":
            # A product and a sum stay two roundings, as in Python, on every processor. And gcc would take two thirds
            # of its time to look for misleading indentation in 24 MB of generated code.
            more = ["-ffp-contract=off", "-Wno-misleading-indentation"]
            extension.extra_compile_args = [*extension.extra_compile_args, *more]
    return extensions


def write_package(version: str, sources: dict[str, str]) -> None:
    """Write what the package says of itself."""
    folder = PACKAGE / engine.BUILD_PACKAGE
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(
        '"""A compiled build of arena\'s engine, found by arena/engine.py."""\n', "utf-8"
    )
    digest = engine.sources_digest(str(ROOT / "arena"), [*sources.values()])
    told = {"arena": version, "sha256": digest, "sources": sources}
    (folder / engine.BUILD_FILE).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def build_wheel() -> None:
    """Build it. pip asks first what the wheel needs, for which nothing is compiled."""
    from setuptools import setup

    found = re.search(r'__version__ = "(.+)"', (ROOT / "arena" / "__init__.py").read_text("utf-8"))
    assert found is not None
    version, sources, extensions = found[1], find_sources(), list[object]()
    if {"dist_info", "egg_info"} & {*sys.argv}:
        (PACKAGE / engine.BUILD_PACKAGE).mkdir(parents=True, exist_ok=True)
    else:
        copy_sources()
        write_package(version, sources)
        extensions = compile_modules(sources)
    setup(
        version=version,
        install_requires=[f"arena-negotiation=={version}"],
        packages=[engine.BUILD_PACKAGE],
        package_dir={"": str(PACKAGE.relative_to(HERE))},
        package_data={engine.BUILD_PACKAGE: [engine.BUILD_FILE]},
        ext_modules=extensions,
    )


if __name__ == "__main__":
    build_wheel()
