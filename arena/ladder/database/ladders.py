"""The ladders of a folder: begins and finds them, with their keys, edition and seasons."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from arena.config.editions import Edition
from arena.config.ladder_config import LadderConfig
from arena.errors import UserError, nearest_hint
from arena.games import load_game
from arena.games.canonical_rules import rules_digest
from arena.ladder.database.connection import create_database, open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.season_secrets import draw_season_seed

OPERATOR = "operator"
"""The author who exists from the start: whoever may write to the folder. His bots, such as anchors, are no team."""


class Season(msgspec.Struct, frozen=True):
    """A season of a ladder: its row, its number from 1, the commitment to its seed, and the seed once it is closed."""

    id: int
    number: int
    seed_sha256: str
    seed: str | None
    began: str
    ended: str | None


class Ladder(msgspec.Struct, frozen=True):
    """A ladder: its row, its keys, its edition, and its last season."""

    id: int
    name: str
    seats: int
    config: LadderConfig
    edition: Edition
    season: Season

    @property
    def label(self) -> str:
        """The edition with the number of players at its tables, as in the replays of matches."""
        return f"{self.edition.label}-{self.seats}p"


def utc_now() -> str:
    """Return the current time, UTC. Only the database holds such times."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def begin_ladder(
    place: LadderFolder,
    config: LadderConfig,
    edition: Edition,
    seats: int,
    enter: Callable[[sqlite3.Connection, Ladder], object] = lambda database, ladder: None,
) -> Ladder:
    """Begin a ladder of this edition, with its first season. ``enter`` writes the first versions in the same
    transaction, so that a killed process leaves nothing behind. Raises UserError where a ladder of this name exists."""
    place.folder.mkdir(parents=True, exist_ok=True)
    create_database(place.database)
    database = open_database(place.database, place.shown, write=True)
    try:
        with write_transaction(database, durable=True):
            _insert_ladder(place, database, config, edition, seats)
            ladder = find_ladder(database, config.name)
            enter(database, ladder)
        return ladder
    finally:
        database.close()


def _insert_ladder(
    place: LadderFolder, database: sqlite3.Connection, config: LadderConfig, edition: Edition, seats: int
) -> None:
    """Write the rows of a ladder and its season. To be called in a transaction."""
    if database.execute("SELECT 1 FROM ladders WHERE name = ?", (config.name,)).fetchone():
        raise UserError(f"{place.shown} has a ladder {config.name!r} already; choose another name with --name")
    rules = msgspec.json.encode(edition.data, order="deterministic").decode()
    keys = msgspec.json.encode(msgspec.structs.replace(config, seats=seats)).decode()
    row = (config.name, edition.game, edition.label, edition.digest, rules, seats, keys, utc_now())
    id = database.execute(
        "INSERT INTO ladders (name, game, edition, edition_sha256, edition_rules, seats, keys, began) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    ).lastrowid
    database.execute("INSERT INTO authors (name, began) VALUES (?, ?) ON CONFLICT DO NOTHING", (OPERATOR, utc_now()))
    begin_season(place, database, id, config.name, 1)


def begin_season(place: LadderFolder, database: sqlite3.Connection, ladder: int | None, name: str, number: int) -> None:
    """Begin a season with a newly drawn seed, which is stored before the database commits to it. To be called in a
    transaction, so that no other process writes secrets meanwhile."""
    seed_sha256 = draw_season_seed(place, name, number)
    row = (ladder, number, seed_sha256, utc_now())
    database.execute("INSERT INTO seasons (ladder, number, seed_sha256, began) VALUES (?, ?, ?, ?)", row)


def ladder_names(database: sqlite3.Connection) -> list[str]:
    """The names of all ladders, in the order in which they were begun."""
    return [name for (name,) in database.execute("SELECT name FROM ladders ORDER BY id")]


def find_ladder(database: sqlite3.Connection, name: str = "", season: int | None = None) -> Ladder:
    """Return the ladder of this name, or the only one, in the season of this number, or its last. Raises UserError
    where there is none, or several and no name is given."""
    known = ladder_names(database)
    if not known:
        raise UserError("no ladder was begun here (begin one with: arena ladder init)")
    if not name and len(known) != 1:
        raise UserError(f"there are several ladders here, say which with --ladder: {', '.join(known)}")
    row = database.execute(
        "SELECT id, name, seats, keys, edition, game, edition_rules, edition_sha256 FROM ladders WHERE name = ?",
        (name or known[0],),
    ).fetchone()
    if row is None:
        raise UserError(f"no ladder {name!r}{nearest_hint(name, known)}; there are {', '.join(known)}")
    id, found, seats, keys, label, game, rules, digest = row
    edition = _stored_edition(label, game, rules, digest)
    try:
        config = msgspec.json.decode(keys, type=LadderConfig)
    except msgspec.ValidationError as problem:
        raise UserError(
            f"the keys of ladder {found} in the database cannot be read: {problem}; restore a backup"
        ) from None
    return Ladder(id, found, seats, config, edition, _find_season(database, id, found, season))


def seasons_of_ladder(database: sqlite3.Connection, ladder: int) -> list[Season]:
    """The seasons of a ladder, the first one first."""
    rows = database.execute(
        "SELECT id, number, seed_sha256, seed, began, ended FROM seasons WHERE ladder = ? ORDER BY number", (ladder,)
    )
    return [Season(*row) for row in rows]


def _find_season(database: sqlite3.Connection, ladder: int, name: str, number: int | None) -> Season:
    found = seasons_of_ladder(database, ladder)
    if not found:
        raise UserError(f"ladder {name} has no season in the database; restore a backup")
    if number is None:
        return found[-1]
    for season in found:
        if season.number == number:
            return season
    raise UserError(f"ladder {name} has no season {number}; it has {', '.join(str(each.number) for each in found)}")


def _stored_edition(label: str, game: str, rules: str, digest: str) -> Edition:
    data = msgspec.json.decode(rules)
    if rules_digest(data) != digest:
        raise UserError(f"the rules of {label} in the database do not have the right digest; restore a backup")
    typed = msgspec.convert(data, load_game(game).rules_type, strict=False, str_keys=True)
    return Edition(label, game, typed, data, digest)
