"""A bot is checked at home as its league would play it, and what is found comes with the commands to go on with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Limits
from arena.commands.bots.findings import FindingCode, LimitUse, findings_of, seconds_text
from arena.commands.bots.league_conditions import LeagueSource, find_league
from arena.commands.compare.comparison import UNDECIDED_EXIT
from arena.replay.read import split_replay
from arena.rerun.play_twice import TwicePlayed
from arena.runs.machine_speed import MACHINES_KEY, this_machine
from arena.runs.planning import isolation_level
from arena.runs.planning.isolation_level import BotPermissions, strictest_isolation
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import Level
from tests.conftest import Arena, CopiedRun

LEAGUE = """
name: home
seed: 5f1c8e0b7a94d236
entrants: [greedy, ./of-somebody-else.py]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4, names: {red: Rouge}}}]
seats: 2
limits: {start: 4, ask: 0.5, bank: 2, match: 9}
fault_policy: forfeit
strikes: 2
isolation: none
"""
RUN = LEAGUE.replace("./of-somebody-else.py", "silent").replace(", names: {red: Rouge}", "")
LADDER = """
name: tiny
rules: eagle-gryphon
changes: {max_turns: 4}
seats: 2
anchors: [greedy, silent]
round_tables: 2
isolation: none
entry: {check_matches: 2}
"""


def played(**more: Any) -> TwicePlayed:
    """What came of matches of a bot with which no problem found."""
    nothing: dict[str, Any] = {
        "bot": "./b.py", "level": Level.LOCKED, "matches": 2, "asks": {"turn": 9}, "faults": [], "start": 0.1,
        "mean": 0.01, "median": 0.01, "worst": 0.01, "cpu": 0.1, "memory": 20 << 20, "sent": 1.0, "received": 1.0,
        "repeats": True, "longest": 0.1, "slowest_start": 0.1,
    }  # fmt: skip
    return TwicePlayed(**{**nothing, **more})


def codes(played: TwicePlayed, ratio: float | None = None, limits: Limits | None = None) -> list[str]:
    return [each.code for each in findings_of(played, {}, limits or Limits(1.0, 0.5, 3.0, 10.0), 512, ratio)]


def run_each(arena: Arena, commands: list[str]) -> list[int]:
    """The exit codes of commands as they are printed. A debugger needs a terminal, and tests have none."""
    found = []
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "arena"
        ran = arena(*words[1:])
        assert "--pdb" not in words or "terminal" in ran.err
        assert "Traceback" not in ran.err
        found.append(ran.code)
    return found


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ({}, []),
        ({"worst": 0.26}, [FindingCode.NEAR_LIMIT]),
        ({"worst": 0.51}, [FindingCode.SLOW]),
        ({"longest": 6.0}, [FindingCode.NEAR_LIMIT]),
        ({"slowest_start": 0.9}, [FindingCode.NEAR_LIMIT]),
        ({"memory": 300 << 20}, [FindingCode.MEMORY]),
        ({"asks": {}}, [FindingCode.NO_HOOKS]),
        ({"repeats": False, "differs": "a"}, [FindingCode.NOT_REPEATING]),
    ],
)
def test_each_thing_that_is_found_has_a_code(what: dict[str, Any], found: list[str]) -> None:
    assert codes(played(**what)) == found


def test_what_would_be_over_a_limit_on_the_machine_of_the_league_is_told() -> None:
    assert codes(played(worst=0.2), ratio=2.4) == []
    assert codes(played(worst=0.2), ratio=2.6) == [FindingCode.SLOW_THERE]
    (found,) = findings_of(played(worst=0.2), {}, Limits(1.0, 0.5), 0, 3.0)
    assert not found.wrong
    assert found.sentence == (
        "the slowest ask took 0.2 s here, about 0.6 s on the league's machine, of 0.5 s (limits.ask)"
    )


def test_a_league_without_a_limit_for_the_match_has_none_to_be_near_to() -> None:
    assert codes(played(longest=1e6), limits=Limits(match=None)) == []


def test_parts_of_limits_are_told_in_words() -> None:
    assert LimitUse("the slowest ask", "ask", 0.21, 0.5).in_words() == "the slowest ask took 0.21 s of 0.5 s, 42 %"
    assert [seconds_text(each) for each in (0.00002, 0.0123, 3.14159, 75.4)] == ["20 µs", "0.012 s", "3.1 s", "75 s"]


@pytest.mark.slow
def test_a_bot_plays_under_all_conditions_of_a_tournament_whose_other_bots_are_not_here(
    arena: Arena, tmp_path: Path, write_bot: Any
) -> None:
    (tmp_path / "league.yaml").write_text(LEAGUE)
    write_bot("def turn(self, view): return 1 / 0")
    ran = arena("bots", "check", "./player.py", "--as", "./league.yaml", "--json")
    assert (ran.code, ran.err) == (1, "")
    report = json.loads(ran.out)
    league = report["league"]
    assert (league["name"], league["kind"], league["ratio"]) == ("home", LeagueSource.TOURNAMENT, None)
    assert (league["fault_policy"], league["strikes"]) == ("forfeit", 2)
    assert report["limits"] == {"start": 4, "ask": 0.5, "bank": 2, "match": 9}
    assert (report["games"], report["matches"], report["level"]) == (["board"], 16, "none")
    assert report["cpu_worst"] >= report["cpu_mean"] > 0
    assert len(report["put_out"]) == 8  # under this policy by a single fault
    first, out = report["findings"]
    assert (first["code"], first["wrong"], out["code"]) == ("broken", True, "put-out")
    assert report["next"] == []
    commands = first["next"]
    assert commands[0].startswith("arena match ./player.py ") or " ./player.py " in commands[0]
    conditions = "--ask 0.5 --bank 2 --match-time 9 --fault-policy forfeit --strikes 2 --trust"
    assert " --rule max_turns=4 --rule 'names.red=\"Rouge\"' --seed " in commands[0]
    assert f" {conditions} --out " in commands[0]
    assert [shlex.split(each)[1] for each in commands] == ["match", "show", "refeed"]
    assert run_each(arena, commands) == [0, 0, 2]
    assert arena(*shlex.split(commands[2])[1:-1]).code == 1  # asked again it breaks as it did


def test_the_command_for_a_match_plays_the_match_of_the_check(arena: Arena, tmp_path: Path, write_bot: Any) -> None:
    from arena.commands.bots.check import _works_at
    from arena.commands.bots.checked_match import CheckedMatch
    from arena.executors.executor import play_each
    from arena.executors.serial import Serial
    from arena.finding.reference import refer_file

    (tmp_path / "run.yaml").write_text(RUN)
    bot = write_bot("")
    league = find_league(str(tmp_path / "run.yaml"))
    works = list(_works_at(league.tables[0], refer_file(str(bot), None), 3))
    match = CheckedMatch(works[1], "./player.py", league.tables[0].words, trust=True)
    (done,) = play_each(Serial(), [match.work])
    assert done.replay is not None
    assert run_each(arena, [match.command]) == [0]
    again = (tmp_path / match.replay).read_bytes()
    assert split_replay(again)[1:-1] == split_replay(done.replay)[1:-1]


@pytest.mark.slow
def test_a_run_says_how_its_machine_compares_with_this_one(
    arena: Arena, copied_run: CopiedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = copied_run(RUN, "out", "-j", 1)
    manifest = json.loads((run / "manifest.json").read_text())
    manifest[MACHINES_KEY][0] |= {"host": "rack-7", "cpu": "Some CPU", "factor": this_machine().factor / 2}
    manifest[MACHINES_KEY].append({**manifest[MACHINES_KEY][0], "host": "quicker", "factor": this_machine().factor * 3})
    manifest[MACHINES_KEY].append({**manifest[MACHINES_KEY][0], "host": "unlike", "factor": 0.001, "workload": "other"})
    (run / "manifest.json").write_text(json.dumps(manifest))
    monkeypatch.setenv("COLUMNS", "80")
    ran = arena("bots", "check", "greedy", "--as", "out")
    assert ran.code == 0
    told = " ".join(ran.out.split())
    assert "league home (run out)" in told
    assert "limits start 4 s, ask 0.5 s, bank 2 s, match 9 s" in told
    assert f"2 times as fast as the league's (rack-7: Some CPU, factor {this_machine().factor / 2:.2f}): " in told
    assert "the slowest ask took " in told
    lines = ran.out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("    arena ")) <= 80
    commands = [line.strip() for line in lines if line.startswith("    arena ")]
    assert [shlex.split(each)[1] for each in commands] == ["gauntlet", "compare"]
    few = [commands[0] + " -n 1 -q", commands[1] + " --max-deals 1 -q"]
    assert run_each(arena, few)[0] == 0
    assert run_each(arena, few[1:])[0] in (0, UNDECIDED_EXIT)  # one deal settles nothing


def test_a_run_of_before_does_not_say_how_fast_its_machine_was(copied_run: CopiedRun) -> None:
    run = copied_run(RUN, "out", "-j", 1)
    manifest = json.loads((run / "manifest.json").read_text())
    del manifest[MACHINES_KEY]
    (run / "manifest.json").write_text(json.dumps(manifest))
    league = find_league(str(run))
    assert (league.kind, league.machines, league.slowest_machine) == (LeagueSource.RUN, (), None)


@pytest.mark.slow
def test_a_ladder_is_a_league_and_what_passes_there_is_ready_to_be_submitted(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(LADDER)
    assert arena("ladder", "init", "here", "--config", "tiny.yaml").code == 0
    assert arena("ladder", "play", "here", "--rounds", 1, "-j", 1, "-q").code == 0
    from_file, from_folder = find_league("tiny.yaml"), find_league("here")
    assert (from_file.kind, from_folder.kind) == (LeagueSource.LADDER_FILE, LeagueSource.LADDER)
    words = ("--rules", "eagle-gryphon", "--rule", "max_turns=4")
    assert from_file.tables[0].words == from_folder.tables[0].words == words
    digests = {each.tables[0].conditions.edition.digest for each in (from_file, from_folder)}
    assert len(digests) == 1
    assert from_folder.machines == (this_machine(),)
    (tmp_path / "modest.py").write_text(
        "import wise\nfrom arena.games.board import BoardBot, Draw, Roll\n\nclass Modest(BoardBot):\n"
        "    def turn(self, view):\n        return Draw() if view.rolled else Roll()\n"
    )
    (tmp_path / "wise.py").write_text("")
    ran = arena("bots", "check", "./modest.py", "--as", "here", "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["matches"], report["league"]["ratio"]) == (0, 4, 1)
    assert [each["code"] for each in report["findings"] if each["wrong"]] == []
    assert report["next"][-1] == "arena ladder submit here ./modest.py --file wise.py --ladder tiny"
    assert run_each(arena, report["next"][-1:]) == [0]


@pytest.mark.slow
def test_a_bot_that_does_not_repeat_itself_is_told_where_to_look(arena: Arena, tmp_path: Path, write_bot: Any) -> None:
    (tmp_path / "run.yaml").write_text(RUN)
    write_bot("def turn(self, view): return __import__('random').choice(self.legal_moves(view))")
    report = json.loads(arena("bots", "check", "./player.py", "--as", "run.yaml", "--json").out)
    found = next(each for each in report["findings"] if each["code"] == FindingCode.NOT_REPEATING)
    assert [shlex.split(each)[1] for each in found["next"]] == ["match", "rerun", "docs"]
    assert 2 not in run_each(arena, found["next"])


def test_a_league_that_isolates_further_than_this_machine_can_is_told_so(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strict.yaml").write_text(RUN.replace("isolation: none", "require: locked"))
    monkeypatch.setattr(
        isolation_level, "policy_here", lambda limits: SandboxPolicy(layers=(Layer.SESSION, Layer.LIMITS))
    )
    ran = arena("bots", "check", "greedy", "--as", "strict.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: strict.yaml (league home): this system reaches only level process, not locked")
    assert ran.err.endswith("to check it without the missing layers, add: --require none\n")
    assert find_league("strict.yaml", word=BotPermissions(require=Level.NONE)).isolation.level is Level.PROCESS


def test_a_league_has_the_amounts_of_its_sandbox(tmp_path: Path) -> None:
    path = tmp_path / "league.yaml"
    path.write_text(RUN.replace("isolation: none", "sandbox: {memory: 99, threads: 3}"))
    demand = find_league(str(path)).tables[0].conditions.demand
    assert (demand.level, demand.memory, demand.threads) == (strictest_isolation().level, 99, 3)
    assert find_league(str(path), word=BotPermissions(trust=True)).isolation.policy is None


MISTAKES = {
    "bots check greedy --ladder x": "--ladder chooses a ladder in the folder of --as; add --as DIR",
    "bots check greedy --as quik": "no tournament file 'quik' (did you mean 'quick'?)",
    "bots check greedy --as empty": "empty holds neither a run (config.resolved.yaml) nor ladders (ladder.sqlite)",
    "bots check greedy --as ./run.yaml --ladder x": "--ladder names one of several ladders in a folder, and ./run.yaml",
    "bots check ./cards.py --as ./run.yaml": "bot cards.py plays cards, and the league home board: nothing to check",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_in_one_line(words: str, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "run.yaml").write_text(RUN)
    (tmp_path / "cards.py").write_text("from arena.games.cards import CardsBot\nclass Mine(CardsBot): pass\n")
    ran = arena(*words.split())
    assert (ran.code, ran.out) == (2, "")
    assert MISTAKES[words] in ran.err
