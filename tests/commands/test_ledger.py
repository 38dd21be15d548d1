"""``arena ledger`` and ``arena.results``: the ledger of a run of both games, in every form."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from arena import results
from arena.analysis import process_map
from arena.analysis import replay_pass as gathering
from arena.analysis.run_ledger import choose_of_ledger, ledger_of
from arena.errors import UserError
from arena.ledger.ledger_fold import VALUE_COLUMNS, DealLedger
from arena.storage.tables.table_files import CsvFile
from tests.docs.pages import blocks
from tests.played_run import play_run

TOURNAMENT = """
name: mix
seed: 5
entrants: [greedy, fair, random-legal, {bot: random-legal, name: second}]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 7}}
  - {rules: schmidt-1994, changes: {max_turns: 5}}
  - {rules: card-game, changes: {rounds: {3: 2}}}
seats: 3
format: list
seat_orders: listed
fixtures:
  - [0, greedy, fair, random-legal]
  - [0, second, greedy, fair]
  - [0, random-legal, second, greedy]
  - [0, fair, random-legal, second]
  - [1, fair, random-legal, greedy]
  - [1, greedy, fair, second]
  - [1, second, greedy, random-legal]
  - [1, random-legal, second, fair]
isolation: none
"""
TABLES = ("offers", "boss", "partner", "kept", "prices", "ticks", "payments", "cards", "failed", "bargaining", "gifts")
SCRIPT = ("rounds", "boss", "bargains", "turns", "tokens", "cards", "actions", "gifts")
BOTH = ("boss", "cards", "gifts")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_run(tmp_path_factory.mktemp("bargained"), TOURNAMENT)


@pytest.fixture(scope="module")
def ledger(run: Path) -> DealLedger:
    return ledger_of(run)


def totals(ledger: DealLedger, game: str, table: str, figure: str) -> dict[str, float]:
    """What a figure adds up to, by entrant."""
    found: dict[str, float] = {}
    for row in ledger.game(game).rows(table):
        if row.figure.name == figure:
            found[str(row.keys[0])] = found.get(str(row.keys[0]), 0) + (row.total or 0)
    return found


def money(run: Path, game: str) -> dict[str, int]:
    """The money of each entrant at the end of its matches, all together."""
    found: dict[str, int] = {}
    for record in results.read(run).records():
        for seat in record.seats if record.game == game else ():
            found[seat.entrant] = found.get(seat.entrant, 0) + seat.money
    return found


@pytest.mark.slow
def test_what_is_earned_as_boss_and_partner_is_all_the_money_of_the_board_game(run: Path, ledger: DealLedger) -> None:
    boss, partner = (totals(ledger, "board", table, "earned") for table in ("boss", "partner"))
    assert {name: boss[name] + partner[name] for name in boss} == money(run, "board")
    paid = sum(totals(ledger, "board", "payments", "paid").values())
    assert paid == sum(partner.values()) > 0


def test_what_is_earned_in_all_roles_is_the_money_of_the_card_game_but_for_that_at_the_start(
    run: Path, ledger: DealLedger
) -> None:
    earned, own = totals(ledger, "cards", "rounds", "earned"), money(run, "cards")
    at_the_start = {(own[name] - earned[name]) / ledger.game("cards").matches for name in own}
    assert len(at_the_start) == 1


def test_the_outcomes_of_offers_and_the_endings_of_deals_in_the_overview_add_up_to_all(ledger: DealLedger) -> None:
    for name, parts in (
        ("offers", ("agreed", "refused", "undercut", "withdrawn", "lapsed")),
        ("failed", ("closed", "given_up", "quiet", "out_of_ticks")),
        ("failed", ("no_offer", "no_agreement", "fell", "too_little")),
    ):
        shares: dict[object, list[float]] = {}
        for row in ledger.game("board").rows(name, by=["edition"]):
            if row.figure.name in parts:
                shares.setdefault(row.keys, []).append(row.estimate.mean or 0)
        assert len(shares) > 5
        assert {round(sum(each), 9) for each in shares.values()} == {1}
    told = ledger.game("board").table("offers").told
    assert told[:5] == ("agreed", "refused", "undercut", "withdrawn", "lapsed"), "side by side"


def test_the_overview_has_every_table_within_the_width(run: Path, arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (100, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        ran = arena("ledger", run)
        assert ran.code == 0
        for name in TABLES:
            assert f"(board {name})\n" in ran.out
        for name in SCRIPT:
            assert f"(cards {name})\n" in ran.out
        assert max(map(len, ran.out.replace(str(run), "DIR").splitlines())) <= width
    assert "24 matches in 2 blocks" in ran.out


def test_a_table_is_told_with_its_definitions_split_and_added_up_as_asked(run: Path, arena: Any) -> None:
    ran = arena("ledger", run, "--table", "ticks", "--by", "edition", "--over", "entrant")
    assert re.search(r"^edition +role +tick +offers", ran.out, re.MULTILINE)
    assert re.search(r"^schmidt-1994\S* +partner +1 +\d", ran.out, re.MULTILINE)
    assert "concession: By how much its best new price in this tick" in " ".join(ran.out.split())
    about = arena("ledger", run, "--table", "payments", "--entrant", "fair", "--over", "payee").out
    assert re.search(r"^payer +paid", about, re.MULTILINE)


@pytest.mark.cold
def test_the_bytes_are_the_same_for_any_number_of_processes(
    run: Path, arena: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = arena("ledger", run, "--json", "-j", "1")
    monkeypatch.setattr(gathering, "SERIAL_MATCHES", 0)
    monkeypatch.setattr(process_map, "PART_MATCHES", 5)
    assert arena("ledger", run, "--json", "-j", "2") == alone
    told = json.loads(alone.out)
    assert (told["matches"], told["void"], told["without_replay"]) == (24, 0, 0)
    once = {name for name in (*TABLES, *SCRIPT) if name not in BOTH}
    assert set(told["tables"]) == once | {f"{game}-{name}" for game in ("board", "cards") for name in BOTH}
    prices = told["tables"]["prices"]
    assert set(prices["rows"][0]) == {*prices["keys"], *VALUE_COLUMNS}
    assert {row["figure"] for row in prices["rows"]} == set(prices["figures"])


def test_files_hold_what_is_printed_as_json(run: Path, arena: Any, tmp_path: Path) -> None:
    told = json.loads(arena("ledger", run, "--json", "--by", "edition").out)["tables"]
    made = json.loads(arena("ledger", run, "--csv", "--by", "edition", "--out", tmp_path / "csv", "--json").out)
    arena("ledger", run, "--parquet", "--by", "edition", "--out", tmp_path / "parquet")
    assert set(made["files"]) == {*told, "figures"}
    for name, table in told.items():
        rows = pyarrow.parquet.read_table(tmp_path / "parquet" / f"{name}.parquet").to_pylist()
        assert rows == table["rows"]
        with (tmp_path / "csv" / f"{name}.csv").open(newline="") as file:
            written = list(csv.DictReader(file))
        assert [row["figure"] for row in written] == [row["figure"] for row in rows]
        assert list(written[0]) == list(rows[0])
    figures = pyarrow.parquet.read_table(tmp_path / "parquet" / "figures.parquet").to_pylist()
    assert {(row["table"], row["figure"]): row["definition"] for row in figures} == {
        (name, figure): each["definition"] for name, table in told.items() for figure, each in table["figures"].items()
    }


@pytest.mark.parametrize("command", ["ledger", "export"])
def test_on_a_full_disk_the_folder_is_named_and_neither_files_nor_folders_stay(
    command: str, run: Path, arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: CsvFile, rows: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(CsvFile, "add", full)
    (tmp_path / "mine").mkdir()
    ran = arena(command, run, "--csv", "-q", "--out", "mine/new/tables")
    assert ran == (1, "", "arena: mine/new/tables: No space left on device\n")
    assert list((tmp_path / "mine").iterdir()) == []


def test_by_default_files_are_in_the_run_and_blocks_can_be_kept_apart(run: Path, arena: Any, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    ran = arena("ledger", copy, "--csv", "--table", "kept", "--by", "block")
    assert sorted(path.name for path in (copy / "ledger").iterdir()) == ["figures.csv", "kept.csv"]
    assert f"rows  {copy / 'ledger' / 'kept.csv'}\n" in ran.out
    with (copy / "ledger" / "kept.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["block"] for row in rows} <= {"0", "1"}
    assert {(row["low"], row["blocks"]) for row in rows} == {("", "1")}


def test_gifts_are_those_of_arena_collusion(run: Path, arena: Any, ledger: DealLedger) -> None:
    judged = json.loads(arena("collusion", run, "--json", "--all").out)
    for game in ("board", "cards"):
        pairs = judged["games"][game]["pairs"]
        theirs = {(each["giver"], each["receiver"]): each["gift"]["mean"] for each in pairs if not each["mutual"]}
        mine = {row.keys: round(row.estimate.mean or 0, 6) for row in ledger.game(game).rows("gifts")}
        assert len(mine) == 12
        assert mine == theirs


def test_the_example_of_the_page_runs(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("ledger", "python")
    names: dict[str, Any] = {"DIR": run}
    exec(example, names)
    assert "kept" in capsys.readouterr().out
    assert len(names["prices"]) > 2
    assert {len(column) for column in names["columns"].values()} == {len(names["columns"]["mean"])}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--table", "tick"], "the ledger has no table 'tick' (did you mean 'ticks'?); it has "),
        (["--by", "editon"], "by: expected edition, players, block, got 'editon' (did you mean 'edition'?)\n"),
        (["--table", "boss", "--over", "role"], "over: expected entrant, got 'role'\n"),
        (["--entrant", "fare"], "nobody called 'fare' played (did you mean 'fair'?); there are "),
        (["--out", "x"], "--out is for files: add --csv or --parquet\n"),
        (["-j", "999"], "999 jobs on "),
    ],
)
def test_mistakes_are_told_before_anything_is_read(
    options: list[str], told: str, run: Path, arena: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.analysis.run_ledger.gather_from_replays", None)
    ran = arena("ledger", run, *options)
    assert (ran.code, ran.out, ran.err[: len(told) + 7]) == (2, "", f"arena: {told}")


def test_void_matches_and_those_without_replay_are_said(run: Path, arena: Any, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    path = copy / "matches.jsonl"
    first, second, *rest = path.read_text().splitlines(keepends=True)
    first = first.replace('"void":false', '"void":true')
    path.write_text("".join([first, re.sub('"replay":"[^"]*"', '"replay":""', second), *rest]))
    ran = arena("ledger", copy, "--table", "offers")
    assert ran.err == "arena: 22 matches are counted; left out: 1 void, 1 without replay\n"
    path.write_text(re.sub('"replay":"[^"]*"', '"replay":""', path.read_text()))
    ran = arena("ledger", copy)
    assert ran == (
        2,
        "",
        f"arena: {copy} has no replays, and the ledger is made from replays; play with `replays: all`\n",
    )


def test_gifts_are_not_told_where_too_few_have_met(ledger: DealLedger) -> None:
    few = replace(ledger, games={"board": replace(ledger.game("board"), gifts=())})
    assert "gifts" not in few.game().tables
    with pytest.raises(UserError, match="too few entrants met"):
        choose_of_ledger(few, ["gifts"])
