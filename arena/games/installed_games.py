"""The games from outside arena that are installed beside it.

A distribution declares its games in the entry-point group ``arena.games``: each under the name that rules files and
replays give it, which is the name of its module. Whoever installed it has chosen it, so arena imports it wherever a
file names it. Distributions elsewhere, such as in the folder that arena is called in, declare nothing: there a stranger
may have put them.
"""

from __future__ import annotations

import site
import sys
from functools import cache
from importlib.metadata import distributions

ENTRY_GROUP = "arena.games"
"""The group of entry points in which a distribution declares its games."""


@cache
def installed_games() -> frozenset[str]:
    """The modules of the games that installed distributions declare."""
    folders = {*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])}
    searched = [path for path in sys.path if path in folders]
    return frozenset(
        point.name
        for each in distributions(path=searched)
        for point in each.entry_points
        if point.group == ENTRY_GROUP and point.name == point.value
    )
