"""What the commands share that play many matches and sum them up, ``gauntlet``, ``null`` and ``compare``: options, and
their values as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, TypedDict

import click

from arena.bot import Limits
from arena.cli.options.match_options import condition_options, edition_options
from arena.cli.options.shared_options import SECRET_HELP, Function, isolation_options
from arena.config.tournament_config import MOST_JOBS
from arena.penalties import FaultPolicy
from arena.runs.job_count import count_jobs
from arena.runs.planning.open_folder import new_store
from arena.sandbox.probe import Level
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore


class SeriesConditions(TypedDict):
    """What matches are played under, as it is handed on."""

    rules: str
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    limits: Limits
    fault_policy: FaultPolicy
    strikes: int
    trust: bool
    require: Level


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """The values of the options below, as they were given."""

    rules: str
    variants: tuple[str, ...]
    settings: tuple[str, ...]
    seed: str | None
    jobs: int | None
    oversubscribe: bool
    ask: float
    bank: float
    match_time: float
    fault_policy: str
    strikes: int
    trust: bool
    require: Level | None
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
            limits=Limits(ask=self.ask, bank=self.bank, match=self.match_time),
            fault_policy=FaultPolicy(self.fault_policy),
            strikes=self.strikes,
            trust=self.trust,
            require=self.require or Level.NONE,
        )

    @property
    def processes(self) -> int:
        """How many processes play. Raises UserError for more than there are cores, unless that is allowed."""
        return count_jobs(self.jobs, None, self.oversubscribe)

    def store(self, what: str) -> MemoryStore | FolderStore:
        """Where matches are kept: in memory, or in a new folder of ``what`` is played. Raises UserError where the
        folder cannot be made."""
        return MemoryStore(records_only=True) if self.out is None else new_store(what, self.out)

    @property
    def isolation_words(self) -> list[str]:
        """The words that isolate bots in the same way again."""
        return ["--trust"] * self.trust + (["--require", self.require] if self.require else [])


def gather_series_options(command: Callable[..., None]) -> Callable[..., None]:
    """Hand the values of the shared options to a command as one, ``given``. Stands below all options."""

    @wraps(command)
    def run(*arguments: Any, **values: Any) -> None:
        given = SeriesOptions(**{field.name: values.pop(field.name) for field in fields(SeriesOptions)})
        command(*arguments, given=given, **values)

    return run


def deal_options(command: Function) -> Function:
    """Add the options for what is dealt and by how many processes: the edition, ``seed``, ``jobs``,
    ``oversubscribe``."""
    for option in (
        click.option("--oversubscribe", is_flag=True, help="Allow more jobs than cores."),
        click.option("-j", "--jobs", type=click.IntRange(1, MOST_JOBS), help="Worker processes; all cores by default."),
        click.option("--seed", help="Seed of all deals; drawn and printed by default."),
    ):
        command = option(command)
    return edition_options(command)


def kept_options(command: Function) -> Function:
    """Add the options for time limits, what faults cost, isolation, and the folder: ``out`` last."""
    out = click.option(
        "-o", "--out", type=click.Path(path_type=Path), help="Folder for matches, replays and standings."
    )
    return condition_options(isolation_options(SECRET_HELP)(out(command)))


def printed_options(hidden: str) -> Callable[[Function], Function]:
    """Add ``as_json`` and ``quiet``, which hides what is ``hidden``."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
    quiet = click.option("-q", "--quiet", is_flag=True, help=f"Hide {hidden}.")
    return lambda command: as_json(quiet(command))
