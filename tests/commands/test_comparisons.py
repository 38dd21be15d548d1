"""`arena compare`: a new version in the old one's place, until it is clear which is better."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.conftest import Arena
from tests.runs.told import told

BRIEF = ("--rule", "max_turns=4", "--trust", "-q", "--seed", "7", "-j", 1)
FIELD = ("fair", "hard")
LATER = """
def turn(self, view): return Reply(self.play_on(view), say="late" if view.turn >= {turn} else "")
offer = accept = interrupt = close = lambda self, view: None
"""
UNLIKE = "def turn(self, view): return Reply(self.play_on(view), say=str(time.perf_counter_ns()))"


def found(ran: Any) -> dict[str, Any]:
    assert ran.code in (0, 1), ran.err
    data: dict[str, Any] = json.loads(ran.out)
    return data


def test_a_copy_is_alike(arena: Arena) -> None:
    ran = arena("compare", "fair", "fair", "silent", "silent", *BRIEF, "--difference", "2", "--json")
    assert ran.code == 0
    assert found(ran)["verdict"] == "alike"


@pytest.fixture
def kept(arena: Arena, kept_runs: Path) -> Callable[..., Path]:
    """Keeps a comparison of four deals, and gives its folder. Where nothing more is said of it, it is played once, and
    the folder is a copy."""

    def keep(name: str, *more: object) -> Path:
        words = ("compare", "greedy?greed=0.3", "greedy?greed=0.7", *FIELD, *BRIEF, "-n", "4")
        folder = Path(name) if more else kept_runs / "compared"
        if more or not folder.exists():
            assert arena(*words, "--out", folder, *more).code in (0, 1)
        return folder if more else Path(shutil.copytree(folder, name))

    return keep


@pytest.mark.slow
def test_what_is_kept_is_the_same_for_any_number_of_processes_lazily_or_not(kept: Callable[..., Path]) -> None:
    one, two = kept("one", "-n", "2"), kept("two", "-n", "2", "-j", 2, "--oversubscribe")
    assert told(one) == told(two) == told(kept("eager", "-n", "2", "--no-lazy"))


@pytest.mark.slow
def test_it_is_a_run_that_verifies_and_is_as_long_as_what_was_judged(kept: Callable[..., Path], arena: Arena) -> None:
    folder = kept("out", "--difference", "2", "-n", "40")
    manifest = json.loads((folder / "manifest.json").read_text())
    deals = manifest["comparison"]["deals"]
    assert manifest["comparison"]["verdict"] != "undecided"
    assert 0 < deals < 40
    again = " ".join(arena("compare", "--trust", "--resume", folder, "-q").out.split())
    sentence = "The verdict comes from the test, not from this interval, which is wider and may still include 0."
    assert (sentence in again) == (manifest["comparison"]["verdict"] in ("better", "worse"))
    assert manifest["settings"]["blocks"] == deals
    assert manifest["state"] == "complete"
    ran = arena("verify", folder)
    assert ran.code == 0, ran.out
    assert "standings agree" in ran.out


@pytest.mark.slow
def test_undecided_is_exit_code_1_and_more_deals_go_on_to_the_bytes_of_an_unbroken_comparison(
    kept: Callable[..., Path], arena: Arena
) -> None:
    short, whole = kept("short", "-n", "2"), kept("whole")
    ran = arena("compare", "--trust", "--resume", short, "-n", "4", "-q")
    assert ran.code == 1
    assert "undecided  (after 4 deals" in ran.out
    flat = " ".join(ran.out.split())
    assert re.search(r"\(\* is what is tested\)\. The test is \d+ % of the way to '[a-z ]+', \d+ % to '", flat)
    assert "± may exclude 0 before there is a verdict" in flat
    assert told(short) == told(whole)
    assert "go on with: arena compare --resume short --trust --max-deals 8" in ran.err
    assert re.search(r"In \d+ of \d+ pairs of matches that were played now \(\d+ matches were there before\) the",
                     " ".join(ran.out.split()))  # fmt: skip
    again = " ".join(arena("compare", "--trust", "--resume", short, "-n", "4", "-q").out.split())
    assert "Nothing was played now; earlier savings are not recorded." in again


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on_to_the_same_bytes(kept: Callable[..., Path], arena: Arena) -> None:
    whole, broken = kept("whole"), kept("broken")
    manifest = json.loads((broken / "manifest.json").read_text())
    path = broken / "matches.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:10]))  # a block and a half
    (broken / "manifest.json").write_text(json.dumps({**manifest, "state": "running"}))
    for name in ("standings.json", "standings.csv", "standings.md", "crosstable.csv", "seats.csv"):
        (broken / name).unlink(missing_ok=True)
    assert arena("compare", "--trust", "--resume", broken, "-q").code == 1
    assert told(broken) == told(whole)


@pytest.mark.slow
def test_stopped_it_prints_what_is_known_and_how_to_go_on(launch: Any, tmp_path: Path) -> None:
    words = ("compare", "greedy?greed=0.3", "greedy?greed=0.31", *FIELD, "--trust", "--seed", "7")
    run: subprocess.Popen[bytes] = launch(
        *words, "--out", "out", "--rule", "max_turns=4", "--difference", "0.01", "-j", 1
    )
    matches = tmp_path / "out" / "matches.jsonl"
    while not matches.is_file() or matches.read_bytes().count(b"\n") <= 5:
        assert run.poll() is None
        sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert out.startswith(b"stopped: results of the deals so far\n")
    assert b"verdict  undecided  (after" in out
    assert b"go on with: arena compare --resume out" in err


def test_asking_first_saves_what_is_alike_and_says_how_much(arena: Arena, write_bot: Any) -> None:
    v7, v8 = write_bot(LATER.format(turn=3), "v7"), write_bot(LATER.format(turn=100), "v8")
    words = ("compare", v8, v7, *FIELD, *BRIEF, "-n", "2", "--json")
    lazy, eager = found(arena(*words)), found(arena(*words, "--no-lazy"))
    assert lazy["savings"]["pairs"] == 6
    assert lazy["savings"]["whole"] == {}
    assert 0 < lazy["savings"]["before"] < lazy["savings"]["asks"]
    assert eager["savings"] is None
    assert eager["played_wholly_because"] == "because of --no-lazy"
    assert eager["differences"] == lazy["differences"]
    assert eager["measures"] == lazy["measures"]


@pytest.mark.slow
def test_where_asking_first_saves_nothing_it_ends_and_the_result_is_the_same(arena: Arena) -> None:
    words = ("compare", "saboteur", "fair", *FIELD, *BRIEF, "-n", "7", "--difference", "0.01")
    ran = arena(*words, "-j", 2, "--oversubscribe", "--out", "lazy")
    flat = " ".join(ran.out.split())
    assert "In 0 of the first 18 pairs of matches the versions never differed" in flat, "three pairs each; 16 or more"
    (share,) = re.findall(r"; ([\d.]+) % of all answers came before the first difference", flat)
    assert float(share) < 50
    assert "This saved nothing, so all later pairs were played in full." in flat
    lazy = found(arena("compare", "--resume", "lazy", "--trust", "--json"))
    eager = found(arena(*words, "--no-lazy", "--json"))
    assert (lazy["differences"], lazy["measures"]) == (eager["differences"], eager["measures"])
    assert eager["played_wholly_after"] is None


def test_where_an_opponent_does_not_repeat_itself_all_is_played_and_the_reason_is_said(
    arena: Arena, write_bot: Any
) -> None:
    v7, unlike = write_bot(LATER.format(turn=3), "v7"), write_bot(UNLIKE, "unlike")
    data = found(arena("compare", v7, "fair", "hard", unlike, *BRIEF, "-n", "1", "--json"))
    assert data["played_wholly_because"].startswith("unlike does not repeat itself: re-asked, it answered")
    assert data["savings"] is None


@pytest.mark.slow
def test_bots_in_locked_processes_are_compared_alike(arena: Arena) -> None:
    words = ("compare", "greedy", "hard", *FIELD, "--rule", "max_turns=4", "-q", "--seed", "7", "-n", "1", "--json")
    here = found(arena(*words, "--trust"))
    apart = found(arena(*words, "--isolate-all"))
    assert apart["differences"] == here["differences"]
    assert apart["savings"] == here["savings"]


@pytest.mark.slow
def test_a_run_that_exists_gives_the_verdict_without_play(kept: Callable[..., Path], arena: Arena) -> None:
    folder = kept("out")
    names = ("greedy?greed=0.3", "greedy?greed=0.7")
    data = found(arena("compare", *names, "--from", folder, "--json"))
    played = found(arena("compare", "--trust", "--resume", folder, "--json"))
    for key in ("verdict", "deals", "matches", "test", "measures", "differences"):
        assert {**data, "test": {**data["test"], "max_deals": 4}}[key] == played[key]
    other = found(arena("compare", *reversed(names), "--from", folder, "--json"))
    assert [-each["difference"] for each in other["differences"]] == [
        each["difference"] for each in data["differences"]
    ]


@pytest.mark.slow
def test_two_runs_of_one_design_are_compared_also_where_both_versions_have_one_name(arena: Arena) -> None:
    few = ("silent", "-n", "3", *BRIEF)
    assert arena("gauntlet", "greedy", *few, "--out", "old").code == 0
    assert arena("gauntlet", "greedy?greed=0.9", *few, "--out", "new").code == 0
    data = found(arena("compare", "greedy", "greedy", "--from", "new", "--from", "old", "--json"))
    assert (data["new"], data["old"]) == ("greedy in new", "greedy in old")
    assert data["deals"] == 3
    ran = arena("compare", "greedy", "greedy", "--from", "new")
    assert ran.code == 2
    assert "both versions are 'greedy': expected two folders with --from, got 1" in ran.err


def test_a_run_in_which_they_never_sat_alike_is_refused(arena: Arena) -> None:
    assert arena("gauntlet", "greedy", "fair", "-n", "1", *BRIEF, "--out", "one").code == 0
    ran = arena("compare", "greedy", "fair", "--from", "one")
    assert ran.code == 2
    assert "expected matches in which both sat in the same seat of the same deal" in ran.err
    typo = arena("compare", "greddy", "fair", "--from", "one")
    assert typo.code == 2
    assert "no entrant 'greddy' in one (did you mean 'greedy'?)" in typo.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("greedy",), "expected the new version and the old one: arena compare NEW OLD OPPONENT..."),
        (("greedy", "fair"), "expected opponents for the other seats, such as: fair hard dealmaker"),
        (("greedy", "fair", "hard", "silent", "--alpha", "2"), "alpha: expected more than 0 and at most 0.4, got 2"),
        (("greedy", "fair", "--from", "x", "--seed", "3"), "--seed cannot be given with --from"),
        (("greedy", "fair", "--resume", "x"), "NEW cannot be given with --resume"),
        (("greedy", "fair", "hard", "--from", "x"), "OPPONENT cannot be given with --from"),
        (("greedy", "fair", "--from", "x", "--from", "x/"), "--from: expected two folders, got x twice"),
        (
            ("greedy", "fair", "--from", "x", "--from", "y", "--from", "z"),
            "--from: expected at most two folders, got 3",
        ),
        (("--resume", "x"), "x holds no run"),
        (("greedy", "fair", "hard", "silent", "--seats", "5"), "expected 4 opponents or more of a challenger"),
        (("greedy", "fare", "hard"), "no bundled bot 'fare'"),
    ],
)
def test_mistakes_are_met_with_a_line(words: tuple[str, ...], message: str, arena: Arena) -> None:
    ran = arena("compare", *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1


def test_without_a_verdict_it_says_what_is_excluded_and_how_many_deals_are_left(arena: Arena) -> None:
    words = ("compare", "greedy?greed=0.6", "greedy", "hard", *BRIEF, "--difference", "0.2", "-n", "12")
    ran = arena(*words, "--out", "out")
    flat = " ".join(ran.out.split())
    assert ran.code == 1
    assert re.search(r"From here it takes usually \d+ more \([^)]+\), likely at most \d+ more \([^)]+\)\. ", flat)
    assert re.search(r"differences below -?[\d.]+ % and above -?[\d.]+ %\. ", flat)
    data = found(arena("compare", "--trust", "--resume", "out", "-q", "--json"))
    assert data["test"]["bound"] == pytest.approx(2 / 2 / 2**0.5)  # a table of two: two pairs
    assert 0 < data["outlook"]["usual"] < data["outlook"]["most"]
    assert data["test"]["looked_for"] > 0
    assert data["test"]["corrected"] is None


def test_with_a_verdict_it_says_how_much_too_large_the_difference_may_be_and_turned_round_is_worse(
    arena: Arena,
) -> None:
    words = ("compare", "hard", "silent", "silent", *BRIEF, "--difference", "1.5")
    ran = arena(*words, "--out", "out")
    flat = " ".join(ran.out.split())
    assert ran.code == 0
    assert "A test stops early when luck helps it, so it shows differences too large: " in flat
    data = found(arena("compare", "--trust", "--resume", "out", "-q", "--json"))
    assert (data["verdict"], data["outlook"]) == ("better", None)
    assert 0 <= data["test"]["corrected"] <= data["measures"]["beaten"]["difference"]["mean"]
    other = found(arena("compare", "silent#1", "hard", "--from", "out", "--difference", "1.5", "--json"))
    assert other["verdict"] == "worse"


def test_where_hardly_a_deal_differs_it_says_that_such_a_difference_cannot_exist(arena: Arena) -> None:
    ran = arena("compare", "fair", "fair", "silent", *BRIEF, "-n", "12")
    sentence = "0 of 12 deals differ at all: if fewer than 8.26 % do, a difference of 0.3 deviations is impossible."
    assert sentence in " ".join(ran.out.split())
