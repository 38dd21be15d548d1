"""Bots exempt from isolation: those that ship with arena, byte for byte, with options that are plain numbers
(or true and false).

They are code that arena's authors wrote, so a process of their own protects nobody from them; replays are the same
bytes either way. What counts is the digest of the bot's only file, not its name or its place: whatever it was read
from, it is the bundled file that is then executed, after a check that it still has this digest
(:func:`arena.finding.loading.make_bot`). A program, a module, a bot of several files, or one whose class is named is
never exempt.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

import msgspec

from arena.finding.reference import BotRef, bundled_bots
from arena.resources import bundled_folder
from arena.sandbox.demand import Demand
from arena.sandbox.policy import Amounts

OPTION_LIMIT = 1_000_000
"""The largest number that a bundled bot may be given in arena's own process. Bundled bots compute with their options,
and do nothing else with them: a number of this size costs no memory, and names no file and no module; a bot that
searches may take all of its time with it, as any bot may. Text, which could do either, and infinity are left to a
process of the bot's own; so the talker, which takes a language and a model, is exempt only without any."""


def is_exempt(bot: BotRef, demand: Demand) -> bool:
    """Whether this bot is played in the referee's process while others are isolated as the ``demand`` says. No bot is
    exempt where bots get less than the usual memory, CPU time, threads or files, because only a process can be held to
    such limits."""
    if demand.isolate_all or any(getattr(demand, name) < usual for name, usual in _USUAL.items()):
        return False
    return _bundled_file(bot) != "" and all(map(_is_plain_number, bot.options.values()))


def bundled_copy(bot: BotRef) -> BotRef:
    """The same bot, loaded from the bundled file that has the same bytes; if there is none, ``bot`` itself."""
    folder, file = str(bundled_folder("bots").absolute()), _bundled_file(bot)
    return msgspec.structs.replace(bot, file=file, files=(), folder=folder, bundled=True) if file else bot


_USUAL = {name: value for name, value in msgspec.structs.asdict(Amounts()).items() if name != "preload"}


def _is_plain_number(value: object) -> bool:
    return isinstance(value, int | float) and -OPTION_LIMIT <= value <= OPTION_LIMIT


def _bundled_file(bot: BotRef) -> str:
    """The name of the bundled file that has the same bytes as this bot; empty if there is none."""
    if bot.command or bot.module or bot.cls:
        return ""
    return _files_by_digest(str(bundled_folder("bots"))).get(bot.sha256, "")


@lru_cache(maxsize=8)
def _files_by_digest(folder: str) -> dict[str, str]:
    """The names of the bundled bots' files, by the digest that they have when this process first asks."""
    return {sha256(path.read_bytes()).hexdigest(): path.name for path in bundled_bots().values()}
