"""Chooses the tables of the next round, from what the season has shown so far."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256

from arena.errors import UserError
from arena.ladder.database.bot_versions.versions import EnteredVersion, VersionState, entered_versions
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, Ladder
from arena.ladder.database.rating_columns import read_season_columns
from arena.ladder.database.rounds import Round, last_round
from arena.ladder.database.stored_ratings import ratings_digest
from arena.ladder.play.pairing_basis import PairingBasis, compute_basis, read_basis
from arena.ladder.rating.pairing import ChosenTable, PairingPlayer, PairingRules
from arena.ladder.rating.pairing_policy import find_policy
from arena.plugins import is_plugin

FEWEST_TABLES = 24
"""The least number of tables in a round, unless the ladder's file says otherwise."""


def choose_next(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> list[ChosenTable]:
    """Return the tables of the next round; the same database always gives the same tables. Raises UserError where there
    are too few active versions for a table, or its policy is from outside arena and not imported."""
    config = ladder.config
    before = last_round(database, ladder.season.id)
    basis = _stored_basis(place, database, ladder, before) or compute_basis(
        read_season_columns(database, ladder.season.id)
    )
    players = pairing_players(database, ladder, basis.tables)
    number = before.number + 1 if before else 1
    played = before.next_block if before else 0
    count = config.round_tables or max(FEWEST_TABLES, len(players), played // 100)
    wanted = PairingRules(config.newcomer_tables, config.indifference)
    seed = sha256(f"{ladder.season.seed_sha256}/{number}".encode()).hexdigest()
    try:
        choose_tables = find_policy(config.pairing)
        return list(choose_tables(players, basis.met, basis.scales, ladder.seats, count, wanted, seed))
    except UserError as problem:
        raise UserError(f"ladder {ladder.name}: {problem}") from None


def _stored_basis(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, before: Round | None
) -> PairingBasis | None:
    """Return what closing the round ``before`` has stored; None where that does not serve. A policy from outside arena
    may look at versions that do not play any more, which are not stored."""
    if before is None or is_plugin(ladder.config.pairing):
        return None
    playing = {player.name for player in pairing_players(database, ladder, {})}
    key = (before.id, ratings_digest(database, before.id))
    return read_basis(place.pairing(ladder.name, ladder.season.number), key, playing)


def pairing_players(database: sqlite3.Connection, ladder: Ladder, tables: Mapping[str, int]) -> list[PairingPlayer]:
    """The active versions of a ladder; ``tables`` says at how many tables each has played (by default 0)."""
    return [
        PairingPlayer(
            each.version.name, _team_name(each, ladder.config.entry.one_team), tables.get(each.version.name, 0)
        )
        for each in entered_versions(database, ladder.id)
        if each.state is VersionState.ACTIVE
    ]


def _team_name(each: EnteredVersion, one_team: bool) -> str:
    """Return the team of a version, whose members never share a table: its author's bots, or its bot's versions."""
    if one_team and each.version.author != OPERATOR:
        return f"author {each.version.author}"
    return f"bot {each.version.bot}"
