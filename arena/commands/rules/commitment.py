"""A commitment to an edition: published before the run, it fixes the rules without showing them."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

import msgspec

from arena.errors import Mismatch, UserError
from arena.foreign_files import DECODE_ERRORS, read_foreign_file
from arena.runs.planning.registered_plan import secret_path
from arena.storage.files.atomic_files import write_whole
from arena.storage.run_facts.registration import salted_digest

SALT_BYTES = 16


class EditionSalt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What opens the commitment to an edition, beside its file: the ``salt``, without which a board from a short seed
    could be guessed."""

    salt: str

    def commitment(self, digest: str) -> str:
        """The commitment to the edition with this ``digest`` of its rules."""
        return salted_digest(self.salt, digest)


def commit_to_edition(file: Path, digest: str) -> str:
    """Write a random salt to FILE.secret, readable by its owner alone, and return the commitment to the edition in
    ``file``, whose rules have this ``digest``."""
    salt = EditionSalt(token_hex(SALT_BYTES))
    write_whole(secret_path(file), msgspec.json.encode(salt) + b"\n")
    secret_path(file).chmod(0o600)
    return salt.commitment(digest)


def check_commitment(file: Path, digest: str, commitment: str) -> None:
    """Raise Mismatch unless the ``commitment`` is the one to this edition, by the salt beside its file; UserError where
    there is no salt."""
    path = secret_path(file)
    try:
        salt = msgspec.json.decode(read_foreign_file(path), type=EditionSalt)
    except FileNotFoundError:
        raise UserError(f"{path} is missing; arena rules generate --commit writes it beside the edition") from None
    except (OSError, *DECODE_ERRORS) as problem:
        raise UserError(f"{path}: no salt: {problem}") from None
    if salt.commitment(digest) != commitment.strip().lower():
        raise Mismatch(f"{file}: this is not the edition that was committed to (digest {digest[:16]})")
