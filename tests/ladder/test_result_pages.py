"""The pages of versions, authors and seasons, and the feed: the same numbers served and exported, of closed rounds."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.export import viewed_matches
from arena.ladder.export.export_ladder import export_ladder
from arena.ladder.export.viewed_matches import MatchViewer
from arena.ladder.show import version_prices
from arena.ladder.show.version_results import ranked_versions, version_results
from arena.replay.ledger_events import tables_in
from arena.storage.packs.replay_packs import KeptReplays
from arena.web.viewer.open_page import page_of_match, write_open_page
from tests.conftest import Arena
from tests.ladder.conftest import SEED
from tests.ladder.test_seasons import finish
from tests.ladder.test_served_ladder import LADDER, client_of, opened, rows_of

ATOM = "{http://www.w3.org/2005/Atom}"
CLOSED = "JOIN matches m ON m.id = s.match JOIN rounds r ON r.id = m.round WHERE r.state = 'closed'"


@pytest.fixture
def client(league: Path, tmp_path: Path) -> Iterator[TestClient]:
    site = opened(league, tmp_path / "kept")
    with site.indexing:
        yield client_of(site)


def test_the_results_of_a_version_are_those_of_the_rows(league: Path) -> None:
    place = LadderFolder(league)
    with closing(open_database(place.database, league)) as database:
        ladder = find_ladder(database)
        versions = ranked_versions(database, ladder)
        first = next(each for each in versions if each.name == "first:1")
        found = version_results(place, database, ladder, first, versions)
    own = rows_of(
        league, f"SELECT s.match, s.rank, s.money, o.rank, o.money, o.version FROM seats s JOIN seats o ON "
        f"o.match = s.match AND o.seat <> s.seat {CLOSED.replace('WHERE', 'WHERE s.version = 3 AND')}"
    )  # fmt: skip
    assert len(own) == len(found.matches) > 3
    for record in found.records:
        met = [each for each in own if each[5] == next(one.id for one in versions if one.name == record.opponent)]
        assert record.matches == len(met)
        assert record.ahead == sum(each[1] < each[3] for each in met)
        assert record.equal == sum(each[1] == each[3] for each in met)
        assert record.margin == pytest.approx(sum(each[2] - each[4] for each in met) / len(met))
    opened_deals = next(value for figure, value in found.figures if figure.of == "opened")
    counted = rows_of(league, f"SELECT avg(json_extract(s.counts, '$.opened')) FROM seats s {CLOSED} AND s.version = 3")
    assert opened_deals == pytest.approx(counted[0][0])


def test_a_version_has_its_rating_whom_it_beats_and_a_link_to_each_match(client: TestClient, league: Path) -> None:
    text = client.get(f"{LADDER}/version/first:1").text
    for told in ("Whom it beats", "What it does in a match", "received for each", "Last matches", "Rating over time"):
        assert told in text
    numbers = {each[0] for each in rows_of(league, f"SELECT s.match FROM seats s {CLOSED} AND s.version = 3")}
    linked = {int(number) for number in re.findall(rf'href="{LADDER}/match/(\d+)\?season=1"', text)}
    assert linked == numbers
    chart = unescape(re.findall(r'<img class="chart" src="([^"]+)"', text)[0])
    drawn = client.get(chart)
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert "first:1" in drawn.text
    assert "chance:1" not in drawn.text
    assert client.get(f"{LADDER}/course/nobody:1").status_code == 404


def test_nothing_of_an_open_round_stands_on_these_pages(
    client: TestClient, league: Path, rows: sqlite3.Connection
) -> None:
    rows.execute("UPDATE seats SET faults = '{\"late\": 7654321}' WHERE match > 24")
    number = rows.execute("SELECT max(s.match) FROM seats s WHERE s.version = 3 AND s.match > 24").fetchone()[0]
    assert number
    page = client.get(f"{LADDER}/version/first:1").text
    assert "7654321" not in re.sub(r"[0-9a-f]{64}", "", page)
    assert f"/match/{number}?" not in page
    feed = client.get(f"{LADDER}/results.atom").text
    assert "Round 2 of season 1" in feed
    assert "Round 3" not in feed


def test_an_author_has_all_versions_with_their_places(client: TestClient) -> None:
    text = client.get(f"{LADDER}/author/mira").text
    assert text.index(">first:1</a>") > 0
    assert text.index(">chance:1</a>") > 0
    assert "greedy:1" not in text
    assert f'href="{LADDER}/author/mira?season=1"' in client.get(f"{LADDER}/version/first:1").text
    missing = client.get(f"{LADDER}/author/nobody")
    assert (missing.status_code, "no author" in missing.text) == (404, True)


def test_all_seasons_stand_in_a_list_and_a_seed_only_when_it_is_public(
    arena: Arena, client: TestClient, league: Path
) -> None:
    assert SEED not in client.get(f"{LADDER}/seasons").text
    finish(arena)
    assert arena("ladder", "season", "league", "close").code == 0
    secret = rows_of(league, "SELECT seed_sha256 FROM seasons WHERE number = 2")[0][0]
    text = client.get(f"{LADDER}/seasons").text
    for told in (SEED, secret, "goes on"):
        assert told in text
    (champion,) = rows_of(league, "SELECT version FROM current_standings WHERE place = 1")[0]
    assert champion in text
    assert SEED in client.get(f"{LADDER}?season=1").text
    hidden = sqlite3.connect(league / "ladder.sqlite", isolation_level=None)
    hidden.execute("UPDATE ladders SET keys = json_set(keys, '$.publish.seeds', 'never')")
    hidden.close()
    assert SEED not in client.get(f"{LADDER}/seasons").text
    assert SEED not in client.get(f"{LADDER}?season=1").text


def test_the_feed_has_an_entry_for_each_closed_round_and_season_that_keeps_its_id(
    arena: Arena, client: TestClient, rows: sqlite3.Connection
) -> None:
    rows.execute("UPDATE ladders SET keys = json_set(keys, '$.publish.replays', 'never')")  # no feed names a match

    def entries() -> dict[str, str]:
        answer = client.get(f"{LADDER}/results.atom")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        feed = ElementTree.fromstring(answer.text)
        links = [link.attrib["href"] for link in feed.iter(f"{ATOM}link")]
        assert all(client.get(link).status_code == 200 for link in links)
        return {
            each.findtext(f"{ATOM}title") or "": each.findtext(f"{ATOM}id") or "" for each in feed.iter(f"{ATOM}entry")
        }

    before = entries()
    assert list(before) == ["Round 2 of season 1", "Round 1 of season 1"]
    finish(arena)
    assert arena("ladder", "season", "league", "close").code == 0
    after = entries()
    assert set(after) - set(before) == {"Round 3 of season 1", "Season 1 is over"}
    assert {title: after[title] for title in before} == before
    assert len(set(after.values())) == 4
    assert arena("ladder", "export", "league", "--out", "public").code == 0
    feed = ElementTree.fromstring(Path("public/results.atom").read_text())
    assert [each.text for each in feed.iter(f"{ATOM}id")][1:] == list(after.values())
    assert all((Path("public") / link.attrib["href"]).is_file() for link in feed.iter(f"{ATOM}link"))


def test_the_feed_names_the_first_three_of_a_round_in_the_order_of_their_places(
    client: TestClient, rows: sqlite3.Connection
) -> None:
    rows.execute("UPDATE ratings SET place = 5 - version, value = -version")
    feed = ElementTree.fromstring(client.get(f"{LADDER}/results.atom").text)
    newest = next(feed.iter(f"{ATOM}entry")).findtext(f"{ATOM}summary") or ""
    assert newest.endswith("First: chance:1, first:1, random-legal:1.")
    rows.execute("UPDATE ratings SET value = NULL")
    rows.execute("DELETE FROM seats")
    rows.execute("DELETE FROM matches WHERE id NOT IN (SELECT first_match FROM rounds)")
    assert "<summary>1 match.</summary>" in client.get(f"{LADDER}/results.atom").text


def test_an_exported_version_and_author_have_pages_with_the_same_numbers_and_no_match_before_its_replay_is_public(
    arena: Arena, client: TestClient, league: Path
) -> None:
    assert arena("ladder", "export", "league", "--out", "public").code == 0
    pages = Path("public/season-1/pages")
    served, exported = client.get(f"{LADDER}/version/first:1").text, (pages / "version-3.html").read_text()
    cells = re.compile(r"<td[^>]*>(?:<a[^>]*>)?([^<]*)")
    told = [cell for cell in cells.findall(served.partition("Whom it beats")[2]) if cell.strip()]
    assert len(told) > 50
    assert [cell for cell in cells.findall(exported.partition("Whom it beats")[2]) if cell.strip()] == told
    assert (pages / "version-3.svg").is_file()
    assert "chance:1" in (pages / "author-3.html").read_text()
    assert 'href="season-1/pages/version-3.html"' in Path("public/index.html").read_text()
    assert not Path("public/season-1/matches").exists()
    assert set().union(*viewed_files(Path("public")).values()) == set()


PUBLIC = 'UPDATE ladders SET keys = json_set(keys, \'$.publish\', json(\'{"seeds": "round", "replays": "round"}\'))'
HREF = re.compile(r'href="([^"]*viewer\.html[^"]*)"')


def exported_site(league: Path, out: Path) -> Path:
    """The exported ladder, whose season 1 has 24 matches in closed rounds."""
    with closing(open_database(LadderFolder(league).database, league)) as database:
        viewer = MatchViewer(write_open_page, page_of_match)
        export_ladder(LadderFolder(league), database, find_ladder(database), out, viewer)
    return out


def viewed_files(out: Path) -> dict[Path, set[Path]]:
    """By page of a version, the files to which its matches' links lead through the viewer."""
    found = {}
    for page in (out / "season-1" / "pages").glob("version-*.html"):
        links = [urlsplit(unescape(link)) for link in HREF.findall(page.read_text())]
        assert all((page.parent / link.path).resolve() == (out / "viewer.html").resolve() for link in links)
        found[page] = {out / parse_qs(link.query)["match"][0] for link in links}
    return found


def test_each_exported_match_has_a_link_that_opens_it_in_the_viewer(
    arena: Arena, league: Path, rows: sqlite3.Connection, tmp_path: Path
) -> None:
    rows.execute(PUBLIC)
    out = exported_site(league, tmp_path / "out")
    pages = viewed_files(out)
    written = set((out / "season-1" / "matches").iterdir())
    played = rows_of(league, f"SELECT DISTINCT s.match FROM seats s {CLOSED}")
    assert {path.name for path in written} == {f"{number}.jsonl" for (number,) in played}
    assert set().union(*pages.values()) == written
    page = next(path for path in pages if "<h1>first:1</h1>" in path.read_text())
    assert len(pages[page]) == len(rows_of(league, f"SELECT s.match FROM seats s {CLOSED} AND s.version = 3"))
    name = rows_of(league, "SELECT name FROM matches WHERE id = 7")[0][0]
    (tmp_path / "m.jsonl").write_bytes(KeptReplays(league / "seasons" / "tiny.1").get(name) or b"")
    shown = arena("show", "m.jsonl", "--jsonl").out.partition("\n")[0]
    assert (out / "season-1" / "matches" / "7.jsonl").read_text() == f"{shown}\n"


def test_of_a_season_only_the_last_matches_can_be_viewed(
    league: Path, rows: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows.execute(PUBLIC)
    monkeypatch.setattr(viewed_matches, "VIEWED_MATCHES", 3)
    out = exported_site(league, tmp_path / "out")
    last = {out / "season-1" / "matches" / f"{number}.jsonl" for number in (22, 23, 24)}
    assert set().union(*viewed_files(out).values()) == set((out / "season-1" / "matches").iterdir()) == last


def test_prices_are_those_of_the_ledger_of_the_last_matches_with_a_replay(
    client: TestClient, league: Path, rows: sqlite3.Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = rows_of(league, f"SELECT s.match, m.name, s.seat FROM seats s {CLOSED} AND s.version = 1 ORDER BY 1 DESC")
    rows.execute("UPDATE matches SET void = 1 WHERE id = ?", (matches[0][0],))
    monkeypatch.setattr(version_prices, "PRICED_MATCHES", 10)
    replays = KeptReplays(league / "seasons" / "tiny.1")
    dividends, cards = 0.0, 0
    for _, name, seat in matches[1:11]:
        for offer in tables_in(replays.get(name) or b"")["offers"]:
            offered = len(offer.placards) + len(offer.clans)
            if offered and offer.by == seat != offer.boss:
                dividends, cards = dividends + offer.dividends, cards + offered
    assert cards > 3, matches  # one of the bots plays otherwise each time
    text = client.get(f"{LADDER}/version/greedy:1").text
    exported = (exported_site(league, tmp_path / "out") / "season-1/pages/version-1.html").read_text()
    for page in (text, exported):
        section = page[page.index("Prices that it asks and gets") :].partition("</section>")[0]
        assert "From its last 10 matches with a replay." in section
        assert re.findall(r"<th\b[^>]*>([^<]*)", section)[:3] == ["", "as Boss", "as partner"]
        asked = re.findall(r">asked \(dividends\)</td>\s*<td[^>]*>[^<]*</td>\s*<td[^>]*>([^<]*)", section)
        assert asked[0].split()[0] == f"{dividends / cards:.2f}"


def test_where_no_replay_is_there_a_version_has_no_prices(
    client: TestClient, rows: sqlite3.Connection, league: Path
) -> None:
    assert "Prices that it asks and gets" in client.get(f"{LADDER}/version/greedy:1").text
    rows.execute("UPDATE matches SET replay = 0")
    assert "Prices that it asks and gets" not in client.get(f"{LADDER}/version/greedy:1").text
