"""Makes the match that a referee plays from an edition and bots; nothing else does."""

from __future__ import annotations

from collections.abc import Sequence

from arena.bot import Limits
from arena.config.editions import Edition
from arena.finding.reference import BotRef
from arena.match.match_spec import MatchSpec
from arena.penalties import FaultPolicy
from arena.replay.lines import Seat


def spec_of(
    edition: Edition,
    names: Sequence[str],
    bots: Sequence[BotRef],
    *,
    id: str,
    tournament: str,
    seed: str,
    block: int = 0,
    label: str = "",
    limits: Limits | None = None,
    fault_policy: FaultPolicy = FaultPolicy.SUBSTITUTE,
    strikes: int = 3,
) -> MatchSpec:
    """A match of ``bots`` under the entrants' ``names``, both by seat. ``label`` is what the edition is called in the
    replay, by default its own label; ``limits`` are by default those of :class:`arena.bot.Limits`."""
    return MatchSpec(
        id=id,
        tournament=tournament,
        block=block,
        game=edition.game,
        edition=label or edition.label,
        rules=edition.rules,
        rules_data=edition.data,
        rules_sha256=edition.digest,
        seats=tuple(Seat(name, bot.name, bot.sha256, bot.options) for name, bot in zip(names, bots, strict=True)),
        seed=seed,
        limits=limits or Limits(),
        fault_policy=fault_policy,
        strikes=strikes,
    )
