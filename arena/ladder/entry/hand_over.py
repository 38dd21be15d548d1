"""Hands a bot over to another author."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import msgspec

from arena.errors import UserError
from arena.ladder.database.bot_versions.versions import find_version, note_change
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, find_ladder, utc_now
from arena.ladder.entry.authors import Author, known_author, who_submits
from arena.ladder.entry.entry_rules import refuse_receiver

HAND_OVER_CHANGE = "handed over"
_LADDERS_QUERY = (
    "SELECT DISTINCT l.name FROM ladders l JOIN entries e ON e.ladder = l.id JOIN versions v ON v.id = e.version "
    "JOIN bots b ON b.id = v.bot WHERE b.name = ? ORDER BY l.id"
)
_TOKENS_QUERY = "SELECT json_extract(keys, '$.entry.tokens') FROM ladders"


class HandOver(msgspec.Struct, frozen=True):
    """A bot that was handed over, with the authors who gave and who received it."""

    bot: str
    giver: str
    receiver: str


def hand_over_bot(
    place: LadderFolder, bot: str, receiver: str, giver: tuple[str, str] = ("", ""), receiver_token: str = ""
) -> HandOver:
    """Hand a bot over to the author ``receiver``. ``giver`` is name and token of who does it: the bot's author, and
    then the receiver's token is needed too, or the operator. Raises UserError where that is not allowed: also where the
    receiver has too many bots, or has entered too many versions today, in a ladder where the bot takes part."""
    with closing(open_database(place.database, place.shown, write=True)) as database:
        name, owner = _bot_and_owner(database, bot)
        ladders = [find_ladder(database, each) for (each,) in database.execute(_LADDERS_QUERY, (name,)).fetchall()]
        need_token = any(tokens for (tokens,) in database.execute(_TOKENS_QUERY))
        who = who_submits(database, *giver, need_token=need_token)
        by_operator = who.name == OPERATOR
        if who.name not in (OPERATOR, owner):
            raise UserError(f"{name} belongs to author {owner}, not to {who.name}")
        new = known_author(database, receiver)
        if not by_operator:
            _check_receiver(database, new, receiver_token, need_token)
        with write_transaction(database):
            name, owner = _bot_and_owner(database, bot)  # somebody may have handed it over meanwhile
            if new.name == owner:
                raise UserError(f"{name} belongs to author {owner} already")
            for ladder in ladders:
                if problem := refuse_receiver(database, ladder, new.name, name, by_operator):
                    raise UserError(problem)
            _store_hand_over(database, name, owner, new)
    return HandOver(name, owner, new.name)


def _check_receiver(database: sqlite3.Connection, new: Author, token: str, need_token: bool) -> None:
    """Raise UserError where the receiver has not agreed with a token."""
    if new.name == OPERATOR:
        raise UserError("a bot becomes the operator's only by the operator: leave out the token of its author")
    if new.token_sha256 is not None and not token:
        raise UserError(f"author {new.name} has a token: give it with --to-token or in ARENA_LADDER_TO_TOKEN")
    who_submits(database, new.name, token, need_token)


def _bot_and_owner(database: sqlite3.Connection, bot: str) -> tuple[str, str]:
    if ":" in bot:
        raise UserError(f"a bot is handed over with all its versions: expected {bot.partition(':')[0]}, got {bot}")
    version = find_version(database, bot)
    return version.bot, version.author


def _store_hand_over(database: sqlite3.Connection, bot: str, owner: str, new: Author) -> None:
    """Store the new author and the hand-over, and note it in every ladder for the newest version there."""
    database.execute(
        "INSERT INTO hand_overs (at, bot, giver, receiver) SELECT ?, id, author, ? FROM bots WHERE name = ?",
        (utc_now(), new.id, bot),
    )
    database.execute("UPDATE bots SET author = ? WHERE name = ?", (new.id, bot))
    rows = database.execute(
        "SELECT e.ladder, max(e.version) FROM entries e JOIN versions v ON v.id = e.version "
        "JOIN bots b ON b.id = v.bot WHERE b.name = ? GROUP BY e.ladder ORDER BY e.ladder",
        (bot,),
    ).fetchall()
    for ladder, version in rows:
        note_change(database, HAND_OVER_CHANGE, ladder, version, f"by author {owner} to {new.name}")
