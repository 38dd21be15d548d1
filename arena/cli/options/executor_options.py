"""The options that say where matches are played, and those that name parts from outside arena."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from arena.errors import UserError
from arena.executors.executor import EXECUTORS
from arena.match.executor_kind import ExecutorKind
from arena.plugins import FORM, check_name, is_plugin

Function = TypeVar("Function", bound=Callable[..., Any])


class ExecutorOption(click.ParamType[str]):
    """An executor as an option's value: a kind, or ``module:Name``, which is imported and checked."""

    name = "executor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The executor's name. Fails with a usage error."""
        try:
            name = check_name(str(value), self.name, ExecutorKind)
            if is_plugin(name):
                EXECUTORS.load(name, recorded=False)
        except UserError as problem:
            self.fail(str(problem), param, ctx)
        return name


def executor_options(command: Function) -> Function:
    """Add ``--executor`` and ``--scheduler``."""
    executor = click.option(
        "--executor",
        type=ExecutorOption(),
        metavar=f"[{'|'.join([*ExecutorKind, FORM])}]",
        help="Where matches are played: worker processes (pool), this process (serial), Dask, or an executor of yours.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="The Dask scheduler whose workers play, e.g. tcp://host:8786, or its file (arena docs cluster).",
    )
    return executor(scheduler(command))


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Where matches are played: the ``executor`` (None: the configured one), and the address of its ``scheduler``."""

    executor: str | None
    scheduler: str | None

    def choose(self, configured: str = ExecutorKind.POOL) -> str:
        """The executor to use: a kind, or ``module:Name``. A scheduler's address alone selects Dask. Raises UsageError
        where the options contradict each other."""
        if self.scheduler is None:
            return self.executor or configured
        if self.executor not in (None, ExecutorKind.DASK):
            raise click.UsageError(f"--scheduler is for --executor dask, got --executor {self.executor}")
        return ExecutorKind.DASK
