"""What an audit has found, and ``audit.json``, in which it stays in the run's folder.

Labels of bots are taken from there for the standings, as long as the audit is of the matches that the folder holds: it
names their root digest.
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
    """What came of playing a match again: the same bytes; others; others where a bot answers otherwise each time, so
    that nothing else can be expected; or nothing that could be compared, because a bot was late this time."""

    IDENTICAL = "identical"
    OTHERWISE = "otherwise"
    UNREPEATABLE = "not repeatable"
    LATE = "late"


class AuditDifference(msgspec.Struct):
    """A match that did not come out identical: where it was played before, how it ``came`` out, whose answer was the
    first to differ ("": no answer did, or no replay tells), the ``ask`` of that answer, how many ``asks`` there were,
    and the ``difference``, None where its replay was not kept; or the ``problem`` with its files. Of a match that came
    out otherwise because a bot does not repeat itself, ``others_as_recorded`` says whether the bots in all other seats
    still answer as recorded; None where that was not tried."""

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
    """An entrant or a host, by its ``name``: its finished ``matches``, how many of these were ``played`` again, and how
    many came out ``identical``; of an entrant also its bot's ``label`` with the ``evidence``, None where it is not
    known, and why it is ``absent``, so that none of its matches was played again."""

    name: str
    matches: int = 0
    played: int = 0
    identical: int = 0
    label: Label | None = None
    evidence: str = ""
    absent: str = ""


class AuditBound(msgspec.Struct, frozen=True):
    """What a random sample says of all: of so many ``matches`` so many were ``drawn``, of which so many ``differ``; and
    with this ``confidence`` ``at_most`` so many of all would."""

    matches: int
    drawn: int
    differ: int
    at_most: int
    confidence: float


class AuditResult(msgspec.Struct):
    """An audit: of the matches with this ``root`` digest, ``when``, by which version of ``arena``; the ``seed`` of the
    sample; how many were ``drawn`` from all, and how many ``added`` for entrants and hosts that the sample had too few
    of; how many have faults of time (``timely``) and were therefore not chosen. ``others`` are all matches that were
    played again and did not come out identical."""

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
    def passed(self) -> bool:
        """Whether nothing came out otherwise that no bot explains, and the matches are those of the manifest."""
        changed = self.root_in_manifest not in ("", self.root)
        return not changed and all(each.came is not AuditOutcome.OTHERWISE for each in self.others)

    def labels(self, audit: str = "arena audit") -> dict[str, LabelEvidence]:
        """The labels that are known, by entrant; ``audit`` is the command that has found them."""
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
        again = f"remove it, or make it anew with: arena audit {folder}"
        raise UserError(f"{path} cannot be read: {problem}; {again}") from None


def labels_in(folder: Path, root: str) -> Mapping[str, LabelEvidence]:
    """The labels of the run in ``folder``, as far as there was an audit of the matches with this ``root`` digest.
    Raises UserError where what it found cannot be read."""
    found = read_audit(folder)
    return found.labels() if found is not None and found.root == root else {}
