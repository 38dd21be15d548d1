"""A plan that was registered: read from the files of its registration."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from arena.errors import UserError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.storage.run_facts.registration import RegisteredRun, Registration, SeedSecret

Content = TypeVar("Content", Registration, SeedSecret)


def secret_path(path: Path) -> Path:
    """The file beside a registration that has its seed."""
    return path.with_name(f"{path.name}.secret")


def read_registration(path: Path) -> tuple[RegisteredRun, str]:
    """The registration in a file, as the manifest of its run will have it, and the seed from the file beside it. Raises
    UserError where one of them is missing or damaged, and where the registration does not commit to the seed."""
    written, secret = _read(path, Registration), _read(secret_path(path), SeedSecret)
    if secret.commitment() != written.seed_commitment:
        raise UserError(f"{secret_path(path)} has another seed than the one that {path} commits to")
    return RegisteredRun(written.digest(), secret.salt, written), secret.seed


def _read(path: Path, kind: type[Content]) -> Content:
    try:
        return msgspec.json.decode(read_foreign_file(path), type=kind)
    except FileNotFoundError:
        raise UserError(f"{path} is missing; arena register writes it") from None
    except (OSError, *DECODE_ERRORS) as problem:
        raise UserError(f"{path}: no {'registration' if kind is Registration else 'seed'}: {problem}") from None
