"""Bots that are learned: decisions read from replays, networks fitted to them, and any network written as a bot.

The bots are :class:`arena.coding.network_bot.NetworkBot`; agents are trained in :mod:`arena.environments`. How to:
``arena docs learning``.
"""
