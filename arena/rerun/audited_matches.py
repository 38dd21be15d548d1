"""What an audit needs to know of the matches that it plays again, and who follows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from arena.finding.reference import BotRef
from arena.match.work import Work
from arena.rerun.rerun_match import ComparedMatches
from arena.runs.planning.isolation_level import Isolation
from arena.tournament.records.match_record import MatchRecord


class AuditedMatches(ComparedMatches, Protocol):
    """The finished matches that an audit plays again: those of a run, or of a ladder's season. They must not change
    during the audit."""

    @property
    def run_name(self) -> str:
        """What messages call the run or the season."""

    @property
    def check(self) -> str:
        """The command that checks all that does not need the bots."""

    @property
    def audit(self) -> str:
        """The command that audits the matches."""

    @property
    def bots(self) -> Mapping[str, BotRef]:
        """The bots by entrant, in the order in which reports list them."""

    @property
    def missing_bots(self) -> Mapping[str, str]:
        """For each entrant whose bot is missing or has changed since, the reason."""

    @property
    def isolation(self) -> Isolation:
        """How far bots are isolated."""

    def records(self) -> Iterator[tuple[MatchRecord, str]]:
        """Every finished match with its host, always in the same order."""

    def work(self, id: str) -> Work | None:
        """The match with this id as work for an executor; None for an unknown id."""

    def root(self) -> str:
        """The root digest of the matches."""

    def root_before(self) -> str:
        """The root digest recorded when all matches were finished; empty if none was recorded."""


class AuditListener:
    """Follows the progress of an audit: the number of matches to play, and each match that was played again. This base
    class does nothing."""

    def sample_drawn(self, matches: int) -> None:
        """The sample is drawn; ``matches`` is the number of matches to be played again."""

    def played_again(self) -> None:
        """One more match was played again."""


NOBODY = AuditListener()
