"""Options of the commands that play many matches and sum them up (``gauntlet``, ``null`` and ``compare``), and their
values as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import click

from arena.bot import Limits
from arena.cli.options.match_options import MatchOptions, condition_options, edition_options
from arena.cli.options.shared_options import SECRET_HELP, Function, JobOptions, isolation_options, job_options
from arena.penalties import FaultPolicy
from arena.runs.planning.open_folder import new_store
from arena.sandbox.probe import Level
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore


class SeriesConditions(TypedDict):
    """The conditions of play, as keyword arguments."""

    rules: str
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    limits: Limits
    fault_policy: FaultPolicy
    strikes: int
    trust: bool
    isolate_all: bool
    require: Level


@dataclass(frozen=True, slots=True)
class SeriesOptions(MatchOptions):
    """The values of the options below, as they were given."""

    jobs: int | None
    oversubscribe: bool
    out: Path | None
    as_json: bool
    quiet: bool

    @property
    def conditions(self) -> SeriesConditions:
        """The edition, time limits, what faults cost, and how bots are isolated."""
        return SeriesConditions(
            rules=self.rules,
            variants=self.variants,
            settings=self.settings,
            limits=self.limits,
            fault_policy=FaultPolicy(self.fault_policy),
            strikes=self.strikes,
            trust=self.trust,
            isolate_all=self.isolate_all,
            require=self.level,
        )

    @property
    def processes(self) -> int:
        """How many processes play. Raises UserError for more than there are cores, unless that is allowed."""
        return JobOptions(self.jobs, self.oversubscribe).count()

    def store(self, what: str) -> MemoryStore | FolderStore:
        """The store for the matches: in memory, or the new folder ``out``; ``what`` is the name of the run. Raises
        UserError where the folder cannot be made."""
        return MemoryStore(records_only=True) if self.out is None else new_store(what, self.out)


def deal_options(command: Function) -> Function:
    """Add the options for the deals and the processes: the edition, ``seed``, ``jobs``, ``oversubscribe``."""
    seed = click.option("--seed", help="Seed of all deals; by default random, and printed.")
    return edition_options(seed(job_options(command)))


def kept_options(command: Function) -> Function:
    """Add the options for time limits, penalties for faults, isolation, and the folder for the matches (``out``), in
    this order."""
    out = click.option(
        "-o", "--out", type=click.Path(path_type=Path), help="Folder for matches, replays and standings."
    )
    return condition_options(isolation_options(SECRET_HELP)(out(command)))


def printed_options(hidden: str) -> Callable[[Function], Function]:
    """Add ``as_json`` and ``quiet``; the help text of ``quiet`` says what it hides (``hidden``)."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
    quiet = click.option("-q", "--quiet", is_flag=True, help=f"Hide {hidden}.")
    return lambda command: as_json(quiet(command))
