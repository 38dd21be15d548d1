"""A learned bot: a network, whose weights are in "weights.npz" beside this file. Needs arena and NumPy."""

from __future__ import annotations

from pathlib import Path

from arena.coding.network_bot import NetworkBot


class Learned(NetworkBot):
    """Plays the legal action that the network likes best."""

    games = ("board",)
    weights = Path(__file__).with_name("weights.npz")
    place_marker = turn = offer = accept = interrupt = close = discard = NetworkBot.choose
