"""Digests of arena's own code, by part: what tells two programs of one version apart.

Each is the SHA-256 of the sources of a part, as they are installed: a checkout, a wheel and a zip file of the same
sources have the same digests, whether or not they were compiled. Of code that has no sources here nothing is known.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from arena import __version__

GAMES = "rules"
PARTS: Mapping[str, tuple[str, ...]] = {
    "referee": (
        "match", "players", "protocol", "replay", "isolation", "sandbox", "finding", "system",
        "bot.py", "bundled", "clock.py", "errors.py", "foreign_files.py", "penalties.py", "rollouts", "talking",
        "consulting", "consultation/__init__.py", "consultation/backend.py", "consultation/journal.py",
        "consultation/match_desk.py", "consultation/answer_check.py", "consultation/call_record.py",
        "consultation/model_spec.py", "consultation/spending.py", "consultation/scripted_model.py",
        "consultation/paid_backend.py",
        "tournament/records/match_record.py",
    ),
    "schedule": (
        "tournament/formats", "tournament/schedule", "tournament/records",
        "tournament/bits.py", "tournament/computed_sequence.py", "tournament/tables/csv_cells.py",
    ),
    "statistics": (
        "tournament/measures", "tournament/inference", "tournament/standings", "tournament/tables", "ratings",
    ),
}  # fmt: skip
"""The folders and files of each part. Further parts are ``rules``, the code that all games share, and one for each
game's folder, such as ``rules.board``."""
SHOWN_ONLY = ("presenting", "sentences")
"""The parts of a game's folder that only describe finished matches."""
PLAYING = (GAMES, "referee")
"""The parts on which a match depends."""
SCHEDULED = (*PLAYING, "schedule")
"""The parts on which the matches of a run depend."""
STATISTICS = ("statistics",)
"""The part on which standings depend in addition."""


def code_digests(games: Container[str] | None = None) -> dict[str, str]:
    """The digest of each part of arena's code; of the games' parts only those of these ``games`` (None: all games of
    arena). Empty where the sources are not available; a game from outside arena has no part."""
    below = sorted(_package("games").iterdir(), key=_name)
    found = {part: _digest(paths, ()) for part, paths in PARTS.items()}
    found[GAMES] = _digest(tuple(f"games/{each.name}" for each in below if each.is_file()), ())
    for each in below:
        if each.is_dir() and (games is None or each.name in games):
            found[f"{GAMES}.{each.name}"] = _digest((f"games/{each.name}",), SHOWN_ONLY)
    return {part: digest for part, digest in sorted(found.items()) if digest}


def of_parts(digests: Mapping[str, str], needed: tuple[str, ...]) -> dict[str, str]:
    """The digests of the ``needed`` parts; ``rules`` includes the parts of games."""
    return {part: digest for part, digest in digests.items() if part.partition(".")[0] in needed}


def parts_that_differ(then: Mapping[str, str], now: Mapping[str, str] | None = None) -> list[str]:
    """The parts whose digests ``now`` (None: in this arena) differ from those ``then``, among the parts that both
    have."""
    if then and now is None:
        now = code_digests()
    return [] if now is None else [part for part, digest in then.items() if now.get(part, digest) != digest]


def code_difference(then: Mapping[str, str], needed: tuple[str, ...], now: Mapping[str, str] | None = None) -> str:
    """The code that differs in the ``needed`` parts, in words, such as ``code of arena 0.1.0 (referee)``; empty where
    none does."""
    parts = parts_that_differ(of_parts(then, needed), now)
    return f"code of arena {__version__} ({', '.join(parts)})" if parts else ""


def statistics_note(then: Mapping[str, str]) -> str:
    """A note that a run was made with other statistics code, if it was; else empty."""
    code = code_difference(then, STATISTICS)
    told = f"it was played by other {code}; no match depends on that code, and standings are computed here"
    return told if code else ""


@cache
def _digest(paths: tuple[str, ...], without: tuple[str, ...]) -> str:
    """The digest of the sources in these folders and files; empty where there are none."""
    whole, any_source = sha256(), False
    for path in paths:
        for name, content in _sources(_package(path), path, without):
            whole.update(f"{name} {len(content)}\n".encode() + content)
            any_source = True
    return whole.hexdigest() if any_source else ""


def _name(place: Traversable) -> str:
    return place.name


def _package(path: str) -> Traversable:
    return files("arena").joinpath(path)


def _sources(place: Traversable, path: str, without: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Each source at this place with its path, always in the same order."""
    if place.is_dir():
        for below in sorted(place.iterdir(), key=_name):
            if below.name not in without:
                yield from _sources(below, f"{path}/{below.name}", without)
    elif path.endswith(".py") and place.is_file():
        yield path, place.read_bytes()
