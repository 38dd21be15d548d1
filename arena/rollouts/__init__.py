"""Any bot as the policy of a rollout; flat Monte Carlo."""

from arena.rollouts.bot_policy import Policy
from arena.rollouts.flat_search import FlatSearch, money_ahead

__all__ = ["FlatSearch", "Policy", "money_ahead"]
