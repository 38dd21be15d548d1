"""Which matches are dealt the same cards, and the seeds of matches that follow from it."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256


class Deals(StrEnum):
    """Which matches are dealt the same cards."""

    DUPLICATE = "duplicate"
    """All matches of a block."""

    TABLE = "table"
    """All matches of a table in a block, whatever their seat orders."""

    FRESH = "fresh"
    """None: every match has its own deal."""


def block_seed(tournament_seed: str, block: int) -> str:
    """The match seed of a block, 32 hexadecimal digits: all its editions, tables and orders have the same deal.

    It is the first 16 bytes of the SHA-256 digest of ``SEED/block/BLOCK`` in UTF-8.
    """
    return _text_digest(f"{tournament_seed}/block/{block}")


def match_seed(tournament_seed: str, deals: Deals, block: int, id: str) -> str:
    """The seed of the match ``id``, 32 hexadecimal digits: that of its block; or the first 16 bytes of the SHA-256
    digest, in UTF-8, of ``SEED/block/BLOCK/table/ENTRANTS`` where each table has deals of its own (ENTRANTS are the
    indices of the id in ascending order, joined by ``-``), and of ``SEED/match/ID`` for fresh deals."""
    match deals:
        case Deals.DUPLICATE:
            return block_seed(tournament_seed, block)
        case Deals.TABLE:
            entrants = "-".join(map(str, sorted(map(int, id.rpartition("/")[2].split("-")))))
            return _text_digest(f"{tournament_seed}/block/{block}/table/{entrants}")
        case Deals.FRESH:
            return _text_digest(f"{tournament_seed}/match/{id}")


def _text_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]
