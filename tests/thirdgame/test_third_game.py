"""A game that arena does not know passes the laws (``tests/laws``), plays tournaments, and is verified, told and played
again; and a folder, a rules file and nothing else make it one of arena's own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Event
from arena.games.summary import Summary
from arena.runs.planning.isolation_level import strictest_isolation
from tests.changed_copy import copy_folder
from tests.conftest import environment_of, run_arena
from tests.thirdgame import pie
from tests.thirdgame.pie import Propose, Rules

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PIE = "tests.thirdgame.pie"
NAMES = ("even", "proud", "anything")
BOTS = tuple(HERE / "bots" / f"{name}.py" for name in NAMES)
WHERE = tuple(word for name, bot in zip(NAMES, BOTS, strict=True) for word in ("--bot", f"{name}={bot}"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match of three, and a tournament; nobody changes them."""
    folder = tmp_path_factory.mktemp("played")
    for words in (
        ("match", *BOTS, "--rules", HERE / "pie.yaml", "--seed", "5", "-o", "pie.jsonl"),
        ("run", HERE / "pies.yaml", "--blocks", 1, "-o", "out", "-j", 1, "-q"),
    ):
        ran = run_arena(folder, *words)
        assert ran.code == 0, ran
    return folder


@pytest.fixture
def replay(played: Path, tmp_path: Path) -> Path:
    """The match."""
    return Path(shutil.copy(played / "pie.jsonl", tmp_path))


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """The tournament's folder."""
    return shutil.copytree(played / "out", tmp_path / "out")


def test_its_rules_are_shown_checked_and_compared(arena: Any) -> None:
    path = HERE / "pie.yaml"
    assert f"\ngame: {PIE}\nname: pie\n" in arena("rules", "show", path).out
    assert "\nrounds: 2\n" in arena("rules", "show", path, "--variant", "impatient").out
    assert re.search(rf"fine; {PIE}, 2 to 3 players, digest \w{{16}}\n$", arena("rules", "check", path).out)
    assert arena("rules", "diff", path, path).out == "no difference\n"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("rounds=9", "rounds: nothing is left of the pie in round 9"),
        ("pie=x", "--rule pie: expected a whole number from 1 to 20, got 'x'"),
        ("pi=3", "--rule pi: unknown key (did you mean 'pie'?)"),
    ],
)
def test_a_mistake_in_its_rules_is_told(setting: str, message: str, arena: Any) -> None:
    ran = arena("rules", "check", HERE / "pie.yaml", "--rule", setting)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_P1_nobody_sees_what_walking_away_is_worth_to_others() -> None:
    rules = Rules("pie", "pie", "", (2, 3), 12, 2, 4, 5)
    one, other = (load_game(PIE).start(rules, 3, Chance(seed), None) for seed in ("one", "other"))
    for state in (one, other):
        state.apply(0, Propose((4, 4, 4)))
    one.hands, other.hands = (0, 3, 5), (5, 3, 0)  # type: ignore[attr-defined]
    assert one.view(0) == other.view(0)
    assert one.view(1) != other.view(1)


def test_a_match_of_it_is_played_told_verified_and_played_again(arena: Any, replay: Path) -> None:
    assert json.loads(replay.read_bytes().splitlines()[0])["game"] == PIE
    assert arena("verify", replay, "-q") == (0, "", "")
    assert arena("rerun", replay, *WHERE) == (0, f"{replay}: identical\n", f"isolation {strictest_isolation().level}\n")
    told = arena("show", replay).out
    assert "even proposes $4, $4, $4.\n" in told
    assert re.search(r"The match is over: (no )?agreement\.\n +\d+ +1\. \w+ \$\d+\n", told)


def test_one_ask_of_it_is_shown_without_words_of_its_own_and_deals_it_has_none(arena: Any, replay: Path) -> None:
    told = arena("show", replay, "--at", "ask1").out
    assert re.search(r"^  pie +\d+$", told, re.MULTILINE)
    assert re.search(r'^It answers\n  {"move":"propose","shares":\[4,4,4\]}$', told, re.MULTILINE)
    found = json.loads(arena("show", replay, "--at", "ask1", "--json").out)
    assert found["move"] == {"move": "propose", "shares": [4, 4, 4]}
    refused = f"arena: {replay}: the game {PIE} does not define its deals (tell_deals)\n"
    assert arena("show", replay, "--deals") == (2, "", refused)


def test_told_for_one_seat_the_worth_of_others_stays_hidden(arena: Any, replay: Path) -> None:
    assert arena("show", replay).out.count("Walking away is worth") == 3
    assert re.findall(r"is worth \$\d+ to (\w+)", arena("show", replay, "--seat", 1).out) == ["proud"]


def test_its_negotiations_cannot_be_drawn_and_it_is_said_what_can_be(arena: Any, replay: Path) -> None:
    can = "games that can: the deals of 'board' and the rounds of 'cards'"
    assert arena("picture", replay) == (2, "", f"arena: {replay}: a match of the game '{PIE}' cannot be drawn; {can}\n")


def test_money_is_in_its_own_unit(arena: Any) -> None:
    ran = arena("match", "--trust", *BOTS[:2], "--rules", HERE / "pie.yaml", "--seed", "5")
    assert re.match(r" +rank +seat +bot +\$ +ended +faults\n", ran.out)


def test_an_illegal_move_is_told_with_its_rule(arena: Any, write_bot: Any) -> None:
    head = f"from {PIE} import PieBot, Propose\n\nclass Grabber(PieBot):\n"
    bot = write_bot("def divide(self, view): return Propose((99, 0))", head=head)
    ran = arena("match", "--trust", bot, BOTS[0], "--rules", HERE / "pie.yaml", "--seed", "5")
    assert "player (seat 0): 1 × illegal [P2] in divide: the shares make $99, the pie is $12" in ran.err


def test_a_tournament_of_it_is_ranked_verified_and_resumed(arena: Any, run: Path) -> None:
    records = [json.loads(line) for line in (run / "matches.jsonl").read_bytes().splitlines()]
    assert len(records) == 2 * 3 * 2  # editions, tables, seat orders
    assert not any(seat["faults"] for record in records for seat in record["seats"])
    standings = (run / "standings.md").read_text()
    assert all(entrant in standings for entrant in ("even", "proud", "anything"))
    assert arena("verify", run).out.count(": verified\n") == len(records)
    assert arena("rerun", "--trust", run / records[0]["replay"]).out.endswith(": identical\n")
    (run / "matches.jsonl").write_bytes(b"".join((run / "matches.jsonl").read_bytes().splitlines(keepends=True)[:5]))
    assert arena("run", "--trust", "--resume", run, "-q").code == 0
    assert [json.loads(line) for line in (run / "matches.jsonl").read_bytes().splitlines()] == records


def test_a_tournament_has_tables_as_large_as_the_game_allows(arena: Any, tmp_path: Path) -> None:
    names = ", ".join(f"{{bot: silent, name: s{number}}}" for number in range(8))
    edition = f"{{rules: {HERE / 'pie.yaml'}, changes: {{players: [2, 8]}}, seats: [7, 8]}}"
    file = tmp_path / "wide.yaml"
    file.write_text(f"name: wide\nseed: 1\nentrants: [{names}]\neditions: [{edition}]\nseat_orders: rotations\n")
    ran = arena("run", "--trust", file, "-q", "-o", "out")
    assert (ran.code, ran.out.count(": 8 matches of"), ran.out.count(": 56 matches of")) == (0, 1, 1)
    ran = arena("run", "--trust", file, "--set", "editions[0].changes.players=[2,7]", "-o", "none")
    assert re.search(r":4:\d+: editions\[0\]\.seats\[1\]: pie\+\S+ is for 2 to 7 players, got 8$", ran.err.strip())
    told = arena("run", "--trust", file, "--seat-orders", "balanced", "--dry-run").out
    assert (told.count(": 336 matches\n"), told.count(": 168 matches\n")) == (1, 1)


def test_a_replay_of_it_is_read_elsewhere_once_the_game_is_named(real_arena: Any, replay: Path) -> None:
    refused = real_arena("verify", replay)
    assert refused.code == 2
    assert f"there is no game '{PIE}' here; if you trust it, add: --game {PIE}" in refused.out
    assert real_arena("verify", replay, "--game", PIE).out.startswith(f"{replay}: verified\n")
    assert "even proposes" in real_arena("show", replay, "--game", PIE).out
    assert real_arena("rerun", "--trust", replay, "--game", PIE, *WHERE).out == f"{replay}: identical\n"
    assert real_arena("show", replay, "--game", "tests.thirdgame.pi").code == 2


IN_TURN = """
import sys
from arena.cli.main import main
from arena.runs.bundled_bots import bundled_for
for line in sys.argv[1:]:
    sys.argv = ["arena", *line.split()]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, line
    print(end="\\0", flush=True)
print(bundled_for("pie")[0])
"""
"""Commands one after another, what each prints ended by a zero, and the bundled bot that others begin with."""


def test_a_folder_and_a_rules_file_make_it_one_of_the_games_of_arena(tmp_path: Path) -> None:
    for folder in ("arena", "configs"):
        copy_folder(ROOT / folder, tmp_path / folder)
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    (tmp_path / "arena" / "games" / "pie").mkdir()
    shutil.copy(HERE / "pie.py", tmp_path / "arena" / "games" / "pie" / "__init__.py")
    (tmp_path / "configs" / "rules" / "pie.yaml").write_text((HERE / "pie.yaml").read_text().replace(PIE, "pie"))
    (tmp_path / "even.py").write_text(BOTS[0].read_text().replace(PIE, "arena.games.pie"))

    lines = (
        "rules list",
        "bots list",
        "docs replay-schema",
        "docs show-schema",
        "bots check ./even.py --trust",
        "match ./even.py random-legal silent --rules pie --seed 1 -o m.jsonl",
        "verify m.jsonl",
    )
    words = [sys.executable, "-c", IN_TURN, *lines]
    environment = environment_of(PYTHONPATH=str(tmp_path), PYTHONHASHSEED="0")
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rules, bots, replays, shown, checked, _, verified, first = done.stdout.split("\0")
    assert re.search(r"^pie +pie +2–3 ", rules, re.MULTILINE)
    assert re.search(r"^random-legal .*pie", bots, re.MULTILINE)
    assert '"Valued"' in replays
    assert '"PieTable"' in shown
    assert checked.startswith("./even.py: 4 matches of pie, isolation level ")
    assert "\nfaults        none\n" in checked
    assert verified.startswith("m.jsonl: verified\n")
    assert first == "random-legal\n"


def test_a_gauntlet_of_a_game_that_sums_nothing_up_leaves_that_table_out(arena: Any) -> None:
    few = ("--deals", 1, "--seed", 1, "--trust", "-q")
    ran = arena("gauntlet", "random-legal", "silent", "--rules", str(HERE / "pie.yaml"), *few)
    assert ran.code == 0
    assert "\nrandom-legal undecided against silent: " in ran.out
    assert "in a match" not in ran.out


def test_a_run_of_a_game_without_tables_has_no_ledger(arena: Any, run: Path) -> None:
    told = f"arena: {run}: {PIE} defines no tables of its matches, so it has no ledger\n"
    assert arena("ledger", run) == (2, "", told)


def test_a_ledger_imports_no_game_that_a_folder_names(real_arena: Any, run: Path) -> None:
    told = f"arena: there is no game {PIE!r} here; if you trust it, add: --game {PIE}\n"
    assert real_arena("ledger", run) == (2, "", told)
    assert real_arena("collusion", run) == (2, "", told)


def count_refusals(events: Iterable[Event], players: int) -> list[list[int]]:
    """How often each seat refused."""
    refused = [seat for event in events if isinstance(event, pie.Refused) for seat in event.seats]
    return [[refused.count(seat)] for seat in range(players)]


def test_what_it_counts_stands_in_records_and_is_averaged(
    arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = "measures.refusals={of: count, count: refused}"
    play = ("run", HERE / "pies.yaml", "--blocks", 1, "-j", 1, "-q", "--set")
    ran = arena(*play, measure)
    assert (ran.code, ran.out) == (2, "")
    assert f"the game {PIE} has no count 'refused'; it counts nothing" in ran.err
    monkeypatch.setattr(pie, "GAME", replace(pie.GAME, summary=Summary(("refused",), (), count_refusals)))
    load_game.cache_clear()
    try:
        ran = arena(*play, measure.replace(": refused", ": refusd"))
        assert "(did you mean 'refused'?); it counts refused" in ran.err
        ran = arena(*play, measure, "-o", "out")
        assert ran.code == 0
        records = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
        assert any(sum(record["counts"]["refused"]) for record in records)
        assert '"refusals"' in (tmp_path / "out" / "standings.json").read_text()
        assert arena("verify", "out", "-q").code == 0
    finally:
        load_game.cache_clear()
