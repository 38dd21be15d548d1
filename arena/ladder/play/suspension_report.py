"""Finds the versions to suspend from a ladder for their faults, and writes the report that is stored with each."""

from __future__ import annotations

import sqlite3
from collections import Counter

import msgspec

from arena.ladder.database.ladders import Ladder

_FAULTS_DECODER = msgspec.json.Decoder(dict[str, int])
_PUT_OUT = """
  SELECT s.version, s.match, s.faults
  FROM entries e
  JOIN seats s ON s.version = e.version AND s.match >= e.counted_from AND s.ended <> 'played'
  JOIN matches m ON m.id = s.match
  JOIN rounds r ON r.id = m.round AND r.season = ?
  WHERE e.ladder = ? AND e.state = 'active'
  ORDER BY s.version, s.match
"""


def to_suspend(database: sqlite3.Connection, ladder: Ladder) -> dict[int, str]:
    """Return a report for each active version that was put out for faults in as many matches of this season as the
    ladder allows, by the version's row. It names the number of matches, the faults, and the first and last match.
    Matches before the version was last enabled do not count."""
    most = ladder.config.suspend_after
    if most is None:
        return {}
    matches: dict[int, list[int]] = {}
    kinds: dict[int, Counter[str]] = {}
    for version, match, faults in database.execute(_PUT_OUT, (ladder.season.id, ladder.id)):
        matches.setdefault(version, []).append(match)
        kinds.setdefault(version, Counter()).update(_FAULTS_DECODER.decode(faults) if faults else {})
    return {
        version: _report_sentence(which, kinds[version]) for version, which in matches.items() if len(which) >= most
    }


def _report_sentence(matches: list[int], kinds: Counter[str]) -> str:
    """Write the sentence for the author."""
    count = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
    faults = ", ".join(f"{kind} {kinds[kind]}" for kind in sorted(kinds, key=lambda kind: (-kinds[kind], kind)))
    which = f"number {matches[0]}" if len(matches) == 1 else f"the first is number {matches[0]}, the last {matches[-1]}"
    return f"put out for its faults in {count} ({faults or 'no faults noted'}); {which}: see arena ladder show"
