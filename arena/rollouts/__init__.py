"""Any bot as the policy of a rollout; flat Monte Carlo; lines of play; information-set Monte Carlo tree search."""

from arena.rollouts.bot_policy import Policy
from arena.rollouts.flat_search import FlatSearch, all_money_ahead, money_ahead
from arena.rollouts.line_search import Line, LineSearch
from arena.rollouts.tree_search import TreeSearch

__all__ = ["FlatSearch", "Line", "LineSearch", "Policy", "TreeSearch", "all_money_ahead", "money_ahead"]
