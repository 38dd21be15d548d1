"""Whether a seed can be guessed: one check for everything that plays strangers' bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from arena.errors import UserError, cut_text
from arena.finding.reference import BotRef
from arena.runs.planning.isolation_level import Isolation, for_strangers
from arena.sandbox.probe import Level
from arena.tournament.schedule.seed_strength import DRAWN_BITS, SECRET_BITS, is_guessable, seed_bits


def judge_seed(seed: str, bots: Sequence[BotRef], isolation: Isolation, require: Level = Level.NONE) -> str:
    """What is wrong with a seed that a bot could guess, and what to do, in one line; empty where the seed cannot be
    guessed, where bots are trusted anyway, or where all are bundled. Raises UserError for such a seed where the
    required level is one for bots that nobody has read."""
    if isolation.policy is None or not is_guessable(seed) or all(bot.bundled for bot in bots):
        return ""
    problem = f"seed {seed!r} can be guessed (about {seed_bits(seed):.0f} bits; a secret needs {SECRET_BITS})"
    if for_strangers(require):
        raise UserError(f"{problem}; level {require} needs a secret seed: omit the seed to get a random one")
    return f"{problem}. Against bots you do not trust, omit the seed to get a random one"


def check_seed(seed: str) -> None:
    """Raise UserError for a seed that cannot be written in a replay."""
    if not seed or not seed.isprintable():  # bytes that are not UTF-8 come as half characters, which are not printable
        raise UserError(
            f"--seed: expected text of one line in UTF-8, without control characters, got {cut_text(ascii(seed))}"
        )


def draw_seed() -> str:
    """A seed that nobody can guess, as hexadecimal digits."""
    return secrets.token_hex(DRAWN_BITS // 8)
