"""How strongly bots must be isolated, as plain data: chosen when a run begins, and turned into a policy on the machine
that plays it."""

from __future__ import annotations

from functools import lru_cache

from arena.errors import UserError
from arena.sandbox.policy import Amounts, SandboxPolicy
from arena.sandbox.probe import Level, level_of, policy_here
from arena.system.platform_support import isolation_refusal


class Demand(Amounts, frozen=True, kw_only=True):
    """The amounts, and the ``level`` with which a run began (``none``: its bots are trusted and run in arena's own
    processes). ``isolate_all``: bundled bots are isolated like all others (:mod:`arena.finding.exempt_bots`). It
    contains no paths and no layers, because these differ between machines."""

    level: Level = Level.NONE
    isolate_all: bool = False


@lru_cache
def resolve_demand(demand: Demand) -> SandboxPolicy | None:
    """The policy that meets the demand on this machine; None if bots are trusted. Raises UserError if this machine
    reaches another level, because all bots of a run must be isolated alike."""
    if demand.level is Level.NONE:
        return None
    if refusal := isolation_refusal():
        raise UserError(refusal)
    policy = policy_here(SandboxPolicy(**{name: getattr(demand, name) for name in Amounts.__struct_fields__}))
    if (level := level_of(policy.layers)) != demand.level:
        raise UserError(f"this run plays its bots at isolation level {demand.level}, the worker reaches {level}")
    return policy
