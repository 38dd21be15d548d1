"""``arena ladder backup`` copies a ladder, also while it plays; the copy is whole, and is played on."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.integrity import backup as module
from arena.ladder.play.play_ladder import hold_play_lock
from arena.replay.frame import pack_replay
from arena.storage.packs.pack_writer import PACK_BYTES, PackWriter
from tests.conftest import Arena


@pytest.mark.slow
def test_a_copy_is_whole_and_is_played_on(arena: Arena, league: Path) -> None:
    with hold_play_lock(LadderFolder(league)):
        ran = arena("ladder", "backup", "league", "copies/monday", "--with-secrets")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("copies/monday: 4 versions, 1 packs; 0.")
    copy = league.parent / "copies" / "monday"
    assert stat.S_IMODE((copy / "secrets.json").stat().st_mode) == 0o600
    assert not (copy / "logs").exists()
    assert arena("ladder", "check", "copies/monday", "-q").code == 0
    shutil.rmtree(league)
    copy.rename(league)
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
    assert arena("ladder", "check", "league").out.endswith("36 matches, 36 replays; no problem found\n")


def test_what_is_played_on_in_the_copy_does_not_change_the_other(arena: Arena, league: Path) -> None:
    assert arena("ladder", "backup", "league", "copy", "--with-secrets").code == 0
    before = {path: path.read_bytes() for path in league.rglob("*") if path.is_file()}
    assert arena("ladder", "play", "copy", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
    assert {path: path.read_bytes() for path in before} == before


def test_files_that_never_change_take_no_room(arena: Arena, league: Path) -> None:
    assert arena("ladder", "backup", "league", "copy").code == 0
    files = [path for path in (league / "versions").rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert path.samefile(league.parent / "copy" / path.relative_to(league))
    packs = Path("seasons/tiny.1/replays/0000.zst")
    assert not (league / packs).samefile(league.parent / "copy" / packs)


def test_full_packs_are_linked_and_the_last_one_is_copied(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PACK_BYTES > 1 << 20
    monkeypatch.setattr(module, "PACK_BYTES", 100)
    writer = PackWriter(league / "seasons" / "tiny.1" / "replays", largest=100)
    writer.add("x-2p/b0000/0-1", pack_replay(b'{"event":"match","id":"x-2p/b0000/0-1"}\n'))
    writer.close()
    assert json.loads(arena("ladder", "backup", "league", "copy", "--json").out)["packs"] == 2
    for name, linked in (("0000.zst", True), ("0000.index", True), ("0001.zst", False), ("0001.index", False)):
        path = Path("seasons/tiny.1/replays", name)
        assert (league / path).samefile(league.parent / "copy" / path) is linked


def test_where_no_link_can_be_made_files_are_copied(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(module.os, "link", refuse)
    ran = arena("ladder", "backup", "league", "copy")
    assert ran.code == 0
    assert "take no space" not in ran.out
    assert "without the seeds of open seasons (--with-secrets)" in ran.err
    assert arena("ladder", "check", "copy", "-q", "--no-secrets").code == 0
    assert arena("ladder", "check", "copy", "-q").code == 3


def test_a_copy_is_of_one_moment_while_matches_are_added(arena: Arena, league: Path) -> None:
    """Somebody adds rows all the time; the copy has all rows of a transaction or none, and is made in one step."""
    stop, added = threading.Event(), threading.Event()

    def add() -> None:
        with closing(sqlite3.connect(league / "ladder.sqlite", isolation_level=None, timeout=60)) as database:
            while not stop.is_set():
                database.execute("BEGIN IMMEDIATE")
                database.execute("INSERT INTO changes (at, what) VALUES ('now', 'one')")
                database.execute("INSERT INTO changes (at, what) VALUES ('now', 'two')")
                database.execute("COMMIT")
                added.set()

    writer = threading.Thread(target=add)
    writer.start()
    try:
        assert added.wait(60)
        assert arena("ladder", "backup", "league", "copy.sqlite").code == 0
    finally:
        stop.set()
        writer.join()
    with closing(sqlite3.connect(league.parent / "copy.sqlite")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        one, two = (
            copy.execute("SELECT count(*) FROM changes WHERE what = ?", (each,)).fetchone() for each in ("one", "two")
        )
        assert one == two != (0,)


@pytest.mark.parametrize(
    ("to", "problem"),
    [
        ("taken", "taken exists already: a backup needs a new folder; choose another name"),
        ("league/versions/copy", "league/versions/copy is inside league; choose another place"),
        ("file/copy", "cannot be written"),
    ],
)
def test_a_place_where_nothing_may_be_written_is_refused(
    to: str, problem: str, arena: Arena, league: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "file").touch()
    ran = arena("ladder", "backup", "league", to)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err


def test_nothing_is_left_of_a_copy_that_fails(arena: Arena, league: Path) -> None:
    (league / "secrets.json").unlink()
    ran = arena("ladder", "backup", "league", "copy", "--with-secrets")
    assert ran.code == 2
    assert "secrets.json is missing, so nothing can be copied; see: arena ladder check" in ran.err
    assert [path.name for path in league.parent.iterdir()] == ["league"]


def test_the_database_alone_has_no_secrets(arena: Arena, league: Path) -> None:
    ran = arena("ladder", "backup", "league", "copy.sqlite", "--with-secrets")
    assert (ran.code, ran.err) == (
        2,
        "arena: copy.sqlite: a copy of only the database holds no secrets; give a folder\n",
    )


def dead_process() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    return ended.pid


def test_the_next_backup_removes_what_a_killed_one_has_left_and_nothing_else(
    arena: Arena, league: Path, tmp_path: Path
) -> None:
    dead = dead_process()
    monday, alone = tmp_path / f".monday.{dead}", tmp_path / f".monday.sqlite.{dead}"
    shutil.copytree(league, monday, ignore=shutil.ignore_patterns("logs", "pairing", "lock", "*-wal", "*-shm"))
    shutil.copy(league / "ladder.sqlite", alone)
    others = [tmp_path / f".others.{dead}", tmp_path / f".wednesday.{os.getpid()}", tmp_path / ".monday.old"]
    for other in others:
        other.mkdir()
        (other / "notes.txt").touch()
    assert arena("ladder", "backup", "league", "tuesday").code == 0
    assert (monday.exists(), alone.exists()) == (False, False)
    assert all((other / "notes.txt").exists() for other in others)


def test_the_next_season_removes_the_seeds_that_a_killed_close_has_left(arena: Arena, league: Path) -> None:
    left = league / f".secrets.json.{dead_process()}"
    left.write_text("{}")
    assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
    assert arena("ladder", "season", "league", "close").code == 0
    assert not left.exists()


@pytest.mark.parametrize("to", ["copy", "copy.sqlite"])
def test_a_full_disk_is_named_and_ends_a_backup_with_1(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    connect = sqlite3.connect

    def small(path: object, **more: Any) -> sqlite3.Connection:
        database = connect(path, **more)
        if f".{to}." in str(path):
            database.execute("PRAGMA max_page_count = 2")
        return database

    monkeypatch.setattr(module.sqlite3, "connect", small)
    ran = arena("ladder", "backup", "league", to)
    assert (ran.code, ran.out) == (1, "")
    name = league.parent / to / "ladder.sqlite" if to == "copy" else league.parent / to
    assert ran.err == f"arena: {name}: database or disk is full\n"
    assert [path.name for path in league.parent.iterdir()] == ["league"]


def test_a_disk_that_is_full_after_the_database_ends_a_backup_with_1(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: object, to: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module.shutil, "copyfile", full)
    ran = arena("ladder", "backup", "league", "copy", "--with-secrets")
    assert (ran.code, ran.out) == (1, "")
    pack = league.parent / "copy" / "seasons" / "tiny.1" / "replays" / "0000.index"
    assert ran.err == f"arena: {pack}: No space left on device\n"
