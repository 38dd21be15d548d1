"""``arena export`` and ``arena.results``: the same rows as files, as objects and as columns, of runs in any state."""

from __future__ import annotations

import csv
import json
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import time
from base64 import b64decode
from collections import Counter
from datetime import datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any
from zlib import decompress

import msgspec
import pyarrow
import pyarrow.parquet
import pytest
import yaml

from arena import results
from arena.analysis import process_map
from arena.commands.export import export_tables as exporting
from arena.errors import ReplayError, UserError
from arena.games import load_game
from arena.games.contract import Game
from arena.replay.ledger_events import tables_in
from arena.results import board, cards
from arena.storage.tables import match_tables
from arena.storage.tables.table_files import ITEM_SEPARATOR
from arena.system.platform_support import usable_cores
from tests.docs.pages import blocks
from tests.kept import loosen
from tests.played_run import play_run
from tests.thirdgame.test_third_game import HERE as THIRD
from tests.thirdgame.test_third_game import PIE

TOURNAMENT = """
name: mix
seed: 5
entrants: [greedy, random-legal, {bot: random-legal, name: second}]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 8}}
  - {rules: card-game, changes: {rounds: {3: 2}}}
seats: 3
blocks: 2
isolation: none
"""
BOARD = ("deals", "offers", "agreements", "payments", "plays")
CARDS = ("rounds", "shares", "bargains", "actions")
ALL = ("matches", "seats", *BOARD, *CARDS, "events")
MATCHES = 2 * 2 * 3


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of both games."""
    return play_run(tmp_path_factory.mktemp("played"), TOURNAMENT)


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "run"))


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_every_table_is_a_file_with_a_line_for_each_row(arena: Any, run: Path) -> None:
    ran = arena("export", run)
    assert (ran.code, ran.err) == (0, "")
    written = {path.stem for path in (run / "tables").iterdir()}
    assert written == set(ALL)
    found = results.read(run)
    for name in ALL:
        lines = read_csv(run / "tables" / f"{name}.csv")
        assert len(lines) == sum(len(each["match"]) for each in found.columns(name)) > 0
        assert f"{len(lines):>10,} rows  {run / 'tables' / name}.csv\n" in ran.out


def test_the_money_of_every_seat_is_the_sum_of_the_csv_lines_about_it(arena: Any, run: Path) -> None:
    assert arena("export", run).code == 0
    paid: dict[tuple[str, str], int] = {}
    for line in read_csv(run / "tables" / "payments.csv"):
        for seat, sign in ((line["payee"], 1), (line["payer"], -1)):
            key = (line["match"], seat)
            paid[key] = paid.get(key, 0) + sign * int(line["amount"])
    for line in read_csv(run / "tables" / "shares.csv"):
        key = (line["match"], line["seat"])
        paid[key] = paid.get(key, 50) + int(line["amount"])
    seats = read_csv(run / "tables" / "seats.csv")
    assert len(seats) == MATCHES * 3
    for seat in seats:
        assert int(seat["money"]) == paid.get((seat["match"], seat["seat"]), 0)


@pytest.mark.parametrize("format", ["--csv", "--parquet"])
def test_files_are_the_same_bytes_for_any_number_of_processes(
    arena: Any, run: Path, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "SERIAL_MATCHES", 0)
    monkeypatch.setattr(process_map, "PART_MATCHES", 5)
    assert arena("export", run, format, "-o", "two", "-j", 2).code == 0
    if format == "--csv":
        monkeypatch.setattr(process_map, "PART_MATCHES", 32)  # no byte of text depends on it
    assert arena("export", run, format, "-o", "one", "-j", 1).code == 0
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_parquet_holds_what_csv_holds_with_types(arena: Any, run: Path, tmp_path: Path) -> None:
    assert arena("export", run, "--parquet", "-o", "out").code == 0
    assert arena("export", run, "--csv", "-o", "out").code == 0
    for name in ALL:
        table = pyarrow.parquet.read_table(tmp_path / "out" / f"{name}.parquet")
        assert [dict(zip(row, map(cell, row.values()), strict=True)) for row in table.to_pylist()] == read_csv(
            tmp_path / "out" / f"{name}.csv"
        )
        assert table.replace_schema_metadata() == results.read(run).arrow(name)
    offers = pyarrow.parquet.read_schema(tmp_path / "out" / "offers.parquet")
    assert offers.field("price").type == pyarrow.int64()
    assert offers.field("share").type == pyarrow.float64()
    assert offers.field("placards").type == pyarrow.list_(pyarrow.string())
    assert offers.metadata[b"table"] == b"offers"


def cell(value: Any) -> str:
    """A value as CSV has it."""
    match value:
        case datetime():
            return value.isoformat()
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ITEM_SEPARATOR.join(map(str, value))
    return str(value)


@pytest.fixture(scope="module")
def package(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the run."""
    out = tmp_path_factory.mktemp("package")
    exporting.export_package(played, out, ["Ada Lovelace"])
    return out


def test_a_package_says_of_every_column_its_type_its_meaning_and_its_keys(package: Path) -> None:
    said = json.loads((package / "datapackage.json").read_text())
    resources = {each["name"]: each for each in said["resources"]}
    assert {each["path"] for each in said["resources"]} | {"datapackage.json"} == {
        path.name for path in package.iterdir()
    }
    types = {"integer": "int64", "number": "double", "boolean": "bool", "string": "string"}
    types |= {"array": "list", "datetime": "timestamp"}
    for name in ALL:
        content = (package / f"{name}.parquet").read_bytes()
        assert (resources[name]["bytes"], resources[name]["hash"]) == (
            len(content), f"sha256:{sha256(content).hexdigest()}",
        )  # fmt: skip
        table = pyarrow.parquet.read_table(package / f"{name}.parquet")
        schema = resources[name]["schema"]
        assert [field["name"] for field in schema["fields"]] == table.column_names
        for field, column in zip(schema["fields"], table.schema, strict=True):
            assert str(column.type).startswith(types[field["type"]]), (name, field)
            assert field["description"], (name, field)
            assert field["constraints"]["required"] is not column.nullable
        assert ("primaryKey" in schema) is (name not in ("payments", "plays", "actions"))
        if "primaryKey" in schema:
            keys = table.select(schema["primaryKey"]).to_pylist()
            assert len({tuple(key.values()) for key in keys}) == len(keys)
        for each in schema.get("foreignKeys", []):
            target = pyarrow.parquet.read_table(package / f"{each['reference']['resource']}.parquet")
            held = {tuple(row.values()) for row in table.select(each["fields"]).to_pylist()}
            there = {tuple(row.values()) for row in target.select(each["reference"]["fields"]).to_pylist()}
            assert {key for key in held if None not in key} <= there, (name, each)
    units = {field["name"]: field.get("unit") for field in resources["offers"]["schema"]["fields"]}
    assert (units["price"], units["tick"]) == ("$M", None)
    by = {"fields": ["match", "offer"], "reference": {"resource": "offers", "fields": ["match", "offer"]}}
    assert by in resources["agreements"]["schema"]["foreignKeys"]


def test_a_package_says_how_to_cite_it(package: Path) -> None:
    told = yaml.safe_load((package / "CITATION.cff").read_text())
    assert (told["cff-version"], told["type"], told["authors"]) == ("1.2.0", "dataset", [{"name": "Ada Lovelace"}])
    root = json.loads((package / "datapackage.json").read_text())["arena"]["root_digest"]
    assert told["identifiers"][0]["value"] == f"sha256:{root}"


def test_the_scripts_of_a_package_give_its_standings_and_tell_a_figure_that_differs(
    played: Path, package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    script = package / "standings.py"
    assert runpy.run_path(str(script))["main"]() == 0
    figures = 3 * 3 * 12  # three standings of three entrants
    assert capsys.readouterr().out.endswith(f"\n{figures} of {figures} figures are those of standings.csv\n")
    shutil.copytree(package, tmp_path / "changed")
    in_r: list[str] = []
    if shutil.which("Rscript") and not subprocess.run(["Rscript", "-e", "library(jsonlite)"], check=False).returncode:
        in_r = ["Rscript", "standings.R"]  # reads CSV where R has no reader of Parquet
        exporting.export_run(played, tmp_path / "changed", names=["matches", "seats"])
        ran = subprocess.run(in_r, cwd=tmp_path / "changed", check=False, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout.endswith(f"\n{figures} of {figures} figures are those of standings.csv\n")
    text = (package / "standings.csv").read_text()
    digit = re.search(r",0\.\d{5}(\d),", text)
    assert digit is not None
    other = f"{text[: digit.start(1)]}{(int(digit[1]) + 1) % 10}{text[digit.end(1) :]}"
    (tmp_path / "changed" / "standings.csv").write_text(other)
    if in_r:
        ran = subprocess.run(in_r, cwd=tmp_path / "changed", check=False, capture_output=True, text=True)
        assert (ran.returncode, "standings.csv has" in ran.stderr) == (1, True), ran
    monkeypatch.setattr(sys, "argv", [script.name])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(tmp_path / "changed" / script.name), run_name="__main__")
    assert (ended.value.code, "standings.csv has" in capsys.readouterr().err) == (1, True)


def test_the_event_log_is_what_process_mining_reads_and_agrees_with_the_other_tables(package: Path) -> None:
    tables = {name: pyarrow.parquet.read_table(package / f"{name}.parquet").to_pylist() for name in ALL}
    log = tables["events"]
    moments = [(row["match"], row["time:timestamp"]) for row in log]
    assert len(set(moments)) == len(moments)
    assert all(row["time:timestamp"].tzinfo is not None for row in log)
    entrants = {(row["match"], row["seat"]): row["entrant"] for row in tables["seats"]}
    assert all(row["org:resource"] == entrants.get((row["match"], row["seat"])) for row in log)
    happened = Counter(row["concept:name"] for row in log)
    assert happened["offered"] == len(tables["offers"])
    assert happened["agreed"] == len(tables["agreements"])
    assert happened["opened"] == len(tables["deals"])
    assert happened["settled"] == len(tables["rounds"])
    answers = Counter(row["answer"] for row in (*tables["offers"], *tables["bargains"]))
    assert {answer: happened[answer] for answer in answers} == answers
    outcomes = Counter(row["outcome"] for row in tables["deals"])
    assert {outcome: happened[outcome] for outcome in outcomes} == outcomes
    assert happened["stopped"] <= sum(row["stopped_by"] is not None for row in tables["plays"])
    cases: dict[str, list[str]] = {}
    for row in log:
        cases.setdefault(row["case:concept:name"], []).append(row["concept:name"])
    assert len(cases) == len(tables["deals"]) + len(tables["rounds"])
    for case in cases.values():
        ends = {"opened": outcomes, "lead": ["settled"], "color": ["settled"]}
        assert case[-1] in ends[case[0]]


def test_a_package_is_the_same_bytes_again_and_refuses_what_it_cannot_mean(
    arena: Any, played: Path, package: Path, tmp_path: Path
) -> None:
    ran = arena("export", played, "--package", "--author", "Ada Lovelace", "-o", "again", "-j", 1)
    assert (ran.code, ran.err) == (0, "")
    assert files(tmp_path / "again") == files(package)
    assert "  again/datapackage.json\n" in ran.out
    assert arena("export", played, "--author", "x").err.endswith("--author is for --package\n")
    assert "leave out --table" in arena("export", played, "--package", "-t", "offers").err


def test_only_the_tables_that_are_named_are_written_and_older_files_replaced(
    arena: Any, run: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "offers.csv").write_text("old\n")
    ran = arena("export", run, "-t", "offers", "--table", "seats", "-o", "out", "--json")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"offers.csv", "seats.csv"}
    told = json.loads(ran.out)
    assert (told["matches"], told["without_replay"], told["rows"]["seats"]) == (MATCHES, 0, MATCHES * 3)
    assert told["files"] == {"seats": "out/seats.csv", "offers": "out/offers.csv"}
    assert (tmp_path / "out" / "offers.csv").read_text() != "old\n"


def test_a_stopped_run_is_exported_in_the_schedules_order_without_a_line_that_is_cut_off(
    arena: Any, run: Path, tmp_path: Path
) -> None:
    assert arena("export", run, "-o", "whole").code == 0
    lines = (run / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (run / "matches.jsonl").write_bytes(b"".join(reversed(lines[:-2])) + lines[-2][:50])
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "state": "stopped", "finished": MATCHES - 2}))
    assert arena("export", run, "-o", "part").code == 0
    kept = {json.loads(line)["id"] for line in lines[:-2]}
    for name, content in files(tmp_path / "part").items():
        whole = (tmp_path / "whole" / name).read_text().splitlines(keepends=True)
        assert content.decode() == "".join(line for line in whole if line.split(",")[0] in {"match", *kept})
    assert results.read(run).state == "stopped"
    assert [record.id for record in results.read(run).records()] == [json.loads(line)["id"] for line in lines[:-2]]


def test_with_a_damaged_replay_nothing_is_written_at_all(arena: Any, run: Path, tmp_path: Path) -> None:
    loosen(run)
    damaged = sorted((run / "replays").rglob("*.jsonl"))[-1]
    damaged.write_bytes(damaged.read_bytes()[:-20])
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "offers.csv").write_text("old\n")
    ran = arena("export", run, "-o", "out")
    where = damaged.relative_to(run)
    assert ran.code == ReplayError.exit_code
    assert ran.err.startswith(f"arena: {where}: line ")
    assert files(tmp_path / "out") == {"offers.csv": b"old\n"}


def test_what_a_killed_export_left_is_removed_but_not_what_another_is_writing(
    arena: Any, run: Path, tmp_path: Path
) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    left, written = (tmp_path / "out" / f".matches.csv.{process}" for process in (ended.pid, os.getppid()))
    left.parent.mkdir()
    for path in (left, written):
        path.write_text("half")
    assert arena("export", run, "--csv", "-o", "out").code == 0
    assert (left.exists(), written.exists()) == (False, True)


def test_ctrl_c_ends_all_processes_without_a_word_and_leaves_no_file(launch: Any, run: Path, tmp_path: Path) -> None:
    (run / "matches.jsonl").write_bytes((run / "matches.jsonl").read_bytes() * 400)
    process = launch("export", run, "-o", "out", "-j", min(2, usable_cores()))
    while not list((tmp_path / "out").glob(".*.csv.*")):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"arena: stopped\n")
    assert not (tmp_path / "out").exists()


def test_a_replay_of_another_match_is_refused(arena: Any, run: Path) -> None:
    loosen(run)
    one, other = sorted((run / "replays").rglob("*.jsonl"))[:2]
    shutil.copy(one, other)
    ran = arena("export", run, "-t", "rounds")
    assert ran.code == ReplayError.exit_code
    assert ran.err.endswith("it is not the replay that matches.jsonl names: another sha256\n")


def test_a_missing_replay_is_told_with_what_brings_it_back(arena: Any, run: Path) -> None:
    loosen(run)
    path = min((run / "replays").rglob("*.jsonl"))
    path.unlink()
    ran = arena("export", run, "-t", "rounds")
    assert ran.code == ReplayError.exit_code
    assert ran.err.endswith(f"{path} is missing; play its match again with: arena run --resume {run} --trust\n")


def test_matches_without_replays_are_told_and_are_only_in_the_tables_that_need_none(arena: Any, run: Path) -> None:
    lines = [json.loads(line) for line in (run / "matches.jsonl").read_text().splitlines()]
    (run / "matches.jsonl").write_text("".join(json.dumps({**line, "replay": ""}) + "\n" for line in lines[:1]))
    with (run / "matches.jsonl").open("a") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines[1:])
    ran = arena("export", run)
    assert ran.err == f"arena: 1 of {MATCHES} matches have no replay: they are only in {MATCHES - 1}\n"
    assert len(read_csv(run / "tables" / "matches.csv")) == MATCHES
    assert lines[0]["id"] not in {line["match"] for line in read_csv(run / "tables" / "deals.csv")}
    assert lines[1]["id"] in {line["match"] for line in read_csv(run / "tables" / "deals.csv")}


def test_without_any_replay_a_table_that_is_named_is_refused_and_the_others_are_written(arena: Any, run: Path) -> None:
    text = (run / "matches.jsonl").read_text()
    lines = [json.dumps({**json.loads(line), "replay": ""}) for line in text.splitlines()]
    (run / "matches.jsonl").write_text("\n".join(lines) + "\n")
    ran = arena("export", run, "-t", "offers", "-t", "seats")
    assert ran.code == 2
    assert ran.err == f"arena: {run} has no replays, and offers are made from replays; play with `replays: all`\n"
    assert arena("export", run).code == 0
    assert {path.stem for path in (run / "tables").iterdir()} == {"matches", "seats"}


def test_mistakes_are_told_in_one_line(arena: Any, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = arena("export", run, "-t", "offer")
    assert ran.code == 2
    assert ran.err == f"arena: this run has no table 'offer' (did you mean 'offers'?); it has {', '.join(ALL)}\n"
    ran = arena("export", run.parent)
    assert ran.code == 2
    assert ran.err == f"arena: {run.parent} holds no run: {run.parent / 'manifest.json'} is missing\n"
    ran = arena("export", run, "-o", run / "manifest.json" / "x")
    assert ran.code == 2
    assert "cannot be written" in ran.err
    ran = arena("export", run, "-j", 4096)
    assert ran.code == 2
    assert re.fullmatch(r"arena: 4096 jobs on (\d+) cores would only slow each other down; give at most \1\n", ran.err)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.ipc", None)
    ran = arena("export", run, "--parquet")
    assert ran.code == 2
    assert ran.err.endswith('; install it with: pip install pyarrow (arena\'s extra "parquet"), or use CSV\n')
    assert not (run / "tables").exists()
    with pytest.raises(UserError, match="Arrow need pyarrow"):
        results.read(run).arrow("offers")


def test_rows_are_those_of_the_replays_each_with_its_match(run: Path) -> None:
    found = results.read(run)
    assert list(found.tables) == list(ALL)
    assert found.facts.tournament == "mix"
    for kind, name, game in ((board.OfferRow, "offers", "board"), (cards.BargainRow, "bargains", "cards")):
        expected = []
        for record in found.records():
            if record.game == game:
                content = found.replay(record)
                assert content is not None
                expected += [(record.id, row) for row in tables_in(content)[name]]
        assert [(record.id, row) for record, row in found.rows(kind)] == expected
        assert expected


def test_the_example_of_the_page_runs(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("tables", "python")
    exec(example.replace("DIR", repr(str(run))), {})
    told = re.search(r"^(\d+) of (\d+) offers for cards were accepted", capsys.readouterr().out, re.MULTILINE)
    assert told is not None
    assert 0 < int(told[1]) < int(told[2])


def test_columns_come_a_few_matches_at_a_time(run: Path) -> None:
    found = results.read(run)
    parts = list(found.columns("seats", matches=5))
    assert [len(part["match"]) for part in parts] == [15, 15, 6]
    assert list(parts[0]) == [column.name for column in found.tables["seats"].columns]
    whole = next(found.columns("seats"))
    assert {name: [value for part in parts for value in part[name]] for name in whole} == whole


def test_what_is_no_run_or_no_table_is_told(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no run"):
        results.read(tmp_path)
    with pytest.raises(UserError, match="no table of Struct; its tables are those of MatchRow, SeatRow, DealRow"):
        next(results.read(run).rows(msgspec.Struct))
    with pytest.raises(UserError, match="no table 'offerz'"):
        next(results.read(run).columns("offerz"))


def test_standings_are_those_of_the_run(run: Path) -> None:
    assert [each.edition for each in results.read(run).standings()][-1] == "all"


def test_a_game_without_a_ledger_has_the_tables_of_records_alone(arena: Any, tmp_path: Path) -> None:
    assert arena("run", THIRD / "pies.yaml", "-o", "pies", "-q").code == 0
    assert arena("export", "pies", "--game", PIE).code == 0
    assert {path.stem for path in (tmp_path / "pies" / "tables").iterdir()} == {"matches", "seats"}
    assert {line["unit"] for line in read_csv(tmp_path / "pies" / "tables" / "matches.csv")} == {"$"}


def test_a_folder_cannot_make_arena_import_a_module(arena: Any, run: Path) -> None:
    text = (run / "matches.jsonl").read_text()
    (run / "matches.jsonl").write_text(text.replace('"game":"board"', '"game":"antigravity.py"', 1))
    ran = arena("export", run)
    assert ran.code == 2
    assert ran.err == "arena: there is no game 'antigravity.py' here; if you trust it, add: --game antigravity.py\n"


@pytest.mark.slow
def test_no_table_holds_an_entrant_s_name_as_a_formula(arena: Any, tmp_path: Path) -> None:
    entrants = "[{bot: greedy, name: '=1+1'}, {bot: fair, name: '@SUM(A1)'}, {bot: hard, name: -x}]"
    editions = "[{rules: eagle-gryphon, changes: {max_turns: 6}}]"
    text = f"name: t\nseed: 3\nentrants: {entrants}\neditions: {editions}\nblocks: 2\nseats: 3\n"
    (tmp_path / "t.yaml").write_text(text)
    assert arena("run", "t.yaml", "-o", "out", "-j", 1, "-q").code == 0
    assert arena("export", "out", "-j", 1).code == 0
    assert arena("ledger", "out", "--csv", "-o", "ledger", "-q").code == 0
    assert arena("ratings", "out", "--csv", "ratings.csv").code == 0
    assert arena("report", "out", "-o", "out.html", "-q").code == 0
    written = [*(tmp_path / "out").rglob("*.csv"), *tmp_path.glob("*.csv"), *(tmp_path / "ledger").glob("*.csv")]
    assert {"standings.csv", "crosstable.csv", "seats.csv", "ratings.csv"} <= {path.name for path in written}
    sheets = [path.read_text() for path in written] + _sheets(tmp_path / "out.html")
    cells = {cell for text in sheets for row in csv.reader(StringIO(text, newline="")) for cell in row}
    assert {"'=1+1", "'@SUM(A1)", "'-x"} <= cells
    assert not {cell for cell in cells if cell[:1] in tuple("=+@-") and not re.fullmatch(r"-[0-9.]+(e-[0-9]+)?", cell)}


def _sheets(page: Path) -> list[str]:
    """The tables that a report holds, as their files are written."""
    packed = re.findall(r'"packed":"([^"]+)"', page.read_text())
    assert packed
    return [decompress(b64decode(each)).decode() for each in packed]


@pytest.fixture
def twins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with tables of one name, one of them with that of all matches."""

    class Odd(msgspec.Struct):
        first: int | None
        second: tuple[tuple[int, ...], ...]
        third: dict[str, int]

    base = load_game("board")
    fields = {name: getattr(base, name) for name in Game.__dataclass_fields__} | {"hooks": {}}
    one = Game(**{**fields, "name": "one", "tables": {"deals": Odd}})
    two = Game(**{**fields, "name": "two", "tables": {"deals": Odd, "matches": Odd, "own": Odd}})
    monkeypatch.setattr(match_tables, "load_game", {"one": one, "two": two}.__getitem__)


@pytest.mark.usefixtures("twins")
def test_tables_of_the_same_name_are_told_apart_by_their_games_and_odd_columns_are_json() -> None:
    found = match_tables.run_tables(["two", "one"])
    assert list(found) == ["matches", "seats", "one-deals", "two-deals", "two-matches", "own"]
    kinds = [(column.name, column.kind.value, column.empty) for column in found["own"].columns[3:]]
    assert kinds == [("first", "whole", True), ("second", "data", False), ("third", "data", False)]
