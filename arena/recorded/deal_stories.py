"""The deals of a match, a line each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from arena.errors import ReplayError, UserError
from arena.printable import printable_text
from arena.recorded.replay_names import name_file_in
from arena.recorded.story import story_source
from arena.replay.ledger_events import replay_tables
from arena.replay.read import game_of


class DealStories(msgspec.Struct):
    """The deals of a match in order: as rows of the game's ``table`` of that name (``deals``, in the card game
    ``rounds``), and ``told`` as cells for display, under ``headers``, whose ``wide`` columns may be wrapped;
    ``entrants`` are by seat. The ``seed`` is null in a seat's own view."""

    game: str
    edition: str
    seed: str | None
    entrants: list[str]
    table: str
    deals: list[dict[str, Any]]
    headers: tuple[str, ...]
    told: list[tuple[str, ...]]
    wide: tuple[int, ...]


def replay_deals(path: Path, seat: int | None) -> DealStories:
    """The deals of the replay at ``path``. All seats know them, so a valid ``seat`` changes only that the seed is left
    out. Raises UserError for a game without deals."""
    of = story_source(path, seat)
    header, game = of.header, game_of(of.header)
    if game.tell_deals is None:
        raise UserError(f"{path}: the game {header.game} does not define its deals (tell_deals)")
    try:
        tables = replay_tables(header, of.lines[1:])
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    told = game.tell_deals(tables, of.rules, of.names)
    return DealStories(
        header.game,
        header.edition,
        header.seed if seat is None else None,
        of.names,
        told.table,
        [msgspec.json.decode(msgspec.json.encode(row)) for row in tables[told.table]],
        told.headers,
        [tuple(map(printable_text, row)) for row in told.rows],
        told.wide,
    )
