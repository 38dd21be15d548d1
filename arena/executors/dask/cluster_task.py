"""The task that a Dask worker runs: it hands a batch of matches to a station beside the worker (:mod:`.station`).

All input and output is bytes, so that neither the scheduler nor a worker with another version of arena needs to
understand anything but :func:`play_batch`.
"""

from __future__ import annotations

import os
import pickle
import platform
import select
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from queue import SimpleQueue
from typing import IO

import msgspec

from arena import __version__
from arena.code_digest import PLAYING, code_digests, of_parts
from arena.executors.dask.cluster_worker import Batch, Parcel, Unfit, WindUp
from arena.executors.executor import UnplayedMatch
from arena.executors.process_pool.pool_pipe import READ_BYTES, MessageBuffer, pack_message
from arena.match.work import WorkResult, this_host

STATION_PROGRAM = "from arena.executors.dask.cluster_worker import station_main; station_main()"
"""The program of a station. It is not run as a module, because the classes that it pickles would then have module names
that other processes do not know."""
BATCH_LOOK_SECONDS = 0.5
"""Seconds between two checks whether the run still exists."""

Greeting = tuple[str, str, str, Mapping[str, str]]
"""The description of a machine, in a form that all versions share: its name, the versions of arena and of Python, and
the digests of the code that plays, which older versions leave out."""


class BatchResults(msgspec.Struct, frozen=True):
    """The results of a batch from the machine ``host``; if the station ended before it had all, ``ended`` says how."""

    host: str
    results: tuple[WorkResult | UnplayedMatch, ...]
    ended: str = ""


class MissingFiles(msgspec.Struct, frozen=True):
    """The station lacks the files of some bots, because it is new."""

    host: str


class MachineRefusal(msgspec.Struct, frozen=True):
    """The machine ``host`` cannot play such matches at all."""

    host: str
    why: str


Answer = BatchResults | MissingFiles | MachineRefusal


def greet_machine() -> Greeting:
    """The description of this machine."""
    return this_host(), __version__, platform.python_version(), of_parts(code_digests(), PLAYING)


@cache
def program() -> str:
    """A text that identifies the program: equal where the version of arena and its code that plays are the same."""
    return " ".join([__version__, *of_parts(code_digests(), PLAYING).values()])


def play_batch(sender: str, run: str, data: bytes) -> bytes | Greeting:
    """Play the :class:`~arena.executors.dask.cluster_worker.Batch` in ``data``, and return the :data:`Answer` as bytes;
    where the ``sender`` is another :func:`program`, return only :func:`greet_machine`. ``run`` is the same for all
    batches that one station is to play."""
    if sender != program():
        return greet_machine()
    batch: Batch = pickle.loads(data)
    beside = _station_for(run, batch.need - {(ref.sha256, ref.file) for ref in batch.bots})
    answer: Answer = MissingFiles(this_host()) if beside is None else beside.play(batch)
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def attend() -> None:
    """Do nothing: as long as the run holds this task's result, the scheduler and this worker know that the run is
    alive."""


def presence_key(run: str, address: str) -> str:
    """The key of a run's task :func:`attend` on the worker at this address."""
    return f"arena-{run}-at-{address}"


def end_station(run: str) -> None:
    """End the station of a run."""
    with _STATIONS_LOCK:
        beside = _STATIONS.pop(run, None)
    if beside is not None:
        beside.end()


def wind_up(run: str) -> None:
    """Make the station of a run begin no more matches."""
    with _STATIONS_LOCK:
        beside = _STATIONS.get(run)
    if beside is not None:
        beside.wind_up()


class StationHandle:
    """The station of one run, as its Dask worker sees it."""

    def __init__(self, run: str) -> None:
        from distributed import get_worker

        worker = get_worker()
        self._tasks, self._presence = worker.state.tasks, presence_key(run, worker.address)
        self.ended = ""
        self.known: set[Parcel] = set()
        self._unfit = ""
        self._winding_up = False
        self._lock = threading.Lock()
        self._wanted: dict[str, SimpleQueue[WorkResult | UnplayedMatch | None]] = {}
        self._process = subprocess.Popen(
            [sys.executable, "-c", STATION_PROGRAM, str(worker.state.nthreads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # as __main__ does it
            start_new_session=True,  # a terminal's Ctrl-C is for the Dask worker
        )
        threading.Thread(target=self._read, name="arena-station", daemon=True).start()

    def play(self, batch: Batch) -> BatchResults | MachineRefusal:
        """The results of a batch, once all are there, or no more will come."""
        arriving: SimpleQueue[WorkResult | UnplayedMatch | None] = SimpleQueue()
        self._send(batch, arriving)
        results: list[WorkResult | UnplayedMatch] = []
        while len(results) < len(batch.works) and (result := arriving.get()) is not None:
            results.append(result)
        for work in batch.works:
            self._wanted.pop(work.spec.id, None)
        if self._unfit:
            return MachineRefusal(this_host(), self._unfit)
        return BatchResults(this_host(), tuple(results), self.ended if len(results) < len(batch.works) else "")

    def _send(self, batch: Batch, arriving: SimpleQueue[WorkResult | UnplayedMatch | None]) -> None:
        """Send the batch to the station; if the station is gone, no results will arrive."""
        message = pack_message(batch)
        with self._lock:
            self._wanted.update({work.spec.id: arriving for work in batch.works})
            if not self._winding_up and self._write(message):
                self.known |= batch.need
            else:
                arriving.put(None)

    def _write(self, message: bytes) -> bool:
        """Send a message; False where the station is gone."""
        assert self._process.stdin is not None
        if self.ended:
            return False
        try:
            self._process.stdin.write(message)
            self._process.stdin.flush()
        except OSError:
            return False
        return True

    def wind_up(self) -> None:
        """Make the station begin no more matches, and end."""
        with self._lock:
            self._winding_up = True
            self._write(pack_message(WindUp()))

    def _read(self) -> None:
        """Pass on the station's answers, and its end."""
        answers = self._process.stdout
        assert answers is not None
        try:
            self._pass_on(answers)
        finally:
            self._note_end(answers)

    def _pass_on(self, answers: IO[bytes]) -> None:
        incoming = MessageBuffer()
        while data := self._read_some(answers.fileno()):
            for message in incoming.feed(data):
                if isinstance(message, Unfit):
                    self._unfit = message.why
                elif arriving := self._wanted.pop(_id_of(message), None):
                    arriving.put(message)

    def _read_some(self, reading: int) -> bytes:
        """The next bytes from the station; empty where it has ended, or where the run no longer exists because its
        process was killed."""
        coming = select.poll()
        coming.register(reading, select.POLLIN)
        while self._attended():
            if coming.poll(1000 * BATCH_LOOK_SECONDS):
                return os.read(reading, READ_BYTES)
        return b""

    def _attended(self) -> bool:
        """Whether the run still holds the result of its task :func:`attend`, or waits for it."""
        task = self._tasks.get(self._presence)
        return task is not None and task.state not in ("cancelled", "resumed", "released", "forgotten")

    def _note_end(self, answers: IO[bytes]) -> None:
        self.end()
        code = self._process.wait()
        with self._lock:
            self.ended = f"the station on {this_host()} ended (exit code {code})"
            for arriving in self._wanted.values():
                arriving.put(None)
            for end in (answers, self._process.stdin):
                with suppress(OSError):  # what is still to be flushed has no reader
                    end.close()  # type: ignore[union-attr]

    def end(self) -> None:
        """End the station's process, and everything it has started."""
        self._process.kill()


def _id_of(result: WorkResult | UnplayedMatch) -> str:
    return result.record.id if isinstance(result, WorkResult) else result.id


_STATIONS_LOCK = threading.Lock()
_STATIONS: dict[str, StationHandle] = {}
"""The stations beside this Dask worker, by run."""


def _station_for(run: str, assumed: frozenset[Parcel]) -> StationHandle | None:
    """The station of a run, started if there is none yet; None where it lacks files that the sender assumes it has."""
    with _STATIONS_LOCK:
        beside = _STATIONS.get(run)
        if beside is None or beside.ended:
            if assumed:
                return None
            for ended in [name for name, each in _STATIONS.items() if each.ended]:
                del _STATIONS[ended]
            beside = _STATIONS[run] = StationHandle(run)
        return beside if assumed <= beside.known else None
