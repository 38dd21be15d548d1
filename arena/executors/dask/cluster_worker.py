"""A station: the process beside a Dask worker in which a pool plays the worker's matches, so that no bot can harm the
worker.

It reads :class:`Batch` and :class:`WindUp` from standard input, and writes to standard output a ``Done`` or
``Unplayed`` for each finished work, or finally :class:`Unfit`. It ends when its input ends, as when the Dask worker is
killed, or when it has been idle for a while.

Bots' files are sent once, with the first batch that needs them, and are unpacked into a folder of the station's own
(:mod:`arena.finding.depot`).
"""

from __future__ import annotations

import logging
import os
import select
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import BinaryIO

import msgspec

from arena.errors import ArenaError
from arena.executors.process_pool.pool import Pool
from arena.executors.process_pool.pool_pipe import READ_BYTES, MessageBuffer, pack_message
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.match.work import Work, bots_of, replace_bots

IDLE_SECONDS = 60.0
"""Seconds without work after which a station ends: the sender of its matches may be gone."""

Parcel = tuple[str, str]
"""Identifies the files of a bot: their digest, and the name of the file that is loaded."""


class Batch(msgspec.Struct, frozen=True):
    """Works to play, with bots stripped of their files; the ``bots`` with files that the station does not have yet; and
    the parcels of all files that the works ``need``."""

    works: tuple[Work, ...]
    bots: tuple[BotRef, ...] = ()
    need: frozenset[Parcel] = frozenset()


class WindUp(msgspec.Struct, frozen=True):
    """Tells a station to begin no more matches, and to end when those being played are finished."""


class Unfit(msgspec.Struct, frozen=True):
    """Says that this machine can never play these matches."""

    why: str


def parcel_of(ref: BotRef) -> Parcel | None:
    """The parcel with the files of this bot; None for a bot that is installed on every machine."""
    return (ref.sha256, ref.file) if ref.files else None


def packed_off(works: Sequence[Work], known: frozenset[Parcel] | set[Parcel]) -> Batch:
    """A batch of these works for a station that has the ``known`` parcels."""
    bots = {parcel: ref for work in works for ref in bots_of(work) if (parcel := parcel_of(ref))}
    missing = tuple(ref for parcel, ref in bots.items() if parcel not in known)
    return Batch(tuple(map(_without_files, works)), missing, frozenset(bots))


def _without_files(work: Work) -> Work:
    """The same work with bots stripped of their files; an empty folder marks bots whose files are sent separately."""
    return replace_bots(work, lambda ref: msgspec.structs.replace(ref, files=(), folder="") if ref.files else ref)


class _Closed(Exception):
    """The other end of the pipe is closed."""


class Station:
    """Plays the works that it reads from the descriptor ``reading``, in ``jobs`` processes, and writes the results."""

    def __init__(self, jobs: int, reading: int, results: BinaryIO) -> None:
        self._reading, self._results = reading, results
        self._incoming = MessageBuffer()
        self._folders: dict[Parcel, str] = {}
        self._winding_up = False
        self._depot, self._pool = BotCopies(), Pool(jobs)
        self._pool.listening[reading] = self._listen

    def run(self) -> None:
        """Play until the input ends, or until nothing has come for a while."""
        with ExitStack() as opened:
            opened.enter_context(closing(self._depot))
            opened.enter_context(closing(self._pool))
            opened.enter_context(closing(self._results))
            try:
                self._play()
            except ArenaError as problem:
                self._send(Unfit(str(problem)))
            except (_Closed, BrokenPipeError, KeyboardInterrupt):
                pass

    def _play(self) -> None:
        while select.select([self._reading], [], [], IDLE_SECONDS)[0]:
            self._listen()
            for result in self._pool.completed():
                self._send(result)
            if self._winding_up:
                return

    def _send(self, result: object) -> None:
        self._results.write(pack_message(result))
        self._results.flush()

    def _listen(self) -> None:
        """Process the input that has come. Raises _Closed at its end, and ArenaError where a bot's files cannot be used
        here."""
        data = os.read(self._reading, READ_BYTES)
        if not data:
            raise _Closed
        for batch in self._incoming.feed(data):
            if isinstance(batch, WindUp):
                self._winding_up = True
                self._pool.wind_up()
                continue
            for ref in batch.bots:
                self._folders[ref.sha256, ref.file] = self._depot.place(ref).folder
            for work in batch.works:
                self._pool.submit(self._unpacked(work))

    def _unpacked(self, work: Work) -> Work:
        """The work with the paths of its bots' files on this machine."""
        return replace_bots(work, self._found)

    def _found(self, ref: BotRef) -> BotRef:
        if ref.folder or (ref.sha256, ref.file) not in self._folders:
            return ref
        return msgspec.structs.replace(ref, folder=self._folders[ref.sha256, ref.file])


def station_main() -> None:
    """Run as a station. What bots print goes to standard error, which is the log of the Dask worker."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    reading = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    Station(int(sys.argv[1]), reading, results).run()
