"""Where a run is kept: one interface, with the shipped fake that keeps it in memory.

What is kept of a match is its record, its timing, its replay and what its bots printed. Only the store writes; it gets
matches by value. The interface has no paths: :class:`arena.app.folder.FolderStore` implements it with a folder, and a
database could too.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self

import msgspec

from arena import __version__
from arena.app.plan import Plan
from arena.errors import UserError
from arena.games.chance import SCHEME
from arena.match.work import Done, Printed, Timing
from arena.replay.lines import FORMAT
from arena.tournament.records import MatchRecord
from arena.tournament.standings import Standings


class RunState(StrEnum):
    """The state of a run: running (or killed), stopped by its user, incomplete because some matches could not be
    played, or complete."""

    RUNNING = "running"
    STOPPED = "stopped"
    INCOMPLETE = "incomplete"
    COMPLETE = "complete"


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a run before its first match: what is played with what, by name and digest. ``isolation`` is as
    :meth:`arena.app.isolation.Isolation.describe` tells it; ``config`` is the tournament file spelled out."""

    tournament: str
    seed: str
    command: str
    matches: int
    arena: str
    python: str
    platform: str
    replay_format: str
    chance: str
    isolation: dict[str, Any]
    editions: dict[str, str]
    entrants: dict[str, dict[str, Any]]
    skipped: dict[str, str] = {}
    config: dict[str, Any] = {}


def facts_of(plan: Plan, command: str) -> Facts:
    """The facts of a run of this plan here and now."""
    return Facts(
        tournament=plan.tournament.name,
        seed=plan.seed,
        command=command,
        matches=len(plan.schedule),
        arena=__version__,
        python=platform.python_version(),
        platform=platform.platform(),
        replay_format=FORMAT,
        chance=SCHEME,
        isolation=plan.isolation.describe(),
        editions={label: edition.digest for label, (edition, _) in zip(plan.labels, plan.tables, strict=True)},
        entrants={
            name: {"bot": bot.name, "sha256": bot.sha256, "options": bot.options}
            for name, bot in zip(plan.names, plan.bots, strict=True)
        },
        skipped=plan.skipped,
        config=plan.resolved(),
    )


def check_same(began: Facts, now: Facts) -> None:
    """Raise UserError if bots, rules, isolation or arena's version differ from those with which the run began."""
    for name, entrant in now.entrants.items():
        if began.entrants.get(name, {}).get("sha256") != entrant["sha256"]:
            raise UserError(f"the bot of {name} ({entrant['bot']}) has changed since this run began; start a new run")
    for label, digest in now.editions.items():
        if began.editions.get(label) != digest:
            raise UserError(f"the rules of {label} have changed since this run began; start a new run")
    level, here = began.isolation.get("level"), now.isolation["level"]
    if level != here:
        raise UserError(f"this run began with bots at isolation level {level}, here it is {here}")
    if began.arena != now.arena:
        raise UserError(f"this run began with arena {began.arena}, this is {now.arena}; start a new run")


Order = Callable[[], Iterable[str]]
"""Gives all ids in order, anew at each call: there may be too many to be held at once."""


class Store(Protocol):
    """Keeps one run. It is written to only inside of ``with store:``."""

    def __enter__(self) -> Self:
        """Open it for writing."""

    def __exit__(self, *raised: object) -> None:
        """Close it again."""

    def begin(self, facts: Facts) -> None:
        """Keep the facts of a run that begins; of one that goes on those it began with stay."""

    def facts(self) -> Facts:
        """What the run began with. Raises UserError where none has begun."""

    def finished(self, known: Container[str]) -> set[str]:
        """The ids of all matches that are kept. Raises UserError where one is kept twice, or is not ``known``."""

    def add(self, done: Done) -> None:
        """Keep a finished match: its replay is there as a whole before its record is."""

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""

    def end(self, state: RunState, finished: int) -> None:
        """Keep how the run ended, with so many matches."""

    def complete(self, order: Order, standings: Sequence[Standings]) -> None:
        """Keep the standings of a complete run, whose records are in this order from now on."""


class MemoryStore:
    """Implements :class:`Store` without touching a file."""

    def __init__(self) -> None:
        self.began: Facts | None = None
        self.state = RunState.RUNNING
        self.kept: dict[str, MatchRecord] = {}
        self.timings: dict[str, Timing] = {}
        self.replays: dict[str, bytes] = {}
        self.printed: dict[str, tuple[Printed, ...]] = {}
        self.standings: tuple[Standings, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    def begin(self, facts: Facts) -> None:
        """Keep the facts."""
        self.began = self.began or facts
        self.state = RunState.RUNNING

    def facts(self) -> Facts:
        """What the run began with."""
        if self.began is None:
            raise UserError("no run has begun")
        return self.began

    def finished(self, known: Container[str]) -> set[str]:
        """The ids of all matches that are kept."""
        for id in self.kept:
            if id not in known:
                raise UserError(f"{id} is no match of this run")
        return set(self.kept)

    def add(self, done: Done) -> None:
        """Keep a finished match."""
        id = done.record.id
        if done.replay is not None:
            self.replays[id] = done.replay
        self.kept[id], self.timings[id], self.printed[id] = done.record, done.timing, done.printed

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""
        return iter(list(self.kept.values()))

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""
        return self.replays.get(id)

    def end(self, state: RunState, finished: int) -> None:
        """Keep how the run ended."""
        self.state = state

    def complete(self, order: Order, standings: Sequence[Standings]) -> None:
        """Keep the standings."""
        self.kept = {id: self.kept[id] for id in order()}
        self.standings = tuple(standings)
