"""Finds the versions of a ladder by name: ``BOT:NUMBER`` means one version, ``BOT`` all versions of the bot."""

from __future__ import annotations

from collections.abc import Mapping

from arena.errors import UserError, nearest_hint
from arena.ladder.database.bot_versions.versions import EnteredVersion

LISTED_VERSIONS = 20
"""How many version names an error message lists at most."""


def versions_by_name(versions: Mapping[str, EnteredVersion], name: str) -> list[str]:
    """Return the versions that a name means, in the order of submission. Raises UserError where there is none."""
    found = [each for each, entered in versions.items() if name in (each, entered.version.bot)]
    if found:
        return found
    bots = sorted({entered.version.bot for entered in versions.values()})
    bot, _, _ = name.rpartition(":")
    numbers = [str(entered.version.number) for entered in versions.values() if entered.version.bot == bot]
    if numbers:
        raise UserError(f"no version {name!r} in this ladder; {bot} has {', '.join(numbers)}")
    told = ", ".join(bots[:LISTED_VERSIONS]) + (" …" if len(bots) > LISTED_VERSIONS else "")
    raise UserError(f"no version or bot {name!r}{nearest_hint(name, bots)} in this ladder; there are {told or 'none'}")
