"""One of the runs to be merged: checks its files against each other before anything is taken from it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from arena import __version__
from arena.code_digest import code_difference
from arena.config.tournament_config import to_data
from arena.config.tournament_yaml import load_tournament
from arena.errors import Mismatch, ReplayError, UserError
from arena.replay.frame import unpack_replay
from arena.storage.files.line_file import LineFile
from arena.storage.folder_lock import not_written_to
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE, MATCHES_FILE, TIMINGS_FILE, read_records
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, KeptReplays, replay_path
from arena.storage.record_check import replay_problem
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import RunState
from arena.storage.run_facts.settings import comparable_settings, differences_line, setting_differences
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.roster import Roster


class MergeSource:
    """One of the runs to be merged. Nobody may write to it meanwhile. ``taken`` counts the matches taken from it,
    ``lost`` lists those whose replay is missing or cut off, ``root`` is the root digest of its matches."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.shown = folder
        self.store = FolderStore(folder)
        self.facts = self.store.facts()
        held.enter_context(not_written_to(folder / "logs" / "lock", folder))
        self.config = to_data(load_tournament(folder / CONFIG_FILE, files=False))
        self.complete = self.store.state() is RunState.COMPLETE
        self._replays = KeptReplays(folder)
        self._cassettes = KeptReplays(folder, CASSETTES_FOLDER)
        self.taken = 0
        self.lost: list[str] = []
        self._check_facts()

    def _check_facts(self) -> None:
        """Raise UserError if its files contradict each other, or another version of arena wrote them."""
        facts, shown = self.facts, self.shown
        if facts.arena != __version__:
            raise UserError(f"{shown} was played by arena {facts.arena}, this is {__version__}; merge with that one")
        if code := code_difference(facts.code, ("schedule",)):
            raise UserError(f"{shown} was played by other {code}, on which merging depends; merge with that one")
        if facts.config_sha256 != facts.digest():
            raise UserError(f"{shown}: manifest.json has been changed: its settings do not have its config_sha256")
        if changed := setting_differences(facts.comparable_settings(), comparable_settings(self.config)):
            told = differences_line(changed, "in manifest.json", "in config.resolved.yaml")
            raise UserError(f"{shown}: its configuration has been changed: {told}")

    def read(self, roster: Roster, held: ExitStack) -> None:
        """Check every record against the ``roster``, and open an index of the lines. Raises UserError with the number
        of an invalid line."""
        path = self.shown / MATCHES_FILE
        if not path.is_file():
            raise UserError(f"{path} is missing: without it the matches cannot be identified; leave the folder out")
        own = Roster(roster.schedule, roster.names, roster.seed, roster.deals, self.facts.played_share)
        for line, record in enumerate(read_records(self.shown), 1):
            if problem := own.problem(record):
                raise UserError(f"{path}:{line}: {record.id} {problem}; remove the line to leave it out")
        self.matches = held.enter_context(LineFile(path, roster.number))
        self.timings = held.enter_context(LineFile(self.shown / TIMINGS_FILE, roster.number))
        before = -1
        for number in self.matches.numbers():
            if number == before:
                raise UserError(f"{path}: {roster.schedule[number].id} occurs twice; remove one of its lines")
            before = number

    def check_root(self) -> None:
        """Raise Mismatch if the run is complete, but the root digest of its matches is no longer the recorded one; it
        names the first line that contradicts its replay, if there is one."""
        self.root = root_of(self.shown / MATCHES_FILE).digest
        stated = str(self.store.manifest_data().get("root", self.root))
        if not self.complete or stated == self.root:
            return
        for record in read_records(self.shown):
            self.packed(record)
        told = f"root is {stated}, by {MATCHES_FILE} it is {self.root}"
        since = "a line was changed, added or removed after the run was complete"
        raise Mismatch(f"{self.shown / MANIFEST_FILE}: {told}: {since}; {self._remedy()}")

    def packed(self, record: MatchRecord) -> bytes | None:
        """The compressed replay of a match, checked against its record; None if no replay was kept, or if the run was
        stopped before the replay was written. Raises Mismatch if it is damaged, or contradicts its record."""
        if not record.replay:
            return None
        try:
            packed = self._replays.replay_frame(record.id)
            if packed is not None:
                problem = replay_problem(record, unpack_replay(packed))
            elif self.complete:
                problem = "is missing or cut off"
            else:
                return None
        except ReplayError as damage:
            problem = f"is damaged: {damage}"
        if not problem:
            return packed
        where = f"{self.shown / MATCHES_FILE}:{self._line(record)}: {record.id}"
        raise Mismatch(f"{where}: its replay {self._place(record)} {problem}; {self._remedy()}")

    def cassette(self, id: str) -> bytes | None:
        """The compressed cassette of a match; None if it has none, or a damaged one, which `arena verify` reports."""
        try:
            return self._cassettes.replay_frame(id)
        except ReplayError:
            return None

    def _line(self, record: MatchRecord) -> int:
        return next(line for line, each in enumerate(read_records(self.shown), 1) if each.id == record.id)

    def _place(self, record: MatchRecord) -> str:
        """Where the replay of a match lies."""
        try:
            found = self._replays.locate_replay(record.id)
        except ReplayError:
            found = None
        return replay_path(record.id) if found is None else f"in {found[0]} at byte {found[1].offset}"

    def _remedy(self) -> str:
        again = self.store.resume_command()
        return f"copy the run again, or remove the line and play the match again with: {again}"
