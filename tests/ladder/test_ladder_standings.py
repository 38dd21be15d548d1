"""``arena ladder standings``: rows, what they are compared with, what is left out, how they are printed."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.config.ladder_config import LadderConfig
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladder_standings import StandingsRequest, ladder_standings
from arena.ladder.database.ladders import begin_ladder, find_ladder
from arena.ladder.presenting.standings_cells import StandingsColumn, cells_of
from arena.ladder.presenting.standings_figures import ladder_standings_data
from arena.ladder.presenting.text_table import ladder_standings_markdown, standings_text
from arena.ladder.rating.standing import LadderStandings, StandingChange
from tests.ladder.invented import BOTS, close_round, invent, play_round, submit


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of four rounds; nobody changes it."""
    return invent(tmp_path_factory.mktemp("ladder") / "league").folder


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a copy of it, to be changed."""
    shutil.copytree(played, tmp_path / "copy")
    database = open_database(tmp_path / "copy" / "ladder.sqlite", tmp_path, write=True)
    yield database
    database.close()


def shown(folder: Path, **asked: Any) -> LadderStandings:
    """The standings of the ladder in this folder."""
    database = open_database(folder / "ladder.sqlite", folder)
    try:
        return ladder_standings(database, find_ladder(database), StandingsRequest(**asked))
    finally:
        database.close()


def test_versions_stand_in_the_order_of_their_worth_with_all_their_matches(played: Path) -> None:
    found = shown(played)
    order = [row.bot for row in found.rows]
    assert set(order[:2]) == {"haggler", "twin"}
    assert order[-1] == "timid"
    assert [row.place for row in found.rows] == list(range(1, len(BOTS) + 1))
    assert found.whole.matches == 4 * 4 * 20
    assert sum(row.matches for row in found.rows) == 4 * found.whole.matches
    anchor = next(row for row in found.rows if row.anchor)
    assert (anchor.version, anchor.rating.mean, anchor.rating.low) == ("anchor:1", 0, None)


def test_two_of_the_same_worth_are_in_one_group_and_every_pair_is_counted(played: Path) -> None:
    found = shown(played)
    assert found.groups[0] == (1, 2)
    assert {row.alike for row in found.rows[:2]} == {(1, 2)}
    assert found.pairs is not None
    assert found.pairs.apart + found.pairs.equal + found.pairs.open == 7 * 6 // 2
    grouped = {(one, two) for first, end in found.groups for two in range(first, end + 1) for one in range(first, two)}
    assert found.pairs.open + found.pairs.equal == len(grouped)


def test_they_are_compared_with_those_before_the_last_play(played: Path) -> None:
    found = shown(played)
    assert found.whole.since is not None
    assert found.whole.since.round == 2, "two rounds were played each night"
    kept = ratings_after(played, 2)
    assert {row.version: row.change for row in found.rows} == {
        name: StandingChange(*told) for name, told in kept.items()
    }


def test_they_are_compared_with_a_round_or_a_date_that_is_named(played: Path) -> None:
    assert shown(played, since="1").whole.since == shown(played, since="2026-03-02").whole.since
    now = shown(played, since="4")
    assert {row.version: row.change for row in now.rows} == {
        row.version: StandingChange(pytest.approx(row.rating.mean, abs=1e-6), row.place) for row in now.rows
    }, "what is kept when a round is closed is what is rated anew"


def ratings_after(folder: Path, number: int) -> dict[str, tuple[float, int]]:
    """By version its value and its place in the table ``ratings``."""
    with closing(sqlite3.connect(folder / "ladder.sqlite")) as database, database:
        rows = database.execute(
            "SELECT b.name || ':' || v.number, t.value, t.place FROM ratings t JOIN rounds r ON r.id = t.round "
            "JOIN versions v ON v.id = t.version JOIN bots b ON b.id = v.bot WHERE r.number = ?",
            (number,),
        ).fetchall()
    return {name: (value, place) for name, value, place in rows}


def test_faults_are_counted_with_the_matches_in_which_they_put_a_version_out(played: Path) -> None:
    with closing(sqlite3.connect(played / "ladder.sqlite")) as database, database:
        expected = {
            name: (2 * faulty, out)
            for name, faulty, out in database.execute(
                "SELECT b.name, sum(s.faults IS NOT NULL), sum(s.ended <> 'played') FROM seats s "
                "JOIN versions v ON v.id = s.version JOIN bots b ON b.id = v.bot GROUP BY v.id"
            )
        }
    assert sum(count for count, _ in expected.values()) > 10
    assert {row.bot: (row.faults.count, row.faults.put_out) for row in shown(played).rows} == expected


def test_void_matches_and_those_of_the_open_round_do_not_count(copied: sqlite3.Connection, tmp_path: Path) -> None:
    copied.execute("UPDATE matches SET void = 1 WHERE id <= 8")
    play_round(LadderFolder(tmp_path / "copy"), copied, 5, 3, close=False)
    found = shown(tmp_path / "copy")
    assert (found.whole.matches, found.whole.voids, found.whole.waiting) == (320 - 8, 8, 12)
    assert sum(row.matches for row in found.rows) == 4 * (320 - 8)
    assert "12 matches of the open round will count when it is closed" in " ".join(standings_text(found, 100).split())


def test_a_replaced_version_is_left_out_until_all_are_asked_for(copied: sqlite3.Connection, tmp_path: Path) -> None:
    submit(copied, "greedy", 2)
    before = shown(tmp_path / "copy")
    assert before.whole.unplayed == ("greedy:2",)
    assert "greedy:1" not in {row.version for row in before.rows}
    assert before.whole.not_shown == 1
    play_round(LadderFolder(tmp_path / "copy"), copied, 5, 10)
    after = shown(tmp_path / "copy", all_versions=True)
    rows = {row.version: row for row in after.rows}
    assert (rows["greedy:1"].state, rows["greedy:2"].state) == ("replaced", "active")
    assert rows["greedy:2"].new, "it has played fewer than 24 tables"
    assert rows["greedy:2"].change == StandingChange(None, None)
    cells = {row[1]: dict(zip(cells_of(after).keys, row, strict=True)) for row in cells_of(after).rows}
    assert cells["greedy:1"][StandingsColumn.NOTES] == "replaced"
    assert cells["greedy:2"][StandingsColumn.NOTES] == f"new: {rows['greedy:2'].blocks} of 24 tables"
    assert cells["greedy:2"][StandingsColumn.CHANGE] == "new"
    assert len(shown(tmp_path / "copy").rows) == len(BOTS)


def test_nobody_is_new_because_matches_are_left_out(played: Path) -> None:
    new = {row.version for row in shown(played).rows if row.new}
    found = shown(played, without=("anchor",))
    assert {row.version for row in found.rows if row.new} == new - {"anchor:1"}
    assert any(row.blocks < found.whole.newcomer and row.version not in new for row in found.rows)


def test_without_a_bot_no_match_in_which_it_sat_counts(played: Path) -> None:
    found = shown(played, without=("twin",))
    assert "twin:1" not in {row.version for row in found.rows}
    assert 0 < found.whole.matches < 320
    assert all(row.change is None for row in found.rows), "what was kept is of all matches"
    assert found == shown(played, without=("twin",))
    assert [row.rating for row in shown(played, without=("twin:1",)).rows] == [row.rating for row in found.rows]


def test_a_money_ladder_is_rated_by_money(tmp_path: Path) -> None:
    folder = invent(tmp_path / "money", rounds=2, tables=20, rated_by="money").folder
    found = shown(folder)
    assert [row.bot for row in found.rows][-1] == "timid"
    assert cells_of(found).keys[3] is StandingsColumn.OWN
    text = " ".join(standings_text(found, 100).split())
    assert "Own: how much more it makes than anchor:1 ($M per match)" in text
    assert "as good as equal" not in text, "money has no zone of indifference"


def test_a_ladder_where_nothing_is_played_says_so(tmp_path: Path) -> None:
    place = LadderFolder(tmp_path / "new")
    begin_ladder(place, LadderConfig(name="new", rules="eagle-gryphon"), load_edition("eagle-gryphon"), 4)
    found = shown(place.folder)
    assert found.rows == ()
    assert "0 matches in 0 tables and 0 rounds" in standings_text(found, 100)
    assert "0 matches" in ladder_standings_markdown(found)
    assert ladder_standings_data(found)["rows"] == []


def test_a_round_is_compared_across_seasons_never(copied: sqlite3.Connection, tmp_path: Path) -> None:
    copied.execute("UPDATE seasons SET ended = '2026-03-10T00:00:00+00:00'")
    copied.execute("INSERT INTO seasons (ladder, number, seed_sha256, began) VALUES (1, 2, 'ab', '2026-03-10')")
    place = LadderFolder(tmp_path / "copy")
    play_round(place, copied, 1, 10, close=False, season=2)
    (id,) = copied.execute("SELECT max(id) FROM rounds").fetchone()
    close_round(copied, find_ladder(copied), id, 1)
    found = shown(place.folder)
    assert (found.whole.season, found.whole.matches, found.whole.since) == (2, 40, None)
    assert all(row.change is None for row in found.rows)


# As text --------------------------------------------------------------------------------------------


def test_the_table_fits_the_terminal_and_says_what_it_leaves_out(
    arena: Any, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns, missing in ((80, {"author", "money", "beaten"}), (120, set[str]())):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = arena("ladder", "standings", played)
        assert (ran.code, ran.err) == (0, "")
        assert max(map(len, ran.out.splitlines())) <= columns
        heads = ran.out.splitlines()[0].split()
        assert not missing & set(heads)
        left = re.search(r"Too wide for this terminal: ([^;]+);", ran.out)
        assert ({*re.split(", | and ", left[1])} if left else set()) == missing


def test_tiers_are_parted_by_an_empty_line(played: Path) -> None:
    table = standings_text(shown(played), 100).split("\nnightly")[0]
    parts = [[line.split()[1] for line in part.splitlines()] for part in table.split("\n", 2)[2].strip().split("\n\n")]
    assert list(map(sorted, parts)) == [
        ["haggler:1", "twin:1"],
        ["anchor:1", "fair:1", "greedy:1", "hoarder:1"],
        ["timid:1"],
    ]


def test_the_text_says_what_the_numbers_rest_on_and_mean(arena: Any, played: Path) -> None:
    told = " ".join(arena("ladder", "standings", played).out.split())
    for part in (
        "nightly, season 1: eagle-gryphon, tables of 4; 320 matches in 80 tables and 4 rounds since 2026-03-01",
        "relative to anchor:1, at equally good seats: 400 more are odds of ten to one.",
        "± is half of a 95 % interval clustered by table",
        "Of 21 pairs 15 are told apart, 0 as good as equal (48.0 to 52.0 % of matches), 6 open.",
        "Not told apart: twin:1 and haggler:1; greedy:1, hoarder:1 and anchor:1; hoarder:1, anchor:1 and fair:1.",
        "Change since round 2, closed at 2026-03-02 04:00 UTC",
    ):
        assert part in told


def test_names_of_strangers_stay_text_in_markdown(copied: sqlite3.Connection, tmp_path: Path) -> None:
    copied.execute("UPDATE bots SET name = '<b>|x`[y](z)' WHERE name = 'twin'")
    lines = ladder_standings_markdown(shown(tmp_path / "copy")).splitlines()
    (line,) = [line for line in lines if "x\\`" in line and line.startswith("| ")]
    assert "\\<b\\>\\|x\\`\\[y\\](z):1" in line
    assert line.replace("\\|", "").count("|") == lines[0].count("|")


def test_names_of_strangers_cannot_steer_a_terminal(copied: sqlite3.Connection, tmp_path: Path) -> None:
    copied.execute("UPDATE bots SET name = 'x' || char(27) || '[2J' || char(10) || 'y' WHERE name = 'twin'")
    text = standings_text(shown(tmp_path / "copy"), 100)
    assert "\x1b" not in text
    assert "x\ufffd[2J\ufffdy:1" in text


def test_json_and_csv_say_the_same(arena: Any, played: Path, tmp_path: Path) -> None:
    ran = arena("ladder", "standings", played, "--json", "--csv", tmp_path / "s.csv")
    assert ran.err == f"standings {tmp_path / 's.csv'}\n"
    data = json.loads(ran.out)
    lines = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [line["version"] for line in lines] == [row["version"] for row in data["rows"]]
    for line, row in zip(lines, data["rows"], strict=True):
        assert float(line["rating"]) == row["rating"]["mean"]
        assert [int(line["level_first"]), int(line["level_last"])] == row["level"]
        assert float(line["change"]) == row["change"]["value"]
        assert int(line["place_before"]) == row["change"]["place"]
        assert int(line["faults"]) == row["faults"]
    assert data["pairs"] == {"apart": 15, "equal": 0, "open": 6, "unrated": 0}
    assert data["not_told_apart"][0] == ["twin:1", "haggler:1"]


def test_mistakes_are_told_in_a_line(arena: Any, played: Path) -> None:
    for words, told in (
        (("--since", "5"), "--since 5: expected a closed round of season 1, 1 to 4"),
        (("--since", "0"), "--since 0: expected a closed round of season 1, 1 to 4"),
        (("--since", "soon"), "--since: expected a round's number or a date such as 2026-01-31, got 'soon'"),
        (
            ("--since", "2026-02-31"),
            "--since: expected a round's number or a date such as 2026-01-31, got '2026-02-31'",
        ),
        (("--since", "2026-01-01"), "--since 2026-01-01: no round was closed before that; the first was closed at"),
        (("--without", "twim"), "no version or bot 'twim' (did you mean 'twin'?) in this ladder; there are anchor,"),
        (("--without", "anchor", *(f"--without={bot}" for bot in BOTS)), "no match is left without anchor, anchor,"),
        (("--season", "2"), "ladder nightly has no season 2; it has 1"),
        (("--ladder", "nightli"), "no ladder 'nightli' (did you mean 'nightly'?); there are nightly"),
    ):
        ran = arena("ladder", "standings", played, *words)
        assert (ran.code, ran.out) == (2, ""), words
        assert ran.err.startswith(f"arena: {told}"), words
        assert ran.err.count("\n") == 1, words


def test_markdown_and_json_at_once_are_refused(arena: Any, played: Path) -> None:
    ran = arena("ladder", "standings", played, "--md", "--json")
    assert ran.code == 2
    assert "--md and --json each print the standings: give only one" in ran.err
