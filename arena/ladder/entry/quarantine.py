"""The proof with which a version is taken out of a ladder: how many matches failed with it at the table, and how many
of the same rounds without it.

A match has failed if it could not be played, is void, or had a bot that was put out for its faults, whichever bot that
was: a version may break its neighbours, as by what it says."""

from __future__ import annotations

import sqlite3

import msgspec

from arena.ladder.database.ladders import Ladder, utc_now

_ROUNDS = """
  SELECT DISTINCT r.id FROM rounds r JOIN tables t ON t.round = r.id, json_each(t.versions) j
  WHERE r.season = :season AND j.value = :version
"""
_MATCHES_QUERY = f"""
  SELECT m.id, EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND s.version = :version),
    m.void OR EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND s.ended <> 'played')
  FROM matches m WHERE m.round IN ({_ROUNDS})
  UNION ALL
  SELECT l.match, EXISTS (SELECT 1 FROM json_each(t.versions) j WHERE j.value = :version), 1
  FROM left_out l JOIN rounds r ON r.id = l.round JOIN tables t ON t.round = r.id
    AND t.block = r.first_block
      + (l.match - r.first_match) / (r.matches / (SELECT count(*) FROM tables o WHERE o.round = r.id))
  WHERE l.tries > 0 AND l.match NOT IN (SELECT id FROM matches) AND r.id IN ({_ROUNDS})
  ORDER BY 1
"""


class QuarantineProof(msgspec.Struct, frozen=True):
    """The matches of a season, in the rounds in which a version played: the numbers of those that failed with it
    (``failed_with``) of ``matches_with``, and without it (``failed_without``) of ``matches_without``."""

    season: int
    failed_with: list[int]
    matches_with: int
    failed_without: list[int]
    matches_without: int

    def in_words(self) -> str:
        """The proof as a part of a sentence."""
        first = f", the first is number {self.failed_with[0]}" if self.failed_with else ""
        return (
            f"{len(self.failed_with)} of {self.matches_with} matches failed with it{first}, "
            f"{len(self.failed_without)} of {self.matches_without} without it"
        )


class Quarantine(msgspec.Struct, frozen=True):
    """A quarantine of a ``version``: since when, ``because`` of what, its ``proof``, and when it was ``released``
    (None: it is not)."""

    version: str
    at: str
    because: str
    proof: QuarantineProof
    released: str | None = None

    def in_words(self) -> str:
        """The quarantine as a sentence."""
        until = f", released {self.released}" if self.released else ""
        return f"since {self.at}{until}: {self.because} ({self.proof.in_words()})"


def quarantine_proof(database: sqlite3.Connection, ladder: Ladder, version: int) -> QuarantineProof:
    """The proof for the version in this row, from all matches of the ladder's season so far."""
    failed: tuple[list[int], list[int]] = [], []
    matches = [0, 0]
    for number, sat, fails in database.execute(_MATCHES_QUERY, {"season": ladder.season.id, "version": version}):
        matches[sat] += 1
        if fails:
            failed[sat].append(number)
    return QuarantineProof(ladder.season.number, failed[1], matches[1], failed[0], matches[0])


def keep_quarantine(
    database: sqlite3.Connection, ladder: Ladder, version: int, because: str, proof: QuarantineProof
) -> None:
    """Record that a version is in quarantine. To be called in the transaction that disables it."""
    database.execute(
        "INSERT INTO quarantines (ladder, version, at, because, proof) VALUES (?, ?, ?, ?, ?)",
        (ladder.id, version, utc_now(), because, msgspec.json.encode(proof).decode()),
    )


def release_version(database: sqlite3.Connection, ladder: Ladder, version: int) -> None:
    """Record that a version is no longer in quarantine. To be called in the transaction that changes its state."""
    database.execute(
        "UPDATE quarantines SET released = ? WHERE ladder = ? AND version = ? AND released IS NULL",
        (utc_now(), ladder.id, version),
    )


def quarantines_of(database: sqlite3.Connection, ladder: Ladder, version: int | None = None) -> list[Quarantine]:
    """The quarantines of a ladder, or of the version in this row, the first one first."""
    rows = database.execute(
        "SELECT b.name || ':' || v.number, q.at, q.because, q.proof, q.released FROM quarantines q "
        "JOIN versions v ON v.id = q.version JOIN bots b ON b.id = v.bot "
        "WHERE q.ladder = ? AND q.version = coalesce(?, q.version) ORDER BY q.id",
        (ladder.id, version),
    )
    return [
        Quarantine(name, at, because, msgspec.json.decode(proof, type=QuarantineProof), released)
        for name, at, because, proof, released in rows
    ]
