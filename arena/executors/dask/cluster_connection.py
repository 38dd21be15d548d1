"""The connection to a Dask scheduler: an existing one, or that of a temporary cluster on this machine."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena import __version__
from arena.code_digest import PLAYING, code_difference, code_digests, of_parts
from arena.errors import ArenaError, MachinesLost, UserError, one_line_message
from arena.executors.dask.cluster_task import Greeting, end_station, greet_machine, wind_up
from arena.foreign_files import read_argument

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

CONNECT_SECONDS = 10.0
"""Seconds in which a scheduler must answer when a run begins, or when the connection was lost."""
ANSWER_SECONDS = 5.0
"""Seconds to wait for an answer from the scheduler or from workers."""
SCHEDULER_FILE_ENDING = ".json"
"""The suffix of a file to which a scheduler has written its address (``dask scheduler --scheduler-file``)."""


class SchedulerConnection:
    """Connects to the scheduler at an address (``tcp://HOST:8786``, ``tls://HOST:8786`` or a scheduler file). Without
    an address it starts a cluster on this machine, whose single worker plays ``jobs`` matches at once. Raises
    ArenaError where there is no scheduler."""

    def __init__(self, scheduler: str | None, jobs: int) -> None:
        _import_dask()
        self.cluster = None if scheduler else _local_cluster(jobs)
        self.client = _connect_client(scheduler or str(self.cluster and self.cluster.scheduler_address))
        self.shown: str = scheduler or "this machine"

    @property
    def is_reachable(self) -> bool:
        """Whether the scheduler can be reached now. Raises MachinesLost where it has been out of reach for a while."""
        if self.client.status in ("closing", "closed"):
            raise MachinesLost(
                f"the Dask scheduler at {self.shown} has gone away, and is not back after {CONNECT_SECONDS:g} s"
            )
        return bool(self.client.status == "running")

    def threads(self) -> Mapping[str, int] | None:
        """The threads of each worker, by its address; None where the scheduler does not answer."""
        try:
            found: dict[str, int] = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWER_SECONDS)
        except (OSError, TimeoutError):
            return None
        return found

    def greetings(self) -> dict[str, Greeting]:
        """The greeting of each worker that answers, which says on which machine it is, by the worker's address. Raises
        UserError where a worker or the scheduler cannot import arena, or has another version or other code of it; the
        message names all of them."""
        try:
            self.client.run_on_scheduler(greet_machine)
        except Exception as problem:  # what its Python raises
            raise UserError(
                f"the scheduler at {self.shown} cannot import arena {__version__} ({one_line_message(problem)}); "
                "install it there as well"
            ) from None
        found = self._ask_all(greet_machine)
        wrong = [mismatch_text(address, told) for address, told in found.items() if version_differs(told)]
        if wrong:
            raise UserError("; ".join(wrong))
        return found

    def _ask_all(self, question: Callable[..., Any], *given: object) -> dict[str, Any]:
        """The answer of each worker to a question, or its exception, by address."""
        try:
            found: dict[str, Any] = self.client.sync(
                self.client._run, question, *given, on_error="return", callback_timeout=ANSWER_SECONDS
            )
        except (OSError, TimeoutError):
            return {}
        return found

    def wind_up(self, run: str) -> None:
        """Make the workers begin no more matches of this run."""
        self._ask_all(wind_up, run)

    def close(self, run: str) -> None:
        """End what the workers have begun for this run, and the cluster if it was started here."""
        with suppress(Exception):  # nobody may be there any more
            if self.client.status == "running" and self.cluster is None:
                self._ask_all(end_station, run)
        with suppress(Exception):
            self.client.close(timeout=ANSWER_SECONDS)
        if self.cluster is not None:
            with suppress(Exception):
                self.cluster.close(timeout=ANSWER_SECONDS)


def version_differs(told: object) -> bool:
    """Whether a worker's answer ``told`` shows another version of arena, other code that plays, or no arena at all."""
    return not isinstance(told, tuple) or told[1] != __version__ or not _same_code(told)


def _same_code(told: tuple[Any, ...]) -> bool:
    here = of_parts(code_digests(), PLAYING)
    return here == (told[3] if len(told) > 3 else {})


def mismatch_text(address: str, told: object) -> str:
    """The problem of a worker with another version, in one line."""
    if not isinstance(told, tuple):
        return f"the worker {address} cannot import arena {__version__} ({one_line_message(told)}); install it there"
    host, version, python, *code = told
    if version == __version__:
        other = code_difference(code[0] if code else {}, PLAYING) or f"code of arena {version} (it does not say which)"
        return f"the worker {address} on {host} has other {other}, on which matches depend; install the same"
    return (
        f"the worker {address} on {host} has arena {version} (Python {python}), here it is {__version__}; "
        "install the same version"
    )


def _import_dask() -> None:
    """Import Dask, without letting it log to the terminal. Raises UserError where it is not installed."""
    root, silent = logging.getLogger(), logging.NullHandler()
    root.addHandler(silent)  # else Dask would add handlers of its own
    try:
        import distributed  # noqa: F401
    except ImportError as problem:
        how = "install it with: pip install distributed"
        raise UserError(f"the executor dask needs the package distributed ({problem}); {how}") from None
    finally:
        root.removeHandler(silent)
    logging.getLogger("distributed").setLevel(logging.WARNING)


def _connect_client(address: str, tries: int = 3) -> Client:
    from distributed import Client

    where = _address_in(Path(address)) if address.endswith(SCHEDULER_FILE_ENDING) else address
    try:
        return Client(where, timeout=CONNECT_SECONDS, set_as_default=False, name="arena")
    except AssertionError:  # so Dask says that its own thread has not begun within ten seconds
        if tries > 1:
            return _connect_client(address, tries - 1)
        raise ArenaError("Dask does not start here: this machine is too busy; try again") from None
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as problem:
        raise ArenaError(f"no Dask scheduler answers at {address}: {_innermost_cause(problem)}") from None


def _address_in(file: Path) -> str:
    """The scheduler's address from the file that it has written. Raises UserError."""
    try:
        return msgspec.json.decode(read_argument(file), type=_SchedulerFile).address
    except (OSError, msgspec.MsgspecError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise UserError(f"{file} is not a scheduler file: {why}; dask scheduler --scheduler-file writes one") from None


class _SchedulerFile(msgspec.Struct):
    """The part of a scheduler file that is read."""

    address: str


def _innermost_cause(problem: BaseException) -> str:
    """The innermost cause of a failure to connect, in one line."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    return one_line_message(problem) or type(problem).__name__


def _local_cluster(jobs: int) -> LocalCluster:
    """Start a scheduler and a worker in processes of this machine, reachable only from it. Raises ArenaError."""
    from distributed import LocalCluster

    try:
        with _ctrl_c_ignored():
            return LocalCluster(
                n_workers=1,
                threads_per_worker=jobs,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
    except (OSError, TimeoutError, RuntimeError) as problem:
        raise ArenaError(f"no Dask cluster can be started on this machine: {_innermost_cause(problem)}") from None


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Processes that are started inside this context ignore a terminal's Ctrl-C, which is for the run alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
