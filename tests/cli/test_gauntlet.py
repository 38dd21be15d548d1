"""``arena gauntlet``: what it prints, live and in the end."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.commands.gauntlet.bars import Bar, LiveBars, share_bars, share_text
from arena.games import load_game
from arena.tournament.inference.intervals import Estimate

BRIEF = ("--deals", 3, "--seed", 3, "--rule", "max_turns=4", "-q")
PLAY = ("gauntlet", "greedy", "silent", "random-legal", *BRIEF, "--trust", "-j", 1)
SLEEPER = """
from arena.bundled import Greedy

class Sleeper(Greedy):
    def __init__(self, asleep: int = 0) -> None:
        super().__init__()
        self.asleep = asleep

    def turn(self, view): return None if self.asleep else super().turn(view)
    def offer(self, view): return None if self.asleep else super().offer(view)
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 100 columns, whatever the tests run in."""
    monkeypatch.setenv("COLUMNS", "100")


def document(arena: Any, *words: object) -> Any:
    ran = arena(*words, "--json")
    assert ran.code == 0
    return json.loads(ran.out)


def test_it_prints_standings_a_sentence_for_each_opponent_what_each_did_and_faults(arena: Any, tmp_path: Path) -> None:
    ran = arena(*PLAY)
    assert ran.code == 0
    assert list(tmp_path.iterdir()) == [], "without a folder nothing is kept"
    table, sentences, summary, faults = re.split(r"\n\n(?=greedy (?:beats|loses|undecided)|in a match|faults)", ran.out)
    assert re.match(r"eagle-gryphon\+\S+-3p\n\n  # +entrant +matches", table)
    pattern = r"greedy (beats \S+ at the table|loses to \S+ at the table|undecided against \S+): +ahead in +"
    pattern += r"\d+\.\d (±\d+\.\d|\(\d+\.\d…\d+\.\d\)) % of 18 matches, [+-]\$\d+\.\dM "
    assert [bool(re.match(pattern, line)) for line in sentences.splitlines()[:2]] == [True, True]
    assert summary.splitlines()[0].split() == ["in", "a", "match", "greedy", "silent", "random-legal"]
    figures = load_game("board").summary.figures  # type: ignore[union-attr]
    assert [re.split("  +", line.removeprefix("· "))[0] for line in summary.splitlines()[2:]] == [
        figure.told for figure in figures
    ]
    assert faults == "faults   none\n"
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.parametrize("vary", [(), ("--vary", "greed=0.1,0.4")])
def test_what_it_says_fits_a_narrow_terminal_all_but_commands(
    arena: Any, monkeypatch: pytest.MonkeyPatch, vary: Any
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    ran = arena("gauntlet", "greedy", "silent", "random-legal", *BRIEF, "--trust", "-j", 1, *vary)
    assert ran.code == 0
    lines = [*ran.out.splitlines(), *ran.err.partition("play it again with:")[0].splitlines()]
    assert max(map(len, lines)) <= 60
    assert "3 deals × " in ran.err
    assert " 1 process," in " ".join(ran.err.split())


def test_the_command_that_it_prints_plays_the_same_again(arena: Any) -> None:
    first = arena("gauntlet", "greedy", "silent", "--deals", 2, "--rule", "max_turns=8", "-q", "--trust", "-j", 1)
    command = first.err.partition("play it again with:\n")[2].splitlines()[0].strip()
    assert command.startswith("arena gauntlet greedy silent --deals 2 --rules eagle-gryphon --seed ")
    again = arena(*shlex.split(command)[1:], "-q", "-j", 2)
    assert again.out == first.out


@pytest.mark.slow
def test_isolated_bots_show_the_same_as_trusted_ones(arena: Any) -> None:
    words = (*PLAY[:4], "--deals", 1, *BRIEF[2:], "-j", 1)
    assert arena(*words, "--isolate-all").out == arena(*words, "--trust").out


def test_as_json_it_is_one_document(arena: Any) -> None:
    found = document(arena, *PLAY, "--vary", "greed=0.2,0.8")
    assert [duel["opponent"] for duel in found["duels"]] == ["silent", "random-legal"] * 2
    assert found["standings"]["matches"] == found["finished"] == found["matches"] == 36
    assert found["challengers"][1] == {"entrant": "greedy?greed=0.8", "options": {"greed": 0.8}}
    sums = found["sums"]["silent"]
    assert sums["matches"] == 36
    assert set(sums) == {"matches", *load_game("board").summary.counts}  # type: ignore[union-attr]


def test_values_are_a_table_and_a_plot_with_a_line_each(arena: Any) -> None:
    ran = arena(*PLAY, "--vary", "greed=0.2:0.8:0.3")
    assert ran.code == 0
    assert re.search(r"^value +matches +win rate +money \(\$M\) +more wins +more money +by wins$", ran.out, re.M)
    assert re.search(r"^value +ahead of silent +ahead of random-legal$", ran.out, re.M)
    assert re.search(r"^greed=0.2 +18 +\d+\.\d (±\d+\.\d|\(\d+\.\d…\d+\.\d\)) % +\d+\.\d ±\d+\.\d *$", ran.out, re.M)
    assert re.search(r"^greed=0.8 +18 .* [+-]\d+\.\d ±\d+\.\d % .*(better|worse|undecided)$", ran.out, re.M)
    assert len(re.findall(r"^greed=0\.[258] .*[█▒]", ran.out, re.M)) == 3
    assert "than greed=0.2, in the same seats of the same deals." in " ".join(ran.out.split())
    assert "▒ its 95 % interval" in ran.out.replace("\n", " ")
    assert max(map(len, ran.out.splitlines())) <= 100


@pytest.mark.slow
def test_a_fault_is_told_with_its_evidence_and_a_command_that_shows_it_again(arena: Any, write_bot: Any) -> None:
    write_bot("def turn(self, view): return Roll() if view.rolled else Draw()")
    words = ("gauntlet", "./player.py", "silent", *BRIEF, "--strikes", 2, "--trust")
    (fault,) = document(arena, *words)["faults"]
    assert (fault["entrant"], fault["kind"], fault["count"], fault["matches"]) == ("player", "illegal", 12, 6)
    ran = arena(*words)
    told = f"  player: 12 × illegal in 6 matches; the first [{fault['rule']}] in turn: {fault['evidence']}\n"
    assert told in ran.out
    command = re.search(r"see it with: (arena match .+)$", ran.out, re.M)
    assert command
    assert fault["command"] == command[1]
    again = arena(*shlex.split(command[1])[1:])
    assert f"[{fault['rule']}] in turn: {fault['evidence']} (first at ask {fault['ask']})" in again.err
    kept = document(arena, *words, "--out", "kept")["faults"][0]
    assert kept["command"] == f"arena show kept {kept['match']}"
    assert arena(*shlex.split(kept["command"])[1:]).code == 0


@pytest.mark.slow
def test_which_fault_is_shown_does_not_depend_on_the_number_of_processes(arena: Any, write_bot: Any) -> None:
    write_bot("def turn(self, view): return Roll() if view.rolled else Draw()")
    words = ("gauntlet", "./player.py", "silent", "fair", "--deals", 1, *BRIEF[2:], "--trust")
    assert document(arena, *words, "-j", 1) == document(arena, *words, "-j", 2)


def test_the_card_game_is_told_in_its_own_words(arena: Any) -> None:
    ran = arena(
        "gauntlet", "tycoon", "closer", "fair", "--rules", "card-game", "--deals", 1, "--seed", 1, "--trust", "-q"
    )
    assert ran.code == 0
    assert "\nrounds as Cousin " in ran.out
    assert "No verdict with fewer than 3 deals: too few." in ran.out.replace("\n", " ")
    assert re.search(
        r"^tycoon undecided against closer: ahead in \d+\.\d % of 6 matches, [+-]\$\d+\.\d$", ran.out, re.M
    )


def test_gauntlet_and_compare_say_which_question_they_answer_and_name_the_other(arena: Any) -> None:
    table = arena(*PLAY)
    _, _, command = table.err.partition("is it better in the place of one of them?\n  ")
    asked = shlex.split(command.splitlines()[0])
    assert asked[:2] == ["arena", "compare"]
    place = arena(*asked[1:], "--max-deals", 2, "-q")
    assert place.code in (0, 1)
    _, _, command = place.err.partition("how good is it at a table with ")
    asked = shlex.split(command.splitlines()[1])
    assert asked[:2] == ["arena", "gauntlet"]
    assert arena(*asked[1:], "--deals", 1, "-q").code == 0
    for name, other in (("gauntlet", "arena compare"), ("compare", "arena gauntlet")):
        assert other in arena(name, "--help").out


def test_a_kept_gauntlet_is_a_run(arena: Any, tmp_path: Path) -> None:
    ran = arena(*PLAY, "--out", "kept")
    assert ran.out.endswith("\nresults  kept  (check them with: arena verify kept)\n")
    assert arena("verify", "kept", "-q").code == 0
    assert arena("run", "--trust", "--resume", "kept", "--blocks", 4, "-q").code == 0
    assert len((tmp_path / "kept" / "matches.jsonl").read_text().splitlines()) == 4 * 6


@pytest.mark.slow
@pytest.mark.parametrize("kept", [("--out", "kept"), ()])
def test_stopped_it_prints_what_the_finished_matches_show(
    launch: Callable[..., subprocess.Popen[bytes]], tmp_path: Path, write_bot: Any, kept: tuple[str, ...]
) -> None:
    begun = tmp_path / "begun"
    write_bot(f"def start(self, start): open({str(begun)!r}, 'a').write('.')")
    words = ("./player.py", "silent", "fair", "--deals", 200, "--rule", "max_turns=4", "--seed", 3, "--trust")
    process = launch("gauntlet", *words, "-j", 1, *kept)
    deadline = time.monotonic() + 60
    while (not begun.exists() or begun.stat().st_size < 20) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert re.match(r"stopped: results of \d+ of 1200 matches\n", out.decode())
    assert b"\nplayer beats silent" in out
    assert (b"resume with: arena run --resume kept --trust\n" in err) == bool(kept)
    assert b"Traceback" not in err


# Bars ----------------------------------------------------------------------------------------------


def test_a_bar_is_full_up_to_its_mean_with_the_interval_around_it_and_marks_the_even_share() -> None:
    shown = [
        Bar("mine", Estimate.from_half_width(0.5, 0.1, 9)),
        Bar("hard", Estimate(0.1, None, None, 2)),
        Bar("new", Estimate(None, None, None, 0)),
    ]
    assert share_bars(shown, 0.25, 36, whole=True) == [
        "mine  50.0 ±10.0 %  ████┊█▒▒┃▒",
        "hard        10.0 %  ██┃ ┊",
        "new              –",
    ]


def test_bars_stay_within_their_width() -> None:
    shown = [
        Bar("a-very-long-name-of-an-entrant-indeed", Estimate.from_half_width(0.97, 0.4, 9)),
        Bar("b", Estimate.from_half_width(0.01, 0.001, 9)),
    ]
    for width in (40, 60, 80, 100):
        assert all(len(line) <= max(width, 48) for line in share_bars(shown, 0.5, width))


def test_a_share_without_an_interval_says_so() -> None:
    given = (
        Estimate.from_half_width(0.5, 0.125, 5),
        Estimate.from_half_width(0.5, None, 5),
        Estimate(None, None, None, 0),
    )
    assert [share_text(each) for each in given] == ["50.0 ±12.5 %", "50.0 %", "–"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_bars_are_drawn_in_place_and_wiped_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    monkeypatch.setattr("arena.commands.gauntlet.bars.DRAWING_SECONDS", 0)
    with LiveBars(2, lambda: [Bar("mine", Estimate(0.5, None, None, 1))], 0.25) as live:
        live.update(0)
        live.update(3)
    drawn = terminal.getvalue()
    assert [re.findall(r"(\d of 2) matches", drawn), drawn.count("\x1b[2F\x1b[J")] == [
        ["0 of 2", "1 of 2", "2 of 2"],
        3,
    ]
    assert ", 3 faults\n" in drawn
    assert drawn.endswith("\x1b[2F\x1b[J")


@pytest.mark.parametrize("quiet", [True, False])
def test_elsewhere_and_when_quiet_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    monkeypatch.setattr("sys.stderr", shown := Terminal() if quiet else io.StringIO())
    with LiveBars(1, lambda: [Bar("mine", Estimate(0.5, None, None, 1))], 0.25, quiet) as live:
        live.update(0)
    assert shown.getvalue() == ""


def test_bars_are_marked_at_the_mean_and_equal_values_are_drawn_equally() -> None:
    sure, unsure = Estimate(0.25, 0.2, 0.3, 9), Estimate(0.25, 0.05, 0.6, 9)
    lines = share_bars([Bar("a", sure), Bar("b", unsure), Bar("c", Estimate(0.25, None, None, 2))], 0.5, 60)
    assert len({line.index("┃") for line in lines}) == 1
    assert [line.count("┃") for line in lines] == [1, 1, 1]
    even = {line.index("┊") for line in lines}
    assert len(even) == 1, "the even share is drawn in every line, also within an interval"


def test_the_legend_names_only_the_marks_that_are_drawn(arena: Any) -> None:
    few = arena(*PLAY[:4], "--deals", 1, *BRIEF[2:], "--trust", "--vary", "greed=0.2,0.5").out.replace("\n", " ")
    assert "┃ the win rate" in few
    assert "▒" not in few, "no interval of one deal"


@pytest.mark.slow
def test_rows_end_by_the_sequential_test_of_compare_whatever_the_number_of_processes(
    arena: Any, tmp_path: Path
) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    words = ("gauntlet", "./sleeper.py", "random-legal", "--vary", "asleep=0,1", "--until-clear")
    brief = ("--deals", 24, "--seed", 3, "--rule", "max_turns=6", "-q", "--trust")
    base, worse = document(arena, *words, *brief, "-j", 2)["trials"]
    assert (base["verdict"], base["deals"], base["measure"]) == (None, None, "beaten")
    assert worse["verdict"] == "worse"
    assert worse["deals"] < 24, "nothing is played that could change no verdict"
    assert worse["matches"] == base["matches"] == worse["deals"] * 2
    told = arena(*words, *brief, "-j", 1)
    assert re.search(r"^value .* by beaten$", told.out, re.M)
    rows = re.findall(r"^asleep=\S+ +([\d.]+) \S+ % +([\d.]+) [±(]", told.out, re.M)
    means = [(100 * each["win_rate"]["mean"], each["mean_money"]["mean"]) for each in (base, worse)]
    assert rows[:2] == [(f"{wins:.1f}", f"{money:.1f}") for wins, money in means], told.out
    assert told.out.count(f"after {worse['deals']} deals") == 1
    for wrong, why in (
        ((*words[:3], "--until-clear"), "--until-clear needs --vary"),
        ((*words, "--out", "x"), "so --out is not possible"),
    ):
        ran = arena(*wrong)
        assert (ran.code, why in ran.err.replace("\n", " ")) == (2, True)
