"""A preregistration: what is to be found out by which test, written down before the first match.

It is a file in JSON. Its digest, published before the run, proves that nothing in it was chosen afterwards; of the seed
it holds a commitment alone, so that no bot can know its deals beforehand.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from arena.tournament.inference.paired import PairedMeasure


def salted_digest(salt: str, text: str) -> str:
    """The commitment to a text: the SHA-256 of salt and text, with a line break between them."""
    return sha256(f"{salt}\n{text}".encode()).hexdigest()


class StoppingRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When it ends: after so many ``blocks`` at the latest; and the error rates of the sequential test that judges the
    blocks one after another (``arena docs sequential``). A difference up to ``null`` counts as none."""

    blocks: int
    alpha: float
    beta: float
    null: float


class Registration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether the entrant ``contrast[0]`` is better than ``contrast[1]`` in its place, by the ``measure``; the
    ``margin`` is the smallest difference that matters, in standard deviations of a deal's difference. ``exclusions``
    say which matches will not count, in words. ``entrants`` have the digest of the bot and its options, ``editions``
    the digest of the rules, ``settings`` all that the tournament file says otherwise."""

    arena: str
    tournament: str
    registered: str
    contrast: tuple[str, str]
    measure: PairedMeasure
    margin: float
    stopping: StoppingRule
    exclusions: tuple[str, ...]
    entrants: dict[str, dict[str, Any]]
    editions: dict[str, str]
    settings: dict[str, Any]
    seed_commitment: str

    def content(self) -> bytes:
        """The bytes of its file."""
        return msgspec.json.format(msgspec.json.encode(self)) + b"\n"

    def digest(self) -> str:
        """The SHA-256 of its file."""
        return sha256(self.content()).hexdigest()


class SeedSecret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What opens the commitment to a seed: the ``seed``, and the ``salt`` without which a short seed could be
    guessed."""

    seed: str
    salt: str

    def commitment(self) -> str:
        """The commitment, as :func:`salted_digest` computes it."""
        return salted_digest(self.salt, self.seed)


class RegisteredRun(msgspec.Struct, frozen=True):
    """What the manifest of a run says of its ``registration``: the ``sha256`` of its file, the registration itself, and
    the ``salt`` that opens its commitment to the seed."""

    sha256: str
    salt: str
    registration: Registration
