"""One round of a ladder as the store of a run: matches go into the database, replays into the season's packs.

A replay is in its pack before the transaction that adds the match. A power cut may take replays of an open round that
the database knows: their matches are dropped and played again. A round is closed when everything is safe on disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, Self

import msgspec
from msgspec import UnsetType

from arena.consultation.journal import forget_journal
from arena.errors import UserError
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import BOT_LOGS, LADDER_PROGRESS, LadderFolder
from arena.ladder.database.ladders import utc_now
from arena.ladder.database.match_rows import finished_matches
from arena.ladder.database.play_log import note_round_play
from arena.match.work import Timing, WorkResult
from arena.storage.files.atomic_files import write_whole
from arena.storage.logs.bot_logs import BotLogs
from arena.storage.packs.pack_recovery import SMALLEST_WEIGHT, mend_packs
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, OPEN_CALLS_FOLDER, REPLAYS_FOLDER, KeptReplays
from arena.storage.recovery import sort_out
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.run_progress import RunProgress
from arena.storage.run_files.match_files import UNSAFE_BYTES, UNSAFE_SECONDS
from arena.storage.store import RunRemains
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule
from arena.tournament.standings.standings import Standings

_TIMING_DECODER = msgspec.json.Decoder(Timing)


class SeasonFiles:
    """The database and the packs of a season, open for playing: the connection, the stored replays, the writer of
    packs."""

    def __init__(self, place: LadderFolder, folder: Path) -> None:
        self.place, self.folder = place, folder
        self.replays = KeptReplays(folder)
        self.packs = PackWriter(folder / REPLAYS_FOLDER)
        self.cassettes = KeptReplays(folder, CASSETTES_FOLDER)
        self.cassette_packs = PackWriter(folder / CASSETTES_FOLDER)
        self.bot_logs = BotLogs(place.folder / BOT_LOGS)
        self.unpacked: set[str] = set()
        """The ids of replays that were found at the end of the packs when these were opened."""
        self._open = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            self.database = open_database(self.place.database, self.place.shown, write=True)
            opened.callback(self.database.close)
            self.unpacked = mend_packs(self.folder / REPLAYS_FOLDER)
            mend_packs(self.folder / CASSETTES_FOLDER)
            opened.callback(self.packs.close)
            opened.callback(self.cassette_packs.close)
            self._open = opened.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._open.close()


class RoundStore:
    """Implements :class:`arena.storage.store.Store` for the round in the row ``round``. ``versions`` are the rows of
    the playing versions, by name. The database does not have the round's ``seed`` until all matches are played: a
    reader of it, or of a copy, must not know the deals to come."""

    def __init__(
        self, files: SeasonFiles, round: int, schedule: Schedule, versions: Mapping[str, int], game: str, seed: str
    ) -> None:
        self.files, self.round, self.schedule, self.game, self.seed = files, round, schedule, game, seed
        self.versions = versions
        self._names = {row: name for name, row in versions.items()}
        self._unsafe, self._safe_since = 0, monotonic()
        self._played_with: int | None = None

    @property
    def _database(self) -> sqlite3.Connection:
        return self.files.database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        return None

    @cached_property
    def _first(self) -> int:
        """The permanent number of the round's first match."""
        row = self._database.execute("SELECT first_match FROM rounds WHERE id = ?", (self.round,)).fetchone()
        return int(row[0])

    @property
    def has_begun(self) -> bool:
        """Whether playing the round has begun."""
        return self._facts() is not None

    def begin(self, facts: Facts) -> None:
        """Store the facts of a round that begins."""
        if self._facts() is not None:
            raise UserError("a run has begun here already")
        self._keep(with_seed(facts, ""))
        self.go_on(facts)

    def go_on(self, facts: Facts) -> None:
        """Record the facts (version, code, isolation) of the matches that are played from now on; the facts with which
        the round began stay as they are."""
        with write_transaction(self._database):
            self._played_with = note_round_play(self._database, self.round, facts)

    def facts(self) -> Facts:
        """The facts with which the round began."""
        found = self._facts()
        if found is None:
            raise UserError("no run has begun")
        return with_seed(msgspec.json.decode(found, type=Facts), self.seed)

    def _keep(self, facts: Facts) -> None:
        self._set(facts=msgspec.json.encode(facts).decode())

    def _facts(self) -> str | None:
        row = self._database.execute("SELECT facts FROM rounds WHERE id = ?", (self.round,)).fetchone()
        return None if row is None else row[0]

    def _set(self, **columns: str) -> None:
        with write_transaction(self._database):
            for name, value in columns.items():
                self._database.execute(f"UPDATE rounds SET {name} = ? WHERE id = ?", (value, self.round))

    def recover(self, roster: Roster) -> RunRemains:
        """See :meth:`arena.storage.store.Store.recover`. Reads few replays: only those at the end of the packs."""
        gone = {each.id for each in self.records() if each.replay and not self.files.replays.in_packs(each.id)}
        notes = []
        if gone:
            self._drop(gone)
            matches = "1 match" if len(gone) == 1 else f"{len(gone)} matches"
            notes.append(f"missing or cut off: the replays of {matches} of the last round; played again")
        numbered = ((str(self.files.place.shown), each) for each in self.records())
        whole, _ = sort_out(self.files.replays, self.files.unpacked, numbered, roster)
        return RunRemains(whole, notes)

    def _drop(self, ids: set[str]) -> None:
        with write_transaction(self._database):
            for id in ids:
                number = self._number(id)
                self._database.execute("DELETE FROM seats WHERE match = ?", (number,))
                self._database.execute("DELETE FROM matches WHERE id = ?", (number,))

    def _number(self, id: str) -> int:
        """The permanent number of a match."""
        fixture = self.schedule.find(id)
        if fixture is None:
            raise UserError(f"{id} is no match of this round")
        return self._first + fixture.index

    def forget(self, which: Callable[[MatchRecord], bool]) -> int:
        """See :meth:`arena.storage.store.Store.forget`. New replays supersede those of forgotten matches."""
        ids = {record.id for record in self.records() if which(record)}
        self._drop(ids)
        return len(ids)

    def add(self, done: WorkResult) -> None:
        """Add the replay and the cassette to the last packs, the bots' output to their logs, then the match in one
        transaction."""
        record = done.record
        if done.cassette is not None:
            self.files.cassette_packs.check(self.files.folder / CASSETTES_FOLDER)
            self.files.cassette_packs.add(record.id, done.cassette)
            self._unsafe += max(len(done.cassette), SMALLEST_WEIGHT)
        if done.packed is not None:
            self.files.packs.check(self.files.folder / REPLAYS_FOLDER)
            self.files.packs.add(record.id, done.packed)
            self._unsafe += max(len(done.packed), SMALLEST_WEIGHT)
        for printed in done.printed:
            self.files.bot_logs.add(record, printed)
        number, timing = self._number(record.id), done.timing
        row = (
            number, self.round, record.id, record.block, record.seed, record.termination, record.asks, record.void,
            done.packed is not None, record.sha256, timing.host, timing.seconds,
            msgspec.json.encode(timing).decode(), utc_now(), self._played_with,
        )  # fmt: skip
        seats = [
            (number, seat, self.versions[each.entrant], each.money, each.rank, each.ended, _faults_json(each), counts)
            for seat, (each, counts) in enumerate(zip(record.seats, _counts(record), strict=True))
        ]
        with write_transaction(self._database):
            self._database.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", row)
            self._database.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seats)
        if self._unsafe >= UNSAFE_BYTES or monotonic() - self._safe_since >= UNSAFE_SECONDS:
            self.make_safe()
        if done.cassette is not None:
            forget_journal(self.files.folder / OPEN_CALLS_FOLDER, record.id, self.make_safe)

    def make_safe(self) -> None:
        """Flush the replays and the cassettes to disk, so that they survive a power cut."""
        self.files.cassette_packs.sync()
        self.files.packs.sync()
        self._unsafe, self._safe_since = 0, monotonic()

    def records(self) -> Iterator[MatchRecord]:
        """The finished matches, in the order of the schedule."""
        numbers = self._first, self._first + len(self.schedule)
        found = finished_matches(self._database, self.game, self._names, *numbers)
        return iter([each.record for each in found])

    def timings(self) -> Iterator[Timing]:
        """Yield the measured times of the finished matches, in the order of the schedule."""
        rows = self._database.execute("SELECT timing FROM matches WHERE round = ? ORDER BY id", (self.round,))
        return (_TIMING_DECODER.decode(timing) for (timing,) in rows.fetchall())

    def replay(self, id: str) -> bytes | None:
        """Return the replay of a finished match; None where none was stored."""
        return self.files.replays.get(id)

    def cassette(self, id: str) -> bytes | None:
        """Return the calls of models of a finished match; None where its bots could consult none."""
        return self.files.cassettes.get(id)

    def replay_frame(self, id: str) -> bytes | None:
        """Return the same replay as a compressed frame; None also where the frame is damaged."""
        return self.files.replays.replay_frame(id)

    def tell(self, far: RunProgress) -> None:
        """Write the round's progress for other processes to read; errors are ignored."""
        with suppress(OSError):
            write_whole(self.files.place.folder / LADDER_PROGRESS, msgspec.json.encode(far), durable=False)

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Flush everything to disk, and store the state in which the round was left."""
        self.make_safe()
        self.remember({"state": state, "finished": finished})

    def remember(self, told: Mapping[str, Any]) -> None:
        """Store these values with the round."""
        self._set(told=msgspec.json.encode({**self.manifest_data(), **told}).decode())

    def manifest_data(self) -> Mapping[str, Any]:
        """The values that :meth:`remember` stored with the round."""
        (told,) = self._database.execute("SELECT told FROM rounds WHERE id = ?", (self.round,)).fetchone()
        found: dict[str, Any] = msgspec.json.decode(told)
        return found

    def complete(self, roster: Roster, standings: Sequence[Standings]) -> None:
        """Add the round's seed to its facts: its deals are no longer secret. Its records are in order already, and a
        round has no standings of its own."""
        self._keep(self.facts())


def _faults_json(seat: SeatRecord) -> str | None:
    return msgspec.json.encode(seat.faults, order="deterministic").decode() if seat.faults else None


def _counts(record: MatchRecord) -> list[str | None]:
    """Return the game's counts of each seat, as JSON; null where the game has none."""
    if isinstance(record.counts, UnsetType):
        return [None] * len(record.seats)
    by_seat = zip(*record.counts.values(), strict=True)
    return [msgspec.json.encode(dict(zip(record.counts, counts, strict=True))).decode() for counts in by_seat]


def with_seed(facts: Facts, seed: str) -> Facts:
    """The same facts with this seed."""
    return msgspec.structs.replace(facts, seed=seed, config={**facts.config, "seed": seed})
