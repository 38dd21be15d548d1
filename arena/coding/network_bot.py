"""Bots that are networks: what the network says of the view is the move. They need NumPy and no other package."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from arena.bot import Bot, Start
from arena.coding.coding import Coding, coding_of
from arena.coding.network import Network
from arena.coding.network_file import check_fit, read_network
from arena.games.contract import Move, View


class NetworkBot(Bot):
    """Plays the action that its network likes best of those that are legal, as an agent in the environments would.

    A class derived from it names its ``games`` and the file of its ``weights``, and has :meth:`choose` as each of its
    hooks: :func:`arena.learning.export_bot.export_network` writes one. Raises UserError at the start where the file is
    damaged, or fits neither the game nor the edition.
    """

    weights: ClassVar[Path]

    def start(self, start: Start) -> None:
        self._coding: Coding = coding_of(start.game, start.rules)
        described = read_network(self.weights)
        check_fit(described, self._coding, start.game, str(self.weights))
        self._network: Network = described.network

    def choose(self, view: View) -> Move:
        """The answer to any ask. The legal actions are those in an imagined state: they depend on nothing that this
        seat does not see."""
        state = self.imagine(view)
        index = state.asks.index(view.ask(self.rules))
        choices = self._coding.choices(state, index)
        actions = sorted(choices)
        if len(actions) == 1:
            return choices[actions[0]]
        action = self._network.choose(self._coding.observe(view), actions)
        return self._coding.finished(state, index, choices[action])
