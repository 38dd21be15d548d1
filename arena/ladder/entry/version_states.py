"""Withdraws, disables and enables versions of a ladder. A `play` in progress follows from its next match on."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

import msgspec

from arena.errors import UserError
from arena.ladder.database.bot_versions.versions import (
    EnteredVersion,
    VersionState,
    entered_versions,
    find_version,
    set_state,
)
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, Ladder, find_ladder
from arena.ladder.entry.admission_rows import replace_older
from arena.ladder.entry.authors import who_submits
from arena.ladder.entry.quarantine import keep_quarantine, quarantine_proof, release_version

WITHDRAWABLE_STATES = (VersionState.ACTIVE, VersionState.SUSPENDED)
"""The states from which an author may withdraw a version: not from what the operator disabled."""


class StateChange(msgspec.Struct, frozen=True):
    """A version of a ladder, its state before and its state now, and the reason (``why``)."""

    version: str
    before: VersionState
    after: VersionState
    why: str = ""


def retire_versions(place: LadderFolder, ladder: str, bot: str, author: str = "", token: str = "") -> list[StateChange]:
    """Withdraw a version (``BOT:NUMBER``), or all of a bot that play, for its author or the operator. Matches stay.
    Raises UserError where it is another author's, or no longer plays."""
    with _Opened(place, ladder) as opened:
        who = who_submits(opened.database, author, token, opened.ladder.config.entry.tokens)
        states = (*WITHDRAWABLE_STATES, VersionState.DISABLED) if who.name == OPERATOR else WITHDRAWABLE_STATES
        found = opened.find(bot, states, VersionState.RETIRED)
        for each in found:
            if who.name not in (OPERATOR, each.version.author):
                raise UserError(f"{each.version.name} belongs to author {each.version.author}, not to {who.name}")
        return opened.set(found, VersionState.RETIRED, f"by {who.name}")


def disable_versions(place: LadderFolder, ladder: str, bot: str, why: str) -> list[StateChange]:
    """Disable a version, or all playing versions of a bot, and record the reason ``why``. Its author cannot submit new
    versions of that bot until it is enabled. Raises UserError where it does not play."""
    if not why.strip():
        raise UserError("give a reason, for the author and for the record: --why 'sends its hand to a partner'")
    with _Opened(place, ladder) as opened:
        return opened.set(opened.find(bot, WITHDRAWABLE_STATES, VersionState.DISABLED), VersionState.DISABLED, why)


def quarantine_versions(place: LadderFolder, ladder: str, bot: str, because: str) -> list[StateChange]:
    """Disable a version, or all playing versions of a bot, and record for each the proof
    (:mod:`arena.ladder.entry.quarantine`) and the reason ``because``; both stand in its history too. Raises UserError
    where it does not play."""
    if not because.strip():
        raise UserError("give a reason, for the author and for the record: --because 'every match with it fails'")
    with _Opened(place, ladder) as opened:
        changed, database = list[StateChange](), opened.database
        found = opened.find(bot, WITHDRAWABLE_STATES, VersionState.DISABLED)
        with write_transaction(database):
            for each in found:
                proof = quarantine_proof(database, opened.ladder, each.version.id)
                why = f"quarantined: {because} ({proof.in_words()})"
                set_state(database, opened.ladder.id, each.version.id, VersionState.DISABLED, why)
                keep_quarantine(database, opened.ladder, each.version.id, because, proof)
                changed.append(StateChange(each.version.name, each.state, VersionState.DISABLED, why))
        return changed


def enable_versions(place: LadderFolder, ladder: str, bot: str, why: str = "") -> list[StateChange]:
    """Enable a version, or the newest of a bot, whatever its state; it replaces older versions as a new one does.
    Faults that led to its suspension no longer count. Raises UserError where it plays already."""
    with _Opened(place, ladder) as opened:
        database, found = (
            opened.database,
            opened.find(bot, tuple(each for each in VersionState if each is not VersionState.ACTIVE)),
        )
        each = max(found, key=lambda each: each.version.number)
        with write_transaction(database):
            (first,) = database.execute("SELECT coalesce(max(first_match + matches), 1) FROM rounds").fetchone()
            set_state(database, opened.ladder.id, each.version.id, VersionState.ACTIVE, why or "enabled")
            database.execute(
                "UPDATE entries SET counted_from = ? WHERE ladder = ? AND version = ?",
                (first, opened.ladder.id, each.version.id),
            )
            release_version(database, opened.ladder, each.version.id)
            replaced = replace_older(database, opened.ladder, each.version.bot, each.version.id)
        by = f"by {each.version.name}"
        return [
            StateChange(each.version.name, each.state, VersionState.ACTIVE, why),
            *(StateChange(other.name, VersionState.ACTIVE, VersionState.REPLACED, by) for other in replaced),
        ]


class _Opened:
    """A ladder whose database is open for writing."""

    def __init__(self, place: LadderFolder, name: str) -> None:
        self.place, self.name = place, name

    def __enter__(self) -> _Opened:
        self.database: sqlite3.Connection = open_database(self.place.database, self.place.shown, write=True)
        try:
            self.ladder: Ladder = find_ladder(self.database, self.name)
        except BaseException:
            self.database.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        self.database.close()

    def find(
        self, bot: str, states: Collection[VersionState], wanted: VersionState = VersionState.ACTIVE
    ) -> list[EnteredVersion]:
        """Return the version of this number, or the versions of the bot, that are in one of these states. Raises
        UserError where there is none."""
        named = find_version(self.database, bot)
        every = [each for each in entered_versions(self.database, self.ladder.id) if each.version.bot == named.bot]
        if ":" in bot:
            every = [each for each in every if each.version.id == named.id]
        if not every:
            raise UserError(f"{bot} was not submitted to ladder {self.ladder.name}")
        found = [each for each in every if each.state in states]
        if not found:
            told = ", ".join(f"{each.version.name} is {each.state}" for each in every)
            raise UserError(f"no version of {bot} can become {wanted}: {told}")
        return found

    def set(self, found: Collection[EnteredVersion], state: VersionState, why: str) -> list[StateChange]:
        """Change the state of these versions."""
        with write_transaction(self.database):
            for each in found:
                set_state(self.database, self.ladder.id, each.version.id, state, why)
                release_version(self.database, self.ladder, each.version.id)  # the operator has decided anew
        return [StateChange(each.version.name, each.state, state, why) for each in found]
