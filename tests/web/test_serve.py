"""The pages of runs over HTTP: what they show, that they follow, and that nothing but reading can be done with them."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from shlex import join
from typing import Any

import pytest
from starlette.testclient import TestClient

from arena.errors import UserError
from arena.storage.run_folder import FolderStore
from arena.web.report import report_page
from arena.web.serve.places import ServedPlaces
from arena.web.serve.runs.run_reports import ReportStore
from arena.web.serve.web import Site, site_application
from arena.web.viewer.write_page import PageLink
from tests.runs.tiny_run import EDITION, MATCHES, play_tiny

from .made_reports import damaged_once, game_known, killed, no_report, report

EVIL = "<script>hurt()</script>"
SECRET = "nobody may read this"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that is complete, a copy with the name of a bot that is a script, and a damaged one."""
    above = tmp_path_factory.mktemp("serve")
    (above / "secret.txt").write_text(SECRET)
    results = play_tiny(above).parent
    shutil.copytree(results / "tiny", results / "evil")
    for name in ("matches.jsonl", "standings.json", "manifest.json"):
        path = results / "evil" / name
        path.write_text(path.read_text().replace('"greedy"', json.dumps(EVIL)).replace('"tiny"', json.dumps(EVIL)))
    (results / "damaged").mkdir()
    (results / "damaged" / "manifest.json").write_text("{")
    (results / "other").mkdir()
    return results


def view(content: bytes, seat: int | None = None, *, links: Sequence[PageLink] = (), called: Sequence[str] = ()) -> str:
    back = " ".join(f'<a href="{escape(link.address)}">{escape(link.text)}</a>' for link in links)
    return f"<!DOCTYPE html><title>{len(content)} bytes, seat {seat}</title>{back}<code>{escape(join(called))}</code>"


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[Site]:
    found = Site(ServedPlaces(folder), ReportStore(tmp_path, report), view)
    with found.indexing:
        yield found


@pytest.fixture
def client(site: Site) -> TestClient:
    return client_of(site)


def client_of(site: Site) -> TestClient:
    return TestClient(site_application(site), base_url="http://127.0.0.1:8321", follow_redirects=False)


def last_id(folder: Path) -> str:
    return str(json.loads((folder / "tiny" / "matches.jsonl").read_text().splitlines()[-1])["id"])


def test_the_list_has_every_run_and_says_which_is_damaged(client: TestClient) -> None:
    text = client.get("/").text
    for told in ('href="/run/tiny"', 'href="/run/evil"', "complete", "manifest.json cannot be read", "3 runs."):
        assert told in text
    assert "/run/other" not in text


def test_the_list_says_who_has_won_and_who_leads(folder: Path, tmp_path: Path, site: Site, client: TestClient) -> None:
    rows = json.loads((folder / "tiny" / "standings.json").read_bytes())["all"]["rows"]
    share = f"{100 * rows[0]['win_rate']['mean']:.1f}"
    assert re.search(rf'leader">{rows[0]["entrant"]} won; win rate {share} [^<]*<', client.get("/").text)
    copy = shutil.copytree(folder / "tiny", tmp_path / "all" / "growing")
    manifest = json.loads((copy / "manifest.json").read_bytes())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"state": "running"}))
    (copy / "standings.json").unlink()
    other = Site(ServedPlaces(tmp_path / "all"), site.reports, view)
    with other.indexing:
        listed = client_of(other)
        wait_for(lambda: f'leader">{rows[0]["entrant"]} leads; win rate {share}' in listed.get("/").text)
    (copy / "standings.json").write_text('{"all": {"rows": [7]}}')
    assert '<td class="l leader"></td>' in client_of(other).get("/").text


def test_a_run_shows_its_standings_its_faults_and_its_last_matches(client: TestClient, folder: Path) -> None:
    text = client.get("/run/tiny").text
    written = json.loads((folder / "tiny" / "standings.json").read_text())["all"]["rows"]
    assert f"{MATCHES} of {MATCHES}" in text
    places = [text.index(f">{row['entrant']}</a></td>") for row in written]
    assert places == sorted(places)
    assert "/run/tiny/matches?bot=wrong&amp;fault=broken" in text
    assert last_id(folder) in text
    assert "Provisional" not in text
    assert "36 matches in 3 blocks" in text
    assert "18 matches in 3 blocks" in client.get("/run/tiny", params={"edition": EDITION}).text


def test_an_edition_that_was_not_played_is_refused_by_name(client: TestClient) -> None:
    answer = client.get("/run/tiny", params={"edition": EDITION[:-1]})
    assert answer.status_code == 404
    assert f"has no edition &#39;{EDITION[:-1]}&#39; (did you mean &#39;{EDITION}&#39;?)" in answer.text
    assert client.get("/run/tiny", params={"edition": "all"}).status_code == 200


def test_where_one_run_is_served_no_link_leads_to_the_page_one_is_on(folder: Path, site: Site) -> None:
    alone = Site(ServedPlaces(folder / "tiny"), site.reports, view)
    with alone.indexing:
        client = client_of(alone)
        for path in ("/run/tiny", "/run/tiny/matches"):
            assert 'href="/"' not in client.get(path).text
        assert '<a href="/">the run</a>' in client.get("/nowhere").text


def test_what_is_asked_in_a_form_is_said_once(client: TestClient) -> None:
    text = client.get("/run/tiny/matches").text
    told = re.findall(r"<option value=\"([^\"]*)\"[^>]*>([^<]*)</option>", text.partition('name="fault"')[2])
    assert told[:3] == [("", "with or without"), ("any", "any fault"), ("put-out", "put out")]
    assert "<label>entrant" in text


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("bot=greedy", lambda match: "greedy" in names(match)),
        ("bot=greedy&other=wrong", lambda match: {"greedy", "wrong"} <= names(match)),
        ("winner=greedy", lambda match: any(s["entrant"] == "greedy" and s["rank"] == 1 for s in match["seats"])),
        ("fault=any", lambda match: any(s["faults"] for s in match["seats"])),
        ("fault=broken&bot=wrong", lambda match: any("broken" in s["faults"] for s in match["seats"])),
        ("fault=broken&bot=greedy", lambda match: False),
        ("fault=put-out", lambda match: any(s["ended"] != "played" for s in match["seats"])),
        ("result=void", lambda match: match["void"]),
        ("block=1", lambda match: match["block"] == 1),
        ("block=7", lambda match: False),
        ("edition=EDITION&block=2", lambda match: match["block"] == 2 and match["edition"] == EDITION),
    ],
)
def test_a_search_finds_the_matches_that_are_asked_for_and_no_others(
    client: TestClient, folder: Path, asked: str, holds: Any
) -> None:
    every = [json.loads(line) for line in (folder / "tiny" / "matches.jsonl").read_text().splitlines()]
    wanted = [each["id"] for each in every if holds(each)]
    text = client.get(f"/run/tiny/matches?{asked.replace('EDITION', EDITION.replace('+', '%2B'))}").text
    assert f"<p>{len(wanted)} of {MATCHES} matches" in text
    assert {each["id"] for each in every if f">{each['id']}</a>" in text} == set(wanted)


def names(match: dict[str, Any]) -> set[str]:
    return {seat["entrant"] for seat in match["seats"]}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("bot=gredy", "nobody called &#39;gredy&#39; has played (did you mean &#39;greedy&#39;?)"),
        ("edition=nowhere", "no edition &#39;nowhere&#39; was played"),
        ("fault=bad", "no kind of fault &#39;bad&#39;; there are late, "),
        ("block=x", "block &#39;x&#39;: expected a number from 0"),
        ("result=snow", "no match ended with &#39;snow&#39;"),
        ("page=99999", f"{MATCHES} of {MATCHES} matches; page 99,999 does not exist; the last page is <a"),
        (f"page={'9' * 300}", "page 1,000,000,000 does not exist"),
        ("page=-1&order=x", f"here 1 to {MATCHES}"),
    ],
)
def test_a_search_for_what_is_not_there_says_so(client: TestClient, asked: str, told: str) -> None:
    answer = client.get(f"/run/tiny/matches?{asked}")
    assert answer.status_code == 200
    assert told in answer.text


def test_a_match_has_its_evidence_its_faults_and_the_viewer(client: TestClient, folder: Path) -> None:
    line = next(line for line in (folder / "tiny" / "matches.jsonl").read_text().splitlines() if "broken" in line)
    match = json.loads(line)
    text = client.get(f"/run/tiny/match/{match['id']}").text
    replay = FolderStore(folder / "tiny").replay(match["id"])
    assert replay is not None
    for told in (match["sha256"], match["seed"], "arena verify", "&lt;script&gt;hurt()"):
        assert told in text
    fault = text.split("#event=")[1].split('"')[0]
    assert b'"fault"' in replay.splitlines()[int(fault) - 1]
    assert client.get(f"/run/tiny/replay/{match['id']}").content == replay
    viewed = client.get(f"/run/tiny/view/{match['id']}").text
    assert "seat None" in viewed
    assert f"<code>{folder / 'tiny'} {match['id']}</code>" in viewed
    assert "seat 1" in client.get(f"/run/tiny/view/{match['id']}?seat=1").text
    for seat in ("2", "-1", "x", "1e3", "٣"):
        assert client.get(f"/run/tiny/view/{match['id']}", params={"seat": seat}).status_code == 404


def test_names_that_are_scripts_are_text_everywhere(client: TestClient) -> None:
    pages = ["/", "/run/evil", "/run/evil/matches", f"/run/evil/matches?bot={EVIL}&winner={EVIL}&block={EVIL}"]
    pages.append("/run/evil/matches?" + "&".join(f"{name}={EVIL}" for name in ("edition", "fault", "result", "order")))
    pages.append(client.get("/run/evil/matches").text.split('href="/run/evil/match/')[1].split('"')[0])
    pages[-1] = f"/run/evil/match/{pages[-1]}"
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200
        assert "hurt()" in answer.text or page.endswith(EVIL) is False
        assert EVIL not in answer.text
    assert EVIL not in client.get(f"/run/{EVIL}").text


@pytest.mark.parametrize(
    "path",
    [
        "/run/../secret.txt",
        "/run/%2e%2e",
        "/run/%2e%2e%2fsecret.txt",
        "/run/tiny/match/../../../secret.txt",
        "/run/tiny/match/%2e%2e/%2e%2e/%2e%2e/secret.txt",
        "/run/tiny/replay/%2e%2e%2f%2e%2e%2fsecret.txt",
        "/run/tiny/replay//etc/passwd",
        "/run/tiny/replay/%2Fetc%2Fpasswd",
        "/run/tiny/view/manifest.json",
        "/run/tiny/view/a%00b",
        "/run/%00",
        "/run/other",
        "/run/tiny/match/",
        "/ladder/tiny/tiny",
        "/ladder/../x/y",
        "//etc/passwd",
        "/run/%ff%fe",
        "/run/" + "x" * 1500,
    ],
)
def test_no_address_leads_to_a_file(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert SECRET not in answer.text
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


def test_an_id_in_a_record_never_becomes_a_path(folder: Path, tmp_path: Path, site: Site) -> None:
    copy = shutil.copytree(folder / "tiny", tmp_path / "all" / "tiny")
    (tmp_path / "stolen.jsonl").write_text(SECRET)
    lines = (copy / "matches.jsonl").read_text().splitlines(keepends=True)
    first = json.loads(lines[0])
    for id in ("../../../stolen", "../../../b0000/0-1", "../b0000/0-1"):
        lines.append(json.dumps(first | {"id": id, "replay": f"replays/{id}.jsonl"}) + "\n")
    (copy / "matches.jsonl").write_text("".join(lines))
    other = Site(ServedPlaces(tmp_path / "all"), site.reports, view)
    with other.indexing:
        client = client_of(other)
        for id in ("%2e%2e/%2e%2e/%2e%2e/stolen", "%2e%2e/b0000/0-1"):
            for page in ("match", "replay", "view"):
                answer = client.get(f"/run/tiny/{page}/{id}")
                assert SECRET not in answer.text
                assert answer.status_code in (404, 503) if page != "match" else 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil", "evil.example:8321"])
def test_a_name_of_somebody_else_is_refused_whatever_it_leads_to(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1%evil.example",
        "127.0.0.1%25evil.example:8321",
        "[::1%evil.example]",
        "[::1%25eth0]:8321",
        "user@localhost",
        "evil.example@127.0.0.1",
        "user:password@localhost:8321",
        "localhost.",
        "localhost..:8321",
        "127.0.0.1.",
        "localhost:0",
        "localhost:65536",
        "localhost:99999999",
        "localhost:",
        "localhost:80:80",
        "localhost:+80",
        "127.0.0.1/evil.example",
        "localhost evil.example",
        "localhost,evil.example",
        "::1",
        "::1:8321",
        "[127.0.0.1]",
        "[localhost]",
        "[::1",
        "[::1]evil.example",
        "[[::1]]",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0127.0.0.1",
    ],
)
def test_a_host_that_is_no_plain_name_or_number_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:8321", "[::1]:8321", "192.168.0.7"])
def test_its_own_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_nothing_but_reading_is_possible(client: TestClient, method: str) -> None:
    assert client.request(method, "/run/tiny").status_code == 405


def test_pages_of_others_cannot_read_or_start_anything(client: TestClient) -> None:
    other = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/run/tiny/report", headers=other).status_code == 403
    assert client.get("/run/tiny", headers=other | {"sec-fetch-mode": "navigate"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/run/tiny", "/nowhere", "/run/damaged", "/favicon.ico", "/run/tiny/matches"])
def test_every_answer_says_what_a_browser_may_do_with_it(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert client.head(path).headers["content-security-policy"] == policy


def test_refusals_have_the_headers_too(client: TestClient) -> None:
    for answer in (client.post("/"), client.get("/", headers={"host": "evil.example"}), client.get("/" + "x" * 3000)):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert client.get("/" + "x" * 3000).status_code == 414


def test_a_page_that_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/run/tiny")
    again = client.get("/run/tiny", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/run/evil", headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_a_damaged_run_gets_a_page_that_says_so(client: TestClient) -> None:
    answer = client.get("/run/damaged")
    assert answer.status_code == 503
    assert "manifest.json cannot be read" in answer.text
    assert "Traceback" not in answer.text


def test_damaged_files_of_a_run_are_told_where_they_matter(folder: Path, tmp_path: Path, site: Site) -> None:
    copy = shutil.copytree(folder / "tiny", tmp_path / "all" / "tiny")
    lines = (copy / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "matches.jsonl").write_bytes(
        b"".join([lines[0], b"{nonsense}\n", b"\xff\xfe\n", *lines[1:], b'{"id": "cut'])
    )
    (copy / "standings.json").write_text("[")
    pack = next((copy / "replays").glob("*.zst"))
    pack.write_bytes(pack.read_bytes()[:100])
    other = Site(ServedPlaces(copy), site.reports, view)
    with other.indexing:
        client = client_of(other)
        assert client.get("/").headers["location"] == "/run/tiny"
        text = client.get("/run/tiny/matches").text
        assert "2 lines of matches.jsonl cannot be read" in text
        assert f"{MATCHES} of {MATCHES} matches" in text
        id = json.loads(lines[0])["id"]
        assert "ends before the replay" in client.get(f"/run/tiny/match/{id}").text
        assert client.get(f"/run/tiny/view/{id}").status_code == 503
        assert client.get("/run/tiny").status_code == 200


def test_a_replay_that_is_missing_is_mended_by_the_whole_command(folder: Path, tmp_path: Path, site: Site) -> None:
    copy = shutil.copytree(folder / "tiny", tmp_path / "tiny")
    for kept in (*copy.glob("replays/*.pack"), *copy.rglob("*.jsonl.zst")):
        kept.unlink()
    shutil.rmtree(copy / "replays", ignore_errors=True)
    other = Site(ServedPlaces(copy), site.reports, view)
    with other.indexing:
        text = client_of(other).get(f"/run/tiny/match/{last_id(folder)}").text
    assert f"is missing; repair the run with: arena run --resume {copy} --trust" in text


@pytest.mark.slow
def test_pages_follow_a_run_that_grows_and_its_files_are_left_alone(folder: Path, tmp_path: Path, site: Site) -> None:
    copy = shutil.copytree(folder / "tiny", tmp_path / "all" / "growing")
    lines = (copy / "matches.jsonl").read_bytes().splitlines(keepends=True)
    manifest = json.loads((copy / "manifest.json").read_bytes())
    (copy / "manifest.json").write_text(json.dumps(manifest | {"state": "running"}))
    for name in ("standings.json", "logs/progress.json"):
        (copy / name).unlink()
    (copy / "matches.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:20])
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}
    other = Site(ServedPlaces(tmp_path / "all"), site.reports, view)
    with other.indexing:
        client = client_of(other)
        first = client.get("/run/growing")
        assert "5 of 36" in first.text
        assert "Provisional. 5 matches" in first.text
        assert {path: path.stat().st_mtime_ns for path in copy.rglob("*")} == before
        with (copy / "matches.jsonl").open("ab") as file:
            file.write(lines[5][20:] + b"".join(lines[6:12]))
        wait_for(lambda: "12 of 36" in client.get("/run/growing").text)
        wait_for(lambda: "Provisional. 12 matches" in client.get("/run/growing").text)
        assert "12 of 12 matches" in client.get("/run/growing/matches").text
        rewritten = tmp_path / "rewritten"
        rewritten.write_bytes(b"".join(reversed(lines)))
        rewritten.rename(copy / "matches.jsonl")
        wait_for(lambda: f"{MATCHES} of {MATCHES} matches, here" in client.get("/run/growing/matches").text)
        id = json.loads(lines[-1])["id"]
        assert f">{id}</a>" in client.get("/run/growing/matches?order=first").text
        shutil.rmtree(copy)
        wait_for(lambda: client.get("/run/growing").status_code == 404)


def wait_for(holds: Any) -> None:
    until = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.cold
def test_a_report_is_made_in_the_background_and_kept_while_the_run_is_the_same(
    client: TestClient, site: Site, tmp_path: Path
) -> None:
    waiting = client.get("/run/tiny/report").headers["location"]
    first = client.get(waiting).text
    assert "The other sections are being made." in first
    assert "0 of" not in first.partition("<main")[2].partition("<table")[0]
    assert "36 matches in 3 blocks" in first
    wait_for(lambda: "report of tiny" in client.get("/run/tiny/report").text)
    kept = site.reports.get(site.places.runs["tiny"])
    assert kept is site.reports.get(site.places.runs["tiny"])
    assert 'data-ready="/run/tiny/report"' in client.get(waiting).text


def test_the_report_is_that_of_the_run_with_links_into_the_viewer_and_back(folder: Path, tmp_path: Path) -> None:
    site = Site(ServedPlaces(folder), ReportStore(tmp_path, report_page, jobs=2), view)
    with site.indexing:
        client = client_of(site)
        client.get("/run/tiny/report")
        wait_for(lambda: "are being made" not in client.get("/run/tiny/report?wait=1").text)
        text = client.get("/run/tiny/report").text
        assert text == report_page(folder / "tiny", served="/run/tiny")
        event = re.findall(r'href="/run/tiny/view/([^"#]+)#event=[0-9]+"', text)[0]
        links = client.get(f"/run/tiny/view/{event}").text
        assert '<a href="/run/tiny">' in links
        assert f'<a href="/run/tiny/match/{event}">' in links
        assert site.reports.get(site.places.runs["tiny"]).done == MATCHES


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (no_report, "a replay is damaged"),
        (damaged_once, "KeyError: &#39;cause&#39;"),
        (killed, "its process was ended by signal 9 (Killed)"),
    ],
)
def test_a_report_that_cannot_be_made_says_why(folder: Path, tmp_path: Path, make: Any, told: str) -> None:
    site = Site(ServedPlaces(folder), ReportStore(tmp_path, make), view)
    with site.indexing:
        client = client_of(site)
        client.get("/run/tiny/report")
        wait_for(lambda: f"could not be made: {told}" in client.get("/run/tiny/report?wait=1").text)
        assert 'href="/run/tiny/report?again=1"' in client.get("/run/tiny/report?wait=1").text


@pytest.mark.slow
def test_a_report_that_could_not_be_made_can_be_tried_again(folder: Path, tmp_path: Path) -> None:
    site = Site(ServedPlaces(folder), ReportStore(tmp_path, damaged_once), view)
    with site.indexing:
        client = client_of(site)
        client.get("/run/tiny/report")
        wait_for(lambda: "could not be made" in client.get("/run/tiny/report?wait=1").text)
        (folder / "mended").touch()
        assert client.get("/run/tiny/report?again=1").headers["location"] == "/run/tiny/report?wait=1"
        wait_for(lambda: "<title>made" in client.get("/run/tiny/report").text)
        assert "<title>made" in client.get("/run/tiny/report?again=1").text
        (folder / "mended").unlink()


def test_a_report_of_a_game_from_outside_is_made_where_it_is_named(folder: Path, tmp_path: Path) -> None:
    site = Site(ServedPlaces(folder), ReportStore(tmp_path, game_known, games=["tests.thirdgame.pie"]), view)
    with site.indexing:
        client = client_of(site)
        client.get("/run/tiny/report")
        wait_for(lambda: "<title>True" in client.get("/run/tiny/report").text)


def test_a_folder_that_holds_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds nothing that can be served: expected a run, a ladder"):
        ServedPlaces(tmp_path)
