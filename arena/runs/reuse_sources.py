"""Matches of earlier runs, identified by everything that decides how they go.

Two matches go the same, to the last byte of their replays except for names, when these are equal: the game, the edition
with the digest of its rules, the match seed, the bot, its digest and its options on each seat, the limits, the fault
policy with its strikes, the schemes of chance, the format of replays, the version of arena and its code that plays. All
of these are in ``manifest.json`` and ``matches.jsonl``, but whether bots repeat themselves is not.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Self

import msgspec

from arena import __version__
from arena.code_digest import PLAYING, code_difference
from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS
from arena.games.chance import CHANCE_SCHEME
from arena.match.work import Timing
from arena.penalties import FaultKind
from arena.replay.lines import REPLAY_FORMAT
from arena.storage.consistency import roster_of
from arena.storage.files.line_file import LineFile
from arena.storage.folder_lock import not_written_to
from arena.storage.layout import MATCHES_FILE, TIMINGS_FILE
from arena.storage.run_facts.facts import Facts
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

BY_THE_CLOCK = tuple(kind for kind in FaultKind if kind.timed or kind.always_gone)
"""Kinds of faults that may not recur on another machine or at another time: running out of time or memory."""
CONDITION_SETTINGS = ("limits", "fault_policy", "strikes")
"""The settings that decide how a match goes; the others decide which matches are played."""
_SOURCE_BITS = 16
_RECORD_DECODER = msgspec.json.Decoder(MatchRecord)
_TIMING_DECODER = msgspec.json.Decoder(Timing)


def ask_for_seed(folder: Path) -> UserError:
    """The error for a command that takes over matches of the run in ``folder`` without being given a seed. Raises
    UserError where there is no run."""
    seed = FolderStore(folder).facts().seed
    return UserError(f"--reuse {folder}: matches are the same only with the same seed; add: --seed {seed}")


class ReuseKeys:
    """Makes a key for each match of a run with these ``facts``: matches with equal keys go the same, if their bots
    repeat themselves."""

    def __init__(self, facts: Facts) -> None:
        settings = facts.settings
        if missing := [key for key in CONDITION_SETTINGS if key not in settings]:
            raise UserError(f"its manifest.json does not say: {', '.join(missing)}")
        self._all = _encode_plain([settings[key] for key in CONDITION_SETTINGS])
        self._editions = {label: _encode_plain([label, digest]) for label, digest in facts.editions.items()}
        self._bots = {
            name: _encode_plain([each.get("bot"), each.get("sha256"), each.get("options", {})])
            for name, each in facts.entrants.items()
        }

    def match_key(self, game: str, label: str, seed: str, names: Sequence[str]) -> int:
        """The key of a match, in 64 bits: of ``game`` in the edition with this ``label``, between entrants with these
        ``names`` by seat."""
        parts = (self._all, _encode_plain([game, seed]), self._editions[label], *(self._bots[name] for name in names))
        return int.from_bytes(sha256(b"".join(parts)).digest()[:8])


class OldMatch(msgspec.Struct):
    """A match of an earlier run: its ``record``, its ``timing`` if there is one, and its ``replay``."""

    folder: str
    record: MatchRecord
    timing: Timing | None
    replay: bytes


class OldRun:
    """An earlier run. Nobody may write to it while it is open. Raises UserError where its matches cannot be taken over
    by a run with ``seed``."""

    def __init__(self, folder: Path, seed: str, held: ExitStack) -> None:
        self.shown = folder
        self.store = FolderStore(folder)
        self.facts = self.store.facts()
        held.enter_context(not_written_to(folder / "logs" / "lock", folder))
        for what, then, now in (
            ("arena", self.facts.arena, __version__),
            ("replay_format", self.facts.replay_format, REPLAY_FORMAT),
            ("chance", self.facts.chance, CHANCE_SCHEME),
            ("seed", self.facts.seed, seed),
        ):
            if then != now:
                raise UserError(
                    f"--reuse {folder}: no match of it can be taken over: {what} is {then} there, {now} here"
                )
        if code := code_difference(self.facts.code, PLAYING):
            raise UserError(f"--reuse {folder}: no match of it can be taken over: other {code} has played it")
        try:
            self.keys = ReuseKeys(self.facts)
        except UserError as problem:
            raise UserError(f"--reuse {folder}: {problem}") from None
        number = roster_of(folder, whole=True).number
        self.matches = held.enter_context(LineFile(folder / MATCHES_FILE, number))
        self.timings = held.enter_context(LineFile(folder / TIMINGS_FILE, number))


class OldRuns:
    """The matches of earlier runs that a run with ``facts`` may take over, if their bots repeat themselves; it holds a
    few numbers for each match. It leaves out matches without a replay, those with faults that depend on the clock, and,
    where bots were isolated otherwise than now, those with any fault."""

    def __init__(self, folders: Sequence[Path], facts: Facts) -> None:
        self._held = ExitStack()
        with ExitStack() as held:
            self.runs = [OldRun(folder, facts.seed, held) for folder in dict.fromkeys(folders)]
            if len(self.runs) > 1 << _SOURCE_BITS:
                raise UserError(f"--reuse: expected at most {1 << _SOURCE_BITS:,} folders, got {len(self.runs):,}")
            self._held = held.pop_all()
        found: list[tuple[int, int]] = []
        for place, run in enumerate(self.runs):
            faults_too = _encode_plain(run.facts.binding_isolation) == _encode_plain(facts.binding_isolation)
            for at, (_, line) in enumerate(run.matches):
                key = _match_key(run, line, faults_too)
                if key is not None:
                    found.append((key, at << _SOURCE_BITS | place))
        found.sort()
        self._keys = array("Q", (key for key, _ in found))
        self._places = array("Q", (place for _, place in found))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._held.close()

    def __len__(self) -> int:
        return len(self._keys)

    def place(self, key: int) -> int | None:
        """The place of the match with this key, or None."""
        at = bisect_left(self._keys, key)
        return self._places[at] if at < len(self._keys) and self._keys[at] == key else None

    def folder(self, place: int) -> Path:
        """The folder of the run that has this place."""
        return self.runs[place & (1 << _SOURCE_BITS) - 1].shown

    def get(self, place: int) -> OldMatch | None:
        """The match at this place; None where its replay is missing."""
        run = self.runs[place & (1 << _SOURCE_BITS) - 1]
        number = run.matches.number_at(place >> _SOURCE_BITS)
        line = run.matches.line(number)
        assert line is not None, "the place was found"
        record = _RECORD_DECODER.decode(line)
        replay = run.store.replay(record.id)
        return (
            None
            if replay is None
            else OldMatch(str(run.shown), record, _decode_timing(run.timings.line(number)), replay)
        )


def _match_key(run: OldRun, line: bytes, faults_too: bool) -> int | None:
    """The key of the match in a line of ``matches.jsonl``; None where it must not be taken over."""
    try:
        record = _RECORD_DECODER.decode(line)
        faults = {kind for seat in record.seats for kind in seat.faults}
        if not record.replay or (faults and not faults_too) or not faults.isdisjoint(BY_THE_CLOCK):
            return None
        return run.keys.match_key(record.game, record.edition, record.seed, [seat.entrant for seat in record.seats])
    except (*DECODE_ERRORS, KeyError):
        return None


def _decode_timing(line: bytes | None) -> Timing | None:
    try:
        return None if line is None else _TIMING_DECODER.decode(line)
    except DECODE_ERRORS:
        return None


def _encode_plain(told: object) -> bytes:
    return msgspec.json.encode(told, order="deterministic")
