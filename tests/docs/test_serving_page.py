"""The page on serving: the fields, states and limits of uploads are those of the server, and the client works."""

from __future__ import annotations

import shutil
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from arena.finding.files import MOST_FILES
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.entry.authors import make_author
from arena.ladder.entry.submit import SubmitResult
from arena.ladder.uploads.check_upload import MOST_UNPACKED
from arena.ladder.uploads.upload_rows import MOST_OF_AUTHOR, MOST_WAITING, Upload, UploadRequest, UploadState
from arena.web.serve.connections import REQUEST_SECONDS, SLOWEST_WAITS, BrowserConnection
from arena.web.serve.places import ServedPlaces
from arena.web.serve.runs.run_reports import ReportStore
from arena.web.serve.uploads.check_queue import CHECK_SECONDS, CheckQueue
from arena.web.serve.uploads.receive_upload import MOST_RECEIVED
from arena.web.serve.uploads.upload_options import CHECKS_A_DAY, LARGEST_UPLOAD, UploadOptions
from arena.web.serve.uploads.upload_pages import upload_data
from arena.web.serve.web import Site, site_application
from tests.docs.pages import blocks, rows, section
from tests.ladder.conftest import played as played

PAGE = "serving"


def test_every_field_and_state_of_an_upload_is_described() -> None:
    upload = Upload(1, "a", "tiny", "ann", "", UploadRequest("haggler"), 1, "", UploadState.WAITING, 0)
    told = [row[0].strip("`") for row in rows(PAGE, "The answer")]
    assert told == [*upload_data(upload, []), *UploadState]


def test_the_limits_are_those_of_the_server() -> None:
    lines = section(PAGE, "Limits").split("|\n")[2:]
    assert [line.split("|")[2].strip() for line in lines if line.startswith("|")] == [
        f"{LARGEST_UPLOAD} MiB",
        f"{CHECKS_A_DAY}",
        f"{MOST_UNPACKED >> 20} MiB",
        f"{MOST_FILES:,}",
        f"{MOST_OF_AUTHOR} and {MOST_WAITING}",
        f"{MOST_RECEIVED}",
        f"{REQUEST_SECONDS * SLOWEST_WAITS:g} s",
        f"{CHECK_SECONDS:g} s",
    ]


def test_the_client_uploads_a_bot_and_waits_for_its_report(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = LadderFolder(shutil.copytree(played, tmp_path / "league"))
    with closing(open_database(place.database, place.shown, write=True)) as database:
        token = make_author(database, "ann")
    queue, sleep = CheckQueue(place, UploadOptions()), time.sleep

    def check(work: Any, tell: Any, seconds: float) -> None:
        tell("checking haggler")
        sleep(0.3)
        tell(SubmitResult(ladder="tiny", bot="haggler", author="ann", admitted=True, version="haggler:1"))

    monkeypatch.setattr(queue._process, "run", check)
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.05)))
    site = Site(ServedPlaces(place.folder), ReportStore(tmp_path, lambda: ""), lambda *given, **named: "", queue=queue)
    config = uvicorn.Config(
        site_application(site), port=0, log_config=None, lifespan="off", ws="none", http=BrowserConnection
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    (tmp_path / "mybot.py").write_text("pass\n")
    with queue, site.indexing:
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        address = f"http://127.0.0.1:{port}/ladder/league/tiny/submit"
        monkeypatch.setattr("sys.argv", ["submit.py", address, "haggler", str(tmp_path / "mybot.py")])
        monkeypatch.setenv("ARENA_LADDER_TOKEN", token)
        (client,) = blocks(PAGE, "python")
        with pytest.raises(SystemExit) as ended:
            exec(compile(client, "submit.py", "exec"), {})
        monkeypatch.setenv("ARENA_LADDER_TOKEN", "x" * 43)
        with pytest.raises(SystemExit) as refused:
            exec(compile(client, "submit.py", "exec"), {})
        server.should_exit = True
        thread.join()
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "s  checking haggler\n" in out
    assert out.endswith("admitted haggler:1\n")
    assert "belongs to no author here" in str(refused.value.code)
