"""How far bots are to be isolated, by value: stated where a run begins, resolved on the machine that plays it."""

from __future__ import annotations

from functools import lru_cache

from arena.errors import UserError
from arena.sandbox.policy import Amounts, Policy
from arena.sandbox.probe import Level, level_of, policy_here


class Demand(Amounts, frozen=True, kw_only=True):
    """The amounts, and the ``level`` that a run began with (``none``: its bots are
    trusted in arena's own process). It holds no path and no layer: those are each machine's own."""

    level: Level = Level.NONE


@lru_cache
def resolve(demand: Demand) -> Policy | None:
    """The policy that meets the demand on this machine; None where bots are trusted. Raises UserError where this
    machine reaches another level: a run whose bots are held by different levels would not be one run."""
    if demand.level is Level.NONE:
        return None
    policy = policy_here(Policy(**{name: getattr(demand, name) for name in Amounts.__struct_fields__}))
    if (level := level_of(policy.layers)) != demand.level:
        raise UserError(f"this run plays its bots at isolation level {demand.level}, the worker reaches {level}")
    return policy
