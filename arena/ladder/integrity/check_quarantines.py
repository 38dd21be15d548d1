"""Checks that versions in quarantine do not play, and that the matches that prove it have failed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from arena.ladder.database.bot_versions.versions import VersionState, find_version, states_of
from arena.ladder.database.ladders import Ladder, find_ladder
from arena.ladder.entry.quarantine import Quarantine, quarantine_proof, quarantines_of


def quarantine_problems(database: sqlite3.Connection, ladder: Ladder) -> Iterator[str]:
    """Yield the problems of the quarantines in a ladder. Matches that were played since then may have been added to
    those of a proof, but none of these can be gone."""
    states = states_of(database, ladder.id)
    for each in quarantines_of(database, ladder):
        row = find_version(database, each.version).id
        if each.released is None and states.get(row) is not VersionState.DISABLED:
            yield (
                f"{each.version} is in quarantine in {ladder.name} since {each.at}, but it is {states.get(row)}; "
                f"restore a backup"
            )
        yield from _proof_problems(database, ladder, each, row)


def _proof_problems(database: sqlite3.Connection, ladder: Ladder, each: Quarantine, row: int) -> Iterator[str]:
    proof = each.proof
    now = quarantine_proof(database, find_ladder(database, ladder.name, proof.season), row)
    lost = sorted({*proof.failed_with} - {*now.failed_with} | {*proof.failed_without} - {*now.failed_without})
    if lost:
        yield (
            f"the quarantine of {each.version} in {ladder.name} counts match {lost[0]} as failed, which it is not; "
            f"restore a backup"
        )
    if proof.matches_with > now.matches_with or proof.matches_without > now.matches_without:
        yield (
            f"the quarantine of {each.version} in {ladder.name} counts more matches than there are; restore a backup"
        )
