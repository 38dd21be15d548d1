"""How long does a ladder with very many matches take to open and rate, how large is its database, and what does a match
cost that is added? Writes a ladder nobody played: 200 bots whose versions replace each other, ten of each; the order of
finish is drawn by Plackett–Luce. Prints seconds and memory of what is done with it, each in a process of its own.

Run: python tests/bench/ladder.py [MATCHES]     (1,000,000 by default; some minutes, about 2 GB of disk)
     python tests/bench/ladder.py make FOLDER MATCHES     (only writes such a ladder)
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy

from arena.config.editions import load_edition
from arena.config.ladder_config import LadderConfig
from arena.finding.reference import BotRef
from arena.ladder.database.bot_versions.versions import VersionState, set_state
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import begin_ladder, find_ladder, utc_now
from arena.ladder.database.rating_columns import read_season_columns
from arena.ladder.database.rounds import last_round, open_round
from arena.ladder.play.choose_tables import choose_next
from arena.ladder.play.close_round import close_round
from arena.ladder.play.round_store import RoundStore, SeasonFiles
from arena.ladder.rating.meetings import met_and_tables
from arena.ladder.rating.pairing import ChosenTable
from arena.match.work import SeatTiming, Timing, WorkResult
from arena.penalties import SeatEnd
from arena.ratings.order_columns import RatingMatches
from arena.ratings.presenting.rating_text import ratings_text
from arena.ratings.rate import Basis, RatingOptions, rate_entrants
from arena.replay.frame import pack_replay
from arena.tournament.formats.list_format import ListFormat, ListTable
from arena.tournament.records.fixture import Fixture
from arena.tournament.records.match_record import MatchRecord, SeatRecord
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition

BOTS, VERSIONS, SEATS = 200, 10, 4
ROUNDS = 100
"""Rounds in which the matches are played; in the last :data:`LAST` of them everybody plays its newest version."""
LAST = 20
ADDED, REPLAY = 4000, 3000
"""Matches that are added to measure what one costs, and bytes of the replay of each."""
TIES = 0.03
"""How often two who follow each other share a rank."""
Numbers = numpy.ndarray[Any, Any]


def make(folder: Path, matches: int) -> None:
    """Write such a ladder, whose rounds are all closed."""
    place = LadderFolder(folder)
    config = LadderConfig(name="scale", rules="eagle-gryphon", seats=SEATS)
    begin_ladder(place, config, load_edition("eagle-gryphon"), SEATS)
    database = open_database(place.database, place.shown, write=True)
    found = find_ladder(database)
    with write_transaction(database):
        _submit(database, found.id)
    tables = matches // (SEATS * ROUNDS)
    drawn = numpy.random.Generator(numpy.random.PCG64(1))
    for number in range(ROUNDS):
        with write_transaction(database):
            _play(database, found.season.id, number, _tables(drawn, number, tables), drawn)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def _submit(database: sqlite3.Connection, ladder: int) -> None:
    """All versions: those of bot b from row b · VERSIONS + 1 on."""
    for bot in range(BOTS):
        id = database.execute(
            "INSERT INTO bots (name, author, began) VALUES (?, (SELECT id FROM authors WHERE name = 'operator'), ?)",
            (_bot(bot), utc_now()),
        ).lastrowid
        for number in range(1, VERSIONS + 1):
            digest = sha256(f"{bot} {number}".encode()).hexdigest()
            reference = msgspec.json.encode(BotRef(name=f"{_bot(bot)}.py", sha256=digest, file=f"{_bot(bot)}.py"))
            version = database.execute(
                "INSERT INTO versions (bot, number, sha256, files, options, reference, submitted) "
                "VALUES (?, ?, ?, ?, '{}', ?, ?)",
                (id, number, digest, digest, reference.decode(), utc_now()),
            ).lastrowid
            assert version == bot * VERSIONS + number
            set_state(database, ladder, version, VersionState.ACTIVE if number == VERSIONS else VersionState.REPLACED)


def _bot(number: int) -> str:
    return f"bot-{number:03}"


def _tables(drawn: numpy.random.Generator, round: int, count: int) -> Numbers:
    """The versions at the tables of a round, by row: each bot plays the one that is its newest then."""
    bots = numpy.argsort(drawn.random((count, BOTS)), axis=1)[:, :SEATS]
    each = (ROUNDS - LAST) / (VERSIONS - 1)
    newest = numpy.minimum(VERSIONS - 1, ((round + numpy.arange(BOTS) * each / BOTS) // each).astype(int))
    return bots * VERSIONS + newest[bots] + 1


def _play(
    database: sqlite3.Connection, season: int, round: int, tables: Numbers, drawn: numpy.random.Generator
) -> None:
    """A closed round with these tables, each played at all rotations of its seats."""
    count = len(tables) * SEATS
    first_block, first_match = round * len(tables), 1 + round * count
    id = database.execute(
        "INSERT INTO rounds (season, number, state, first_block, first_match, matches, facts, began, ended) "
        "VALUES (?, ?, 'closed', ?, ?, ?, '{}', ?, ?)",
        (season, round + 1, first_block, first_match, count, utc_now(), utc_now()),
    ).lastrowid
    blocks = numpy.repeat(numpy.arange(first_block, first_block + len(tables)), SEATS)
    rotations = (numpy.arange(SEATS)[:, None] + numpy.arange(SEATS)) % SEATS
    sat = tables[:, rotations].reshape(count, SEATS)
    ranks = _ranks(sat, drawn)
    money = 12 * (SEATS - ranks) + numpy.take_along_axis(drawn.integers(0, 12, (count, SEATS)), ranks - 1, axis=1)
    seconds, asks = drawn.uniform(0.01, 0.2, count).tolist(), drawn.integers(300, 700, count).tolist()
    seeds = [sha256(f"seed {block}".encode()).hexdigest() for block in range(first_block, first_block + len(tables))]
    database.executemany(
        "INSERT INTO tables (round, block, versions, why) VALUES (?, ?, ?, ?)",
        (
            (id, first_block + at, msgspec.json.encode(row).decode(), "everybody plays on")
            for at, row in enumerate(tables.tolist())
        ),
    )
    database.executemany(
        "INSERT INTO matches (id, round, name, block, seed, termination, asks, void, replay, sha256, host, seconds, "
        "timing, played) VALUES (?, ?, ?, ?, ?, 'end roll', ?, 0, 1, ?, 'host-1', ?, ?, ?)",
        (
            (
                first_match + at,
                id,
                f"eagle-gryphon-4p/b{block:04}/{'-'.join(map(str, rotations[at % SEATS].tolist()))}",
                block,
                seeds[at // SEATS],
                asks[at],
                sha256(f"match {first_match + at}".encode()).hexdigest(),
                seconds[at],
                _timing(first_match + at, row, asks[at], seconds[at]),
                utc_now(),
            )
            for at, (block, row) in enumerate(zip(blocks.tolist(), sat.tolist(), strict=True))
        ),
    )
    rows = zip(*(column.ravel().tolist() for column in (sat, money, ranks)), strict=True)
    database.executemany(
        "INSERT INTO seats (match, seat, version, money, rank, ended, faults) VALUES (?, ?, ?, ?, ?, 'played', ?)",
        (
            (first_match + at // SEATS, at % SEATS, *row, None if at % 1000 else '{"late":1}')
            for at, row in enumerate(rows)
        ),
    )


def _ranks(sat: Numbers, drawn: numpy.random.Generator) -> Numbers:
    """Ranks by seat: Plackett–Luce, where some who follow each other share one."""
    bots = numpy.random.Generator(numpy.random.PCG64(2)).normal(0, 0.6, BOTS)
    worths = bots[(sat - 1) // VERSIONS] + 0.05 * ((sat - 1) % VERSIONS)
    places = numpy.argsort(numpy.argsort(-(worths + drawn.gumbel(size=sat.shape)), axis=1), axis=1)
    shared = drawn.random((len(sat), SEATS)) < TIES
    shared[:, 0] = False
    ranks = numpy.maximum.accumulate(numpy.where(shared, 0, numpy.arange(SEATS)), axis=1) + 1
    found: Numbers = numpy.take_along_axis(ranks, places, axis=1)
    return found


def _timing(match: int, versions: list[int], asks: int, seconds: float) -> str:
    names = [f"{_bot((row - 1) // VERSIONS)}:{(row - 1) % VERSIONS + 1}" for row in versions]
    seats = tuple(_seat_timing(name, asks, seconds) for name in names)
    return msgspec.json.encode(Timing(f"eagle-gryphon-4p/b{match // SEATS:04}/0-1-2-3", seconds, seats)).decode()


def _seat_timing(name: str, asks: int, seconds: float) -> SeatTiming:
    hooks = {"respond": asks // 8, "offer": asks // 16, "cards": asks // 16}
    return SeatTiming(name, asks // 4, seconds / 5, seconds / 90, hooks)


def columns(folder: Path) -> RatingMatches:
    """Open the database and read the season."""
    place = LadderFolder(folder)
    database = open_database(place.database, place.shown)
    return read_season_columns(database, find_ladder(database).season.id)


def met(folder: Path) -> None:
    """Count who met whom."""
    print(len(met_and_tables(columns(folder))[0]))


def rated(folder: Path, basis: Basis) -> None:
    """Rate the season and print all."""
    print(ratings_text(rate_entrants(columns(folder), RatingOptions((basis,))), 100))


def close(folder: Path) -> None:
    """Close the last round anew."""
    place = LadderFolder(folder)
    database = open_database(place.database, place.shown, write=True)
    ladder = find_ladder(database)
    last = last_round(database, ladder.season.id)
    assert last is not None
    database.execute("DELETE FROM ratings WHERE round = ?", (last.id,))
    close_round(place, database, ladder, last)


def choose(folder: Path, anew: bool = False) -> None:
    """Choose the tables of the next round, from what closing the last one has stored, or without that; print their
    digest."""
    place = LadderFolder(folder)
    database = open_database(place.database, place.shown)
    ladder = find_ladder(database)
    if anew:
        place.pairing(ladder.name, ladder.season.number).unlink()
    print(sha256(repr(choose_next(place, database, ladder)).encode()).hexdigest(), file=sys.stderr)


def append(folder: Path) -> None:
    """Add matches of a new round, with replays, to the database and the packs; print milliseconds a match."""
    place = LadderFolder(folder)
    database = open_database(place.database, place.shown, write=True)
    ladder = find_ladder(database)
    names = [f"{_bot(bot)}:{VERSIONS}" for bot in range(BOTS)]
    drawn = numpy.random.Generator(numpy.random.PCG64(3))
    tables = [drawn.permutation(BOTS)[:SEATS].tolist() for _ in range(ADDED // SEATS)]
    round = open_round(database, ladder, [ChosenTable(tuple(names[at] for at in each), "added") for each in tables])
    database.close()
    schedule = Schedule(
        BOTS,
        [ScheduledEdition(ladder.label, SEATS)],
        len(tables),
        ladder.config.seat_orders,
        ListFormat(ListTable(block, tuple(each)) for block, each in enumerate(tables)),
    )
    schedule.first_block = round.first_block
    rows = {name: (bot + 1) * VERSIONS for bot, name in enumerate(names)}
    found = [_done(fixture, names, drawn) for fixture in schedule]
    with (
        SeasonFiles(place, place.season(ladder.name, 1)) as files,
        RoundStore(files, round.id, schedule, rows, ladder.edition.game, "") as store,
    ):
        wall, cpu = time.perf_counter(), time.process_time()
        for done in found:
            store.add(done)
        store.make_safe()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"append: {wall / len(found) * 1000:.2f} ms a match, CPU {cpu / len(found) * 1000:.2f}")


def _done(fixture: Fixture, names: Sequence[str], drawn: numpy.random.Generator) -> WorkResult:
    sat = [names[at] for at in fixture.entrants]
    money = drawn.integers(0, 60, SEATS).tolist()
    seats = tuple(
        SeatRecord(name, own, 1 + sum(other > own for other in money), SeatEnd.PLAYED)
        for name, own in zip(sat, money, strict=True)
    )
    seed, digest = f"{fixture.block:032x}", sha256(fixture.id.encode()).hexdigest()
    record = MatchRecord(
        fixture.id, "board", fixture.edition, fixture.block, seed, "end roll", 500, seats, sha256=digest
    )
    timing = Timing(fixture.id, 0.05, tuple(_seat_timing(name, 500, 0.05) for name in sat), host="host-1")
    return WorkResult(record, timing, packed=pack_replay(drawn.bytes(REPLAY)))


STEPS: dict[str, Callable[[Path], None]] = {
    "read": lambda folder: print(columns(folder).matches),
    "met": met,
    "rate": lambda folder: rated(folder, Basis.ORDER),
    "close": close,
    "choose": choose,
    "anew": lambda folder: choose(folder, anew=True),
    "append": append,
}


def steps(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What is done with the ladder, in this order."""
    yield "standings", [sys.executable, "-m", "arena", "ladder", "standings", str(folder)]
    for name in STEPS:
        yield name, [sys.executable, __file__, "do", name, str(folder)]


def measure(words: list[str]) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and the largest memory of a process in MB."""
    began = time.perf_counter()
    child = subprocess.Popen(words, stdout=None if "append" in words else subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, words
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(matches: int) -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory(prefix="arena-ladder-") as place:
        folder = Path(place) / "ladder"
        subprocess.run([sys.executable, __file__, "make", str(folder), str(matches)], check=True)
        print(f"database: {LadderFolder(folder).database.stat().st_size / matches:.0f} bytes a match")
        print("step       seconds   CPU s  memory MB")
        for name, words in steps(folder):
            wall, cpu, memory = measure(words)
            print(f"{name:<9}  {wall:>7.1f}  {cpu:>6.1f}  {memory:>9.0f}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, matches]:
            make(Path(folder), int(matches))
        case ["do", name, folder]:
            STEPS[name](Path(folder))
        case rest:
            main(int(rest[0]) if rest else 1_000_000)
