"""Gives an audit the matches of a run to play again, and stores the audit's result in the run's folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from arena.finding.reference import BotRef
from arena.match.work import Work
from arena.runs.host_counts import host_of, with_timings
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.plan import Plan
from arena.storage.audit_file import AuditResult
from arena.storage.files.atomic_files import write_whole
from arena.storage.layout import AUDIT_FILE, MATCHES_FILE
from arena.storage.root_digest import root_of
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore, fold_again
from arena.tournament.records.match_record import MatchRecord


class RunMatches:
    """Implements :class:`arena.rerun.audit.AuditedMatches` for the run of this ``plan`` in the ``store``;
    ``missing_bots`` says of entrants why their bots are not in the plan."""

    audit = "arena audit"
    record_name = f"its line in {MATCHES_FILE}"

    def __init__(self, plan: Plan, store: FolderStore, missing_bots: Mapping[str, str]) -> None:
        self.plan, self.store, self.missing_bots = plan, store, missing_bots
        self.run_name, self.check = str(store.shown), f"arena verify {store.shown}"

    @property
    def bots(self) -> Mapping[str, BotRef]:
        """The bots of the plan."""
        return dict(zip(self.plan.names, self.plan.bots, strict=True))

    @property
    def isolation(self) -> Isolation:
        """The isolation of the plan."""
        return self.plan.isolation

    def records(self) -> Iterator[tuple[MatchRecord, str]]:
        """Every finished match with its host, in the order of ``matches.jsonl``."""
        pairs = with_timings(self.store.records(), self.store.timings())
        return ((record, host_of(timing)) for record, timing in pairs)

    def work(self, id: str) -> Work | None:
        """The match with this id as work of the plan; None for an unknown id."""
        fixture = self.plan.schedule.find(id)
        if fixture is None:
            return None
        work = self.plan.work(fixture)
        return work if work.models is None else msgspec.structs.replace(work, recorded=self.store.cassette(id) or b"")

    def replay(self, id: str) -> bytes | None:
        """The replay in the store; None if it was not kept."""
        return self.store.replay(id)

    def root(self) -> str:
        """The root digest of ``matches.jsonl``."""
        return root_of(self.store.folder / MATCHES_FILE).digest

    def root_before(self) -> str:
        """The root digest in the manifest of a complete run."""
        return str(self.store.manifest_data().get("root", "")) if self.store.state() is RunState.COMPLETE else ""


def store_audit(store: FolderStore, found: AuditResult) -> None:
    """Write what was found into the run's folder, and its labels into the standings."""
    write_whole(store.folder / AUDIT_FILE, msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if store.state() is RunState.COMPLETE:
        fold_again(store)
