"""Where a run is kept: one interface, with the shipped fake that keeps it in memory.

What is kept of a match is its record, its timing, its replay and what its bots printed. Only the store writes; it gets
matches by value. The interface has no paths: :class:`arena.app.folder.FolderStore` implements it with a folder, and a
database could too.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol, Self

import msgspec

from arena import __version__
from arena.app.howfar import HowFar
from arena.app.plan import Plan
from arena.app.settings import LONGER, comparable, completed, differences, in_one_line, settings_of
from arena.errors import UserError
from arena.games.chance import SCHEME
from arena.match.work import Done, Printed, Timing
from arena.replay.frame import unpack
from arena.replay.lines import FORMAT
from arena.tournament.bits import Bits
from arena.tournament.records import MatchRecord
from arena.tournament.roster import Roster
from arena.tournament.share import Share, read_share
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
    :meth:`arena.app.isolation.Isolation.describe` tells it; ``settings`` are what else the configuration says
    (:func:`arena.app.settings.settings_of`); ``config_sha256`` is :meth:`digest`; ``config`` is the tournament file
    spelled out; ``share`` says which share of the tournament the run plays, such as ``3/16``, and is empty where it
    plays all."""

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
    settings: dict[str, Any] = {}
    config_sha256: str = ""
    skipped: dict[str, str] = {}
    share: str = ""
    config: dict[str, Any] = {}

    def digest(self) -> str:
        """The SHA-256 of what is played: of these fields as compact JSON, in a list."""
        told = [self.tournament, self.seed, self.matches, self.editions, self.entrants, self.settings]
        return sha256(msgspec.json.encode(told)).hexdigest()

    @property
    def shared(self) -> Share | None:
        """The share that is played. Raises UserError where there can be none of this name."""
        return read_share(self.share) if self.share else None

    @property
    def blocks(self) -> int:
        """How many blocks the run has; 0 where the manifest does not say."""
        return int(self.settings.get("blocks", 0))

    @property
    def suspend_after(self) -> int | None:
        """As in the configuration."""
        after = self.settings.get("suspend_after")
        return None if after is None else int(after)

    def comparable(self) -> dict[str, Any]:
        """The run's configuration in the form of :func:`arena.app.settings.comparable`, to be compared with it."""
        entrants = [
            {"name": name, "options": each.get("options", {}), "team": each.get("team", "")}
            for name, each in self.entrants.items()
        ]
        return {"name": self.tournament, "seed": self.seed, "entrants": entrants, **completed(self.settings)}


def facts_of(plan: Plan, command: str) -> Facts:
    """The facts of a run of this plan here and now."""
    config = plan.resolved()
    facts = Facts(
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
            entrant.name: {"bot": bot.name, "sha256": bot.sha256, "options": bot.options}
            | ({"team": entrant.team} if entrant.team else {})
            for entrant, bot in zip(plan.tournament.entrants, plan.bots, strict=True)
        },
        settings=settings_of(config),
        skipped=plan.skipped,
        share=str(plan.share or ""),
        config=config,
    )
    return msgspec.structs.replace(facts, config_sha256=facts.digest())


def check_same(began: Facts, now: Facts, more_blocks: bool = False) -> None:
    """Raise UserError if configuration, bots, rules, isolation or arena's version differ from those with which the run
    began. With ``more_blocks`` it may have more blocks than before."""
    if began.arena != now.arena:
        raise UserError(f"this run began with arena {began.arena}, this is {now.arena}; start a new run")
    if not began.config_sha256:
        raise UserError("manifest.json does not say with which configuration this run began; start a new run")
    if began.config_sha256 != began.digest():
        raise UserError("manifest.json has been changed: its settings do not have its config_sha256; start a new run")
    changed = differences(began.comparable(), comparable(now.config))
    if more_blocks and (before := began.blocks) > now.config["blocks"]:
        raise UserError(f"this run has {before} blocks, and may have more but not fewer, got {now.config['blocks']}")
    if more_blocks or "blocks" not in changed:
        more = ""
    else:
        more = f"; for more blocks put it back and say --blocks {now.config['blocks']}"
    changed = {key: values for key, values in changed.items() if not (more_blocks and key in LONGER)}
    if changed:
        problem = f"config.resolved.yaml has changed since this run began: {in_one_line(changed, 'then', 'now')}"
        raise UserError(f"{problem}; put it back, or start a new run{more}")
    for name, entrant in now.entrants.items():
        if began.entrants[name].get("sha256") != entrant["sha256"]:
            raise UserError(f"the bot of {name} ({entrant['bot']}) has changed since this run began; start a new run")
    for label, digest in now.editions.items():
        if began.editions.get(label) != digest:
            raise UserError(f"the rules of {label} have changed since this run began; start a new run")
    level, here = began.isolation.get("level"), now.isolation["level"]
    if level != here:
        raise UserError(f"this run began with bots at isolation level {level}, here it is {here}")


class Kept(msgspec.Struct):
    """What a run that goes on has already: the ``matches`` that are kept whole, by their places in the schedule, and
    ``notes``, a line each, on what was found broken and dropped."""

    matches: Bits = msgspec.field(default_factory=Bits)
    notes: list[str] = []


class Store(Protocol):
    """Keeps one run. It is written to only inside of ``with store:``."""

    def __enter__(self) -> Self:
        """Open it for writing."""

    def __exit__(self, *raised: object) -> None:
        """Close it again."""

    def begin(self, facts: Facts) -> None:
        """Keep the facts of a run that begins. Raises UserError where one has begun already."""

    def go_on(self, facts: Facts) -> None:
        """Keep the facts of a run that goes on, but for the command that began it."""

    def facts(self) -> Facts:
        """What the run began with. Raises UserError where none has begun."""

    def recover(self, roster: Roster) -> Kept:
        """Drop what is kept by halves: matches without their replays, measurements that nobody can read. The rest, of
        which every record must be that of a match of the ``roster``. Raises UserError where one is not, is kept twice,
        or says otherwise than its replay."""

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop the finished matches of which this is true, so that they are played again; how many there were. Called
        before :meth:`recover`."""

    def add(self, done: Done) -> None:
        """Keep a finished match: its replay is there as a whole before its record is."""

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""

    def packed(self, id: str) -> bytes | None:
        """The same as a frame (:func:`arena.replay.frame.pack`); None also where it is not whole."""

    def tell(self, far: HowFar) -> None:
        """Keep how far the run is, for whoever watches it. It may be lost."""

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Keep how the run ended, with so many matches, and the first block that each suspended entrant does not
        play."""

    def remember(self, told: Mapping[str, Any]) -> None:
        """Keep, as plain data, what else there is to be said of the run: under keys that are not those of
        :class:`Facts`."""

    def remembered(self) -> Mapping[str, Any]:
        """What there is to be remembered, among other things."""

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Keep the standings of a run that ended complete. Its records are in the order of the ``roster`` from now
        on."""


class MemoryStore:
    """Implements :class:`Store` without touching a file. With ``records_only`` it keeps nothing else of a match."""

    def __init__(self, records_only: bool = False) -> None:
        self.records_only = records_only
        self.began: Facts | None = None
        self.state = RunState.RUNNING
        self.far: HowFar | None = None
        self.kept: dict[str, MatchRecord] = {}
        self.timings: dict[str, Timing] = {}
        self.frames: dict[str, bytes] = {}
        self.printed: dict[str, tuple[Printed, ...]] = {}
        self.standings: tuple[Standings, ...] = ()
        self.suspended: dict[str, int] = {}
        self.told: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    def begin(self, facts: Facts) -> None:
        """Keep the facts."""
        if self.began is not None:
            raise UserError("a run has begun here already")
        self.began, self.state = facts, RunState.RUNNING

    def go_on(self, facts: Facts) -> None:
        """Keep the facts, but for the command."""
        self.began, self.state = msgspec.structs.replace(facts, command=self.facts().command), RunState.RUNNING

    def facts(self) -> Facts:
        """What the run began with."""
        if self.began is None:
            raise UserError("no run has begun")
        return self.began

    def recover(self, roster: Roster) -> Kept:
        """All matches: none is kept by halves."""
        kept = Kept()
        for record in self.kept.values():
            number, problem = roster.number(record.id), roster.problem(record)
            if number is None or problem:
                raise UserError(f"{record.id} {problem}")
            kept.matches.add(number)
        return kept

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """Drop these matches."""
        ids = [id for id, record in self.kept.items() if which(record)]
        for id in ids:
            for held in (self.kept, self.timings, self.frames, self.printed):
                held.pop(id, None)
        return len(ids)

    def add(self, done: Done) -> None:
        """Keep a finished match."""
        id = done.record.id
        self.kept[id] = done.record
        if self.records_only:
            return
        self.timings[id], self.printed[id] = done.timing, done.printed
        if done.packed is not None:
            self.frames[id] = done.packed

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, as they stand."""
        return iter(list(self.kept.values()))

    def replay(self, id: str) -> bytes | None:
        """The replay of a finished match, if it was kept."""
        return unpack(self.frames[id]) if id in self.frames else None

    def packed(self, id: str) -> bytes | None:
        """The same as a frame."""
        return self.frames.get(id)

    def tell(self, far: HowFar) -> None:
        """Keep how far it is."""
        self.far = far

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Keep how the run ended."""
        self.state, self.suspended = state, dict(suspended)

    def remember(self, told: Mapping[str, Any]) -> None:
        """Keep what is told."""
        self.told.update(told)

    def remembered(self) -> Mapping[str, Any]:
        """What was told."""
        return self.told

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Keep the standings."""
        self.kept = dict(sorted(self.kept.items(), key=lambda each: roster.number(each[0]) or 0))
        self.standings = tuple(standings)
