"""A ladder over HTTP: standings, versions, rounds and matches of closed rounds; what is not public stays so, but for
the operator."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from arena.executors.serial import Serial
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.play.play_ladder import Spending, hold_play_lock, play_ladder
from arena.ladder.play.play_listener import PlayListener
from arena.runs.planning.isolation_level import EXEMPT_WORDS, strictest_isolation
from arena.web.serve.ladders.served_ladder import ServedLadder
from arena.web.serve.places import ServedPlaces
from arena.web.serve.runs.run_reports import ReportStore
from arena.web.serve.web import Site, site_application
from arena.web.viewer.write_page import PageLink
from tests.conftest import Arena
from tests.ladder.conftest import SEED


def view(content: bytes, seat: int | None = None, *, links: Sequence[PageLink] = (), called: Sequence[str] = ()) -> str:
    assert len(called) == 1
    assert called[0].endswith(".jsonl")
    back = " ".join(f'<a href="{escape(link.address)}">{escape(link.text)}</a>' for link in links)
    return f"<!DOCTYPE html><title>{len(content)} bytes, seat {seat}</title>{back}"


def no_report(folder: Path, jobs: int, tell: Any) -> str:
    raise AssertionError("a ladder has no report")


def opened(folder: Path, kept: Path, operator: bool = False) -> Site:
    return Site(ServedPlaces(folder), ReportStore(kept, no_report), view, operator)


def client_of(site: Site) -> TestClient:
    return TestClient(site_application(site), base_url="http://127.0.0.1", follow_redirects=False)


@pytest.fixture
def client(played: Path, tmp_path: Path) -> Iterator[TestClient]:
    site = opened(played, tmp_path)
    with site.indexing:
        yield client_of(site)


@pytest.fixture
def operator(played: Path, tmp_path: Path) -> Iterator[TestClient]:
    site = opened(played, tmp_path, operator=True)
    with site.indexing:
        yield client_of(site)


def rows_of(folder: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{folder}/ladder.sqlite?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


LADDER = "/ladder/league/tiny"
CLOSED = "SELECT m.id, m.name, m.seed, m.sha256 FROM matches m JOIN rounds r ON r.id = m.round WHERE r.state = '{}'"


def test_words_of_the_standings_are_explained_where_they_stand(operator: TestClient, played: Path) -> None:
    text = operator.get(LADDER).text
    for told in (
        "relative to greedy:1: 400 more are odds of ten to one",
        "2 versions that play 2 matches with the same deals",
        "until each has sat at 24 tables",
    ):
        assert told in text
    number, *_ = rows_of(played, CLOSED.format("closed"))[0]
    match = operator.get(f"{LADDER}/match/{number}").text
    for word in (
        "how tables are chosen",
        "print it as sentences",
        "verify its replay",
        "play it again",
        ">version</th>",
    ):
        assert word in match


def test_the_viewer_leads_back_to_the_ladder_and_the_match(operator: TestClient, played: Path) -> None:
    number, *_ = rows_of(played, CLOSED.format("closed"))[0]
    text = operator.get(f"{LADDER}/view/{number}").text
    assert f'<a href="{LADDER}?season=1">ladder tiny</a>' in text
    assert f'<a href="{LADDER}/match/{number}?season=1">this match</a>' in text


def test_the_list_leads_to_the_ladder_with_its_standings(client: TestClient, played: Path) -> None:
    assert f'href="{LADDER}"' in client.get("/").text
    text = client.get(LADDER).text
    kept = rows_of(
        played,
        "SELECT b.name || ':' || v.number FROM ratings t JOIN rounds r ON r.id = t.round JOIN versions v "
        "ON v.id = t.version JOIN bots b ON b.id = v.bot WHERE r.number = 2 ORDER BY t.place",
    )
    places = [text.index(f">{name}</a></td>") for (name,) in kept]
    assert places == sorted(places)
    assert f'leader">{kept[0][0]} leads</td>' in client.get("/").text
    assert "Standings after round 2" in text
    assert "Round 3 is paused" in text
    assert client.get(f"{LADDER}/history.svg").headers["content-type"] == "image/svg+xml"


def test_matches_of_closed_rounds_are_found_and_no_others(client: TestClient, played: Path) -> None:
    closed, waiting = rows_of(played, CLOSED.format("closed")), rows_of(played, CLOSED.format("open"))
    assert waiting
    text = client.get(f"{LADDER}/matches").text
    assert f"<p>{len(closed)} of {len(closed)} matches" in text
    of_first = rows_of(played, "SELECT matches FROM rounds WHERE number = 1")[0][0]
    assert f"<p>{of_first} of" in client.get(f"{LADDER}/matches?round=1").text
    sat = "SELECT count(DISTINCT s.match) FROM seats s JOIN versions v ON v.id = s.version JOIN bots b ON b.id = v.bot "
    sat += "JOIN matches m ON m.id = s.match JOIN rounds r ON r.id = m.round WHERE r.state = 'closed' AND b.name = "
    (of_chance,) = rows_of(played, f"{sat} 'chance'")[0]
    assert f"<p>{of_chance} of" in client.get(f"{LADDER}/matches?bot=chance").text
    assert f"<p>{of_chance} of" in client.get(f"{LADDER}/matches?bot=chance:1").text


def test_what_is_not_public_is_on_no_page(client: TestClient, played: Path) -> None:
    every = [*rows_of(played, CLOSED.format("closed")), *rows_of(played, CLOSED.format("open"))]
    number, waiting = every[0][0], every[-1]
    pages = ["", "/matches", "/rounds", "/versions", "/version/first:1", f"/match/{number}"]
    texts = [client.get(LADDER + page) for page in pages]
    assert [answer.status_code for answer in texts] == [200] * len(pages)
    told = "".join(answer.text for answer in texts)
    seeds = {seed for _, _, seed, _ in every} | {SEED}
    assert not [seed for seed in seeds if seed in told]
    assert "not public yet" in texts[-1].text
    assert waiting[3] not in told
    for page in ("view", "replay"):
        answer = client.get(f"{LADDER}/{page}/{number}")
        assert (answer.status_code, "the replay of this match is not public yet" in answer.text) == (404, True)
        assert client.get(f"{LADDER}/{page}/{waiting[0]}").status_code == 404
    assert client.get(f"{LADDER}/match/{waiting[0]}").status_code == 404
    assert "loaded as" not in texts[4].text
    token = json.loads((played / "secrets.json").read_text())
    assert not [word for word in str(token).split("'") if len(word) > 20 and word in told]


def test_the_operator_sees_seeds_and_replays_of_every_finished_match(operator: TestClient, played: Path) -> None:
    number, name, seed, digest = rows_of(played, CLOSED.format("open"))[-1]
    text = operator.get(f"{LADDER}/match/{number}").text
    assert seed in text
    assert digest in text
    assert "seat 1" in operator.get(f"{LADDER}/view/{number}?seat=1").text
    assert name.encode() in operator.get(f"{LADDER}/replay/{number}").content
    assert "loaded as" in operator.get(f"{LADDER}/version/first:1").text
    assert SEED not in operator.get(LADDER).text


def test_what_is_not_there_is_told_and_leads_to_no_file(client: TestClient) -> None:
    for path in (
        "/ladder/league/other",
        "/ladder/other/tiny",
        f"{LADDER}?season=7",
        f"{LADDER}?season=abc",
        f"{LADDER}?season=%00",
        f"{LADDER}/match/999999",
        f"{LADDER}/match/-1",
        f"{LADDER}/match/%2e%2e",
        f"{LADDER}/version/nobody:1",
        f"{LADDER}/version/first",
        f"{LADDER}/version/..%2f..%2fsecrets.json",
        f"{LADDER}/replay/secrets.json",
        f"{LADDER}/secrets.json",
        "/secrets.json",
        "/run/league",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert "Traceback" not in answer.text, path


def test_a_ladder_is_not_written_to_and_is_followed_while_it_is_played(league: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in league.iterdir()), (league / "ladder.sqlite").stat().st_mtime_ns
    site = opened(league, tmp_path)
    with site.indexing:
        client = client_of(site)
        assert "Standings after round 2" in client.get(LADDER).text
        now = sorted(path.name for path in league.iterdir()), (league / "ladder.sqlite").stat().st_mtime_ns
        assert now == before
        place = LadderFolder(league)
        with hold_play_lock(place), closing(Serial()) as executor:
            play_ladder(place, "", executor, Spending(rounds=1), PlayListener(), "")
        assert "Standings after round 3" in client.get(LADDER).text
        rounds = re.findall(r"<td class=\"l\">([^<]*)</td></tr>", unescape(client.get(f"{LADDER}/rounds").text))
        levels = " ".join(sorted(("none", strictest_isolation().level)))
        assert rounds == [f"{levels}{EXEMPT_WORDS}", "none", "none"]
        finished = len(rows_of(league, CLOSED.format("closed")))
        until = time.monotonic() + 20
        while f"<p>{finished} of {finished} matches" not in client.get(f"{LADDER}/matches").text:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_a_database_that_is_damaged_or_old_gets_a_page_that_says_so(league: Path, tmp_path: Path) -> None:
    site = opened(league, tmp_path)
    with site.indexing:
        client = client_of(site)
        with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
            database.execute("PRAGMA user_version = 1")
        answer = client.get(LADDER)
        assert answer.status_code == 503
        assert "was made by an older arena" in answer.text
        (league / "ladder.sqlite").write_bytes(b"nothing of the kind")
        assert client.get(LADDER).status_code == 503
        assert "ladder.sqlite" in client.get("/").text


def test_a_public_page_has_neither_the_operators_folder_nor_his_commands(league: Path, tmp_path: Path) -> None:
    keys = "json_set(keys, '$.publish.seeds', 'round', '$.publish.replays', 'round')"
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database:
        database.execute(f"UPDATE ladders SET keys = {keys}")
        database.commit()
    number, *_ = rows_of(league, CLOSED.format("closed"))[0]
    pages = ["", "/matches", "/rounds", "/versions", "/version/first:1", f"/match/{number}", f"/view/{number}"]
    site = opened(league, tmp_path)
    with site.indexing:
        client = client_of(site)
        texts = [client.get(LADDER + page).text for page in pages]
        assert not [text for text in texts if str(league) in text or "arena ladder" in text]
        file = client.get(f"{LADDER}/replay/{number}").headers["content-disposition"].split('"')[1]
        assert f"<code>arena show {file}</code>" in texts[5]
        assert f"<code>arena verify {file}</code>" in texts[5]
        for pack in (league / "seasons").rglob("*.zst"):
            pack.write_bytes(b"x" * pack.stat().st_size)
        broken = [client.get(f"{LADDER}/{page}/{number}").text for page in ("match", "view", "replay")]
        assert not [text for text in broken if str(league) in text]
        assert all("the replay is missing or damaged; its operator can restore it" in text for text in broken)
        (league / "ladder.sqlite").write_bytes(b"nothing of the kind")
        assert not [path for path in ("/", LADDER) if str(league) in client.get(path).text]


def test_the_day_a_season_ends_its_champion_and_final_table_stay(league: Path, tmp_path: Path, arena: Arena) -> None:
    site = opened(league, tmp_path)
    with site.indexing:
        client = client_of(site)
        before = client.get(LADDER).text
        assert "; 2 closed rounds." in before.partition('<section data-live id="head">')[2].partition("</section>")[0]
        assert "Champion" not in before
        assert arena("ladder", "play", "league", "--trust", "--rounds", 1, "-q", "--executor", "serial").code == 0
        assert "; 3 closed rounds." in client.get(LADDER).text
        assert arena("ladder", "season", "league", "close").code == 0
        text, old = client.get(LADDER).text, client.get(f"{LADDER}?season=1").text
    first, *order = rows_of(
        league,
        "SELECT b.name || ':' || v.number FROM ratings t JOIN rounds r ON r.id = t.round JOIN versions v "
        "ON v.id = t.version JOIN bots b ON b.id = v.bot WHERE r.number = 3 ORDER BY t.place",
    )
    assert f'leader">{first[0]} won season 1</td>' in client.get("/").text
    head = text.partition('<section data-live id="head">')[2].partition("</section>")[0]
    assert "tiny, season 2" in head
    assert "Season 2 is new: none of its rounds is closed yet." in head
    assert f'<a href="{LADDER}?season=1">All of season 1</a>' in head
    final = text.partition("<h2>Final standings of season 1</h2>")[2]
    places = [final.index(f">{name}</a></td>") for (name,) in [first, *order]]
    assert places == sorted(places)
    for page in (text, old):
        assert re.search(rf"<b>Season 1 ended on 20..-..-..\. Champion: {first[0]}\.", page)
    assert "is new" not in old
    assert "Standings after round 3" in old


def test_a_season_is_read_whole_by_its_index(played: Path) -> None:
    index = ServedLadder(LadderFolder(played), "tiny", 1)
    while index.advance(1.0):
        pass
    assert index.indexed_share == 1
    assert len(index.columns) == len(rows_of(played, CLOSED.format("closed")))
