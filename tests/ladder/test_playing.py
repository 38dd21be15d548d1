"""A ladder is played until what was allowed is spent, whoever falls out meanwhile; a line tells what ended it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena import __version__
from arena.errors import ArenaError, UserError
from arena.executors.executor import Executor, Look, UnplayedMatch, no_look
from arena.executors.make import make_executor
from arena.executors.serial import Serial
from arena.ladder.database.connection import open_database, write_transaction
from arena.ladder.database.ladder_folder import LADDER_LOCK, LadderFolder
from arena.ladder.database.ladder_standings import ladder_standings
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.begin_ladder import begin_new_ladder
from arena.ladder.entry.version_states import disable_versions, enable_versions
from arena.ladder.play import round_store as stores
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.ladder.play.results import PlayResult
from arena.ladder.rating.settled_pairs import SettledCounts
from arena.match.work import WorkResult
from arena.runs.planning import plan_facts
from arena.runs.planning.isolation_level import BotPermissions, strictest_isolation
from arena.storage.folder_lock import FolderLock
from tests.conftest import Arena
from tests.executors.fixtures import wait_until

LADDER = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 2}
seats: 2
anchors: [random-legal, greedy, silent, {bot: ./broken.py, name: broken}]
round_tables: 4
fault_policy: forfeit
suspend_after: 3
isolation: none
"""
BROKEN = """
from arena.games.board import BoardBot


class Broken(BoardBot):
    def turn(self, view):
        raise ValueError("always")
"""
NAMES = ("random-legal:1", "greedy:1", "silent:1", "broken:1")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of four, of whom one fails in every match, that was not played yet."""
    folder = tmp_path_factory.mktemp("ladder")
    (folder / "broken.py").write_text(BROKEN)
    (folder / "tiny.yaml").write_text(LADDER)
    begin_new_ladder(LadderFolder(folder / "begun", BotPermissions(trust=True)), folder / "tiny.yaml", None, [])
    return folder / "begun"


@pytest.fixture
def place(begun: Path, tmp_path: Path) -> LadderFolder:
    """A copy of it."""
    shutil.copytree(begun, tmp_path / "ladder")
    return LadderFolder(tmp_path / "ladder", BotPermissions(trust=True))


def play_some(place: LadderFolder, **spending: Any) -> PlayResult:
    """Some matches of the ladder, in this process."""
    with hold_play_lock(place), closing(Serial()) as executor:
        return play_ladder(place, "", executor, Spending(**spending), PlayListener(), "")


def test_a_round_goes_on_at_a_weaker_level_only_where_that_is_said_and_says_so(
    place: LadderFolder, arena: Arena
) -> None:
    careful = LadderFolder(place.folder)
    level = strictest_isolation().level
    with hold_play_lock(careful), closing(make_executor(1)) as executor:
        play_ladder(careful, "", executor, Spending(matches=3), PlayListener(), "")
    refused = (
        f"round 1 of tiny.1 began with bots at isolation level {level}, here it is none; leave out --trust, or go on"
    )
    with pytest.raises(UserError, match=refused):
        play_some(place, matches=2)
    ran = arena("ladder", "play", place.folder, "--trust", "--matches", 2, "-q", "--executor", "serial")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("or go on with --weaker-isolation\n")
    again = ("ladder", "play", place.folder, "--trust", "--rounds", 1, "-q", "--executor", "serial")
    assert arena(*again, "--weaker-isolation").code == 0
    shown = json.loads(arena("ladder", "show", place.folder, "--json").out)["season"]["mixed"]
    assert [(each["round"], each["isolation"]) for each in shown] == [(1, level), (1, "none")]
    assert [each["arena"] for each in shown] == [__version__] * 2
    assert shown[0]["matches"] == 3
    told = arena("ladder", "show", place.folder).out
    assert f"3 matches by arena {__version__}, isolation {level}\n" in told
    assert f"by arena {__version__}, isolation {level}\n" in arena("ladder", "show", place.folder, 1).out
    assert f"by arena {__version__}, isolation none\n" in arena("ladder", "show", place.folder, 6).out


def test_anchors_that_ship_with_arena_are_exempt_from_isolation_and_the_ladder_says_so(
    place: LadderFolder, arena: Arena
) -> None:
    exempt = ["greedy:1", "random-legal:1", "silent:1"]
    again = ("ladder", "play", place.folder, "-q", "--executor", "serial")
    assert arena(*again, "--rounds", 1).code == 0
    shown = json.loads(arena("ladder", "show", place.folder, "--json").out)
    assert shown["season"]["exempt"] == exempt
    line = f"{', '.join(exempt)} (bundled bots, in arena's own process)\n"
    assert line in arena("ladder", "show", place.folder).out
    for number in range(1, 5):
        seats = json.loads(arena("ladder", "show", place.folder, number, "--json").out)["seats"]
        assert [each["exempt"] for each in seats] == [each["version"] in exempt for each in seats]
        told = arena("ladder", "show", place.folder, number).out
        assert ("not isolated" in told) == any(each["exempt"] for each in seats)
    assert arena(*again, "--rounds", 1, "--isolate-all").code == 0
    number = json.loads(arena("ladder", "show", place.folder, "--json").out)["season"]["matches"]
    seats = json.loads(arena("ladder", "show", place.folder, number, "--json").out)["seats"]
    assert [each["exempt"] for each in seats] == [False, False]


def test_what_a_round_began_with_stays_when_another_version_goes_on(
    place: LadderFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_some(place, matches=3)
    monkeypatch.setattr(plan_facts, "__version__", "9.9.9")
    play_some(place, matches=2)
    play_some(place, matches=1)
    database = open_database(place.database, place.shown)
    (facts,) = database.execute("SELECT facts FROM rounds").fetchone()
    assert json.loads(facts)["arena"] == __version__
    rows = database.execute("SELECT arena, count(*) FROM match_conditions GROUP BY arena ORDER BY arena").fetchall()
    assert rows == [(__version__, 3), ("9.9.9", 3)]
    assert database.execute("SELECT count(*) FROM round_plays").fetchone() == (2,)
    database.close()


def test_a_ladder_of_before_keeps_what_is_known_of_its_rounds(place: LadderFolder) -> None:
    play_some(place, matches=3)
    with closing(sqlite3.connect(place.database)) as database:
        database.execute("DROP VIEW match_conditions")
        database.execute("UPDATE matches SET round_play = NULL")
        database.execute("ALTER TABLE matches DROP COLUMN round_play")
        for table in (
            "round_plays",
            "promotions",
            "hand_overs",
            "uploads",
            "quarantines",
            "suspicions",
            "model_spending",
        ):
            database.execute(f"DROP TABLE {table}")
        database.execute("UPDATE rounds SET facts = json_set(facts, '$.arena', '0.0.1')")
        database.execute("PRAGMA user_version = 3")
        database.commit()
    play_some(place, matches=2)
    database = open_database(place.database, place.shown)
    rows = database.execute("SELECT arena, count(*) FROM match_conditions GROUP BY arena ORDER BY arena").fetchall()
    assert rows == [("0.0.1", 3), (__version__, 2)]
    database.close()


class Failing(Serial):
    """Plays no match for which it is told so."""

    def __init__(self, fails: Callable[[str], bool]) -> None:
        super().__init__()
        self.fails, self.tried = fails, list[str]()

    def completed(self, look: Look = no_look) -> Generator[WorkResult | UnplayedMatch]:
        """Each result."""
        for result in super().completed(look):
            if isinstance(result, WorkResult) and self.fails(result.record.id):
                self.tried.append(result.record.id)
                yield UnplayedMatch(result.record.id, "its worker was killed")
            else:
                yield result


class After(PlayListener):
    """Does something after so many matches."""

    def __init__(self, matches: int, do: Callable[[], object]) -> None:
        self.left, self.do = matches, do

    def finished(self, done: WorkResult) -> None:
        """One more."""
        self.left -= 1
        if not self.left:
            self.do()


def played(
    place: LadderFolder, spending: Spending, watching: PlayListener | None = None, with_: Executor | None = None
) -> PlayResult:
    """Play in this process."""
    with hold_play_lock(place), closing(with_ or Serial()) as executor:
        return play_ladder(place, "", executor, spending, watching or PlayListener(), "")


@contextmanager
def reading(place: LadderFolder) -> Iterator[sqlite3.Connection]:
    """The database of a ladder."""
    with closing(open_database(place.database, place.shown)) as database:
        yield database


def rows(place: LadderFolder, query: str) -> list[Any]:
    """What a query finds."""
    with reading(place) as database:
        return database.execute(query).fetchall()


def of_version(place: LadderFolder, name: str) -> list[int]:
    """The numbers of the matches that a version has played."""
    bot = name.partition(":")[0]
    query = "SELECT match FROM seats s JOIN versions v ON v.id = s.version JOIN bots b ON b.id = v.bot WHERE b.name = "
    return [number for (number,) in rows(place, f"{query}'{bot}' ORDER BY match")]


def test_rounds_are_played_and_the_summary_tells_of_them(place: LadderFolder) -> None:
    found = played(place, Spending(rounds=2))
    assert (found.rounds, found.matches, found.left_out, found.exit_code, found.why) == (2, 16, 0, 0, "")
    assert not found.open
    assert isinstance(found.pairs, SettledCounts)
    assert found.faults > 0
    with reading(place) as database:
        pairs = ladder_standings(database, find_ladder(database)).pairs
    assert pairs is not None
    assert (found.pairs.apart, found.pairs.equal, found.pairs.open) == (pairs.apart, pairs.equal, pairs.open)


def test_matches_and_minutes_end_in_the_middle_of_a_round_that_goes_on_later(place: LadderFolder) -> None:
    found = played(place, Spending(matches=5))
    assert (found.matches, found.rounds, found.open, found.why, found.exit_code) == (5, 0, True, "", 0)
    found = played(place, Spending(seconds=0.001))
    assert (found.open, found.why, found.exit_code) == (True, "", 0)
    assert played(place, Spending(rounds=1)).matches <= 3
    assert len(rows(place, "SELECT 1 FROM matches")) == 8


def test_a_disabled_version_plays_no_further_match(place: LadderFolder) -> None:
    found = played(place, Spending(rounds=2), After(3, lambda: disable_versions(place, "", "greedy", "test")))
    assert [number for number in of_version(place, "greedy:1") if number > 3] == []
    left_out = rows(place, "SELECT name, final, why FROM left_out")
    assert {(final, why) for _, final, why in left_out} == {(1, "greedy:1 no longer played")}
    assert found.left_out == len(left_out) > 0
    assert found.matches + found.left_out == 16 == 8 + 8
    assert found.rounds == 2


def test_a_round_without_players_ends_and_too_few_are_told(place: LadderFolder) -> None:
    def disable_all() -> None:
        for name in NAMES[:3]:
            disable_versions(place, "", name, "test")

    found = played(place, Spending(rounds=5), After(1, disable_all))
    assert (found.matches, found.left_out, found.rounds, found.exit_code) == (1, 7, 1, 2)
    assert "a table of 2 needs 2 versions that may play, but there are 1 (broken:1)" in found.why
    again = played(place, Spending(rounds=5))
    assert (again.matches, again.exit_code) == (0, 2)


def test_a_match_that_cannot_be_played_is_tried_again_and_then_left_out(place: LadderFolder) -> None:
    executor = Failing(lambda id: "/b0002/" in id)
    found = played(place, Spending(rounds=1), with_=executor)
    assert (found.rounds, found.matches, found.left_out, found.exit_code) == (1, 6, 0, 0)
    assert len(executor.tried) == 2 * 3
    assert sorted(each.id for each in found.unplayed) == sorted(set(executor.tried))
    assert rows(place, "SELECT tries, final, why FROM left_out") == [(3, 1, "its worker was killed")] * 2
    assert played(place, Spending(rounds=1)).matches == 8


def test_where_nothing_can_be_played_nothing_is_given_up(place: LadderFolder) -> None:
    found = played(place, Spending(rounds=3), with_=Failing(lambda id: True))
    assert (found.matches, found.rounds, found.exit_code, found.unplayed) == (0, 0, 1, [])
    assert "no match of round 1 could be played" in found.why
    assert "its worker was killed" in found.why
    assert rows(place, "SELECT * FROM left_out") == []
    assert played(place, Spending(rounds=1)).matches == 8


def test_others_play_on_beside_a_version_whose_files_are_damaged(place: LadderFolder) -> None:
    (digest,) = rows(place, "SELECT files FROM versions v JOIN bots b ON b.id = v.bot WHERE b.name = 'greedy'")[0]
    (file,) = [path for path in place.version(digest).rglob("*") if path.is_file()]
    whole = file.read_bytes()
    file.chmod(0o644)
    file.write_bytes(whole + b"#")
    found = played(place, Spending(rounds=3))
    assert (found.rounds, found.open, found.exit_code) == (0, True, 1)
    assert "not the files of greedy:1 that were submitted; restore a backup" in found.why
    assert f"arena ladder disable {place.shown} greedy:1" in found.why
    assert found.matches == 8 - int(found.why.split(" matches of the round wait")[0].rpartition(" ")[2]) > 0
    assert of_version(place, "greedy:1") == []
    file.write_bytes(whole)
    assert (played(place, Spending(rounds=1)).rounds, len(rows(place, "SELECT 1 FROM matches"))) == (1, 8)
    file.write_bytes(b"")
    played(place, Spending(matches=1))
    disable_versions(place, "", "greedy", "its files are lost")
    assert played(place, Spending(rounds=1)).exit_code == 0


def test_a_version_that_fails_too_often_is_suspended_with_a_report_when_the_round_is_closed(
    place: LadderFolder,
) -> None:
    found = played(place, Spending(rounds=1))
    failed = of_version(place, "broken:1")
    assert len(failed) >= 3
    (told,) = found.suspended
    assert told.startswith(
        f"broken:1: put out for its faults in {len(failed)} matches (broken {len(failed)}); the first"
    )
    assert f"number {failed[0]}, the last {failed[-1]}: see arena ladder show" in told
    assert rows(place, "SELECT what, why FROM changes WHERE what = 'suspended'") == [
        ("suspended", told.removeprefix("broken:1: "))
    ]
    assert played(place, Spending(rounds=1)).suspended == []
    assert of_version(place, "broken:1") == failed
    enable_versions(place, "", "broken")
    again = played(place, Spending(rounds=1))
    later = [number for number in of_version(place, "broken:1") if number > failed[-1]]
    assert f"in {len(later)} matches" in again.suspended[0]


def test_a_second_player_is_refused_and_readers_are_not(place: LadderFolder) -> None:
    with (
        hold_play_lock(place),
        pytest.raises(UserError, match=f"process {os.getpid()}.* is playing a ladder"),
        hold_play_lock(place),
    ):
        pass
    played(place, Spending(rounds=1))
    with closing(open_database(place.database, place.shown, write=True)) as writer, write_transaction(writer):
        writer.execute("DELETE FROM ratings")
        with reading(place) as database:
            assert len(ladder_standings(database, find_ladder(database)).rows) == 3
            assert database.execute("SELECT count(*) FROM ratings").fetchone() == (4,)
        writer.execute("INSERT INTO ratings SELECT * FROM ratings")


@pytest.mark.slow
def test_a_full_disk_is_told_and_nothing_is_lost(place: LadderFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    unbroken = LadderFolder(place.folder.with_name("unbroken"), BotPermissions(trust=True))
    shutil.copytree(place.folder, unbroken.folder)
    opened = stores.open_database

    def small(*at: Path, write: bool = False) -> sqlite3.Connection:
        database = opened(*at, write=write)
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages + 1}")
        return database

    with monkeypatch.context() as full:
        full.setattr(stores, "open_database", small)
        with pytest.raises(ArenaError, match=r"ladder\.sqlite: database or disk is full; nothing was changed"):
            played(place, Spending(rounds=2))
    assert 0 < len(rows(place, "SELECT 1 FROM matches")) < 16
    for each in (place, unbroken):
        played(each, Spending(matches=16 - len(rows(each, "SELECT 1 FROM matches"))))
    for query in (
        "SELECT id, name, seed, sha256 FROM matches ORDER BY id",
        "SELECT * FROM ratings",
        "SELECT * FROM tables",
    ):
        assert rows(place, query) == rows(unbroken, query)


def test_whoever_waits_says_for_whom_and_can_be_stopped(place: LadderFolder, launch: Any) -> None:
    lock = FolderLock(place.folder / LADDER_LOCK)
    (place.folder / LADDER_LOCK).parent.mkdir(exist_ok=True)
    lock.take(place.folder)
    waiting = launch("ladder", "play", place.folder, "--trust", "-j1", "--rounds", "1", "--wait")
    told = waiting.stderr.readline().decode()
    assert f"waiting until process {os.getpid()}, which plays here, has ended" in told
    waiting.send_signal(signal.SIGTERM)  # SIGINT is ignored by whatever a shell runs in the background
    assert waiting.wait(60) == 143
    lock.release()


def test_a_signal_ends_it_with_a_summary(place: LadderFolder, launch: Any) -> None:
    process = launch("ladder", "play", place.folder, "--trust", "-j1", "--rounds", "1000", "--json")
    process.stderr.readline()
    wait_until(lambda: bool(rows(place, "SELECT 1 FROM matches LIMIT 1")) or process.poll() is not None)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    (line,) = out.splitlines()
    summary = json.loads(line)
    assert (process.returncode, summary["exit_code"], summary["stopped"]) == (143, 143, "stopped by SIGTERM")
    assert summary["matches"] == len(rows(place, "SELECT 1 FROM matches")) > 0
    assert b"no more matches: stopped by SIGTERM" in err
    assert played(place, Spending(rounds=1)).exit_code == 0
