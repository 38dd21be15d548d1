"""Environments for reinforcement learning: Gymnasium and PettingZoo. Importing this package registers them.

``gymnasium.make("arena/board-v0")`` is one seat against named bots, ``pettingzoo.make("aec", "arena/board-v0")`` a
whole table of agents; ``arena/cards-v0`` is the card game. They need ``pip install "arena-negotiation[env]"``. What
actions and observations mean: ``arena docs environments``.
"""

from __future__ import annotations

try:
    import gymnasium
    import pettingzoo
except ImportError as missing:
    from arena.errors import UserError

    raise UserError(f'environments need more packages: pip install "arena-negotiation[env]" ({missing})') from missing

from arena.environments.seat_env import SeatEnv
from arena.environments.table_env import TableEnv

__all__ = ["SeatEnv", "TableEnv"]

for _name, _rules, _bots in (
    ("arena/board-v0", "eagle-gryphon", ("greedy", "fair", "dealmaker")),
    ("arena/cards-v0", "card-game", ("fair", "miser", "tycoon")),
):
    gymnasium.register(_name, "arena.environments.seat_env:SeatEnv", kwargs={"rules": _rules, "bots": _bots})
    pettingzoo.register("aec", _name, "arena.environments.table_env:TableEnv", kwargs={"rules": _rules})
