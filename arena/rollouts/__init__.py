"""Any bot as the policy of a rollout; flat Monte Carlo; lines of play."""

from arena.rollouts.bot_policy import Policy
from arena.rollouts.flat_search import FlatSearch, money_ahead
from arena.rollouts.line_search import Line, LineSearch

__all__ = ["FlatSearch", "Line", "LineSearch", "Policy", "money_ahead"]
