"""What the commands print: data on standard output, talk on standard error."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.commands.bots.new_bot import games_with_template
from arena.config.editions import bundled_rules, load_source
from arena.finding.reference import refer_file
from arena.games import built_in_games, load_game
from arena.rerun import play_twice
from arena.rerun.other_interpreter import play_again

SHORT = ("--seed", "3", "--rule", "max_turns=6")
TRUSTED = (*SHORT, "--trust")


def test_a_match_prints_the_result_and_how_to_repeat_it(arena: Any) -> None:
    ran = arena("match", "greedy", "silent", *TRUSTED)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert re.fullmatch(r" +rank +seat +bot +\$M +ended +faults", lines[0])
    assert re.fullmatch(r" +1 +0 +greedy +\d+ +played +–", lines[2])
    assert re.fullmatch(r" +2 +1 +silent +\d+ +played +–", lines[3])
    assert re.fullmatch(r"eagle-gryphon\+max_turns=6: max turns after \d+ asks", lines[5])
    assert len(lines) == 6
    again = "arena match greedy silent --rules eagle-gryphon --seed 3 --rule max_turns=6 --trust"
    assert ran.err == f"seed 3; play it again with:\n  {again}\n"
    assert arena(*again.split()[1:]) == ran


def test_the_command_that_repeats_a_match_has_all_that_matters(arena: Any) -> None:
    given = "match greedy silent --rules eagle-gryphon --seed 3 --variant short-game --rule max_turns=6 --ask 0.5"
    given += " --bank 2.0 --match-time 20.0 --fault-policy forfeit --strikes 2 --trust"
    assert arena(*given.split()).err == f"seed 3; play it again with:\n  arena {given}\n"


def test_a_match_without_a_seed_prints_the_one_it_drew(arena: Any) -> None:
    first = arena("match", "greedy", "random-legal", "--rule", "max_turns=9", "--trust", "--json")
    data = json.loads(first.out)
    assert len(data["seed"]) >= 8
    words = data["command"].split()[1:]
    assert json.loads(arena(*words, "--json").out)["sha256"] == data["sha256"]


def test_a_match_as_json_is_json_and_nothing_else(arena: Any, tmp_path: Path) -> None:
    ran = arena("match", "greedy", "silent", "silent", *TRUSTED, "--json", "-o", "m.jsonl")
    assert (ran.code, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert list(data) == ["game", "edition", "seed", "termination", "asks", "void", "seats", "sha256", "command"]
    assert [seat["entrant"] for seat in data["seats"]] == ["greedy", "silent#1", "silent#2"]
    assert all(list(seat) == ["entrant", "money", "rank", "ended", "faults"] for seat in data["seats"])
    assert json.loads((tmp_path / "m.jsonl").read_bytes().splitlines()[-1])["sha256"] == data["sha256"]


@pytest.mark.slow
def test_what_a_bot_prints_does_not_get_into_the_data(arena: Any, write_bot: Any) -> None:
    write_bot("def turn(self, view):\n    print('PRINTED')\n    return self.play_on(view)")
    ran = arena("match", "./player.py", "silent", *SHORT, "--json")
    json.loads(ran.out)
    assert "PRINTED" in ran.err


@pytest.mark.slow
def test_a_replay_lands_where_it_was_asked_for_whatever_folder_a_bot_changes_to(arena: Any, write_bot: Any) -> None:
    write_bot("def start(self, start): os.chdir('/')")
    Path("kept").mkdir()
    assert arena("match", "./player.py", "silent", *SHORT, "-o", "kept/m.jsonl").code == 0
    assert Path("kept/m.jsonl").resolve() != Path("/kept/m.jsonl") or Path.cwd() == Path("/")


def test_editions_are_listed_shown_checked_and_compared(arena: Any) -> None:
    names = [name for name in bundled_rules() if not load_source(name).abstract]
    rows = [line.split() for line in arena("rules", "list").out.splitlines()[2:] if line[0] != " "]
    assert [row[0] for row in rows] == names
    assert ["outline", "board", "3–6"] in [row[:3] for row in rows]
    listed = json.loads(arena("rules", "list", "--json").out)
    assert [each["name"] for each in listed] == names
    assert {each["game"] for each in listed} == set(built_in_games())
    shown = arena("rules", "show", "outline", "--rule", "max_turns=7")
    digest = re.match(r"# outline\+max_turns=7, digest ([0-9a-f]{64})\ngame: board\nname: outline\n", shown.out)
    assert digest
    assert "\nmax_turns: 7\n" in shown.out
    assert json.loads(arena("rules", "show", "outline", "--json").out)["name"] == "outline"
    Path("mine.yaml").write_text("parent: outline\nname: mine\nmax_turns: 7\n")
    checked = arena("rules", "check", "outline", "mine.yaml")
    assert (checked.code, checked.err) == (0, "")
    assert re.fullmatch(
        r"outline: fine; board, 3 to 6 players, digest \w{16}\nmine.yaml: fine; board, 3 to 6 players, digest \w{16}\n",
        checked.out,
    )
    same = arena("rules", "diff", "outline", "outline")
    assert same == (0, "no difference\n", "")
    other = arena("rules", "diff", "outline", "mine.yaml")
    assert (other.code, other.err) == (0, "")
    assert [line.split()[0] for line in other.out.splitlines()[2:]] == ["name", "max_turns"]
    data = json.loads(arena("rules", "diff", "outline", "mine.yaml", "--json").out)
    assert data[0] == {"key": "name", "outline": "outline", "mine.yaml": "mine"}


@pytest.mark.parametrize(
    "command",
    ["rules list", "rules diff face2face-2003 schmidt-1994", "rules diff outline card-game", "bots list", "doctor"],
)
def test_tables_fit_a_terminal(arena: Any, command: str) -> None:
    ran = arena(*command.split())
    assert ran.code == 0
    assert max(map(len, ran.out.partition("\n\n")[0].splitlines())) <= 100


def test_a_mistake_in_a_rules_file_is_named_by_line_and_column(arena: Any) -> None:
    Path("mine.yaml").write_text("parent: outline\nname: mine\nmax_turns: many\n")
    expected = "arena: mine.yaml:3:12: max_turns: expected a whole number from 1 to 1,000,000,000, got 'many'\n"
    assert arena("rules", "check", "mine.yaml") == (2, "", expected)


def test_bots_are_listed_with_what_they_do(arena: Any) -> None:
    ran = arena("bots", "list")
    assert (ran.code, ran.err) == (0, "")
    every = ", ".join(built_in_games())
    assert f"random-legal  {every}  Plays any legal move with equal chance" in re.sub("  +", "  ", ran.out)
    listed = {each["name"]: each for each in json.loads(arena("bots", "list", "--json").out)}
    assert all(Path(each["file"]).is_file() and each["description"] for each in listed.values())
    assert listed["dealmaker"]["games"] == ["board"]
    assert listed["random-legal"]["games"] == listed["silent"]["games"] == list(built_in_games())


def new_bot(arena: Any, game: str, name: str = "my_bot") -> str:
    """Makes a bot for this game; the words of the match that it is told to try."""
    ran = arena("bots", "new", name.replace("_", " ").title(), "--game", game)
    assert (ran.code, ran.err) == (0, "")
    pattern = rf"wrote {name}\.py and test_{name}\.py; now try:\n  arena (match \./{name}\.py .+)\n"
    pattern += rf"  arena bots check \./{name}\.py\n  pytest test_{name}\.py\n  arena gauntlet \./{name}\.py .+\n"
    found = re.fullmatch(pattern, ran.out)
    assert found
    return found[1]


def test_a_new_bot_is_for_the_board_game_unless_another_is_named(arena: Any) -> None:
    assert "\n  arena match ./other.py dealmaker greedy hard\n" in arena("bots", "new", "other").out


@pytest.mark.slow
def test_a_new_bot_of_each_game_plays_and_its_tests_pass(arena: Any, tmp_path: Path) -> None:
    for game in games_with_template():
        command = new_bot(arena, game, f"my_{game}")
        result = json.loads(arena(*command.split(), "--seed", 3, "--json").out)
        assert result["game"] == game
        assert result["seats"][0]["faults"] == {}
    environment_root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *tmp_path.glob("test_my_*.py")],
        cwd=tmp_path,
        env={"PYTHONPATH": environment_root, "PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    again = arena("bots", "new", "my_board")
    assert again == (2, "", "arena: my_board.py exists already; choose another name or --folder\n")


def test_a_new_bot_may_lie_anywhere(arena: Any, tmp_path: Path) -> None:
    ran = arena("bots", "new", "other", "--folder", tmp_path / "deep" / "er")
    assert f"  arena match {tmp_path}/deep/er/other.py dealmaker greedy hard\n" in ran.out
    assert arena("match", tmp_path / "deep" / "er" / "other.py", "silent", *TRUSTED).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", games_with_template())
def test_a_new_bot_passes_the_check(game: str, arena: Any, few_matches: None) -> None:
    new_bot(arena, game)
    ran = arena("bots", "check", "./my_bot.py")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"./my_bot.py: 2 matches of {game}, isolation level ")
    asked = set(re.findall(r"^(\w+) +\d+$", ran.out, re.MULTILINE))
    assert "offer" in asked
    assert asked <= set(load_game(game).hooks)
    assert re.search(r"^time per ask  median \d+ µs, mean \d+ µs, worst \d+\.\d\d ms$", ran.out, re.MULTILINE)
    assert re.search(r"^repeats       yes", ran.out, re.MULTILINE)
    assert "\nfaults        none\n" in ran.out


@pytest.mark.slow
def test_a_check_tells_faults_with_rules_and_where_they_were_met(arena: Any, write_bot: Any, few_matches: None) -> None:
    write_bot("def turn(self, view): return Roll() if view.rolled else Draw()")
    ran = arena("bots", "check", "./player.py", "--trust")
    assert ran.code == 1
    assert re.search(
        r"^\d+ × illegal \[B3(\.\d)?\] in turn: .+\n    first in .+, \d players, seed check-\d+, ask \d+$",
        ran.out,
        re.M,
    )
    report = json.loads(arena("bots", "check", "./player.py", "--trust", "--json").out)
    assert [(each["kind"], each["hook"]) for each in report["faults"]] == [("illegal", "turn")] * 2
    assert report["asks"]["turn"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice",
    ["moves[hash(str(view)) % len(moves)]", "moves[time.time_ns() % len(moves)]"],
    ids=["hash order", "the clock"],
)
def test_a_check_catches_a_bot_that_does_not_repeat_itself(
    choice: str, arena: Any, write_bot: Any, few_matches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "hash" in choice:  # which is another in another interpreter
        monkeypatch.setattr(play_twice, "play_again", play_again)
    body = f"def turn(self, view):\n    moves = self.legal_moves(view)\n    return {choice}"
    write_bot(body)
    ran = arena("bots", "check", "./player.py", "--trust")
    assert ran.code == 1
    assert re.search(r"^repeats       NO: \S+ differs", ran.out, re.MULTILINE)


@pytest.mark.slow
def test_a_bot_that_does_nothing_is_told_so(arena: Any, few_matches: None) -> None:
    ran = arena("bots", "check", "silent", "--trust")
    assert ran.code == 0
    assert "it implements no hook: defaults are played for it\n" in ran.out


@pytest.mark.parametrize("trust", [("--trust",), ()])
@pytest.mark.parametrize("command", ["match", "bots check", "run"])
def test_a_misspelt_hook_is_refused_by_every_command_that_loads(
    command: str, trust: tuple[str, ...], arena: Any, write_bot: Any, tmp_path: Path
) -> None:
    write_bot("def ofer(self, view): pass\ndef turns(self, view): pass\ndef close(self, view): self.turns(view)")
    (tmp_path / "t.yaml").write_text("{name: t, entrants: [./player.py, fair], editions: [eagle-gryphon], seats: 2}\n")
    words = {"match": ["./player.py", "fair"], "bots check": ["./player.py"], "run": ["t.yaml"]}[command]
    ran = arena(*command.split(), *words, *trust)
    assert (ran.code, ran.out) == (2, "")
    assert "bot player.py: ofer is not a hook and is never called; did you mean 'offer'?" in ran.err


def test_a_bot_meets_only_bots_of_its_game_in_the_editions_of_that_game(write_bot: Any, tmp_path: Path) -> None:
    from arena.commands.bots.check import _check_works
    from arena.runs.bundled_bots import bundled_for
    from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
    from arena.runs.planning.load_bots import plays_of

    ref = refer_file(str(write_bot("")), None)
    assert tuple(plays_of(ref, TRUSTED_ISOLATION)) == ("board",)
    works = list(_check_works(ref, ("board",), TRUSTED_ISOLATION))
    editions = {name for name in bundled_rules() if load_source(name).document.data.get("game") == "board"}
    assert {work.spec.game for work in works} == {"board"}
    assert {work.spec.edition for work in works} == editions - {"board-base", "board-variants"}
    assert {bot.name for work in works for bot in work.bots} == {ref.name, *bundled_for("board")}


@pytest.mark.slow
def test_the_speed_is_measured_in_any_edition(arena: Any) -> None:
    ran = arena("bench", "--rules", "outline", "--rule", "max_turns=9", "--seconds", "0.1", "-j", 1, "--json")
    assert (ran.code, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert (data["edition"], data["bots"]) == ("outline+max_turns=9", ["dealmaker", "greedy", "hard", "hoarder"])
    assert data["asks"] > 0
    assert data["verified"] > 0


def test_pages_are_listed_and_printed(arena: Any) -> None:
    listed = arena("docs")
    assert listed.code == 0
    names = re.findall(r"^  (\S+) ", listed.out, re.MULTILINE)
    assert len(names) > 40
    for name in names:
        page = arena("docs", name)
        assert (page.code, page.err) == (0, "")
        assert len(page.out) > 100
