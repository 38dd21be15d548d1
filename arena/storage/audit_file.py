"""The result of an audit, and ``audit.json``, the file in the run's folder that holds it.

The standings take the bots' labels from this file, as long as the audit covers the matches that the folder holds now:
the file names the root digest of the matches that were audited.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.replay.play_difference import PlayDifference
from arena.storage.layout import AUDIT_FILE
from arena.tournament.standings.provenance import Label, LabelEvidence


class AuditOutcome(StrEnum):
    """The outcome of playing a match again: the same bytes; other bytes; other bytes where a bot answers differently
    each time, so that nothing else can be expected; or no comparison, because a bot was late this time."""

    IDENTICAL = "identical"
    OTHERWISE = "otherwise"
    UNREPEATABLE = "not repeatable"
    LATE = "late"


class AuditDifference(msgspec.Struct):
    """A match that did not come out identical: the host that played it first, how it ``came`` out, which entrant's
    answer differed first ("": no answer differed, or no replay shows it), the ``ask`` of that answer, the number of
    ``asks``, and the ``difference``, None where the replay was not kept; or the ``problem`` with its files. If the
    match came out otherwise because a bot does not repeat itself, ``others_as_recorded`` says whether the bots in all
    other seats still answer as recorded; None where that was not tried."""

    id: str
    host: str
    came: AuditOutcome
    entrant: str = ""
    ask: int | None = None
    asks: int = 0
    difference: PlayDifference | None = None
    problem: str = ""
    others_as_recorded: bool | None = None


class AuditTally(msgspec.Struct):
    """The tally of an entrant or a host, given by ``name``: its finished ``matches``, how many of them were ``played``
    again, and how many came out ``identical``. An entrant also has its bot's ``label`` with the ``evidence``, None
    where unknown, and the reason why the bot is ``absent``, so that none of its matches was played again."""

    name: str
    matches: int = 0
    played: int = 0
    identical: int = 0
    label: Label | None = None
    evidence: str = ""
    absent: str = ""


class AuditBound(msgspec.Struct, frozen=True):
    """The bound that a random sample gives for all matches: of ``matches`` matches, ``drawn`` were sampled and
    ``differ`` of these differed; with this ``confidence``, ``at_most`` matches of all would differ."""

    matches: int
    drawn: int
    differ: int
    at_most: int
    confidence: float


class AuditResult(msgspec.Struct):
    """An audit: the ``root`` digest of the matches, ``when`` they were audited, by which version of ``arena``; the
    ``seed`` of the sample; how many matches were ``drawn`` from all, and how many ``added`` for entrants and hosts that
    had too few in the sample; how many have faults of time (``timely``) and were therefore not chosen. ``others`` are
    all matches that were played again and did not come out identical."""

    root: str
    when: str
    arena: str
    seed: str
    matches: int
    timely: int
    drawn: int
    added: int
    played: int
    identical: int
    bound: AuditBound | None
    entrants: list[AuditTally]
    hosts: list[AuditTally]
    others: list[AuditDifference] = []
    root_in_manifest: str = ""

    @property
    def has_passed(self) -> bool:
        """Whether every difference is explained by a bot, and the matches are those of the manifest."""
        changed = self.root_in_manifest not in ("", self.root)
        return not changed and all(each.came is not AuditOutcome.OTHERWISE for each in self.others)

    def labels(self, audit: str = "arena audit") -> dict[str, LabelEvidence]:
        """The known labels by entrant; ``audit`` is the command to name as their source."""
        check = f"{audit}, {self.when[:10]}"
        return {
            each.name: LabelEvidence(each.label, each.evidence, each.played, check)
            for each in self.entrants
            if each.label is not None
        }


def read_audit(folder: Path) -> AuditResult | None:
    """The last audit of the run in ``folder``; None where there was none. Raises UserError where it cannot be read."""
    path = folder / AUDIT_FILE
    try:
        return msgspec.json.decode(read_foreign_file(path), type=AuditResult)
    except FileNotFoundError:
        return None
    except DECODE_ERRORS as problem:
        again = f"remove it, or make it again with: arena audit {folder}"
        raise UserError(f"{path} cannot be read: {problem}; {again}") from None


def labels_in(folder: Path, root: str) -> Mapping[str, LabelEvidence]:
    """The bots' labels for the run in ``folder``, if the matches with this ``root`` digest were audited. Raises
    UserError where the audit's result cannot be read."""
    found = read_audit(folder)
    return found.labels() if found is not None and found.root == root else {}
