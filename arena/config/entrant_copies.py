"""The entrants of a tournament of mixtures: each bot as often as the largest table has seats."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arena.config.documents.document import Document, child_path, item_path
from arena.config.tournament_config import NAME_LENGTH, Entrant, Tournament
from arena.tournament.formats.make_format import Formats


def with_copies(document: Document, tournament: Tournament) -> Tournament:
    """The tournament of mixtures with the copies of its bots: first all bots in the order of the file, then their
    second copies under the names ``NAME#2``, and so on. Entrants with the same bot, options and files are one bot, so
    that a tournament that has its copies stays as it is. Another tournament is returned unchanged."""
    if tournament.format is not Formats.MIXTURES:
        return tournament
    if not all(edition.seats or tournament.seats for edition in tournament.editions):
        raise document.error("format", "mixtures need 'seats': how many sit at a table, copies of a bot too")
    for place, entrant in enumerate(tournament.entrants):
        if entrant.team:
            path = child_path(item_path("entrants", place), "team")
            raise document.error(path, "mixtures have no teams, because copies of a bot meet; leave it out")
    bots = _different_bots(tournament.entrants)
    if len(bots) < 2:
        raise document.error("entrants", "expected at least 2 different bots for mixtures, got copies of one")
    copies = range(2, tournament.largest_table + 1)
    named = [*bots, *(msgspec.structs.replace(bot, name=f"{bot.name}#{copy}") for copy in copies for bot in bots)]
    for entrant in named:
        if len(entrant.name) > NAME_LENGTH:
            told = f"expected names of at most {NAME_LENGTH} characters with the number of a copy, got {entrant.name!r}"
            raise document.error("entrants", told)
    if len({entrant.name for entrant in named}) < len(named):
        raise document.error("entrants", "a name ends in the number of a copy of another bot; give it another 'name'")
    return msgspec.structs.replace(tournament, entrants=tuple(named))


def _different_bots(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The first entrant with each bot, options and files."""
    found: dict[bytes, Entrant] = {}
    for entrant in entrants:
        found.setdefault(msgspec.json.encode(msgspec.structs.replace(entrant, name=""), order="sorted"), entrant)
    return list(found.values())
