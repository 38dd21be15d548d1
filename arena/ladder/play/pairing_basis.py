"""What the tables of a ladder are chosen from: who met whom, at how many tables each sat, and the season's ratings.

To close a round, its season is rated. The ratings are then stored in the ladder's folder, so that choosing the next
tables neither reads a million matches nor rates them once more. The file is a shortcut alone: where it is missing,
damaged, of another round or of other code, everything is computed anew, with the same tables to the last one.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy

from arena import __version__
from arena.code_digest import STATISTICS, code_digests, of_parts
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.ladder.rating.meetings import Pair, met_and_tables
from arena.ratings.by_order.orders import rate_orders
from arena.ratings.order_columns import Numbers, RatingMatches
from arena.ratings.scale import RatingScale
from arena.storage.files.atomic_files import write_whole

log = logging.getLogger(__name__)


RoundKey = tuple[int, str]
"""A closed round: its row, and the digest of the ratings after it."""


class PairingBasis(NamedTuple):
    """How many tables each ``met`` pair of versions shared (names in order), at how many ``tables`` each version sat,
    and the ``scales`` of the season's log-worths."""

    met: Mapping[Pair, int]
    tables: Mapping[str, int]
    scales: Sequence[RatingScale]


class StoredScale(msgspec.Struct, frozen=True):
    """A scale, with its columns as the bytes of floats and whole numbers of 64 bits."""

    names: tuple[str, ...]
    values: bytes
    covariance: bytes
    blocks: bytes
    equal: bytes


class StoredBasis(msgspec.Struct, frozen=True):
    """The basis for the versions that still played when the round with this ``key`` was closed; the ``others`` have
    played, too. ``met`` has the tables of each pair."""

    key: RoundKey
    code: tuple[str, ...]
    others: frozenset[str]
    met: list[tuple[str, str, int]]
    tables: dict[str, int]
    scales: list[StoredScale]


def compute_basis(matches: RatingMatches, scales: Sequence[RatingScale] = ()) -> PairingBasis:
    """Return the basis after these matches; ``scales`` are those that :func:`rate_orders` gives them, if they are known
    already."""
    if matches.matches and not scales:
        scales = rate_orders(matches, match_ups=False).scales
    return PairingBasis(*met_and_tables(matches), scales)


def store_basis(path: Path, key: RoundKey, basis: PairingBasis, playing: Collection[str]) -> None:
    """Store the part of the basis that is about the versions that are ``playing``. Errors are only logged: the disk may
    be full."""
    stored = StoredBasis(
        key,
        _computed_by(),
        frozenset(basis.tables) - frozenset(playing),
        [(*pair, tables) for pair, tables in basis.met.items() if pair[0] in playing and pair[1] in playing],
        {name: tables for name, tables in basis.tables.items() if name in playing},
        [_store_scale(scale, playing) for scale in basis.scales],
    )
    try:
        write_whole(path, msgspec.msgpack.encode(stored), durable=False)
    except OSError as problem:
        log.warning("cannot store what the next tables are chosen from: %s", problem)


def read_basis(path: Path, key: RoundKey, playing: Collection[str]) -> PairingBasis | None:
    """Return the basis that was stored with this key; None where there is none that holds all versions that are
    ``playing`` now."""
    try:
        stored = msgspec.msgpack.decode(read_foreign_file(path), type=StoredBasis)
        if (stored.key, stored.code) != (key, _computed_by()) or not stored.others.isdisjoint(playing):
            return None
        scales = [_read_scale(each) for each in stored.scales]
    except (OSError, ValueError, *DECODE_ERRORS):
        return None
    return PairingBasis({(one, two): tables for one, two, tables in stored.met}, stored.tables, scales)


@cache
def _computed_by() -> tuple[str, ...]:
    """What decides about the last bits of ratings."""
    return (__version__, numpy.__version__, *of_parts(code_digests(()), STATISTICS).values())


def _store_scale(scale: RatingScale, playing: Collection[str]) -> StoredScale:
    """Values stay as they are: relative to the mean of the whole scale."""
    members = [at for at, name in enumerate(scale.names) if name in playing]
    rows = numpy.array(members, dtype=int)
    return StoredScale(
        tuple(scale.names[at] for at in members),
        scale.values[rows].astype("<f8").tobytes(),
        scale.covariance[rows[:, None], rows].astype("<f8").tobytes(),
        scale.blocks[rows].astype("<i8").tobytes(),
        scale.equal[rows].astype("<f8").tobytes(),
    )


def _read_scale(stored: StoredScale) -> RatingScale:
    """Raises ValueError where the columns do not fit each other."""
    size = len(stored.names)

    def column(content: bytes, kind: str, *shape: int) -> Numbers:
        return numpy.frombuffer(content, dtype=kind).reshape(shape)

    return RatingScale(
        stored.names,
        column(stored.values, "<f8", size),
        column(stored.covariance, "<f8", size, size),
        column(stored.blocks, "<i8", size),
        column(stored.equal, "<f8", size),
    )
