"""What a season of a ladder has spent on language models: in its matches, and in the checks of submissions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena.consultation.spending import ModelSpending, SeasonAllowance
from arena.ladder.database.bot_versions.versions import all_versions
from arena.ladder.database.connection import write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, utc_now
from arena.match.work import Timing
from arena.runs.models.model_access import count_spent
from arena.storage.packs.replay_packs import OPEN_CALLS_FOLDER

_decode_timing = msgspec.json.Decoder(Timing).decode


def journals_of(place: LadderFolder, ladder: Ladder) -> Path:
    """The folder with the calls of matches of a ladder's season that are not finished."""
    return place.season(ladder.name, ladder.season.number) / OPEN_CALLS_FOLDER


def season_allowance(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> SeasonAllowance:
    """What may still be spent in the season of a ladder."""
    season = ladder.season.id
    checks = database.execute(
        "SELECT bot, author, calls, tokens, money FROM check_calls WHERE season = ? ORDER BY id", (season,)
    ).fetchall()
    authors = {bot: author for bot, author, *_ in checks}
    authors |= {version.bot: version.author for version in all_versions(database)}
    allowance = SeasonAllowance(ladder.config.consulting, authors)
    for bot, _, calls, tokens, money in checks:
        allowance.spend(bot, ModelSpending(calls, tokens, money))
    rows = database.execute(
        "SELECT m.timing FROM matches m JOIN rounds r ON r.id = m.round WHERE r.season = ?", (season,)
    )
    timings = (_decode_timing(timing) for (timing,) in rows)
    count_spent(allowance, ladder.config.models, timings, journals_of(place, ladder))
    return allowance


class SpentOnModels(msgspec.Struct, frozen=True):
    """What was spent on language models in a season for the bots of an ``author`` ("": of all): ``calls``, ``tokens``,
    and ``money`` in dollars, which is too little where a price is unknown."""

    author: str
    calls: int
    tokens: int
    money: float


def season_spending(place: LadderFolder, database: sqlite3.Connection, ladder: Ladder) -> list[SpentOnModels]:
    """What was spent in the season of a ladder, by all first, then by author; empty where it has no models."""
    if not ladder.config.models:
        return []
    spent = season_allowance(place, database, ladder)
    every = {"": spent.run, **dict(sorted(spent.authors.items()))}
    return [SpentOnModels(name, each.calls, each.tokens, round(each.money, 6)) for name, each in every.items()]


@contextmanager
def spending_of_check(
    place: LadderFolder, database: sqlite3.Connection, ladder: Ladder, bot: str, author: str
) -> Iterator[SeasonAllowance]:
    """What may be spent to check a bot of this author, who pays for all bots in its matches. What was spent is stored
    at the end, however that comes."""
    allowance = season_allowance(place, database, ladder)
    allowance.let_pay(bot, author)
    before = msgspec.structs.replace(allowance.entrants[bot])
    try:
        yield allowance
    finally:
        spent = msgspec.structs.replace(allowance.entrants[bot])
        spent.add(before, -1)
        if spent.calls:
            row = (ladder.season.id, author, bot, utc_now(), spent.calls, spent.tokens, spent.money)
            with write_transaction(database):
                database.execute(
                    "INSERT INTO check_calls (season, author, bot, at, calls, tokens, money) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
