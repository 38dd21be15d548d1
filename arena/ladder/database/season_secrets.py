"""The seeds of seasons: a secret until the season is closed, to which the database commits from the first day."""

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
"""How long a drawn seed is: hexadecimal digits."""


def seed_commitment(seed: str) -> str:
    """What commits to a seed: the SHA-256 of its text."""
    return sha256(seed.encode()).hexdigest()


def draw_season_seed(place: LadderFolder, ladder: str, season: int) -> str:
    """Draw the seed of a season and keep it for the operator alone, also in place of one that was drawn for a season of
    this name before; its commitment. To be called while nobody else draws: in a transaction."""
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
    """The seed of a season that is not closed. Raises UserError where it is not there, or not the one that the database
    commits to."""
    seed = _read_secrets(place).get(_secret_key(ladder, season))
    if seed is None:
        raise UserError(
            f"{place.secrets}: the seed of {_secret_key(ladder, season)} is not there; restore it from a backup"
        )
    if seed_commitment(seed) != seed_sha256:
        raise UserError(
            f"{place.secrets}: the seed of {_secret_key(ladder, season)} is not the one that the season began with"
        )
    return seed


def seeds_held(place: LadderFolder) -> dict[str, str]:
    """By its commitment each seed that is kept here; none where they cannot be read."""
    try:
        return {seed_commitment(seed): seed for seed in _read_secrets(place).values()}
    except UserError:
        return {}


def round_seed(seed: str, number: int) -> str:
    """The seed of a round, from that of its season: the SHA-256 of ``SEED/round/NUMBER``."""
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
