"""``arena ratings``: what it prints and writes, and how it answers mistakes."""

from __future__ import annotations

import csv
import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import arena.results
from arena.ratings.rate import Basis, RatingOptions

RUN = """
name: few
seed: 5
entrants: [greedy, fair, hard, dealmaker]
editions: [{rules: eagle-gryphon, changes: {max_turns: 8}}]
seats: 3
format: list
seat_orders: listed
isolation: none
replays: none
fixtures:
"""
RUN += "".join(
    f"  - [{block}, {', '.join((*table[block % 3 :], *table[: block % 3]))}]\n"
    for block in range(6)
    for table in combinations(("greedy", "fair", "hard", "dealmaker"), 3)
)
"""In each of six blocks all four tables, in one order of seats."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few short matches."""
    from click.testing import CliRunner

    from arena.cli.main import cli

    place = tmp_path_factory.mktemp("rated")
    (place / "few.yaml").write_text(RUN)
    ran = CliRunner().invoke(cli, ["run", str(place / "few.yaml"), "-o", str(place / "run"), "-q", "-j", "1"])
    assert ran.exit_code == 0, ran.output
    return place / "run"


@pytest.mark.slow
def test_two_tables_with_what_they_mean(arena: Any, folder: Path) -> None:
    ran = arena("ratings", folder, "--clone-robust", "--seats")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^By order of finish$", ran.out, re.MULTILINE)
    assert re.search(r"^In money \(\$M\)$", ran.out, re.MULTILINE)
    for name in ("greedy", "fair", "hard", "dealmaker"):
        assert len(re.findall(rf"^ +\d +{name} ", ran.out, re.MULTILINE)) == 4, "two tables and two matrices"
    flat = " ".join(ran.out.split())
    assert "24 matches of eagle-gryphon" in flat
    assert "in 6 blocks, 0 void. ± is half of a 95 % interval clustered by block" in flat
    assert "Neither ± nor confidence is corrected for many pairs." in flat
    assert "Clone-robust (deviation ratings)" in flat
    assert flat.count("Row above column, confidence in %: # entrant 1 2 3 4 ---") == 2
    assert re.search(r"Two equal entrants next to each other tie in \d+\.\d % of cases\.", flat)
    assert "Better than average: the share of matches" in flat
    assert (
        "Lead: own minus others, its advantage over each opponent (in arena luck: over the mean of the table)." in flat
    )
    assert max(map(len, ran.out.splitlines())) <= 100


def test_a_narrow_terminal_loses_columns_and_is_told_which(
    arena: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    ran = arena("ratings", folder, "--clone-robust")
    assert max(map(len, ran.out.splitlines())) <= 60
    flat = " ".join(ran.out.split())
    assert "Too wide for this terminal: better than average, clone-robust;" in flat
    assert "Better than average:" not in flat, "what is not shown is not explained"


def test_json_csv_and_python_tell_the_same(arena: Any, folder: Path, tmp_path: Path) -> None:
    ran = arena("ratings", folder, "--json", "--anchor", "fair", "--csv", tmp_path / "r.csv")
    assert (ran.code, ran.err) == (0, f"ratings {tmp_path / 'r.csv'}\n")
    told = json.loads(ran.out)
    rows = told["order"]["scales"][0]["rows"]
    lines = list(csv.DictReader((tmp_path / "r.csv").read_text().splitlines()))
    assert len(lines) == 8
    for row, line in zip(rows, lines[:4], strict=True):
        assert (line["basis"], line["entrant"]) == ("order", row["entrant"])
        assert float(line["log_worth"]) == pytest.approx(row["log_worth"]["mean"], abs=1e-6)
    assert next(row for row in rows if row["entrant"] == "fair")["log_worth"]["mean"] == 0
    assert told["money"]["scales"][0]["relative_to"] == "fair"
    found = arena_ratings(folder, RatingOptions((Basis.ORDER,)))
    assert found.money is None
    scale = found.order.scales[0].anchored("fair")
    assert scale.estimate(scale.names.index("hard")).mean == pytest.approx(
        next(row for row in rows if row["entrant"] == "hard")["log_worth"]["mean"], abs=1e-6
    )


def arena_ratings(folder: Path, wanted: RatingOptions) -> Any:
    return arena.results.read(folder).ratings(wanted)


def test_lines_in_another_order_give_the_same_bytes(arena: Any, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    lines = (folder / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (other / "matches.jsonl").write_bytes(b"".join(lines[::-1]))
    words = ("--json", "--clone-robust")
    assert arena("ratings", other, *words).out == arena("ratings", folder, *words).out


def test_pairs_as_games_for_ordo(arena: Any, folder: Path, tmp_path: Path) -> None:
    ran = arena("ratings", folder, "--measure", "order", "--pgn", tmp_path / "games.pgn")
    assert (
        ran.err == f"games   {tmp_path / 'games.pgn'}: 72, of two seats each; those of one match are not independent\n"
    )
    games = (tmp_path / "games.pgn").read_text().split("\n\n[")
    assert len(games) == 24 * 3
    first = json.loads((folder / "matches.jsonl").read_text().splitlines()[0])
    one, two = first["seats"][:2]
    result = "1-0" if one["rank"] < two["rank"] else "0-1" if one["rank"] > two["rank"] else "1/2-1/2"
    assert games[0].splitlines() == [
        f'[Event "few, {first["edition"]}"]',
        f'[Site "{first["id"]}"]',
        '[Date "????.??.??"]',
        '[Round "1"]',
        f'[White "{one["entrant"]}"]',
        f'[Black "{two["entrant"]}"]',
        f'[Result "{result}"]',
        f'[Termination "{first["termination"]}"]',
        "",
        result,
    ]


def test_matches_without_somebody_and_with_measures_chosen(arena: Any, folder: Path) -> None:
    ran = arena("ratings", folder, "--without", "hard", "--measure", "money", "--json")
    told = json.loads(ran.out)
    assert (told["matches"], told["order"]) == (6, None)
    assert sorted(told["entrants"]) == ["dealmaker", "fair", "greedy"]


def changed(folder: Path, place: Path, **facts: Any) -> Path:
    """A copy of a run whose manifest says something else."""
    place.mkdir()
    manifest = json.loads((folder / "manifest.json").read_text())
    (place / "manifest.json").write_text(json.dumps({**manifest, **facts}))
    (place / "matches.jsonl").write_bytes((folder / "matches.jsonl").read_bytes())
    return place


def test_runs_with_the_same_bots_are_rated_together(arena: Any, folder: Path, tmp_path: Path) -> None:
    other = changed(folder, tmp_path / "other", seed="6")
    told = json.loads(arena("ratings", folder, other, "--json").out)
    assert (told["matches"], told["blocks"]) == (48, 12)


def test_a_match_is_not_counted_twice(arena: Any, folder: Path, tmp_path: Path) -> None:
    ran = arena("ratings", folder, changed(folder, tmp_path / "copy"))
    assert (ran.code, ran.out) == (2, "")
    assert "hold the same matches, for example one of eagle-gryphon" in ran.err
    assert ran.err.endswith(": give each run once\n")
    assert json.loads(arena("ratings", folder, folder, "--json").out)["matches"] == 24


def test_runs_that_call_different_things_by_one_name_are_not_rated_together(
    arena: Any, folder: Path, tmp_path: Path
) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    entrants = {**manifest["entrants"], "fair": {**manifest["entrants"]["fair"], "sha256": "0" * 64}}
    ran = arena("ratings", folder, changed(folder, tmp_path / "bot", seed="6", entrants=entrants))
    assert ran.code == 2
    assert "cannot be rated together: the bot of fair is not the same in both" in ran.err
    rules = dict.fromkeys(manifest["editions"], "1" * 64)
    ran = arena("ratings", folder, changed(folder, tmp_path / "rules", seed="6", editions=rules))
    assert "cannot be rated together: the rules of eagle-gryphon" in ran.err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--anchor", "greddy"), "arena: no entrant 'greddy' (did you mean 'greedy'?) in these matches; there are "),
        (("--without", "Fair"), "arena: no entrant 'Fair' (did you mean 'fair'?) in these matches; there are "),
        (("--edition", "outline"), "arena: no edition 'outline' in these matches; there are eagle-gryphon"),
        (("--without", "fair", "--without", "hard"), "arena: no match to rate: none is finished, or none is"),
        (("--seats", "--no-seats"), "Usage: arena ratings "),
        (("--csv", "."), "Usage: arena ratings "),
    ],
)
def test_mistakes(arena: Any, folder: Path, words: tuple[str, ...], problem: str) -> None:
    ran = arena("ratings", folder, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(problem)


def test_a_line_that_is_no_record_is_named(arena: Any, folder: Path, tmp_path: Path) -> None:
    other = changed(folder, tmp_path / "other")
    with (other / "matches.jsonl").open("ab") as file:
        file.write(b'{"id": 5}\n')
    ran = arena("ratings", other)
    assert ran.code == 2
    assert f"{other / 'matches.jsonl'}:25: no match record" in ran.err


def test_runs_that_are_not_finished_are_called_provisional(arena: Any, folder: Path, tmp_path: Path) -> None:
    ran = arena("ratings", changed(folder, tmp_path / "stopped", state="stopped"), "--measure", "order")
    assert ran.code == 0
    assert ran.err == f"provisional: the matches in {tmp_path / 'stopped'} are those of a run that is stopped\n"


def test_a_matrix_that_is_too_wide_is_shown_when_it_is_asked_for(
    arena: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    wide = "Too wide for this terminal: who is above whom; --matrix shows it"
    assert wide in " ".join(arena("ratings", folder, "--measure", "order").out.split())
    asked = arena("ratings", folder, "--measure", "order", "--matrix").out
    assert wide not in " ".join(asked.split())
    assert "Row above column, confidence in %:" in asked
