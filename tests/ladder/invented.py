"""A ladder of invented bots whose matches were never played: their finishing orders are drawn by Plackett–Luce."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256
from math import log
from pathlib import Path
from typing import Any

import msgspec
import numpy

from arena.config.editions import load_edition
from arena.config.ladder_config import LadderConfig
from arena.finding.reference import BotRef
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import Ladder, begin_ladder, find_ladder
from arena.ladder.database.stored_ratings import keep_ratings, ratings_after
from arena.replay.frame import pack_replay
from arena.storage.packs.pack_writer import PackWriter

BOTS = {"anchor": 0, "haggler": 150, "fair": -20, "greedy": 60, "timid": -200, "twin": 150, "hoarder": 30}
"""Bots with what they are worth, in points."""
DAY = "2026-03-{:02}T04:00:00+00:00"


def invent(
    folder: Path, rounds: int = 4, tables: int = 20, worths: Mapping[str, float] = BOTS, **keys: Any
) -> LadderFolder:
    """A folder with the ladder ``nightly`` of these bots, a version of each, in which so many rounds of so many tables
    were played; two rounds were played each night. The first bot is the anchor."""
    place = LadderFolder(folder)
    begin_ladder(place, LadderConfig(name="nightly", rules="eagle-gryphon", **keys), load_edition("eagle-gryphon"), 4)
    database = open_database(place.database, folder, write=True)
    database.execute("UPDATE ladders SET began = ?", (DAY.format(1),))
    database.execute("UPDATE seasons SET began = ?, seed_sha256 = ?", (DAY.format(1), "5" * 64))
    with write_transaction(database):
        database.execute("INSERT INTO authors (name, began) VALUES ('mira', ?)", (DAY.format(1),))
    for number, bot in enumerate(worths):
        submit(database, bot, 1, anchor=int(number == 0))
    for number in range(1, rounds + 1):
        if number % 2:
            with write_transaction(database):
                database.execute(
                    "INSERT INTO plays (season, began, after_round) VALUES (1, ?, ?)", (DAY.format(number), number - 1)
                )
        play_round(place, database, number, tables, worths)
    database.close()
    return place


def submit(database: sqlite3.Connection, bot: str, number: int, anchor: int = 0, author: int = 2, day: int = 1) -> int:
    """A version of a bot in the ladder, submitted on this day, which replaces the one before; its row."""
    reference = msgspec.json.encode(BotRef(name=f"{bot}.py", sha256="0" * 64, file=f"{bot}.py")).decode()
    digest = sha256(f"{bot}:{number}".encode()).hexdigest()
    with write_transaction(database):
        database.execute(
            "INSERT OR IGNORE INTO bots (name, author, began) VALUES (?, ?, ?)", (bot, author, DAY.format(1))
        )
        (id,) = database.execute("SELECT id FROM bots WHERE name = ?", (bot,)).fetchone()
        version = database.execute(
            "INSERT INTO versions (bot, number, sha256, files, options, reference, submitted) "
            "VALUES (?, ?, ?, ?, '{}', ?, ?)",
            (id, number, digest, digest, reference, DAY.format(day)),
        ).lastrowid
        assert version is not None
        database.execute(
            "UPDATE entries SET state = 'replaced' FROM versions v WHERE v.id = version AND v.bot = ? AND v.id <> ?",
            (id, version),
        )
        database.execute(
            "INSERT INTO entries (ladder, version, state, anchor) VALUES (1, ?, 'active', ?)", (version, anchor)
        )
        database.execute(
            "INSERT INTO changes (at, ladder, version, what, why) VALUES (?, 1, ?, 'submitted', '')",
            (DAY.format(day), version),
        )
    return version


def play_round(
    place: LadderFolder,
    database: sqlite3.Connection,
    number: int,
    tables: int,
    worths: Mapping[str, float] = BOTS,
    close: bool = True,
    season: int = 1,
) -> None:
    """A round of so many tables of four, each in four seat orders, and the ratings after it. Rounds are counted on
    through all seasons here."""
    random = numpy.random.Generator(numpy.random.PCG64(1000 + number))
    rows = database.execute(
        "SELECT v.id, b.name FROM entries e JOIN versions v ON v.id = e.version JOIN bots b ON b.id = v.bot "
        "WHERE e.state = 'active' ORDER BY v.id"
    ).fetchall()
    worth = {id: worths[bot] * log(10) / 400 for id, bot in rows}
    (first_match,) = database.execute("SELECT coalesce(max(first_match + matches), 1) FROM rounds").fetchone()
    first_block = (first_match - 1) // 4
    with write_transaction(database):
        id = database.execute(
            "INSERT INTO rounds (season, number, state, first_block, first_match, matches, facts, began) "
            "VALUES (?, ?, 'open', ?, ?, ?, '{}', ?)",
            (season, number, first_block, first_match, 4 * tables, DAY.format(number)),
        ).lastrowid
        packs = PackWriter(place.season("nightly", season) / "replays")
        for table in range(tables):
            sat = random.choice(list(worth), 4, replace=False).tolist()
            block = first_block + table
            database.execute("INSERT INTO tables VALUES (?, ?, ?, 'everybody plays on')", (id, block, str(sat)))
            for turn in range(4):
                _play(
                    database, packs, id, first_match + 4 * table + turn, block, sat[turn:] + sat[:turn], worth, random
                )
        packs.close()
    if close:
        close_round(database, find_ladder(database), id, number)


def close_round(database: sqlite3.Connection, ladder: Ladder, id: int | None, number: int) -> None:
    """The round is closed, with the ratings after it."""
    assert id is not None
    rows = ratings_after(database, ladder, number)
    with write_transaction(database):
        keep_ratings(database, id, rows)
        database.execute("UPDATE rounds SET state = 'closed', ended = ? WHERE id = ?", (DAY.format(number), id))


def _play(
    database: sqlite3.Connection,
    packs: PackWriter,
    round_id: int | None,
    match: int,
    block: int,
    sat: list[int],
    worth: Mapping[int, float],
    random: numpy.random.Generator,
) -> None:
    name = f"eagle-gryphon-4p/b{block:04}/{'-'.join(map(str, sat))}"
    seed = sha256(f"seed/{block}".encode()).hexdigest()[:32]
    drawn = [worth[id] - log(-log(value)) for id, value in zip(sat, random.random(4).tolist(), strict=True)]
    ranks = [1 + sum(other > each for other in drawn) for each in drawn]
    digest = sha256(name.encode()).hexdigest()
    packs.add(name, pack_replay(b'{"event":"match","id":"%s"}\n' % name.encode()))
    database.execute(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?, 'all-deals', 40, 0, 1, ?, 'here', 0.5, '{}', ?, NULL)",
        (match, round_id, name, block, seed, digest, DAY.format(9)),
    )
    for seat, (id, rank) in enumerate(zip(sat, ranks, strict=True)):
        faults = '{"illegal":2}' if match % 29 == 0 and seat == 0 else None
        ended = "struck-out" if match % 58 == 0 and seat == 0 else "played"
        money = 30 - 6 * rank + int(random.integers(0, 5))
        database.execute(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", (match, seat, id, money, rank, ended, faults)
        )
