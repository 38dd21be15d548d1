"""Makes the match that a referee plays from an edition and bots; no other module does."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.bot import Limits
from arena.config.editions import Edition
from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec
from arena.penalties import FaultPolicy
from arena.replay.lines import Seat


class MatchConditions(msgspec.Struct, frozen=True):
    """How long bots may think in a match, and what faults cost."""

    limits: Limits = Limits()
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE
    strikes: int = 3


DEFAULT_CONDITIONS = MatchConditions()


def seats_of(names: Sequence[str], bots: Sequence[BotRef]) -> tuple[Seat, ...]:
    """The seats of a match, from the entrants' ``names`` and their ``bots`` by seat."""
    return tuple(Seat(name, bot.name, bot.sha256, bot.options) for name, bot in zip(names, bots, strict=True))


def spec_of(
    edition: Edition,
    seats: tuple[Seat, ...],
    *,
    id: str,
    tournament: str,
    seed: str,
    block: int = 0,
    conditions: MatchConditions = DEFAULT_CONDITIONS,
) -> MatchSpec:
    """A match of the entrants in these ``seats`` (:func:`seats_of`)."""
    return MatchSpec(
        id=id,
        tournament=tournament,
        block=block,
        game=edition.game,
        edition=edition.label,
        rules=edition.rules,
        rules_data=edition.data,
        rules_sha256=edition.digest,
        seats=seats,
        seed=seed,
        limits=conditions.limits,
        fault_policy=conditions.fault_policy,
        strikes=conditions.strikes,
    )
