"""Finds a match of a ladder by its number, which never changes, or by its name in replays."""

from __future__ import annotations

import re
import sqlite3

import msgspec

from arena.errors import UserError, cut_text
from arena.ladder.database.ladders import Ladder, find_ladder, ladder_names
from arena.ladder.database.match_rows import FinishedMatch, finished_matches, version_names
from arena.ladder.database.rounds import Round, get_round, schedule_of

MATCH_NUMBER = re.compile(r"#?([1-9][0-9]{0,17})", re.ASCII)
MATCH_NAME = re.compile(r"(?:replays/)?([^/\s]+/b([0-9]{4,9})/[0-9]+(?:-[0-9]+)+)(?:\.jsonl)?", re.ASCII)


class LocatedMatch(msgspec.Struct, frozen=True):
    """A match with its ladder (in the season of the match) and its round: its ``number`` and ``name``, and its result,
    None where it is not ``finished``."""

    number: int
    name: str
    ladder: Ladder
    round: Round
    finished: FinishedMatch | None


def names_a_match(text: str) -> bool:
    """Return whether a word is the number or name of a match, not the name of a bot."""
    return MATCH_NUMBER.fullmatch(text) is not None or MATCH_NAME.fullmatch(text) is not None


def find_match(database: sqlite3.Connection, text: str, ladder: str = "", season: int | None = None) -> LocatedMatch:
    """The match of this number (``1234``, ``#1234``) or name (``eagle-gryphon-4p/b0012/0-3-2-1``), of this ladder and
    season where these are given. Raises UserError where there is none, and for a name that several matches have."""
    number, name = MATCH_NUMBER.fullmatch(text), MATCH_NAME.fullmatch(text)
    if ladder:
        ladder = find_ladder(database, ladder, season).name
    if number is not None:
        return _by_number(database, int(number[1]), ladder, season)
    if name is None:
        example = "its number (1234), or its name (eagle-gryphon-4p/b0012/0-3-2-1)"
        raise UserError(f"no match {cut_text(text)!r}: expected {example}")
    return _by_name(database, name[1], int(name[2]), ladder, season)


def locate_match(database: sqlite3.Connection, ladder: Ladder, round: Round, number: int) -> LocatedMatch:
    """Return the match of this number, which belongs to the round."""
    fixture = schedule_of(ladder, round)[number - round.first_match]
    found = finished_matches(database, ladder.edition.game, version_names(database), number, number + 1)
    return LocatedMatch(number, fixture.id, ladder, round, next(found, None))


def _by_number(database: sqlite3.Connection, number: int, ladder: str, season: int | None) -> LocatedMatch:
    row = database.execute(
        "SELECT r.id, r.first_match + r.matches, s.number, l.name FROM rounds r "
        "JOIN seasons s ON s.id = r.season JOIN ladders l ON l.id = s.ladder "
        "WHERE r.first_match <= ? ORDER BY r.first_match DESC LIMIT 1",
        (number,),
    ).fetchone()
    if row is None or number >= row[1]:
        there = f"there are 1 to {row[1] - 1}" if row is not None else "there is none yet"
        raise UserError(f"no match {number}: {there}")
    round, _, found, called = row
    if ladder not in ("", called):
        raise UserError(f"match {number} belongs to ladder {called}, not to {ladder}")
    if season not in (None, found):
        raise UserError(f"match {number} belongs to season {found}, not to season {season}")
    return locate_match(database, find_ladder(database, called, found), get_round(database, round), number)


def _by_name(database: sqlite3.Connection, name: str, block: int, ladder: str, season: int | None) -> LocatedMatch:
    rows = database.execute(
        "SELECT l.name, s.number, r.id FROM rounds r "
        "JOIN seasons s ON s.id = r.season JOIN ladders l ON l.id = s.ladder "
        "JOIN tables t ON t.round = r.id AND t.block = ? ORDER BY l.id, s.number",
        (block,),
    ).fetchall()
    found = []
    for called, number, round_row in rows:
        if ladder in ("", called) and season in (None, number):
            of, round = find_ladder(database, called, number), get_round(database, round_row)
            fixture = schedule_of(of, round).find(name)
            if fixture is not None:
                found.append((of, round, round.first_match + fixture.index))
    if not found:
        where = f"season {season}" if season is not None else "any season"
        raise UserError(f"no match {name} in {where} of {ladder or ', '.join(ladder_names(database))}")
    if len(found) > 1:
        told = ", ".join(f"{number} in season {of.season.number} of {of.name}" for of, _, number in found)
        raise UserError(f"several matches have the name {name}: {told}; give the number, or --ladder and --season")
    return locate_match(database, *found[0])
