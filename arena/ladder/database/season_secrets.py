"""The seeds of seasons: secret until the season is closed. The database commits to each from the season's first day."""

from __future__ import annotations

import json
import os
from hashlib import sha256

from arena.errors import UserError
from arena.foreign_files import parse_json, read_foreign_file
from arena.ladder.database.ladder_folder import LadderFolder
from arena.runs.planning.guessable_seed import draw_seed
from arena.storage.files.atomic_files import remove_left, write_whole
from arena.tournament.schedule.seed_strength import DRAWN_BITS

SEED_LETTERS = DRAWN_BITS // 4
"""Length of a drawn seed, in hexadecimal digits."""


def seed_commitment(seed: str) -> str:
    """Return the commitment to a seed: the SHA-256 of its text."""
    return sha256(seed.encode()).hexdigest()


def draw_season_seed(place: LadderFolder, ladder: str, season: int) -> str:
    """Draw the seed of a season and return its commitment. The seed is stored so that only the operator can read it,
    and replaces an earlier seed for a season of this name. To be called while no other process draws: in a
    transaction."""
    held, seed = _read_secrets(place), draw_seed()
    held[_secret_key(ladder, season)] = seed
    remove_left(place.secrets)  # it holds the seeds of all open seasons
    previous = os.umask(0o077)
    try:
        write_whole(place.secrets, (json.dumps(held, indent=2) + "\n").encode())
    finally:
        os.umask(previous)
    return seed_commitment(seed)


def read_season_seed(place: LadderFolder, ladder: str, season: int, seed_sha256: str) -> str:
    """Return the seed of a season that is not closed. Raises UserError where it is missing, or differs from the one to
    which the database commits."""
    seed = _read_secrets(place).get(_secret_key(ladder, season))
    if seed is None:
        raise UserError(
            f"{place.secrets}: the seed of {_secret_key(ladder, season)} is missing; restore it from a backup"
        )
    if seed_commitment(seed) != seed_sha256:
        raise UserError(
            f"{place.secrets}: the seed of {_secret_key(ladder, season)} is not the one that the season began with"
        )
    return seed


def seeds_held(place: LadderFolder) -> dict[str, str]:
    """Return the seeds that are stored here, by commitment; empty where they cannot be read."""
    try:
        return {seed_commitment(seed): seed for seed in _read_secrets(place).values()}
    except UserError:
        return {}


def round_seed(seed: str, number: int) -> str:
    """Return the seed of a round: the SHA-256 of ``SEED/round/NUMBER``, where SEED is the season's seed."""
    return sha256(f"{seed}/round/{number}".encode()).hexdigest()


def _secret_key(ladder: str, season: int) -> str:
    return f"{ladder}.{season}"


def _read_secrets(place: LadderFolder) -> dict[str, str]:
    try:
        found = parse_json(read_foreign_file(place.secrets))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise UserError(f"{place.secrets} cannot be read: {problem}") from None
    if not isinstance(found, dict):
        raise UserError(f"{place.secrets} cannot be read: expected seeds by season; restore it from a backup")
    return {str(key): str(value) for key, value in found.items()}
