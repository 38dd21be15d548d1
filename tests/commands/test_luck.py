"""``arena luck``: money without luck of runs, and value functions fitted on them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena import results
from arena.commands.luck import corrected_money
from arena.commands.luck.corrected_money import fit_value_function, load_value, take_out
from arena.errors import ReplayError, UserError
from arena.luck import ridge_fit
from arena.luck.corrected import Corrected, Totals
from arena.luck.value import MONEY_UNITS
from arena.tournament.records.match_record import MatchRecord
from tests.kept import loosen
from tests.played_run import play_run
from tests.thirdgame.test_third_game import HERE as THIRD
from tests.thirdgame.test_third_game import PIE

TOURNAMENT = """
name: mix
seed: 5
entrants: [fair, silent, random-legal]
editions:
  - {rules: eagle-gryphon, changes: {max_turns: 6}}
  - {rules: card-game, changes: {rounds: {3: 1}}}
seats: 3
format: list
seat_orders: listed
fixtures:
  - [0, fair, silent, random-legal]
  - [1, silent, random-legal, fair]
  - [2, random-legal, fair, silent]
  - [3, fair, random-legal, silent]
  - [4, random-legal, silent, fair]
  - [5, silent, fair, random-legal]
  - [6, fair, silent, random-legal]
  - [7, silent, random-legal, fair]
isolation: none
"""
MATCHES = 2 * 8


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of both games."""
    return play_run(tmp_path_factory.mktemp("played"), TOURNAMENT)


@pytest.fixture(scope="module")
def luck(played: Path) -> tuple[Corrected, ...]:
    """Its money with and without luck, by edition and game."""
    return results.read(played).luck()


@pytest.fixture(scope="module")
def corrections(played: Path) -> list[tuple[MatchRecord, tuple[float, ...] | None]]:
    """What chance brought in each of its matches."""
    return list(results.read(played).corrections())


@pytest.fixture(autouse=True)
def _fit_to_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has as few matches fitted as there are of each game."""
    monkeypatch.setattr(ridge_fit, "LEAST_MATCHES", MATCHES // 2)


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "run"))


@pytest.mark.slow
def test_raw_money_is_that_of_the_standings_and_luck_is_what_was_taken_out(
    played: Path, luck: tuple[Corrected, ...]
) -> None:
    standings = {each.edition: each for each in results.read(played).standings()}
    assert [each.edition for each in luck] == list(standings)[:2]
    for each in luck:
        raw = {row.entrant: row["mean_money"] for row in standings[each.edition].rows}
        for row in each.rows:
            assert row.money == raw[row.entrant]
            assert row.luck.mean == pytest.approx(row.money.mean - row.corrected_money.mean)  # type: ignore[operator]
        assert sum(row.lead.mean * row.matches for row in each.rows) == pytest.approx(0, abs=1e-4)  # type: ignore[operator,misc]


@pytest.mark.slow
def test_the_corrections_of_matches_add_up_to_the_luck_of_entrants(
    luck: tuple[Corrected, ...], corrections: list[tuple[MatchRecord, tuple[float, ...] | None]]
) -> None:
    sums: dict[tuple[str, str], list[float]] = {}
    for record, brought in corrections:
        assert brought is not None
        assert len(brought) == 3
        for seat, amount in zip(record.seats, brought, strict=True):
            sums.setdefault((record.edition, seat.entrant), []).append(amount)
    for each in luck:
        for row in each.rows:
            amounts = sums[each.edition, row.entrant]
            assert row.luck.mean == pytest.approx(sum(amounts) / len(amounts))


def test_two_processes_find_what_one_finds(
    played: Path, luck: tuple[Corrected, ...], cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corrected_money, "SERIAL_MATCHES", 0)
    assert take_out(played, jobs=min(2, cores)).found == luck


@pytest.fixture
def cores() -> int:
    """How many processes may be used."""
    from arena.system.platform_support import usable_cores

    return usable_cores()


def test_the_order_of_the_matches_does_not_matter(
    corrections: list[tuple[MatchRecord, tuple[float, ...] | None]],
) -> None:
    matches = [(record, tuple(round(each * MONEY_UNITS) for each in luck)) for record, luck in corrections if luck]
    found = []
    for seed in (None, 1, 2):
        if seed is not None:
            Random(seed).shuffle(matches)
        totals = Totals()
        for record, luck in matches:
            totals.add(record, luck)
        found.append(totals.corrected_editions())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("command", ["luck", "collusion"])
def test_a_record_that_contradicts_its_replay_is_named(arena: Any, run: Path, command: str) -> None:
    path = run / "matches.jsonl"
    record = json.loads(path.read_text().splitlines()[3])
    old = f'"money":{record["seats"][0]["money"]}'
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:3], lines[3].replace(old, '"money":99', 1), *lines[4:]]))
    ran = arena(command, run)
    assert (ran.code, ran.out) == (ReplayError.exit_code, "")
    told = f"matches.jsonl has another result of {record['id']}: money of seat 0 is 99 here, "
    assert record["replay"] in ran.err
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["luck", "collusion", "standings", "ratings", "verify"])
def test_money_that_no_number_of_64_bits_holds_is_named_with_its_line(arena: Any, run: Path, command: str) -> None:
    path = run / "matches.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(
        "".join([*lines[:3], re.sub('"money":-?[0-9]+', '"money":' + 400 * "9", lines[3], count=1), *lines[4:]])
    )
    ran = arena(command, run)
    told = f"{path}:4: no match record: Expected `int` <= 9223372036854775807 - at `$.seats[0].money`"
    assert (ran.code, told in ran.out + ran.err) == (3 if command == "verify" else 2, True)
    assert "Traceback" not in ran.err


def test_matches_without_a_replay_are_left_out_and_counted(arena: Any, run: Path) -> None:
    lines = (run / "matches.jsonl").read_text().splitlines(keepends=True)
    without = [line.replace(f'"replay":"{json.loads(line)["replay"]}"', '"replay":""') for line in lines[:7]]
    (run / "matches.jsonl").write_text("".join([*without, *lines[7:]]))
    ran = arena("luck", run, "--json")
    assert ran.code == 0
    assert f"7 of {MATCHES} matches have no replay and are left out, of the raw figures too" in ran.err
    found = json.loads(ran.out)
    assert (found["matches"], found["without_replay"]) == (MATCHES - 7, 7)
    assert sum(each["matches"] for each in found["editions"]) == MATCHES - 7


def test_a_run_without_replays_is_refused(arena: Any, run: Path) -> None:
    lines = (run / "matches.jsonl").read_text().splitlines(keepends=True)
    without = [line.replace(f'"replay":"{json.loads(line)["replay"]}"', '"replay":""') for line in lines]
    (run / "matches.jsonl").write_text("".join(without))
    ran = arena("luck", run)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"arena: {run}: none of its {MATCHES} matches has a replay, and luck is computed from replays; "
        "play with `replays: all`\n"
    )


def test_void_matches_count_for_nothing(run: Path) -> None:
    lines = (run / "matches.jsonl").read_text().splitlines(keepends=True)
    first = json.loads(lines[0])
    (run / "matches.jsonl").write_text("".join([json.dumps({**first, "void": True}) + "\n", *lines[1:]]))
    assert take_out(run).matches == MATCHES - 1
    assert next(results.read(run).corrections())[1] is None


def test_a_replay_that_was_changed_is_named(run: Path) -> None:
    loosen(run)
    path = sorted((run / "replays").rglob("*.jsonl"))[0]
    path.write_bytes(path.read_bytes().replace(b'"cards":["', b'"cards":["stop","', 1))
    with pytest.raises(ReplayError, match=f"{path.name}: line "):
        take_out(run)


def test_a_function_fitted_on_the_same_seed_is_refused(arena: Any, run: Path, tmp_path: Path) -> None:
    made = fit_value_function([run], tmp_path / "own.json")
    assert made == load_value(tmp_path / "own.json")
    assert [(each.name, each.seed, each.matches) for each in made.sources] == [("mix", "5", MATCHES)]
    ran = arena("luck", run, "--values", tmp_path / "own.json")
    assert (ran.code, ran.out) == (2, "")
    assert "and this value function was fitted" in ran.err


def test_fit_says_what_it_fitted(arena: Any, run: Path, tmp_path: Path) -> None:
    ran = arena("luck", run, "--fit", "v.json", "--json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["sha256"] == load_value(tmp_path / "v.json").digest
    assert {each["matches"] for each in found["weights"]} <= {MATCHES, MATCHES // 2}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--values", "none.json"), "none.json: No such file or directory"),
        (
            ("--values", "a.json", "--fit", "b.json"),
            "give only one of --values (a value function to use) and --fit (one to make)",
        ),
        (("--fit", "matches"), "--fit"),
    ],
)
def test_mistakes_are_one_line(arena: Any, run: Path, tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "matches").mkdir()
    ran = arena("luck", run, *words)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.count("\n") == 1


def test_several_runs_are_for_fitting_only(arena: Any, run: Path) -> None:
    ran = arena("luck", run, run)
    assert (ran.code, ran.err) == (2, "arena: expected one run, got 2; several are for --fit\n")


@pytest.mark.slow
def test_the_table_fits_the_terminal_and_says_what_is_not_shown(
    arena: Any, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (80, 100):
        monkeypatch.setenv("COLUMNS", str(width))
        ran = arena("luck", played)
        assert (ran.code, ran.err) == (0, "")
        assert max(map(len, ran.out.splitlines())) <= width
        flat = " ".join(ran.out.split())
        assert ("Lead: money above the mean of its table (in arena ratings: above each opponent)." in flat) == (
            width == 100
        )
        assert re.search(r"^ .* a match$", ran.out, re.MULTILINE), "luck itself is always shown"
        assert "Not removed: the effects of" in flat
        assert load_value(None).digest in ran.out
        assert ("Too wide for this terminal: lead, lead without luck; --json has all." in flat) == (width == 80)
        assert ("the lead is as precise as" in flat) == (width == 100)


def test_a_game_that_tells_nothing_of_chance_is_left_out(arena: Any, tmp_path: Path) -> None:
    assert arena("run", THIRD / "pies.yaml", "-o", "out", "-j", 1, "-q").code == 0
    ran = arena("luck", "out", "--game", PIE)
    assert (ran.code, ran.out) == (2, "")
    assert "there are no weights for the games and numbers of players of its" in ran.err


def test_nothing_is_corrected_where_no_match_counts(tmp_path: Path, played: Path) -> None:
    with pytest.raises(UserError):
        take_out(tmp_path)
