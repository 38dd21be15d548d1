"""What standings rest on, for every form of output: the matches, by their root digest, and which of the bots repeat
themselves, as far as that has been checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

import msgspec

from arena.tournament.tables.result_table import ResultColumn, ResultTable

NAMED_BOTS = 6
"""The most bots of one label that the short form names one by one."""


class Label(StrEnum):
    """Whether a bot gives the same answers when it is re-asked."""

    ITSELF = "repeats itself"
    """Its answers are the same even with another seed."""
    FROM_SEED = "repeats from the seed"
    """Its answers are the same if its seed is the same."""
    CLOCK = "depends on the clock"
    """Its answers differ, but not if its clock shows the same times again."""
    NOT = "not repeatable"
    """Its answers differ."""

    @property
    def is_repeatable(self) -> bool:
        """Whether a match can be played again with this bot to the same bytes."""
        return self in (Label.ITSELF, Label.FROM_SEED)


class LabelEvidence(msgspec.Struct, frozen=True):
    """The label of an entrant's bot, and the ``evidence`` for it: what was compared, by which check, when. ``played``
    is the number of matches in which the bot was played again for it, and ``check`` the check alone."""

    label: Label
    evidence: str
    played: int = 0
    check: str = ""


class Provenance(msgspec.Struct, frozen=True):
    """The ``root`` digest of so many ``matches``, void ones and those of all editions included
    (:func:`arena.storage.root_digest.root_of`), and the known ``labels`` of entrants, by name; ``registered`` says
    in a sentence what was registered before the first match, if anything."""

    root: str
    matches: int
    labels: Mapping[str, LabelEvidence] = {}
    registered: str = ""

    def beside(self, table: ResultTable) -> ResultTable:
        """The table with two more columns, the ``label`` and the ``evidence`` for each row's entrant; unknown if nobody
        has checked its bot."""
        entrant = table.keys.index("entrant")
        rows = [[*row, *self._of(row[entrant])] for row in table.rows]
        return replace(table, columns=(*table.columns, ResultColumn("label"), ResultColumn("evidence")), rows=rows)

    def _of(self, entrant: str) -> tuple[str | None, str | None]:
        found = self.labels.get(entrant)
        return (None, None) if found is None else (found.label.value, found.evidence)

    def in_words(self) -> list[str]:
        """Sentences: one for each label and one for the root digest."""
        labels = [_evidence_sentence(name, each) for name, each in self.labels.items()]
        return [*filter(None, [self.registered]), *labels, self._of_root()]

    def in_short(self) -> list[str]:
        """The short form for terminals: one sentence for all bots of each repeating label, one for each other bot, and
        one for the root digest."""
        return [*filter(None, [self.registered]), *labels_in_short(self.labels), self._of_root()]

    def _of_root(self) -> str:
        matches = "1 match" if self.matches == 1 else f"all {self.matches} matches"
        return f"Root digest of {matches}: {self.root}"


def labels_in_short(labels: Mapping[str, LabelEvidence]) -> list[str]:
    """One sentence for all bots of each label that means that a bot repeats itself, and one with the evidence for each
    other bot."""
    told = []
    for label in Label:
        of = {name: each for name, each in labels.items() if each.label is label}
        if label.is_repeatable and len(of) > 1:
            told.append(_label_sentence(label, of))
        else:
            told += [_evidence_sentence(name, each) for name, each in of.items()]
    return told


def _label_sentence(label: Label, of: Mapping[str, LabelEvidence]) -> str:
    """The sentence for several bots of one label: their names, and how often they were played again, by which check."""
    played = sorted({each.played for each in of.values()})
    often = f"{played[0]}" if len(played) == 1 else f"{played[0]} to {played[-1]}"
    checks = ", ".join(sorted({each.check for each in of.values() if each.check}))
    verb = "repeat themselves, with another seed too" if label is Label.ITSELF else "repeat themselves from the seed"
    matches = "1 match" if played == [1] else f"{often} matches"
    return f"{_bots_text(list(of))} {verb} ({matches} of each played again{f'; {checks}' if checks else ''})."


def _bots_text(names: Sequence[str]) -> str:
    if len(names) > NAMED_BOTS:
        return f"{len(names)} bots"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _evidence_sentence(name: str, each: LabelEvidence) -> str:
    verb = f"is {each.label}" if each.label is Label.NOT else each.label
    return f"{name} {verb}: {each.evidence}."
