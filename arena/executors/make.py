"""Creates the executor for arena's commands; no other module chooses one."""

from __future__ import annotations

import logging
from collections.abc import Callable

from arena.errors import ArenaError, UserError
from arena.executors.executor import EXECUTORS, Executor
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.match.executor_kind import ExecutorKind
from arena.system.platform_support import can_fork

log = logging.getLogger(__name__)


def make_executor(
    jobs: int,
    shown: bool = False,
    way: str = ExecutorKind.POOL,
    scheduler: str | None = None,
    tell: Callable[[str], None] = log.info,
) -> Executor:
    """An executor that plays ``jobs`` matches at once; in this process, one after another, where processes cannot be
    forked. The output of trusted bots is logged, or with ``shown`` goes to
    standard error.

    The Dask executor uses the workers of the ``scheduler`` at this address, as many matches at once as these have
    threads, or without one this machine; it passes messages about its machines to ``tell``. Any other ``way`` is the
    ``module:Name`` of an executor from outside arena, which is imported already. Raises ArenaError where there is no
    such scheduler or executor.
    """
    match way:
        case ExecutorKind.POOL:
            return Pool(jobs, shown) if can_fork() else Serial()
        case ExecutorKind.SERIAL:
            return Serial()
        case ExecutorKind.DASK:
            from arena.executors.dask.cluster import Cluster  # imports nothing of Dask unless it is asked for

            return Cluster(scheduler, jobs, tell)
        case _:
            return _from_outside(way, jobs)


def _from_outside(name: str, jobs: int) -> Executor:
    """Create an executor from outside arena. Raises UserError where this fails."""
    executor = EXECUTORS.load(name)
    try:
        return executor(jobs)
    except ArenaError:
        raise
    except Exception as error:
        raise UserError(f"the executor {name} cannot be made: {type(error).__name__}: {error}") from None
