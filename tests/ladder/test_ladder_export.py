"""``arena ladder export``: what is in the folder, what is not public, and that it is there whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.config.ladder_config import Publish, Published
from arena.errors import ReplayError, UserError
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.export.export_ladder import export_ladder
from arena.ladder.export.ladder_tables import OF_LADDER, OF_SEASON
from arena.ladder.export.viewed_matches import VIEWER_FILE, MatchViewer
from arena.pages.page_file import PageFile
from arena.storage.packs.replay_packs import KeptReplays
from arena.web.viewer.open_page import page_of_match, write_open_page
from tests.ladder.invented import invent, play_round

OPEN = Publish(seeds=Published.ROUND, replays=Published.ROUND)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of two closed rounds and one that is open, whose seeds are public with the season; nobody changes it."""
    closed = Publish(seeds=Published.SEASON, replays=Published.ROUND)
    place = invent(tmp_path_factory.mktemp("ladder") / "league", rounds=2, tables=6, publish=closed)
    database = open_database(place.database, place.folder, write=True)
    play_round(place, database, 3, 6, close=False)
    database.execute(
        "INSERT INTO changes (at, ladder, what, why) VALUES ('2026-03-02T05:00:00+00:00', 1, 'refused', 'hush')"
    )
    database.close()
    return place.folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "league"))


@pytest.fixture(scope="module")
def site(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its export; nobody changes it."""
    out = tmp_path_factory.mktemp("exported") / "public"
    exported(played, out)
    return out


@pytest.fixture
def out(site: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(site, tmp_path / "out"))


def exported(folder: Path, out: Path) -> Any:
    """Export the ladder in this folder."""
    place = LadderFolder(folder)
    database = open_database(place.database, folder)
    try:
        return export_ladder(place, database, find_ladder(database), out, MatchViewer(write_open_page, page_of_match))
    finally:
        database.close()


def test_the_day_a_season_ends_its_final_table_is_the_first_page(league: Path, tmp_path: Path) -> None:
    change(
        league,
        "DELETE FROM seats WHERE match IN (SELECT id FROM matches WHERE round = 3)",
        "DELETE FROM matches WHERE round = 3",
        "DELETE FROM tables WHERE round = 3",
        "DELETE FROM rounds WHERE id = 3",
        "UPDATE seasons SET ended = '2026-03-03T05:00:00+00:00', seed = 'known'",
        "INSERT INTO seasons (ladder, number, seed_sha256, began) VALUES (1, 2, 'ff', '2026-03-03T05:00:00+00:00')",
    )
    out = tmp_path / "public"
    done = exported(league, out)
    (first,) = rows_of(league, "SELECT v.version FROM current_standings v WHERE place = 1 LIMIT 1")
    front, old, new = ((out / name / "index.html").read_text() for name in ("", "season-1", "season-2"))
    told = f"Season 1 ended on 2026-03-03. Champion: {first[0]}."
    assert told in front
    assert told in old
    assert told not in new
    assert "<h1>nightly, season 1</h1>" in front
    assert '<a href="season-2/index.html">Season 2</a>' in front
    for page in (front, new):
        assert "Season 2 is new: none of its rounds is closed yet." in page
    assert "<td>1</td>" in front
    nothing = sha256(b"").hexdigest()
    for file in ("README.md", "seasons.csv", "index.html"):
        assert nothing not in (out / file).read_text()
    assert lines(out / "seasons.csv")[1]["root_sha256"] == ""
    assert "| 2 | 0 | no match yet |" in (out / "README.md").read_text()
    assert (done.root, done.root_season) == (lines(out / "seasons.csv")[0]["root_sha256"], 1)


def rows_of(folder: Path, query: str) -> list[Any]:
    """Rows of its database."""
    with closing(sqlite3.connect(folder / "ladder.sqlite")) as database, database:
        return database.execute(query).fetchall()


def change(folder: Path, *statements: str) -> None:
    """Change its database."""
    with closing(sqlite3.connect(folder / "ladder.sqlite")) as database, database:
        for statement in statements:
            database.execute(statement)
    database.close()


def publish(folder: Path, **when: str) -> None:
    """Change what is public and when."""
    paths = ", ".join(f"'$.publish.{key}', '{value}'" for key, value in when.items())
    change(folder, f"UPDATE ladders SET keys = json_set(keys, {paths})")


def lines(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(path.read_text().splitlines()))


def content(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_readme_names_every_file_and_there_is_every_file_that_it_names(site: Path) -> None:
    named = set(re.findall(r"^\| `([^`]+)` \|", (site / "README.md").read_text(), re.MULTILINE))
    there = {"pages/" if path.parent.name == "pages" else path.name for path in site.rglob("*") if path.is_file()}
    assert named - there == {"replays/", "matches/"}, "they are not public yet"
    assert there - named == {"README.md", "index.html"}
    assert {*OF_LADDER, *OF_SEASON} <= there


def test_matches_of_closed_rounds_are_there_with_their_seats_and_none_of_an_open_one(site: Path) -> None:
    matches, seats = lines(site / "season-1" / "matches.csv"), lines(site / "season-1" / "seats.csv")
    assert [int(each["match"]) for each in matches] == list(range(1, 49))
    assert {each["round"] for each in matches} == {"1", "2"}
    assert [(int(each["match"]), int(each["seat"])) for each in seats] == [
        (m, s) for m in range(1, 49) for s in range(4)
    ]
    assert {each["version"] for each in seats} <= {each["version"] for each in lines(site / "versions.csv")}
    tables = {each["block"]: set(each["versions"].split()) for each in lines(site / "season-1" / "tables.csv")}
    for match in matches:
        assert {each["version"] for each in seats if each["match"] == match["match"]} == tables[match["block"]]


def test_nothing_of_an_open_season_tells_its_seeds_or_replays(league: Path, tmp_path: Path) -> None:
    (secret,) = json.loads((league / "secrets.json").read_text()).values()
    change(league, f"UPDATE seasons SET seed = '{secret}'")  # it should not be there yet; nothing may rely on that
    exported(league, tmp_path / "out")
    everything = b"".join(content(tmp_path / "out").values()).decode()
    with closing(sqlite3.connect(league / "ladder.sqlite")) as database, database:
        seeds = [seed for (seed,) in database.execute("SELECT DISTINCT seed FROM matches")]
    assert len(seeds) > 10
    assert not [seed for seed in (secret, *seeds) if seed in everything]
    assert not list((tmp_path / "out").rglob("*.zst"))
    assert {each["replay"] for each in lines(tmp_path / "out" / "season-1" / "matches.csv")} == {"0"}


def test_seeds_and_replays_are_published_by_round_where_the_ladder_says_so(league: Path, tmp_path: Path) -> None:
    publish(league, seeds="round", replays="round")
    done = exported(league, tmp_path / "out")
    matches = lines(tmp_path / "out" / "season-1" / "matches.csv")
    assert all(re.fullmatch("[0-9a-f]{32}", each["seed"]) for each in matches)
    kept = KeptReplays(tmp_path / "out" / "season-1")
    assert sorted(kept.ids()) == sorted(each["name"] for each in matches), "none of the open round"
    assert kept.get(matches[0]["name"]) == KeptReplays(league / "seasons" / "nightly.1").get(matches[0]["name"])
    assert done.replays == len(matches) == 48
    assert lines(tmp_path / "out" / "seasons.csv")[0]["seed"] == "", "the season is not over"


def test_a_replay_is_never_public_before_the_seed_that_it_holds(league: Path, tmp_path: Path) -> None:
    publish(league, seeds="season", replays="round")
    assert exported(league, tmp_path / "out").replays == 0
    change(league, "UPDATE seasons SET ended = '2026-04-01T00:00:00+00:00', seed = 'the seed'")
    assert exported(league, tmp_path / "out").replays == 48
    assert lines(tmp_path / "out" / "seasons.csv")[0]["seed"] == "the seed"
    publish(league, seeds="never", replays="round")
    assert exported(league, tmp_path / "out").replays == 0
    assert lines(tmp_path / "out" / "seasons.csv")[0]["seed"] == ""


def test_what_is_the_operators_affair_stays_with_him(site: Path, played: Path) -> None:
    everything = b"".join(content(site).values()).decode()
    assert "hush" not in everything, "why a submission was refused"
    assert str(played) not in everything
    cells = {cell for each in lines(site / "season-1" / "matches.csv") for cell in each.values()}
    assert "here" not in cells, "the machine where matches were played"


def test_digests_can_be_checked_with_ordinary_tools(site: Path) -> None:
    checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS", "--quiet"], cwd=site, capture_output=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, b"")
    (command,) = re.findall(r"^    (cut .*)$", (site / "README.md").read_text(), re.MULTILINE)
    found = subprocess.run(["bash", "-c", command], cwd=site, capture_output=True, check=True).stdout.split()[0]
    digests = sorted(each["sha256"] for each in lines(site / "season-1" / "matches.csv"))
    assert found.decode() == sha256("".join(f"{each}\n" for each in digests).encode()).hexdigest()
    assert found.decode() == lines(site / "seasons.csv")[0]["root_sha256"]
    assert f"`{found.decode()}`" in (site / "README.md").read_text()


def test_the_same_ladder_gives_the_same_bytes_and_an_unchanged_folder_is_left_alone(
    league: Path, site: Path, tmp_path: Path
) -> None:
    assert exported(league, tmp_path / "one").changed
    assert content(tmp_path / "one") == content(site)
    before = (tmp_path / "one").stat().st_ino
    assert not exported(league, tmp_path / "one").changed
    assert (tmp_path / "one").stat().st_ino == before
    (tmp_path / "one" / "README.md").write_text("spoiled")
    assert exported(league, tmp_path / "one").changed
    assert content(tmp_path / "one") == content(site)


def test_files_that_are_the_same_keep_their_times(league: Path, out: Path) -> None:
    before = (out / "season-1" / "matches.csv").stat().st_mtime_ns
    change(league, "INSERT INTO changes (at, ladder, version, what) VALUES ('2026-03-03', 1, 1, 'retired')")
    assert exported(league, out).changed
    assert (out / "season-1" / "matches.csv").stat().st_mtime_ns == before
    assert "retired" in (out / "changes.csv").read_text()


def test_what_was_there_stays_where_something_fails(league: Path, out: Path, tmp_path: Path) -> None:
    before = content(out)
    publish(league, seeds="round", replays="round")
    shutil.rmtree(league / "seasons")
    with pytest.raises(ReplayError, match=r"the replay of eagle-gryphon-4p/b0000/.* is missing or damaged"):
        exported(league, out)
    assert content(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_a_killed_export_has_left_is_put_back_or_removed(league: Path, out: Path, tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    out.rename(tmp_path / f".out.{ended.pid}.old")
    (tmp_path / f".out.{ended.pid}").mkdir()
    (tmp_path / f".out.{os.getpid()}0x").mkdir()
    assert not exported(league, out).changed, "the old folder was put back"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == [f".out.{os.getpid()}0x"]


def test_a_folder_with_other_files_or_links_is_not_touched(league: Path, out: Path) -> None:
    (out / "CNAME").write_text("league.example")
    with pytest.raises(
        UserError, match="it holds CNAME, which is not part of an export; choose a folder used for nothing else"
    ):
        exported(league, out)
    with pytest.raises(UserError, match="which is not part of an export"):
        exported(league, league)
    assert (out / "CNAME").read_text() == "league.example"
    (out / "CNAME").unlink()
    (out / "latest").symlink_to("season-1")
    with pytest.raises(UserError, match="it holds latest, which is not part of an export"):
        exported(league, out)
    assert (out / "latest").is_symlink()


def test_digests_of_everybodys_kind_make_no_export(league: Path, tmp_path: Path) -> None:
    out = tmp_path / "images"
    (out / "old").mkdir(parents=True)
    (out / "old" / "disk.iso").write_bytes(b"precious")
    (out / "SHA256SUMS").write_text(f"{sha256(b'precious').hexdigest()}  old/disk.iso\n")
    before = content(out)
    for mark in (None, "[]", '{"ladder": "nightly"}', "{", "\x00"):
        if mark is not None:
            (out / "ladder.json").write_text(mark)
            (out / "SHA256SUMS").write_text(f"{'0' * 64}  old/disk.iso\n{'0' * 64}  ladder.json\n")
            before = content(out)
        with pytest.raises(UserError, match="which is not part of an export; choose a folder used for nothing else"):
            exported(league, out)
        assert content(out) == before


def test_an_export_of_another_ladder_is_not_replaced(league: Path, out: Path) -> None:
    before = content(out)
    change(league, f"UPDATE seasons SET seed_sha256 = '{'a' * 64}'")
    with pytest.raises(UserError, match="it holds the export of another ladder called nightly; choose a folder used"):
        exported(league, out)
    change(league, "UPDATE ladders SET name = 'daily'")
    with pytest.raises(UserError, match="it holds the export of ladder nightly; choose a folder used for nothing else"):
        exported(league, out)
    assert content(out) == before


class Links(HTMLParser):
    """Collects where a page leads, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses in a tag."""
        self.tags.add(tag)
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def test_pages_lead_to_files_that_are_there_and_to_no_network(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.name != VIEWER_FILE]
    assert len(pages) > 9
    for page in pages:
        links = Links()
        links.feed(page.read_text())
        assert links.found
        assert all((page.parent / address).is_file() for address in links.found)
        assert not {"script", "iframe", "link", "form"} & links.tags
        assert PageFile("arena.pages", "styles/shadows.css").read() in page.read_text()  # its tables scroll sideways


def test_every_season_has_its_page_and_the_last_one_is_the_first_page(league: Path, tmp_path: Path) -> None:
    change(
        league,
        "UPDATE seasons SET ended = '2026-04-01T00:00:00+00:00', seed = 'the seed'",
        "INSERT INTO seasons (ladder, number, seed_sha256, began) VALUES (1, 2, 'cd', '2026-04-01T00:00:00+00:00')",
    )
    place = LadderFolder(league)
    database = open_database(place.database, league, write=True)
    play_round(place, database, 1, 6, season=2)
    database.close()
    done = exported(league, tmp_path / "out")
    assert (done.seasons, done.matches, done.root_season) == (2, 72, 2)
    first = (tmp_path / "out" / "index.html").read_text()
    assert "<h1>nightly, season 2</h1>" in first
    assert '<a href="season-1/index.html">Season 1</a>' in first
    old = (tmp_path / "out" / "season-1" / "index.html").read_text()
    assert "<h1>nightly, season 1</h1>" in old
    assert "The seed of season 1: the seed" in old
    assert "The seed of" not in first


def test_names_of_strangers_stay_text_everywhere(league: Path, tmp_path: Path) -> None:
    change(league, """UPDATE bots SET name = '<img src=x onerror=alert(1)>|"' WHERE name = 'twin'""")
    exported(league, tmp_path / "out")
    for page in (tmp_path / "out").rglob("*.html"):
        links = Links()
        links.feed(page.read_text())
        assert "x" not in links.found
        assert "<img src=x" not in page.read_text()
    for name in ("index.html", "season-1/index.html", "season-1/pages/version-6.html"):
        assert "&lt;img src=x" in (tmp_path / "out" / name).read_text()
    assert '<img src=x onerror=alert(1)>|":1' in [each["version"] for each in lines(tmp_path / "out" / "versions.csv")]


def test_the_command_says_what_it_has_written(arena: Any, league: Path, tmp_path: Path) -> None:
    ran = arena("ladder", "export", league, "--out", tmp_path / "out", "-q")
    assert (ran.code, ran.err) == (0, "")
    assert re.fullmatch(
        rf"written {tmp_path}/out: 38 files, 48 matches, 0 replays\nroot digest of season 1: [0-9a-f]{{64}}\n",
        ran.out,
    )
    again = json.loads(arena("ladder", "export", league, "--out", tmp_path / "out", "-q", "--json").out)
    assert (again["changed"], again["files"], again["root"]) == (False, 38, ran.out.split()[-1])
    assert arena("ladder", "export", league).code == 2
