"""Whether a seed keeps the secret that it has to keep: one judgement, for all that plays bots of strangers."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from arena.errors import UserError, cut_text
from arena.finding.reference import BotRef
from arena.runs.planning.isolation_level import Isolation, for_strangers
from arena.sandbox.probe import Level
from arena.tournament.schedule.seed_strength import DRAWN_BITS, SECRET_BITS, is_guessable, seed_bits


def judge_seed(seed: str, bots: Sequence[BotRef], isolation: Isolation, require: Level = Level.NONE) -> str:
    """What is wrong with a seed that a bot could guess, and what to do, in one line; empty where it cannot be guessed,
    where bots are trusted anyway, or where all are bundled. Where a level is required that is for bots that nobody has
    read, such a seed is refused, and UserError raised."""
    if isolation.policy is None or not is_guessable(seed) or all(bot.bundled for bot in bots):
        return ""
    strength = f"about {seed_bits(seed):.0f} bits, and a secret needs {SECRET_BITS}"
    problem = f"a bot can guess the seed {seed!r} ({strength}), and with it knows every hand"
    remedy = f"leave it out: {DRAWN_BITS} bits are drawn then, kept in config.resolved.yaml, which repeats the run"
    if for_strangers(require):
        raise UserError(f"{problem}; where level {require} is required, {remedy}")
    return f"{problem}; where that matters, {remedy}"


def check_seed(seed: str) -> None:
    """Raise UserError for a seed that cannot stand in a replay."""
    if not seed or not seed.isprintable():  # bytes that are not UTF-8 come as half characters, which are not printable
        raise UserError(
            f"--seed: expected text of one line in UTF-8, without control characters, got {cut_text(ascii(seed))}"
        )


def draw_seed() -> str:
    """A seed that nobody can guess, as hexadecimal digits."""
    return secrets.token_hex(DRAWN_BITS // 8)
