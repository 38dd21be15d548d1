"""Bots that authors upload over HTTP: who may, how much and how often; what the check of an upload gives, and that none
is lost when the server ends."""

from __future__ import annotations

import functools
import json
import os
import re
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.testclient import TestClient

from arena.errors import ArenaError, UserError
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry.authors import known_author, make_author
from arena.ladder.entry.submit import SubmitResult
from arena.ladder.uploads import upload_rows
from arena.ladder.uploads.check_upload import check_upload, unpack_upload
from arena.ladder.uploads.upload_rows import (
    Upload,
    UploadRefusal,
    UploadRequest,
    UploadState,
    begin_next,
    list_uploads,
    queue_again,
    queue_upload,
)
from arena.runs.planning.isolation_level import BotPermissions
from arena.web.serve.background_process import BackgroundProcess, WorkTimeoutError
from arena.web.serve.places import ServedPlaces
from arena.web.serve.runs.run_reports import ReportStore
from arena.web.serve.uploads.check_queue import CheckQueue
from arena.web.serve.uploads.upload_options import UploadOptions
from arena.web.serve.web import Site, site_application
from tests.conftest import HEAD, Arena
from tests.ladder.test_served_ladder import no_report, view

SUBMIT = "/ladder/league/tiny/submit"
BOT = f"{HEAD}    def turn(self, view):\n        return self.legal_moves(view)[-1]\n".encode()
Fake = Callable[[Callable[[Any], object]], object]


def packed(**files: bytes | str) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return held.getvalue()


@pytest.fixture
def tokens(league: Path) -> dict[str, str]:
    place = LadderFolder(league)
    with closing(open_database(place.database, place.shown, write=True)) as database:
        return {name: make_author(database, name) for name in ("ann", "ben")}


class Served:
    """A ladder that takes uploads; their checks are done by ``check`` in this process."""

    def __init__(self, league: Path, kept: Path, check: Fake, options: UploadOptions) -> None:
        self.queue = CheckQueue(LadderFolder(league), options)
        self.queue._process.run = self.run  # type: ignore[method-assign, assignment]
        self.check = check
        self.site = Site(ServedPlaces(league), ReportStore(kept, no_report), view, queue=self.queue)
        application = site_application(self.site, frozenset({"league.example.org"}))
        self.client = TestClient(application, base_url="http://127.0.0.1", follow_redirects=False)

    def run(self, work: Any, tell: Callable[[Any], object], seconds: float) -> None:
        self.check(tell)

    def upload(self, token: str, content: bytes = BOT, **query: str) -> Any:
        headers = {"authorization": f"Bearer {token}"}
        return self.client.post(SUBMIT, params={"name": "haggler", **query}, content=content, headers=headers)

    def end_of(self, answer: Any) -> Any:
        """The report of an upload, when its check has ended."""
        for _ in range(1000):
            found = self.client.get(answer.headers["location"]).json()
            if found["ended"]:
                return found
            time.sleep(0.01)
        raise AssertionError(found)


def admits(tell: Callable[[Any], object]) -> None:
    tell("checking haggler")
    tell(SubmitResult(ladder="tiny", bot="haggler", author="ann", admitted=True, version="haggler:1"))


@pytest.fixture
def serve(league: Path, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    opened: list[Served] = []

    def begin(check: Fake = admits, **options: int) -> Served:
        found = Served(league, tmp_path, check, UploadOptions(**options))
        found.queue.__enter__()
        found.site.indexing.__enter__()
        opened.append(found)
        return found

    yield begin
    for each in opened:
        each.site.indexing.__exit__()
        each.queue.__exit__()


def rows_of(league: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
        return database.execute(query).fetchall()


def test_an_upload_is_answered_with_where_its_report_is_as_page_and_as_json(
    serve: Callable[..., Served], tokens: dict[str, str]
) -> None:
    served = serve()
    answer = served.upload(tokens["ann"])
    assert answer.status_code == 202
    assert answer.json()["state"] in ("waiting", "checking")
    assert answer.headers["location"] == answer.json()["report"]
    done = served.end_of(answer)
    assert (done["state"], done["author"], done["result"]["version"]) == ("admitted", "ann", "haggler:1")
    page = served.client.get(answer.json()["page"])
    assert "It is admitted as haggler:1" in page.text
    assert answer.json()["report"] in page.text
    assert "16,777,216 bytes" in served.client.get(SUBMIT).text


def test_progress_is_shown_while_a_bot_is_checked(serve: Callable[..., Served], tokens: dict[str, str]) -> None:
    seen: list[Any] = []

    def check(tell: Callable[[Any], object]) -> None:
        tell("building haggler: <script>")
        (address,) = rows_of(served.queue.place.folder, "SELECT address FROM uploads")[0]
        seen.append(served.client.get(f"/ladder/league/tiny/upload/{address}.json").json())
        seen.append(served.client.get(f"/ladder/league/tiny/upload/{address}").text)
        admits(tell)

    served = serve(check)
    served.end_of(served.upload(tokens["ann"]))
    assert (seen[0]["state"], [each["text"] for each in seen[0]["progress"]]) == (
        "checking",
        ["building haggler: <script>"],
    )
    assert "building haggler: &lt;script&gt;" in seen[1]


def test_without_an_authors_token_nothing_is_read(
    serve: Callable[..., Served], tokens: dict[str, str], league: Path
) -> None:
    def parts() -> Iterator[bytes]:
        raise AssertionError("it was read")
        yield b""

    served = serve()
    for headers in (
        {},
        {"authorization": "Bearer short"},
        {"authorization": "Basic " + "a" * 43},
        {"authorization": "Bearer " + "a" * 43},
        {"authorization": "Bearer " + "a" * 430},
        {"authorization": "Bearer " + "'" * 43},
    ):
        answer = served.client.post(SUBMIT, params={"name": "haggler"}, content=BOT, headers=headers)
        assert (answer.status_code, answer.headers["connection"]) == (401, "close"), headers
        assert "token" in answer.json()["problem"], headers
        assert rows_of(league, "SELECT * FROM uploads") == [], headers


def test_a_token_is_taken_from_the_header_alone_and_stands_nowhere(
    serve: Callable[..., Served], tokens: dict[str, str], league: Path, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    def fails(tell: Callable[[Any], object]) -> None:
        raise ArenaError("the disk is full")

    served, token = serve(fails), tokens["ann"]
    texts = [served.client.post(SUBMIT, params={"name": "haggler", "token": token}, content=BOT).text]
    headers = {"authorization": f"Bearer {token}"}
    texts.append(served.client.post(SUBMIT, params={"name": token, "token": token}, headers=headers).text)
    texts.append(served.client.post(SUBMIT, params={"name": "x", token: "1"}, headers=headers).text)
    assert "a token in an address may stand in logs" in texts[1]
    answer = served.upload(token)
    texts += [answer.text, json.dumps(served.end_of(answer)), served.client.get(answer.json()["page"]).text]
    out, err = capfd.readouterr()
    texts += [caplog.text, out, err]
    assert not [text for text in texts if token in text]
    for path in league.rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()


def test_an_upload_that_is_too_large_is_refused_by_its_length_and_by_its_bytes(
    serve: Callable[..., Served], tokens: dict[str, str], league: Path
) -> None:
    served, read = serve(largest=1000), 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        for _ in range(100):
            read += 300
            yield bytes(300)

    assert served.upload(tokens["ann"], bytes(1001)).status_code == 413
    headers = {"authorization": f"Bearer {tokens['ann']}"}
    answer = served.client.post(SUBMIT, params={"name": "haggler"}, content=endless(), headers=headers)
    assert (answer.status_code, answer.json()["problem"]) == (413, "an upload has at most 1,000 bytes here")
    for length in ("-1", "1e3", "0x10", "9" * 400):
        sent = {**headers, "content-length": length}
        assert served.client.post(SUBMIT, params={"name": "haggler"}, headers=sent).status_code in (400, 413)
    assert rows_of(league, "SELECT * FROM uploads") == []
    assert served.upload(tokens["ann"], b"").status_code == 400


def test_a_request_that_is_not_understood_is_refused(
    serve: Callable[..., Served], tokens: dict[str, str], league: Path
) -> None:
    served = serve()
    headers = {"authorization": f"Bearer {tokens['ann']}"}
    for query, status in (
        ({"name": ""}, 400),
        ({"name": "../x"}, 400),
        ({"name": "a" * 41}, 400),
        ({"name": "-rf"}, 400),
        ({"name": "x", "place": "y"}, 400),
        ({"name": ["x", "y"]}, 400),
        ({"name": "x" * 3000}, 414),
    ):
        assert served.client.post(SUBMIT, params=query, content=BOT, headers=headers).status_code == status, query
        assert rows_of(league, "SELECT * FROM uploads") == [], query


def test_refused_bots_count_for_the_checks_of_a_day_and_those_of_others_do_not(
    serve: Callable[..., Served], tokens: dict[str, str]
) -> None:
    def refuses(tell: Callable[[Any], object]) -> None:
        tell(SubmitResult(ladder="tiny", bot="haggler", author="ann", refused=["it loops"]))

    served = serve(refuses, a_day=2)
    for number in range(2):
        found = served.end_of(served.upload(tokens["ann"], BOT + b"#%d" % number))
        assert (found["state"], found["result"]["refused"]) == ("refused", ["it loops"])
    answer = served.upload(tokens["ann"])
    assert answer.status_code == 429
    assert "has uploaded 2 bots" in answer.json()["problem"]
    assert served.upload(tokens["ben"]).status_code == 202


def test_a_check_that_could_not_be_carried_out_costs_its_author_nothing(
    serve: Callable[..., Served], tokens: dict[str, str]
) -> None:
    def fails(tell: Callable[[Any], object]) -> None:
        raise ArenaError("the disk is full")

    served = serve(fails, a_day=1)
    assert served.end_of(served.upload(tokens["ann"]))["state"] == "failed"
    assert served.upload(tokens["ann"]).status_code == 202


def test_a_check_that_takes_too_long_is_a_refusal(serve: Callable[..., Served], tokens: dict[str, str]) -> None:
    def hangs(tell: Callable[[Any], object]) -> None:
        raise WorkTimeoutError("it took longer than 3600 s")

    served = serve(hangs)
    found = served.end_of(served.upload(tokens["ann"]))
    assert (found["state"], found["result"]["refused"]) == (
        "refused",
        ["the check was ended: it took longer than 3600 s"],
    )


def test_work_that_takes_too_long_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(WorkTimeoutError):
        BackgroundProcess().run(functools.partial(sleep_long, 60), lambda told: None, 0.2)
    assert time.monotonic() - began < 20


def sleep_long(seconds: float, tell: Callable[[Any], object]) -> None:
    time.sleep(seconds)


def test_where_no_bots_are_taken_nothing_can_be_posted(played: Path, tmp_path: Path) -> None:
    site = Site(ServedPlaces(played), ReportStore(tmp_path, no_report), view)
    client = TestClient(site_application(site), base_url="http://127.0.0.1")
    assert client.post(SUBMIT, content=BOT).status_code == 405
    assert client.get(SUBMIT).status_code == 404


def test_behind_a_proxy_its_name_is_answered_and_unencrypted_requests_are_not(
    serve: Callable[..., Served], tokens: dict[str, str]
) -> None:
    served = serve()
    headers = {"authorization": f"Bearer {tokens['ann']}", "host": "league.example.org", "x-forwarded-proto": "https"}
    sent = functools.partial(served.client.post, SUBMIT, params={"name": "haggler"}, content=BOT)
    for way in ("http", "https, http", "", "HTTPS;"):
        assert sent(headers={**headers, "x-forwarded-proto": way}).status_code == 403
    assert sent(headers={**headers, "host": "evil.example.org"}).status_code == 421
    assert sent(headers={**headers, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}).status_code == 403
    answer = sent(headers=headers)
    assert answer.status_code == 202
    assert answer.json()["page"].startswith("/ladder/league/tiny/upload/")
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert served.client.request(method, SUBMIT).status_code == 405
    assert served.client.post("/ladder/league/tiny", headers=headers).status_code == 405


def test_one_server_takes_uploads_of_a_folder(serve: Callable[..., Served], league: Path) -> None:
    serve()
    with pytest.raises(UserError, match="taking uploads for it"):
        serve()


def queued(place: LadderFolder, author: str = "ann", content: bytes = BOT, **request: Any) -> Upload:
    with closing(open_database(place.database, place.shown, write=True)) as database:
        asked = UploadRequest(**{"bot": "haggler", **request})
        return queue_upload(database, find_ladder(database), known_author(database, author), asked, content, 100)


def test_the_same_upload_again_while_it_waits_is_the_same(league: Path, tokens: dict[str, str]) -> None:
    place = LadderFolder(league)
    first = queued(place)
    assert queued(place) == first
    assert queued(place, options=("greed=1",)).before == 1
    queued(place, content=b"#")
    with pytest.raises(UploadRefusal, match="3 uploads of author ann wait"):
        queued(place, content=b"##")


def test_uploads_at_the_same_time_do_not_get_past_the_limit_of_a_day(league: Path, tokens: dict[str, str]) -> None:
    place, done = LadderFolder(league), list[int]()

    def upload(number: int) -> None:
        with closing(open_database(place.database, place.shown, write=True)) as database, suppress(UploadRefusal):
            asked, author = UploadRequest("haggler"), known_author(database, "ann")
            queue_upload(database, find_ladder(database), author, asked, b"%d" % number, 2)
            done.append(number)

    threads = [Thread(target=upload, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 2
    assert rows_of(league, "SELECT count(*) FROM uploads") == [(2,)]


def test_one_author_sends_one_upload_at_a_time_and_holds_up_nobody_else(
    serve: Callable[..., Served], tokens: dict[str, str]
) -> None:
    served, answers = serve(), list[Any]()

    def slow() -> Iterator[bytes]:
        yield BOT
        answers.append(served.upload(tokens["ann"], b"# while the first is being sent"))
        answers.append(served.upload(tokens["ben"]))

    headers = {"authorization": f"Bearer {tokens['ann']}"}
    first = served.client.post(SUBMIT, params={"name": "haggler"}, content=slow(), headers=headers)
    assert [each.status_code for each in (first, *answers)] == [202, 429, 202]
    assert "is being received" in answers[0].json()["problem"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("league", "--submit", "--operator"), "serve it apart from --submit"),
        (("league", "--public-name", "league.example.org", "--operator"), "serve it apart from --submit"),
        ((".", "--submit", "--port", "0"), "is not one of ladders"),
    ],
)
def test_what_is_not_public_and_what_is_no_ladder_takes_no_uploads(
    arena: Arena, league: Path, words: tuple[str, ...], told: str
) -> None:
    ran = arena("serve", *words)
    assert ran.code == 2
    assert told in ran.err


def test_the_queue_has_an_end(league: Path, tokens: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_rows, "MOST_WAITING", 1)
    place = LadderFolder(league)
    queued(place)
    with pytest.raises(UploadRefusal, match="1 uploads wait") as found:
        queued(place, "ben")
    assert found.value.is_busy


def test_a_check_that_the_server_did_not_end_is_begun_once_more(league: Path, tokens: dict[str, str]) -> None:
    place = LadderFolder(league)
    queued(place)
    with closing(open_database(place.database, place.shown, write=True)) as database:
        for state, told in (
            (UploadState.WAITING, None),
            (UploadState.FAILED, "the check could not be carried out: the server ended during it"),
        ):
            found = begin_next(database)
            assert found is not None
            assert found[1] == BOT
            queue_again(database)
            (upload,) = list_uploads(database)
            assert upload.state is state
            assert told is None or (upload.result is not None and told in upload.result.told[0])
        assert begin_next(database) is None
        assert database.execute("SELECT content FROM uploads").fetchall() == [(None,)]


def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, **request: Any) -> list[str]:
    folder = tmp_path / "unpacked"
    folder.mkdir()
    monkeypatch.chdir(folder)
    found = unpack_upload(UploadRequest(**{"bot": "haggler", **request}), content, folder)
    return [found.bot, *sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())]


@pytest.mark.parametrize(
    ("content", "request_", "expected"),
    [
        (BOT, {}, ["./haggler.py", "haggler.py"]),
        (BOT, {"cls": "Mine"}, ["./haggler.py:Mine", "haggler.py"]),
        (packed(bot_py="x", a__b_txt="y"), {}, ["./haggler/", "haggler/a/b.txt", "haggler/bot.py"]),
        (packed(mine__bot_py="x", mine__b_txt="y"), {}, ["./haggler/", "haggler/b.txt", "haggler/bot.py"]),
        (packed(mine__run="x"), {"command": "./run --fast"}, ["cmd:./run --fast", "run"]),
    ],
)
def test_a_file_or_an_archive_becomes_the_files_of_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, request_: dict[str, Any], expected: list[str]
) -> None:
    assert unpacked(tmp_path, monkeypatch, content, **request_) == expected


@pytest.mark.parametrize(
    ("content", "request_", "told"),
    [
        (packed(run="x"), {"command": "cat /etc/passwd"}, "'/etc/passwd' leads out of the bot's files"),
        (packed(run="x"), {"command": "node ../../secrets.json"}, "leads out of the bot's files"),
        (packed(run="x"), {"command": "'cat /etc/passwd'"}, "leads out of the bot's files"),
        (packed(run="x"), {"command": "'a"}, "No closing quotation"),
        (packed(bot_py="x"), {"cls": "A/../../x"}, "expected the name of a class"),
        (b"PK\x03\x04", {}, "is no ZIP archive that can be read"),
        (BOT, {"command": "./haggler.py"}, "is uploaded as a ZIP archive"),
        (BOT, {"options": ("x",)}, "expected option=value"),
        (packed(**{"..__up": "x"}), {}, "is not allowed"),
    ],
)
def test_an_upload_that_leads_out_of_its_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, request_: dict[str, Any], told: str
) -> None:
    with pytest.raises(UserError, match=re.escape(told)):
        unpacked(tmp_path, monkeypatch, content, **request_)
    assert not [path for path in tmp_path.rglob("up") if path.is_file()]


def checked(league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, **request: Any) -> Any:
    place = LadderFolder(league, BotPermissions(trust=True))
    upload, folder = queued(place, content=content, **request), tmp_path / "apart"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)  # it is left for the upload's own, and restored when the test ends
    return check_upload(place, upload, content, folder, 1, lambda told: None)


@pytest.mark.parametrize(
    ("content", "request_", "told"),
    [
        (b"\xff\xfe\x00", {}, "haggler"),
        (b"x = 1\n", {}, "haggler"),
        (packed(other_py="x"), {}, "holds neither bot.py nor __init__.py"),
        (b"PK\x03\x04 no archive", {}, "is no ZIP archive that can be read"),
        (packed(run="x"), {"command": "./run"}, "is not executable"),
        (BOT, {"bot": "first"}, "the name 'first' belongs to author mira"),
    ],
)
def test_a_bot_that_is_none_is_refused_without_naming_a_folder_of_the_server(
    league: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tokens: dict[str, str],
    content: bytes,
    request_: dict[str, Any],
    told: str,
) -> None:
    result = checked(league, tmp_path, monkeypatch, content, **request_)
    assert result.refused
    assert told in result.refused[0]
    assert str(tmp_path) not in json.dumps([result.refused, result.told])
    assert not rows_of(league, "SELECT * FROM version_list WHERE author = 'ann'")


@pytest.mark.slow
def test_an_uploaded_bot_is_checked_as_a_submitted_one_in_a_process_of_its_own(
    league: Path, tmp_path: Path, tokens: dict[str, str]
) -> None:
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
        database.execute("UPDATE ladders SET keys = json_set(keys, '$.entry.check_matches', 1)")
        database.commit()
    queue = CheckQueue(LadderFolder(league), UploadOptions())
    site = Site(ServedPlaces(league), ReportStore(tmp_path, no_report), view, queue=queue)
    with queue, site.indexing:
        client = TestClient(site_application(site), base_url="http://127.0.0.1")
        headers, here = {"authorization": f"Bearer {tokens['ann']}"}, os.getcwd()
        answer = client.post(SUBMIT, params={"name": "haggler"}, content=BOT, headers=headers)
        for _ in range(600):
            found = client.get(answer.headers["location"]).json()
            if found["ended"]:
                break
            time.sleep(0.1)
    assert (found["state"], found["result"]["version"]) == ("admitted", "haggler:1")
    assert found["result"]["report"]["played"]["repeats"]
    assert found["result"]["report"]["level"] != "none"  # though the ladder's file trusts its bots
    assert rows_of(league, "SELECT author FROM version_list WHERE version = 'haggler:1'") == [("ann",)]
    assert os.getcwd() == here
