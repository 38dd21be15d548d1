"""I'm the Boss! as a text environment of verifiers: agents bargain at a table with each other and with named bots.

``vf-eval arena-verifiers`` runs it (``arena docs environments``, section "Language models in verifiers").
"""

from arena_verifiers.environment import ArenaConfig, ArenaEnv, ArenaTasks

__all__ = ["ArenaConfig", "ArenaEnv", "ArenaTasks"]
