"""The desk at which the bots of a piece of work consult models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from arena.consultation.call_record import RecordedCall, read_cassette
from arena.consultation.journal import CallJournal, journal_path
from arena.consultation.match_desk import CassetteMode, LiveCalls, MatchDesk
from arena.match.work import Work
from arena.players.consult_desk import NO_MODELS, ConsultDesk


class ModelAccess(msgspec.Struct, frozen=True):
    """How matches reach models: what becomes of calls (``mode``), what makes them (``live``; None: nothing does), and
    the folder of the matches' ``journals`` (None: calls are kept in memory until the match is over)."""

    mode: CassetteMode = CassetteMode.REPLAY
    live: LiveCalls | None = None
    journals: Path | None = None


RECORDED_ALONE = ModelAccess()
"""No model is reached: only recorded calls are answered."""


class WorkDesk:
    """The ``desk`` of a piece of work (None: its bots can consult no models), and its journal. The caller must close
    it."""

    def __init__(self, work: Work, access: ModelAccess) -> None:
        self.desk: MatchDesk | None = None
        self._journal: CallJournal | None = None
        if work.models is None:
            return
        record: Callable[[RecordedCall], None] = _record_nowhere
        entrants = tuple(seat.entrant for seat in work.spec.seats)
        recorded = read_cassette(work.recorded, work.spec.id).calls if work.recorded else []
        if access.journals is not None:
            path = journal_path(access.journals, work.spec.id)
            self._journal = CallJournal(path, work.spec.id, entrants)
            record = self._journal.add
            recorded += self._journal.calls()
        self.desk = MatchDesk(work.models, entrants, recorded, access.mode, access.live, record)

    @property
    def calls(self) -> list[RecordedCall] | None:
        """The calls that the match used, and those that suspended it; None where its bots could consult no models."""
        return None if self.desk is None else [*self.desk.calls, *self.desk.suspended]

    def close(self) -> None:
        """Close the journal."""
        if self._journal is not None:
            self._journal.close()


def recorded_desk(work: Work) -> ConsultDesk:
    """A desk at which models answer as is recorded of a piece of work, and nothing else."""
    return WorkDesk(work, RECORDED_ALONE).desk or NO_MODELS


def _record_nowhere(call: RecordedCall) -> None:
    """Keep a call in memory alone."""
