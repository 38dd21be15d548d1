"""Whether all files of a run's folder describe the same tournament, played as its seed determines.

Each replay is verified beside (:mod:`arena.commands.verify.verify_matches`), in several processes. This module compares
what no match depends on, and what only all files together can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from arena import __version__
from arena.code_digest import STATISTICS, code_difference
from arena.config.tournament_config import Tournament, to_data
from arena.config.tournament_yaml import load_tournament
from arena.errors import ArenaError, Mismatch, ReplayError, UnsafeFile, UserError
from arena.foreign_files import parse_json, read_foreign_file
from arena.storage.audit_file import labels_in
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE, MATCHES_FILE, read_records
from arena.storage.packs.replay_packs import KeptReplays, replay_path
from arena.storage.replay_check import RunFacts
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import Facts, RunState
from arena.storage.run_facts.recorded_schedule import roster_of_facts
from arena.storage.run_facts.registration_check import find_deviations, registered_sentence
from arena.storage.run_facts.settings import comparable_settings, differences_line, setting_differences
from arena.storage.run_folder import FolderStore
from arena.storage.standings_files import standings_files
from arena.tournament.bits import Bits
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.records.suspension import Suspension
from arena.tournament.schedule.roster import Roster
from arena.tournament.standings.provenance import Provenance
from arena.tournament.standings.standings import fold_standings


class Consistency(msgspec.Struct):
    """What was found: the run's state, the ``share`` of the tournament that it plays ("": all), the number of
    ``matches`` in its schedule, of ``finished`` ones, and of those that ``fell_away`` because an entrant is suspended;
    the number of ``replays``, how many matches were ``played_again``, the ``root`` digest of its matches, why its
    standings were not compared ("" where they were), and the ``problems``, a line each."""

    folder: str
    state: str = ""
    share: str = ""
    matches: int = 0
    finished: int = 0
    fell_away: int = 0
    replays: int = 0
    played_again: int = 0
    root: str = ""
    standings_unchecked: str = ""
    problems: list[str] = []

    @property
    def exit_code(self) -> int:
        """0 if there are no problems."""
        return Mismatch.exit_code if self.problems else 0

    def in_one_line(self) -> str:
        """The message for a run without problems."""
        of = f"{self.finished} of {self.matches} matches"
        of += f" of share {self.share}" if self.share else ""
        of += f" ({self.fell_away} dropped: an entrant is suspended)" if self.fell_away else ""
        of += f" ({self.played_again} were played again)" if self.played_again else ""
        of += "" if self.replays else ", no replays"
        agree = "match seeds, schedule, configuration, manifest"
        agree += ", standings agree" if not self.standings_unchecked else " agree"
        why = f"; standings are not compared: {self.standings_unchecked}" if self.standings_unchecked else ""
        return f"{self.folder}: {self.state}, {of}; {agree}{why}"


def roster_of(folder: Path, whole: bool = False) -> Roster:
    """The roster of the run in ``folder``, given the matches finished so far; with ``whole``, of the whole tournament
    even where the run plays only a share. Raises UserError where the manifest does not determine the matches."""
    facts = FolderStore(folder).facts()
    if whole:
        facts = msgspec.structs.replace(facts, share="")
    roster = _roster_in(facts, load_tournament(folder / CONFIG_FILE, files=False))
    roster.schedule.learn(read_records(folder))
    return roster


def _roster_in(facts: Facts, tournament: Tournament) -> Roster:
    """The roster of a run. Raises UserError where the manifest does not determine the matches."""
    settings = facts.settings or comparable_settings(to_data(tournament))
    return roster_of_facts(facts, settings, MANIFEST_FILE)


class RunCheck:
    """Checks all files of the run in ``folder`` against each other: first go through :meth:`records` and compare the
    replay of each (:meth:`note`), then through :meth:`unrecorded`, then :meth:`finish`. ``compared`` is what the
    replays are compared with; None where the folder does not say what it plays: then there are no records either."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept = KeptReplays(folder)
        self.found = Consistency(str(folder))
        self.compared: RunFacts | None = None
        self._by_line: list[tuple[int, str]] = []
        self._unread = ""
        self._ids, self._with_replay, self._unscheduled = Bits(), Bits(), set[str]()
        try:
            self.facts = facts = FolderStore(folder).facts()
            self.stated: dict[str, Any] = parse_json(read_foreign_file(folder / MANIFEST_FILE))
            self.tournament = told = load_tournament(folder / CONFIG_FILE, files=False)
            self.roster = _roster_in(facts, told)
            self.suspension = Suspension(facts.suspend_after)
        except ArenaError as problem:
            self._unread = f"{folder}: seeds, schedule and standings cannot be checked: {problem}"
            return
        self.compared = RunFacts(folder, facts, told.fault_policy, told.strikes, told.limits)

    def records(self) -> Iterator[tuple[int, MatchRecord]]:
        """The records that name a replay, with their lines in ``matches.jsonl``."""
        if self.compared is None:
            return
        try:
            self.roster.schedule.learn(read_records(self.folder))
            for line, record in enumerate(read_records(self.folder), 1):
                number = self.roster.number(record.id)
                if number is not None and not self._ids.add(number):
                    self.note(line, record, [" occurs twice"])
                    continue
                self.found.finished += 1
                self.suspension.add_record(record)
                self.note(line, record, self.compare_record(record))
                if not record.replay:
                    continue
                if number is None:
                    self._unscheduled.add(record.id)
                else:
                    self._with_replay.add(number)
                yield line, record
        except UserError as problem:
            self._unread = str(problem)

    def unrecorded(self) -> Iterator[str]:
        """The ids of the replays that no record names. Raises ReplayError for a damaged index."""
        for id in self.kept.ids():
            if not self._is_recorded(id) and id not in self._unscheduled:
                yield id

    def _is_recorded(self, id: str) -> bool:
        """Whether a record names the replay of this match of the schedule."""
        return self.compared is not None and self.roster.number(id) in self._with_replay

    def note(self, line: int, record: MatchRecord, problems: Iterable[str]) -> None:
        """Note the problems of a record."""
        where = f"{self.folder / MATCHES_FILE}:{line}: {record.id}"
        self._by_line += [(line, f"{where}{problem}") for problem in problems]

    def finish(self) -> Consistency:
        """Check what only all files together can show, and return what was found."""
        self.found.problems = list(self.problems())
        return self.found

    def problems(self) -> Iterator[str]:
        """Everything that is wrong, a line each."""
        if self.compared is not None:
            stated = self.stated
            self.found.state, self.found.matches = stated.get("state", ""), len(self.roster)
            self.found.share, self.found.played_again = self.facts.share, stated.get("played_again", 0)
            yield from self.compare_facts(self.folder / MANIFEST_FILE, len(self.roster.schedule))
            yield from (problem for _, problem in sorted(self._by_line, key=itemgetter(0)))
        if self._unread:
            yield self._unread
            return
        yield from self.compare_suspended(stated)
        yield from self.compare_replays()
        yield from self.compare_numbers(stated)
        yield from self.compare_root(stated)
        yield from self.compare_standings()
        if self.found.state in list(RunState):
            for deviation in find_deviations(self.facts, RunState(self.found.state)):
                yield f"{self.folder / MANIFEST_FILE}: the run deviates from its registration: {deviation}"

    def compare_facts(self, manifest: Path, matches: int) -> Iterator[str]:
        """Compare the manifest with itself, the configuration and the schedule."""
        facts = self.facts
        if facts.config_sha256 and facts.config_sha256 != facts.digest():
            yield f"{manifest}: it has been changed: its digest is not the one in config_sha256"
        told = comparable_settings(to_data(self.tournament))
        before = facts.comparable_settings()
        if not facts.settings:
            before = {key: before.get(key, told[key]) for key in told}
        if changed := setting_differences(before, told):
            told_so = differences_line(changed, "there", "here")
            yield f"{self.folder / CONFIG_FILE}: it contradicts {MANIFEST_FILE}: {told_so}"
        if facts.matches != matches:
            yield f"{manifest}: matches is {facts.matches}, the schedule has {matches}"

    def compare_record(self, record: MatchRecord) -> Iterator[str]:
        """Compare a line of ``matches.jsonl`` with the schedule, and what it says of its replay with the settings."""
        if problem := self.roster.problem(record):
            yield f" {problem}"
        if not record.replay:
            faults = any(seat.faults for seat in record.seats)
            if (kept := self.tournament.replays) == "all" or (kept == "faults" and faults):
                yield f": it names no replay, although the run keeps replays (replays: {kept})"
        elif record.replay != replay_path(record.id):
            yield f": its replay is {record.replay}, expected {replay_path(record.id)}"

    def compare_replays(self) -> Iterator[str]:
        """Check that every replay has a record. While a run is being played, or after it was killed, there may be one
        replay more, and one for each match that was to be played again but is no longer part of the schedule."""
        superseded = self.found.played_again if self.facts.in_stages else 0
        try:
            for id in self.kept.ids():
                self.found.replays += 1
                if self._is_recorded(id) or self.found.state == RunState.RUNNING:
                    continue
                if superseded:
                    superseded -= 1
                else:
                    yield f"{self.folder / replay_path(id)}: no line of {MATCHES_FILE} belongs to it"
        except ReplayError as problem:
            yield str(problem)

    def compare_suspended(self, stated: dict[str, Any]) -> Iterator[str]:
        """Compare who is suspended by the records with the manifest, and check that nobody played after being
        suspended."""
        found = self.suspension.first_blocks(self.facts.blocks)
        told = stated.get("suspended", {})
        if self.found.state != RunState.RUNNING and told != found:
            yield f"{self.folder / MANIFEST_FILE}: suspended is {told}, by {MATCHES_FILE} it is {found}"
        if not found:
            return
        for line, record in enumerate(read_records(self.folder), 1):
            if problem := self.suspension.problem(record):
                yield f"{self.folder / MATCHES_FILE}:{line}: {record.id} {problem}"

    def compare_numbers(self, stated: dict[str, Any]) -> Iterator[str]:
        """Check that the number of matches is the one that the manifest states."""
        where = self.folder / MATCHES_FILE
        if self.found.state not in list(RunState):
            yield f"{self.folder / MANIFEST_FILE}: state is {self.found.state!r}, expected one of {', '.join(RunState)}"
        roster, left, missing, first = self.roster, 0, 0, ""
        for fixture in self.suspension.remaining_fixtures(roster.fixtures, roster.names):
            left += 1
            if fixture.index not in self._ids:
                missing, first = missing + 1, first or fixture.id
        self.found.fell_away = len(roster) - left
        if self.found.state == RunState.COMPLETE and missing:
            more = f" and {missing - 1} more" if missing > 1 else ""
            yield f"{where}: the run is complete, but has no line for {first}{more} of the schedule"
        elif self.found.state != RunState.RUNNING and stated.get("finished") != (there := self.found.finished):
            yield f"{where}: it has {there} matches, {MANIFEST_FILE} has {stated.get('finished')} finished ones"

    def compare_root(self, stated: dict[str, Any]) -> Iterator[str]:
        """Compare the root digest of the matches with the one that was written when the run was complete."""
        self.root = root = root_of(self.folder / MATCHES_FILE)
        self.found.root, self.stated_root = root.digest, str(stated.get("root", root.digest))
        if self.found.state == RunState.COMPLETE and self.stated_root != root.digest:
            told, since = self.stated_root, f"{MATCHES_FILE} has been changed since the run was complete"
            yield f"{self.folder / MANIFEST_FILE}: root is {told}, by {MATCHES_FILE} it is {root.digest}: {since}"

    def compare_standings(self) -> Iterator[str]:
        """Compare the standings files with standings computed anew from the records."""
        if self.found.state != RunState.COMPLETE:
            self.found.standings_unchecked = "the run is not complete"
            return
        if self.facts.arena != __version__:
            self.found.standings_unchecked = f"arena {self.facts.arena} wrote them, this is {__version__}"
            return
        if code := code_difference(self.facts.code, STATISTICS):
            self.found.standings_unchecked = f"other {code} wrote them"
            return
        try:
            standings = fold_standings(
                read_records(self.folder), tuple(self.facts.entrants), tuple(self.facts.editions), self.facts.measures
            )
        except UserError as problem:
            yield f"{self.folder / MATCHES_FILE}: no standings can be computed from it: {problem}"
            return
        try:
            labels = labels_in(self.folder, self.found.root)
        except UserError as problem:
            yield str(problem)
            return
        suspended = self.suspension.first_blocks(self.facts.blocks)
        registered = registered_sentence(self.facts, RunState.COMPLETE)
        either = []
        for root in dict.fromkeys((self.root.digest, self.stated_root)):  # that these differ is told already
            provenance = Provenance(root, self.root.matches, labels, registered)
            either.append(standings_files(self.facts, standings, provenance, suspended, self.roster.schedule))
        for name in either[0]:
            path = self.folder / name
            if not path.is_file():
                yield f"{path}: it is missing; write it again with: arena standings {self.folder}"
            elif not _has_one_of(path, [files[name] for files in either]):
                yield f"{path}: it contradicts {MATCHES_FILE}; write it again with: arena standings {self.folder}"


def _has_one_of(path: Path, contents: Sequence[bytes]) -> bool:
    """Whether the file's content equals one of ``contents``."""
    try:
        return read_foreign_file(path, max(map(len, contents))) in contents
    except UnsafeFile:
        return False
