"""The suspicions of a ladder in its database: two versions that answer alike, or one that gives another unusually much,
each with what shows it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import msgspec

from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladders import Ladder, utc_now


class SuspicionKind(StrEnum):
    """What two versions are suspected of."""

    ALIKE = "alike"
    """The first answers exactly as the second did in recorded matches."""

    GIFT = "gift"
    """The first gives the second more than is usual."""

    MUTUAL_GIFT = "mutual gift"
    """Both give each other more than is usual."""


class AlikeProof(msgspec.Struct, frozen=True, tag="alike"):
    """So many ``asks`` from this many ``matches`` of the second version: the first answers all as it did."""

    asks: int
    matches: int


class GiftProof(msgspec.Struct, frozen=True, tag="gift"):
    """What was given a match beyond what is usual (``gift``, in the game's ``unit``, with its interval) in the
    ``matches`` in which both met; the probabilities of such a gift by ``luck``, and among honest pairs
    (``spread``). It was ``judged`` by this many matches of the season, of all versions."""

    gift: float
    low: float
    high: float
    unit: str
    matches: int
    luck: float
    spread: float
    judged: int


class PairLook(msgspec.Struct, frozen=True):
    """A look at two versions, given by their rows: what it was for, whether that ``stands``, and what shows it."""

    kind: SuspicionKind
    one: int
    two: int
    stands: bool
    proof: AlikeProof | GiftProof


class Suspicion(msgspec.Struct, frozen=True):
    """A suspicion: its kind, the versions ``one`` and ``two``, the ``round`` of the ``season`` after which it was found
    last, and what shows it."""

    kind: SuspicionKind
    one: str
    two: str
    season: int
    round: int
    proof: AlikeProof | GiftProof

    def in_words(self) -> str:
        """The suspicion as a sentence."""
        match self.proof:
            case AlikeProof(asks, matches):
                count = "1 match" if matches == 1 else f"{matches} matches"
                told = f"{self.one} answers as {self.two} does: all {asks} asks of {count} alike"
            case GiftProof() as proof:
                what = f"{self.one} and {self.two} give each other"
                if self.kind is SuspicionKind.GIFT:
                    what = f"{self.one} gives {self.two}"
                told = (
                    f"{what} {proof.gift:.1f} {proof.unit} a match more than is usual ({proof.low:.1f} to "
                    f"{proof.high:.1f}, {proof.matches} matches; p by chance {proof.luck:.2g}, among honest pairs "
                    f"{proof.spread:.2g})"
                )
        return f"{told}, after round {self.round} of season {self.season}"


_PROOFS = msgspec.json.Decoder(AlikeProof | GiftProof)
_SUSPICIONS_QUERY = """
  SELECT p.kind, bo.name || ':' || vo.number, bt.name || ':' || vt.number, s.number, r.number, p.proof
  FROM suspicions p JOIN rounds r ON r.id = p.round JOIN seasons s ON s.id = r.season
  JOIN versions vo ON vo.id = p.one JOIN bots bo ON bo.id = vo.bot
  JOIN versions vt ON vt.id = p.two JOIN bots bt ON bt.id = vt.bot
  JOIN entries eo ON eo.version = p.one AND eo.ladder = p.ladder AND eo.state = 'active'
  JOIN entries et ON et.version = p.two AND et.ladder = p.ladder AND et.state = 'active'
  WHERE p.ladder = ? AND p.stands AND ? IN (p.one, p.two, 0) ORDER BY p.kind, p.one, p.two
"""


def standing_suspicions(database: sqlite3.Connection, ladder: Ladder, version: int = 0) -> list[Suspicion]:
    """What stands against versions that play, or against the one in this row (0: all)."""
    return [
        Suspicion(SuspicionKind(kind), one, two, season, round, _PROOFS.decode(proof))
        for kind, one, two, season, round, proof in database.execute(_SUSPICIONS_QUERY, (ladder.id, version))
    ]


def compared_pairs(database: sqlite3.Connection, ladder: Ladder) -> set[tuple[int, int]]:
    """The rows of the versions that were compared already: the first was asked what the second had been asked."""
    rows: Iterable[Any] = database.execute(
        "SELECT one, two FROM suspicions WHERE ladder = ? AND kind = ?", (ladder.id, SuspicionKind.ALIKE)
    )
    return {(one, two) for one, two in rows}


def store_looks(
    database: sqlite3.Connection, ladder: Ladder, round: int, looks: Iterable[PairLook], judged: int = 0
) -> None:
    """Store looks at pairs after the round in this row; each replaces an earlier look at the same two. Where all gifts
    were ``judged`` by so many matches (0: they were not), those that were found in no more matches stand no longer."""
    with write_transaction(database):
        if judged:
            database.execute(
                "DELETE FROM suspicions WHERE ladder = ? AND kind <> ? AND "
                "(json_extract(proof, '$.judged') <= ? OR round NOT IN (SELECT id FROM rounds WHERE season = ?))",
                (ladder.id, SuspicionKind.ALIKE, judged, ladder.season.id),
            )
        database.executemany(
            "INSERT OR REPLACE INTO suspicions (ladder, kind, one, two, round, at, stands, proof) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(ladder.id, each.kind, each.one, each.two, round, utc_now(), each.stands),
                    msgspec.json.encode(each.proof).decode(),
                )
                for each in looks
            ],
        )
