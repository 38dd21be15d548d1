"""`arena tune`: better values for a bot's options, searched for and then proved."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.commands.compare.tuning import command
from arena.commands.compare.tuning.live_course import LiveCourse, course_lines
from arena.commands.compare.tuning.tuning_run import TuningRun
from arena.config.tournament_config import RESOLVED_CONFIG
from tests.conftest import Arena, WriteBot
from tests.runs.told import told

LAZY = """
from arena.bundled import Greedy
from arena.games.board.strategy import no_deal

class Lazy(Greedy):
    def __init__(self, idle=0):
        super().__init__(0.3)
        self.idle = idle
    def turn(self, view):
        return no_deal(view) if view.turn % 10 < self.idle else super().turn(view)
    def accept(self, view):
        return view.turn % 10 >= self.idle and super().accept(view)
"""
FIELD = ("greedy",)
BRIEF = ("--rule", "max_turns=6", "--seed", "1", "-n", "1")
FEW = (*BRIEF, "--rounds", "2", "--max-deals", "3", "-q")
SEARCHED = ("trials.jsonl", "course.html")


@pytest.fixture
def tuned(arena: Arena, kept_runs: Path, tmp_path: Path) -> Callable[[], Path]:
    """Gives the folder of a tuning that has ended, a copy that may be changed; it is played once."""
    kept = kept_runs / "tuned"
    (bot := kept_runs / "lazy.py").write_text(LAZY)
    if not kept.exists():
        words = ("tune", f"{bot}?idle=9", *FIELD, "--options", "idle=0:9", *FEW)
        assert arena(*words, "--trust", "-j", 1, "--out", kept).code in (0, 1)

    def copy() -> Path:
        return Path(shutil.copytree(kept, tmp_path / "out"))

    return copy


def kept_bytes(folder: Path) -> dict[str, Any]:
    files = {name: (folder / name).read_bytes() for name in (*SEARCHED, "result.json")}
    return {**files, "verdict": told(folder / "verdict")}


def result_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return found


@pytest.mark.slow
def test_values_that_were_put_wrong_are_tuned_and_compared_on_deals_of_their_own(tuned: Any, arena: Arena) -> None:
    folder = tuned()
    found = result_of(folder)
    trials = [json.loads(line) for line in (folder / "trials.jsonl").read_text().splitlines()]
    assert found["state"] == "complete"
    assert [each["better"] for each in found["rounds"]] == [False, True]
    assert found["best"] == next(each["proposed"] for each in found["rounds"][::-1] if each["better"])
    assert found["best"]["idle"] < 9
    assert found["matches"] == sum(each["matches"] + each["void"] for each in trials) == 2 * len(trials)
    assert found["deals"] == len({each["deal"] for each in trials})
    assert found["verdict"]["deals"] == 3
    manifest = json.loads((folder / "verdict" / "manifest.json").read_text())
    assert manifest["seed"] != found["seed"]
    assert manifest["entrants"]["tuned"]["options"] == found["best"]
    assert manifest["entrants"]["lazy"]["options"] == {"idle": 9}
    ran = arena("verify", folder / "verdict")
    assert (ran.code, "standings agree" in ran.out) == (0, True), ran.out


def test_a_candidate_plays_what_a_match_with_its_options_plays(tuned: Any, arena: Arena, kept_runs: Path) -> None:
    folder = tuned()
    first = json.loads((folder / "trials.jsonl").read_text().splitlines()[0])
    bot = f"{kept_runs / 'lazy.py'}?idle={first['options']['idle']}"
    words = ("gauntlet", bot, *FIELD, *BRIEF, "-q", "--seat-orders", "rotations", "--trust", "--json")
    played = json.loads(arena(*words).out)
    assert played["finished"] == first["matches"]
    row = next(each for each in played["standings"]["rows"] if each["entrant"] == "lazy")
    assert row["beaten"]["mean"] == pytest.approx(first["value"])


@pytest.mark.slow
def test_several_processes_with_isolated_bots_keep_what_one_with_trusted_bots_keeps(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "lazy.py").write_text(LAZY)
    few = ("--rule", "max_turns=3", "--seed", 4, "-n", 1, "--rounds", 1, "--candidates", 2, "--max-deals", 1)
    words = ("tune", "./lazy.py?idle=9", *FIELD, "--options", "idle=0:9", *few, "--method", "halving", "-q")
    for name, more in (("one", ("--trust", "-j", 1)), ("two", ("-j", 2, "--oversubscribe"))):
        assert arena(*words, *more, "--out", name).code in (0, 1)
    assert kept_bytes(Path("one")) == kept_bytes(Path("two"))


def leave_trials(folder: Path, number: int) -> None:
    """Leave so many trials and a part of the next, as a kill would."""
    lines = (folder / "trials.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "trials.jsonl").write_bytes(b"".join(lines[:number]) + lines[number][:20])
    for name in ("result.json", "course.html"):
        (folder / name).unlink()
    shutil.rmtree(folder / "verdict")


def test_killed_in_the_last_trial_it_goes_on_to_the_same_bytes(tuned: Any, arena: Arena) -> None:
    folder = tuned()
    whole = kept_bytes(folder)
    leave_trials(folder, -1)
    assert arena("tune", "--resume", folder, "--trust", "-q").code in (0, 1)
    assert kept_bytes(folder) == whole


def test_killed_in_the_comparison_at_its_end_it_goes_on_too(tuned: Any, arena: Arena) -> None:
    folder = tuned()
    whole = kept_bytes(folder)
    matches, manifest = folder / "verdict" / "matches.jsonl", folder / "verdict" / "manifest.json"
    matches.write_bytes(b"".join(matches.read_bytes().splitlines(keepends=True)[:5]))
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "state": "running"}))
    assert arena("tune", "--resume", folder, "--trust", "-q").code in (0, 1)
    assert kept_bytes(folder) == whole


def test_killed_in_the_middle_and_stopped_it_says_what_is_known_and_goes_on_to_the_same_bytes(
    tuned: Any, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tuned()
    whole = kept_bytes(folder)
    leave_trials(folder, 25)
    drawn: list[str] = []

    def stop(_: LiveCourse, run: TuningRun) -> None:
        drawn[:] = course_lines(run, 60, 75.0)
        if run.matches == 90 and run.batch is not None:
            run.matches += 1
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(command, "ignore_all", lambda: None)
        patch.setattr(LiveCourse, "draw_run", stop)
        ran = arena("tune", "--resume", folder, "--trust", "-j", 1)
    assert ran.code == 130
    option, counted = drawn
    assert re.fullmatch(r"idle  ├─*●─*┤ \d", option)
    assert len(option) <= 60
    assert re.fullmatch(r"round 2 step 5 of at most 2 rounds, 91 matches, 1m15s", counted)
    assert "best     " in ran.out
    assert f"go on with: arena tune --resume {folder} --trust" in ran.err
    assert result_of(folder)["state"] == "stopped"
    refused = arena("tune", "--resume", folder)
    assert (refused.code, "add --trust" in refused.err) == (2, True)
    assert arena("tune", "--resume", folder, "--trust", "-q").code in (0, 1)
    assert kept_bytes(folder) == whole


def test_where_nothing_is_gained_it_stops_and_keeps_what_was(arena: Arena, write_bot: WriteBot) -> None:
    bot = write_bot("def __init__(self, idle=1): pass\noffer = accept = interrupt = close = lambda self, view: None")
    ran = arena(
        "tune",
        bot,
        *FIELD,
        "--options",
        "idle=1:9",
        *BRIEF,
        "--method",
        "halving",
        "--candidates",
        "3",
        "--trust",
        "-q",
        "--json",
        "--out",
        "out",
    )
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["best"], found["verdict"], found["comparison"]) == ({}, None, None)
    assert found["ended"] == "nothing gained in 2 rounds in a row"
    assert not Path("out/verdict").exists()


MISTAKES = {
    "greedy silent --options gred=0.1:0.9": "bot greedy has no option 'gred' (did you mean 'greed'?); it takes ",
    "greedy silent --options greed=0.9:0.1": "--options greed: expected the lower end first, got 0.9:0.1",
    "greedy silent --options greed=a,b --method spsa": "--options greed: its values have no order, so there is no "
    "direction in which to move; use --method halving",
    "greedy silent": "expected an option to tune, such as: --options greed=0.1:0.9",
    "greedy --options greed=0.1:0.9": "expected a bot and its opponents: arena tune BOT OPPONENT...",
    "greedy silent greed=0.1:0.9 greed=1:2": "--options greed: it occurs twice",
    "gredy silent --options greed=0.1:0.9": "no bundled bot 'gredy' (did you mean 'greedy'?)",
    "silent greedy --options greed=0:1": "bot silent has no option 'greed'; it takes none",
    "--resume nowhere": "nowhere holds no tuning: nowhere/tuning.json is missing",
    "--resume nowhere --rounds 3": "--rounds cannot be given with --resume: the tuning goes on as it began",
    "greedy --resume nowhere": "BOT cannot be given with --resume: the tuning goes on as it began",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes_are_told_and_nothing_is_written(words: str, arena: Arena) -> None:
    ran = arena("tune", *words.split())
    assert ran.code == 2
    assert ran.err.startswith(f"arena: {MISTAKES[words]}"), ran.err
    assert list(Path().iterdir()) == []


def test_a_value_with_which_the_bot_cannot_be_made_is_found_at_the_start(arena: Arena, write_bot: WriteBot) -> None:
    bot = write_bot("def __init__(self, depth=1):\n    if depth > 8: raise ValueError('too deep')")
    ran = arena("tune", bot, "silent", "--options", "depth=1:9", "--trust", "--out", "out")
    assert (ran.code, "ValueError: too deep" in ran.err, Path("out").exists()) == (2, True, False)


def test_a_folder_goes_on_only_with_its_own_trials_and_bots(tuned: Any, arena: Arena, write_bot: WriteBot) -> None:
    folder = tuned()
    trials = folder / "trials.jsonl"
    trials.write_text(trials.read_text().replace('"deal":1,', '"deal":2,', 1))
    ran = arena("tune", "--resume", folder, "--trust", "-q")
    assert (ran.code, "belongs to another tuning" in ran.err) == (2, True), ran.err
    config = folder / RESOLVED_CONFIG
    config.write_text(config.read_text().replace("idle: 9", "idle: 8"))
    ran = arena("tune", "--resume", folder, "--trust", "-q")
    assert (ran.code, "has changed since this run began" in ran.err) == (2, True), ran.err


def test_a_tuning_that_somebody_else_plays_is_left_alone(tuned: Any, arena: Arena) -> None:
    from arena.storage.run_files.tuning_folder import TuningFolder

    folder = tuned()
    with TuningFolder(folder):
        ran = arena("tune", "--resume", folder, "--trust", "-q")
    assert (ran.code, "is tuning here; wait until it ends, or stop it" in ran.err) == (2, True), ran.err


def test_its_page_shows_where_the_search_stood_and_loads_itself_again_only_while_it_goes_on(tuned: Any) -> None:
    page = (tuned() / "course.html").read_text()
    assert "Where the search stands" in page
    assert "Lines by deals: idle from 100.0 to" in page
    assert 'http-equiv="refresh"' not in page


@pytest.mark.slow
def test_named_values_and_a_field_at_cards_are_tuned_by_halving(arena: Arena) -> None:
    words = (
        "tune",
        "tycoon",
        "closer",
        "spoiler",
        "--rules",
        "card-game",
        "--rule",
        "rounds.3=1",
        "--options",
        "rush=0.0:1.0",
        "hope=0.1,0.7",
    )
    few = (
        "-n",
        "1",
        "--rounds",
        "1",
        "--candidates",
        "2",
        "--max-deals",
        "1",
        "--seed",
        "3",
        "--trust",
        "-q",
        "-j",
        "1",
    )
    found = json.loads(arena(*words, *few, "--json").out)
    assert found["method"] == "halving"
    assert set(found["rounds"][0]["proposed"]) <= {"rush", "hope"}
