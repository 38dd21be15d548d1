"""``arena ladder health`` says what is overdue and why; ``play`` tells its end to a command and to a webhook."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from arena.ladder.command.play import play_command
from arena.ladder.database.ladder_folder import LADDER_LOG, LAST_PLAY, SECRETS_FILE, LadderFolder
from arena.ladder.play.play_attempt import PlayAttempt, last_attempt, note_attempt
from arena.ladder.play.play_ladder import hold_play_lock
from arena.ladder.play.round_store import RoundStore
from arena.ladder.show.ladder_health import HealthProblem, LadderHealth, ladder_health
from arena.runs.planning.isolation_level import BotPermissions

DAY = 86400.0
PLAY = ("ladder", "play", "league", "--trust", "--matches", "1", "-q")


@pytest.fixture
def place(league: Path) -> LadderFolder:
    return LadderFolder(league, BotPermissions(trust=True))


def last_match(rows: sqlite3.Connection) -> datetime:
    (played,) = rows.execute("SELECT played FROM matches ORDER BY id DESC LIMIT 1").fetchone()
    return datetime.fromisoformat(played)


def problems(found: LadderHealth) -> list[HealthProblem]:
    return [each.problem for each in found.findings]


def advice(found: LadderHealth, problem: HealthProblem) -> str:
    (one,) = (each for each in found.findings if each.problem is problem)
    return one.advice


def test_a_ladder_that_played_last_night_is_well(place: LadderFolder, rows: sqlite3.Connection) -> None:
    found = ladder_health(place, DAY, last_match(rows) + timedelta(hours=23))
    assert (problems(found), found.exit_code) == ([], 0)
    assert [(each.ladder, each.season, each.seconds) for each in found.ladders] == [("tiny", 1, 23 * 3600)]


def test_a_night_that_did_not_happen_is_told_with_its_cause(place: LadderFolder, rows: sqlite3.Connection) -> None:
    played = last_match(rows)
    late = played + timedelta(days=2)
    found = ladder_health(place, DAY, late)
    assert (problems(found), found.exit_code) == ([HealthProblem.OVERDUE], 1)
    assert "2d ago; expected one every 1d" in found.findings[0].found
    assert "no play has begun since then" in found.findings[0].advice

    began = (played + timedelta(days=1)).isoformat()
    note_attempt(place, PlayAttempt("tiny", began))
    found = ladder_health(place, DAY, late)
    assert problems(found) == [HealthProblem.OVERDUE, HealthProblem.FAILED]
    assert f"the play that began at {began} was killed" in advice(found, HealthProblem.OVERDUE)

    note_attempt(place, PlayAttempt("tiny", began, began, 0, "the disk is full", 1))
    found = ladder_health(place, DAY, late)
    assert problems(found) == [HealthProblem.OVERDUE, HealthProblem.FAILED]
    assert "the disk is full" in advice(found, HealthProblem.OVERDUE)

    with hold_play_lock(place):
        found = ladder_health(place, DAY, late)
    assert problems(found) == [HealthProblem.OVERDUE]
    assert "holds the lock and plays here" in advice(found, HealthProblem.OVERDUE)


def test_the_last_play_of_another_ladder_is_no_cause(place: LadderFolder, rows: sqlite3.Connection) -> None:
    played = last_match(rows)
    began = (played + timedelta(days=1)).isoformat()
    note_attempt(place, PlayAttempt("other", began, began, 7, "", 0))
    told = advice(ladder_health(place, DAY, played + timedelta(days=2)), HealthProblem.OVERDUE)
    assert told == f"the last play here, at {began}, was of ladder other; see {place.folder / LADDER_LOG}"
    note_attempt(place, PlayAttempt("TINY", began, began, 7, "", 0))
    told = advice(ladder_health(place, DAY, played + timedelta(days=2)), HealthProblem.OVERDUE)
    assert told.startswith(f"the last play ended at {began}: exit code 0")


def test_a_match_that_waits_is_told(place: LadderFolder, rows: sqlite3.Connection) -> None:
    (open_round,) = rows.execute("SELECT id FROM rounds WHERE state = 'open'").fetchone()
    rows.execute(
        "INSERT INTO left_out (match, round, name, tries, final, why) VALUES (999, ?, 'x', 1, 0, 'y')", (open_round,)
    )
    (found,) = ladder_health(place, DAY, last_match(rows)).findings
    assert (found.problem, found.found) == (HealthProblem.MATCHES, "1 match could not be played, such as x: y")


def test_a_season_that_has_ended_is_never_overdue(place: LadderFolder, rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE seasons SET ended = began")
    assert ladder_health(place, DAY, last_match(rows) + timedelta(days=99)).ladders == []


def test_what_would_stop_the_next_night_is_told_before_it(
    place: LadderFolder, rows: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = last_match(rows)
    (digest,) = rows.execute(
        "SELECT files FROM versions v JOIN bots b ON b.id = v.bot WHERE b.name = 'first'"
    ).fetchone()
    shutil.rmtree(place.version(digest))
    (place.folder / SECRETS_FILE).write_text("{}")
    full = shutil.disk_usage(place.folder)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    found = ladder_health(place, DAY, now - timedelta(hours=3))
    assert problems(found) == [HealthProblem.CLOCK, HealthProblem.FILES, HealthProblem.SEED, HealthProblem.DISK]
    assert "arena ladder disable" in advice(found, HealthProblem.FILES)
    assert "3h in the future" in found.findings[0].found
    assert found.findings[-1].found.startswith("1 MB are free")
    rows.execute("UPDATE entries SET state = 'disabled' WHERE version != 1")
    found = ladder_health(LadderFolder(place.shown), DAY, now)
    assert HealthProblem.FIELD in problems(found)
    assert "submit or enable 1 more" in advice(found, HealthProblem.FIELD)


def test_the_command_says_each_problem_in_a_line_and_ends_with_1(arena: Any, league: Path) -> None:
    told = arena("ladder", "health", "league", "--trust", "--older-than", "100000d")
    assert (told.code, told.err) == (0, "")
    assert told.out.splitlines()[-1] == "league: nothing is wrong"
    told = arena("ladder", "health", "league", "--trust", "--older-than", "0.001s", "-q")
    assert (told.code, told.out.startswith("tiny: overdue: no match since ")) == (1, True)
    assert len(told.out.splitlines()) == 1
    told = json.loads(arena("ladder", "health", "league", "--trust", "--older-than", "0.001s", "--json").out)
    assert [each["problem"] for each in told["findings"]] == ["overdue"]
    assert arena("ladder", "health", "nowhere").code == 2


@pytest.fixture
def webhook() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server that notes what is posted to it."""
    posted: list[dict[str, Any]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/secret-path", posted
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_end_of_a_play_is_handed_over(
    arena: Any, league: Path, rows: sqlite3.Connection, webhook: tuple[str, list[dict[str, Any]]]
) -> None:
    url, posted = webhook
    told = arena(*PLAY, "--json", "--on-end", "cat > told.json; echo $ARENA_EXIT_CODE", f"--webhook={url}")
    assert (told.code, told.err) == (0, "0\n")
    summary = json.loads(told.out)
    assert json.loads(Path("told.json").read_text()) == summary
    (got,) = posted
    assert got.items() >= summary.items()
    assert got["text"] == got["content"]
    assert got["text"].startswith("tiny.1: 1 matches played")
    attempt = last_attempt(LadderFolder(league))
    assert attempt is not None
    assert (attempt.ladder, attempt.matches, attempt.exit_code) == ("tiny", 1, 0)
    recorded = "".join(map(str, rows.execute("SELECT facts FROM rounds").fetchall()))
    assert "secret-path" not in recorded
    assert "told.json" not in recorded


def test_a_play_that_could_not_begin_is_handed_over_too(
    arena: Any, league: Path, webhook: tuple[str, list[dict[str, Any]]]
) -> None:
    url, posted = webhook
    (league / SECRETS_FILE).write_text("{}")
    told = arena(*PLAY, "--webhook", url, "--on-end", "exit 7")
    assert (told.code, told.out) == (2, "")
    assert "--on-end failed: the command ended with exit code 7" in told.err
    (got,) = posted
    assert (got["exit_code"], got["matches"]) == (2, 0)
    assert "the seed of tiny.1 is missing" in got["stopped"]
    attempt = last_attempt(LadderFolder(league))
    assert attempt is not None
    assert attempt.ended is not None
    assert datetime.fromisoformat(attempt.ended) <= datetime.now(UTC)
    assert "the seed of tiny.1 is missing" in attempt.stopped


def test_a_disk_that_fills_up_is_handed_over_with_what_was_played(
    arena: Any,
    league: Path,
    webhook: tuple[str, list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is the second match that no longer fits."""
    url, posted = webhook
    write, written = RoundStore.add, count(1)

    def fill_up(*given: Any, **named: Any) -> Any:
        if next(written) > 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "the disk")
        return write(*given, **named)

    monkeypatch.setattr(RoundStore, "add", fill_up)
    told = arena(*PLAY[:-3], "--matches", "3", "-q", "--executor", "serial", f"--webhook={url}")
    assert (told.code, told.out) == (1, "")
    (got,) = posted
    assert (got["exit_code"], got["matches"]) == (1, 1)
    assert got["stopped"] == "the disk: No space left on device"
    assert got["text"] == "league: play failed after 1 match: the disk: No space left on device"
    attempt = last_attempt(LadderFolder(league))
    assert attempt is not None
    assert (attempt.matches, attempt.stopped, attempt.exit_code) == (1, got["stopped"], 1)


def test_a_play_that_is_stopped_before_its_first_match_has_not_failed(
    arena: Any, place: LadderFolder, rows: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*given: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(play_command, "make_executor", stop)
    assert arena(*PLAY).code == 130
    attempt = last_attempt(place)
    assert attempt is not None
    assert (attempt.stopped, attempt.exit_code) == ("stopped by Ctrl-C", 130)
    assert problems(ladder_health(place, DAY, last_match(rows))) == []


def test_a_webhook_that_fails_costs_a_message_without_its_path(arena: Any, league: Path) -> None:
    told = arena(*PLAY, "--webhook", "http://127.0.0.1:9/secret-path")
    assert told.code == 0
    assert "--webhook to 127.0.0.1 failed" in told.err
    assert "secret-path" not in told.err
    told = arena(*PLAY, "--webhook", "ftp://example.org/x")
    assert (told.code, "begins with https://" in told.err) == (2, True)


def test_a_last_play_that_cannot_be_read_is_none(place: LadderFolder) -> None:
    for content in (b"", b"{", b"[]", b"\xff", b'{"ladder": 1}'):
        (place.folder / LAST_PLAY).write_bytes(content)
        assert last_attempt(place) is None, content
