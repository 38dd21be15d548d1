"""Closes a round whose matches are all played: ratings and suspensions are stored in the same transaction."""

from __future__ import annotations

import sqlite3

import msgspec

from arena.ladder.database.bot_versions.versions import VersionState, entered_versions, set_state
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, utc_now
from arena.ladder.database.rounds import Round
from arena.ladder.database.stored_ratings import RATINGS_KEY, after_round, keep_ratings, ratings_digest
from arena.ladder.play.pairing_basis import compute_basis, store_basis
from arena.ladder.play.suspension_report import to_suspend


def close_round(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, round: Round) -> list[str]:
    """Close the round, store the ratings after it and what the next tables are chosen from, and suspend versions that
    were put out too often; return a sentence for each of these. The round's replays must be safe on disk before."""
    after = after_round(database, ladder, round.number)
    with write_transaction(database, durable=True):
        keep_ratings(database, round.id, after.ratings)
        digest = ratings_digest(database, round.id)
        told = {"pairs": after.pairs, RATINGS_KEY: digest}
        database.execute(
            "UPDATE rounds SET state = 'closed', ended = ?, told = json_patch(told, ?) WHERE id = ?",
            (utc_now(), msgspec.json.encode(told).decode(), round.id),
        )
        suspended = to_suspend(database, ladder)
        for version, why in suspended.items():
            set_state(database, ladder.id, version, VersionState.SUSPENDED, why)
    entered = entered_versions(database, ladder.id)
    playing = {each.version.name for each in entered if each.state is VersionState.ACTIVE}
    basis = compute_basis(after.matches, after.log_worths)
    store_basis(place.pairing(ladder.name, ladder.season.number), (round.id, digest), basis, playing)
    names = {each.version.id: each.version.name for each in entered}
    return [f"{names[version]}: {why}" for version, why in suspended.items()]
