"""A season's matches in the form that an audit replays, and the storage of its findings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.versions import entered_versions, note_change
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder
from arena.ladder.database.match_rows import finished_matches
from arena.ladder.database.rounds import Round, isolation_of
from arena.ladder.export.ladder_tables import root_of_season
from arena.ladder.seasons.season_plans import SeasonPlans
from arena.runs.host_counts import UNKNOWN_HOST
from arena.runs.planning.isolation_level import Isolation
from arena.storage.audit_file import AuditResult
from arena.tournament.records.match_record import MatchRecord

LABEL_CHANGE = "labelled"
"""The word by which the history of a version calls a change of its label."""


class SeasonMatches(SeasonPlans):
    """Implements :class:`arena.rerun.audit.AuditedMatches` for the closed rounds of a season: these no longer change,
    and the standings are based on them. Raises UserError where there is none that can be played again here."""

    audit = "arena ladder audit"

    def __init__(self, place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> None:
        super().__init__(place, database, ladder)
        self.run_name = f"season {ladder.season.number} of {ladder.name}"
        self.check = f"arena ladder check {place.shown}"
        self._versions = {each.version.id: each.version for each in entered_versions(database, ladder.id)}
        self._rounds_here = self.played_here()
        if not self._closed():
            raise UserError(f"no round of {self.run_name} is closed yet; play on with: arena ladder play {place.shown}")
        if not self._rounds_here:
            raise UserError(f"{self.run_name}: its first match {self.first_stranger()}; use that one")
        self.others = self.played_by_others()
        """Matches of closed rounds that another version or other code of arena played: they are left out."""

    def _closed(self) -> int:
        (found,) = self.database.execute(
            "SELECT count(*) FROM rounds WHERE season = ? AND state = 'closed'", (self.ladder.season.id,)
        ).fetchone()
        return int(found)

    @cached_property
    def bots(self) -> Mapping[str, BotRef]:
        """The bots of all versions in these rounds, in the order of submission."""
        playing = sorted({version for round in self._rounds_here for version in round.version_rows})
        return {self._versions[each].name: self.bot(self.place, self._versions[each]) for each in playing}

    @cached_property
    def isolation(self) -> Isolation:
        """The isolation of the ladder."""
        return isolation_of(self.place, self.ladder.config, self.ladder.edition.game)

    def records(self) -> Iterator[tuple[MatchRecord, str]]:
        """Every finished match of these rounds with its host, by number, but for those of other versions."""
        names = {id: version.name for id, version in self._versions.items()}
        for round in self._rounds_here:
            yield from self._finished(round, names)

    def _finished(self, round: Round, names: Mapping[int, str]) -> Iterator[tuple[MatchRecord, str]]:
        end = round.first_match + round.matches
        for each in finished_matches(self.database, self.ladder.edition.game, names, round.first_match, end):
            if each.number not in self.others:
                yield each.record, each.host or UNKNOWN_HOST

    def root(self) -> str:
        """The root digest of the season, as exports name it."""
        return root_of_season(self.database, self.ladder.season).digest

    def root_before(self) -> str:
        """Empty: a ladder does not store an earlier root digest."""
        return ""


def keep_audit(place: LadderFolder, ladder: Ladder, found: AuditResult) -> None:
    """Store the findings of an audit of the ladder's season, and the labels of versions."""
    database = open_database(place.database, place.shown, write=True)
    labelled = {each.name: each for each in found.entrants if each.label is not None}
    try:
        with write_transaction(database):
            database.execute(
                "INSERT INTO audits (season, at, played, identical, found) VALUES (?, ?, ?, ?, ?)",
                (ladder.season.id, found.when, found.played, found.identical, msgspec.json.encode(found).decode()),
            )
            for each in entered_versions(database, ladder.id):
                tally = labelled.get(each.version.name)
                if tally is None or tally.label is None:
                    continue
                database.execute(
                    "UPDATE entries SET label = ?, evidence = ? WHERE ladder = ? AND version = ?",
                    (tally.label, tally.evidence, ladder.id, each.version.id),
                )
                if each.label != tally.label:
                    why = f"{tally.label}: {tally.evidence}"
                    note_change(database, LABEL_CHANGE, ladder.id, each.version.id, why)
    finally:
        database.close()
