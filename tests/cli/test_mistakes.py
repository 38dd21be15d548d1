"""A mistake is answered with what was expected, what was got, where, and the nearest name: exit code 2, no traceback,
nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.cli.main import cli
from arena.config.editions import bundled_rules, load_source
from arena.finding.reference import bundled_bots
from arena.system.platform_support import usable_cores

TINY = """
name: tiny
seed: 5
entrants: [random-legal, greedy, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
"""
CORES = usable_cores()
TOO_MANY = f"1000 jobs on {CORES} cores would only slow each other down; give at most {CORES}\n"
BOTS = ", ".join(bundled_bots())
RULES = ", ".join(name for name in bundled_rules() if not load_source(name).abstract)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    base = "from arena.bot import Bot\n"
    (tmp_path / "t.yaml").write_text(TINY)
    (tmp_path / "two.py").write_text(f"{base}class One(Bot): pass\nclass Two(Bot): pass\n")
    (tmp_path / "none.py").write_text("class One: pass\n")
    (tmp_path / "broken.py").write_text(f"{base}class One(Bot): pass\n1 / 0\n")
    (tmp_path / "syntax.py").write_text("class One(:\n")
    (tmp_path / "leaves.py").write_text("import os\nos._exit(0)\n")
    (tmp_path / "mine.py").write_text(f"{base}class Mine(Bot):\n    def __init__(self, depth: int = 1): pass\n")
    (tmp_path / "needs.py").write_text(f"{base}class Needs(Bot):\n    def __init__(self, depth): pass\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")


RESUMED = (
    "--resume uses the settings the run began with; add only --blocks or --matches (for more of them), --reuse, "
    "--retry-void, --trust, --wider-sandbox, --time-limit, --max-fault-rate, -j, --oversubscribe, --executor, "
    "--scheduler, --slots, --cassette, --money, --give-up, --allow-models, --json, --table-every or -q"
)
MESSAGES = {
    "match gredy silent": f"no bundled bot 'gredy' (did you mean 'greedy'?); there are {BOTS}. "
    "Name a bot of your own by its file, such as ./gredy.py",
    "match ./mime.py silent": "no bot file ./mime.py (did you mean 'mine.py'?)",
    "match ./two.py silent": "two.py defines 2 bots: One, Two. Say which, as in two.py:One",
    "match ./two.py:Three silent": "two.py defines no 'Three'",
    "match ./none.py silent": "none.py defines no bot: no class derives from arena.bot.Bot; its classes are One",
    "match ./broken.py silent": "bot broken.py cannot be loaded: ZeroDivisionError: division by zero at line 3 in "
    "<module>",
    "match ./leaves.py silent": "bot leaves.py ended its process while it was loaded",
    "match ./needs.py silent": "bot needs.py needs the option 'depth', as in needs.py?depth=…",
    "match ./mine.py?dept=2 silent": "bot mine.py has no option 'dept' (did you mean 'depth'?); it takes depth",
    "match no_such_module:Bot silent": "no module 'no_such_module' to import; is its package installed, or its folder "
    "on PYTHONPATH?",
    "match greedy": "eagle-gryphon is for 2 to 6 players, got 1 bots",
    "match greedy silent --rules outline": "outline is for 3 to 6 players, got 2 bots",
    "match greedy silent --rules outlin": f"no rules called 'outlin' (did you mean 'outline'?); there are {RULES}, "
    "or a .yaml file",
    "match greedy silent --rules board-base": "{root}/configs/rules/board-base.yaml:",
    "match greedy silent --variant last-cal": "eagle-gryphon has no variant 'last-cal' (did you mean 'last-call'?); "
    "it offers ",
    "match greedy silent --rule max_turn=3": "--rule max_turn: unknown key (did you mean 'max_turns'?); expected one "
    "of ",
    "match greedy silent --rule max_turns=x": "--rule max_turns: expected a whole number from 1 to 1,000,000,000, "
    "got 'x'",
    "match greedy silent --rule max_turns": "--rule max_turns: expected key=value, such as max_turns=50",
    "run tiny": "no tournament file 'tiny'; give a .yaml file, or one of arena's own: ",
    "run tt.yaml": "tt.yaml: no such file (did you mean 't.yaml'?)",
    "run t.yaml --set blocks=0": "--set blocks: expected a whole number from 1 to 1,000,000,000 or null, got 0",
    "run t.yaml --set entrants[7]=greedy": "--set entrants[7]: entrants has items [0] to [2], got 7",
    "run t.yaml --set entrants[1]=gredy": "--set entrants[1]: ",
    "run t.yaml --set seats=7": "--set seats: 7 seats, but only 3 entrants to fill them",
    "run t.yaml --set limits.aks=1": "--set limits.aks: unknown key (did you mean 'ask'?); expected one of start, ask, "
    "bank",
    "run t.yaml -j 999": "999 jobs on ",
    "run t.yaml -o full": "full exists already; choose another --out",
    "run --resume nowhere": "nowhere holds no run: nowhere/config.resolved.yaml is missing",
    "run --resume full": "full holds no run: full/config.resolved.yaml is missing",
    "standings full": "full holds no run: full/manifest.json is missing",
    "verify full": "no replays (*.jsonl) below full",
    "show t.yaml": "t.yaml: line 1: not a replay header: ",
    "rerun t.yaml": "t.yaml: line 1: not a replay header: ",
    "rules check outlin": f"no rules called 'outlin' (did you mean 'outline'?); there are {RULES}, or a .yaml file",
    "rules diff outline schmidt": f"no rules called 'schmidt' (did you mean 'schmidt-1994'?); there are {RULES}, "
    "or a .yaml file",
    "rules show outline --rule spaces=3": "--rule spaces: expected a list, got 3",
    "bots check gredy": f"no bundled bot 'gredy' (did you mean 'greedy'?); there are {BOTS}. ",
    "bots check ./broken.py": "bot broken.py cannot be loaded: ZeroDivisionError: division by zero",
    "bots check ./syntax.py": "bot syntax.py cannot be loaded: SyntaxError: invalid syntax (syntax.py, line 1)",
    "bots new class": "'class' is a keyword or a module of Python, and class.py would hide it; choose another name",
    "bots new 7": "'7' cannot be a bot's name; use letters, digits and _, beginning with a letter",
    "bots new mine": "mine.py exists already; choose another name or --folder",
    "bots new mybot --game bord": "no template for 'bord' (did you mean 'board'?); there are board",
    "bench --rules outlin": f"no rules called 'outlin' (did you mean 'outline'?); there are {RULES}, or a .yaml file",
    "verify t.yaml --game no.such": "there is no game 'no.such'",
    "gauntlet greedy gredy": "no bundled bot 'gredy' (did you mean 'greedy'?); there are ",
    "gauntlet ./nobody.py greedy": "no bot file {tmp}/nobody.py",
    "gauntlet greedy silent --rules outlin": f"no rules called 'outlin' (did you mean 'outline'?); there are {RULES}",
    "gauntlet greedy silent --rule max_turns=many": "--rule max_turns: expected a whole number from 1 to ",
    "gauntlet greedy silent --rule max_turns": "--rule max_turns: expected key=value, such as max_turns=50",
    "gauntlet greedy silent --seats 3": "expected 2 opponents or more of a challenger, one for each other ",
    "gauntlet greedy silent --seats 9": "--seats: eagle-gryphon is for 2 to 6 players, got 9",
    "gauntlet tycoon closer --rules card-game": "card-game is for 3 to 6 players: name 2 opponents or more, got 1",
    "gauntlet greedy silent --vary greed": "--vary greed: expected KEY=FROM:TO:STEP or KEY=a,b,c, such as ",
    "gauntlet greedy silent --vary gred=1,2": "bot greedy ",
    "gauntlet greedy silent --seed \x01": "--seed: expected text of one line in UTF-8",
    "gauntlet greedy silent --out full": "full exists already; choose another --out",
    "study last-deals -n 5 -j 1000": TOO_MANY,
    "ladder submit full greedy -j 1000": TOO_MANY,
    "docs bts": "no page 'bts' (did you mean 'bots'?); there are ",
}
ADDRESS = "expected an event (a line of the replay, from 1) such as 412, or an ask such as ask47"
USAGE = {
    "mtach": f"no command 'mtach' (did you mean 'match'?); there are {', '.join(sorted(cli.table))}",
    "rules shwo": "no command 'shwo' (did you mean 'show'?); there are check, diff, generate, list, show",
    "bots chek": "no command 'chek' (did you mean 'check'?); there are check, clone, list, new",
    "match": "Missing argument 'BOT...'.",
    "match greedy silent --deals 20": "a match has one deal; to play the first bot against the others on many deals: "
    "arena gauntlet BOT OPPONENT... --deals 20",
    "gauntlet greedy": "Missing argument 'OPPONENT...'.",
    "gauntlet greedy silent --deals 0": "Invalid value for '-n' / '--deals': 0 is not in the range 1<=x<=1000000000.",
    "run": "name a tournament file, such as: arena run configs/tournaments/quick.yaml",
    "run t.yaml --bloks 2": "No such option",
    "run t.yaml -n 0": "Invalid value for '-n' / '--blocks': 0 is not in the range 1<=x<=1000000000.",
    "run t.yaml --resume full": RESUMED,
    "run --resume full --seed 3": RESUMED,
    "run t.yaml --fault-policy mercy": "Invalid value for '--fault-policy': 'mercy' is not one of 'substitute', "
    "'forfeit', 'void'.",
    "match greedy silent --ask 0": "Invalid value for '--ask': 0.0 is not in the range 0<x<=1000000.",
    "verify nowhere": "Invalid value for 'FILE|DIR [MATCH]...': Path 'nowhere' does not exist.",
    "show full": "Invalid value for 'FILE|DIR MATCH': File 'full' is a directory.",
    "show t.yaml --from #0": f"Invalid value for '--from': {ADDRESS}; got '#0'",
    "show t.yaml --to -1": f"Invalid value for '--to': {ADDRESS}; got '-1'",
    "view t.yaml --at last": f"Invalid value for '--at': {ADDRESS}; got 'last'",
    f"view t.yaml --at {10**60}": f"Invalid value for '--at': {ADDRESS}; got '1{'0' * 55}...",
}


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts}


@pytest.mark.usefixtures("loaded_apart")
def test_a_mistake_is_told_in_one_line(arena: Any, tmp_path: Path) -> None:
    before = everything(tmp_path)
    for line, message in MESSAGES.items():
        ran = arena(*line.split())
        assert (ran.code, ran.out) == (2, ""), line
        expected = message.replace("{tmp}", str(tmp_path)).replace("{root}", str(Path(__file__).parents[2]))
        assert ran.err.startswith(f"arena: {expected}"), line
        assert ran.err.count("\n") == 1, line
        assert everything(tmp_path) == before, line


def test_a_wrong_command_line_is_told_with_the_usage(arena: Any, tmp_path: Path) -> None:
    before = everything(tmp_path)
    for line, message in USAGE.items():
        ran = arena(*line.split())
        assert (ran.code, ran.out) == (2, ""), line
        usage, hint, empty, error = ran.err.rstrip("\n").split("\n")
        assert usage.startswith("Usage: arena "), line
        assert (hint[:12], empty) == ("Try 'arena " + hint[11], ""), line
        assert error.startswith(f"Error: {message}"), line
        assert everything(tmp_path) == before, line


CONFIGS = {
    "name: x\nentrants: [a\n": "3:1: a list opened with '[' is not closed with ']', or lacks a comma (it begins in "
    "line 2)",
    "": "the file is empty; expected 'key: value' lines",
    TINY + "blocks: 2\nblocks: 3\n": "8:1: blocks: the key occurs twice, in lines 7 and 8",
    TINY + "block: 2\n": "7:1: block: unknown key (did you mean 'blocks'?); expected one of ",
    TINY.replace("greedy", "gredy"): "4:26: entrants[1].bot: no bundled bot 'gredy' (did you mean 'greedy'?)",
    TINY.replace(
        "greedy", "'greedy?gred=1'"
    ): "4:26: entrants[1].bot: bot greedy has no option 'gred' (did you mean 'greed'?)",
    TINY.replace("greedy", "./two.py"): "4:26: entrants[1].bot: two.py defines 2 bots: One, Two.",
    TINY.replace("greedy", "./nine.py"): "4:26: entrants[1].bot: no such file: {tmp}/nine.py (did you mean 'mine.py'?)",
    TINY.replace("greedy", "./leaves.py"): "4:26: entrants[1].bot: bot leaves.py ended its process while it was loaded",
    TINY.replace(
        "greedy", "silent"
    ): "4:34: entrants[2]: entrants[1] also has the name 'silent'; give each a different 'name'",
    TINY.replace("eagle-gryphon", "eagle"): "5:12: editions[0]: no rules called 'eagle' (did you mean",
    TINY.replace("eagle-gryphon", "outline"): "6:8: seats: outline+set-",
    TINY.replace("max_turns: 6", "max_turn: 6"): "5:55: editions[0].changes.max_turn: unknown key (did you mean",
    TINY + "limits: {ask: soon}\n": "7:15: limits.ask: expected a number above 0 and of at most 1,000,000, got 'soon'",
}


@pytest.mark.usefixtures("loaded_apart")
def test_a_mistake_in_a_tournament_file_is_named_by_line_and_column(arena: Any, tmp_path: Path) -> None:
    for text, message in CONFIGS.items():
        (tmp_path / "bad.yaml").write_text(text)
        before = everything(tmp_path)
        ran = arena("run", "bad.yaml")
        assert (ran.code, ran.out) == (2, ""), text
        assert ran.err.startswith("arena: "), text
        assert "bad.yaml" in ran.err, text
        assert message.replace("{tmp}", str(tmp_path)) in ran.err, text
        assert ran.err.count("\n") == 1, text
        assert everything(tmp_path) == before, text


LONG = "a" * 300


@pytest.mark.parametrize("line", ["match silent silent --seed 1 -o", "run t.yaml -q -o", "bots new mybot --folder"])
def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_played(
    line: str, arena: Any, tmp_path: Path
) -> None:
    before = everything(tmp_path)
    for place in ("/dev/null/x", "t.yaml/x", "t.yaml/x/y", "/proc/x", "/proc/x/y", LONG, f"full/{LONG}"):
        ran = arena(*line.split(), place)
        assert (ran.code, ran.out) == (2, ""), place
        assert ran.err.startswith(f"arena: {line.split()[-1].replace('-o', '--out')} {place[:20]}")
        assert ran.err.endswith("; choose another place\n"), place
        assert ran.err.count("\n") == 1, place
        assert everything(tmp_path) == before, place
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
            {Path(each).name for each in before} - {"notes.txt"} | {"full"}
        ), place


@pytest.mark.parametrize("place", ["t.yaml", "/dev/null"])
def test_a_file_is_no_place_for_a_folder_of_tables(place: str, arena: Any) -> None:
    assert arena("run", "t.yaml", "-q", "--trust", "-o", "played").code == 0
    ran = arena("export", "played", "--out", place)
    why = f"arena: --out {place}: cannot be written: Not a directory; choose another place\n"
    assert (ran.code, ran.err) == (2, why)


def test_a_device_that_is_full_is_named(arena: Any) -> None:
    ran = arena("match", "silent", "silent", "--seed", 1, "--rule", "max_turns=2", "-o", "/dev/full")
    assert ran.code == 1
    assert ran.err == "arena: /dev/full: No space left on device\n"


def test_exit_codes_are_those_of_the_process(real_arena: Any) -> None:
    ran = real_arena("mtach")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'match'?" in ran.err
    ran = real_arena("match", "gredy", "silent")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arena: no bundled bot 'gredy' (did you mean 'greedy'?)")
    ran = real_arena("--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("arena, version ")


def test_every_help_ends_with_an_example(arena: Any) -> None:
    commands = ["run", "match", "verify", "rerun", "show", "standings", "export", "rules", "bots", "bench", "docs"]
    commands += ["rules list", "rules show", "rules check", "rules diff", "bots list", "bots new", "bots check", ""]
    for command in commands:
        ran = arena(*command.split(), "-h")
        assert (ran.code, ran.err) == (0, "")
        assert f"\n    arena {command}".rstrip() in ran.out, command
        assert "Example" in ran.out


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("match silent silent --trust", "--out"),
        ("picture m.jsonl --deal 1", "--out"),
        ("ratings run", "--csv"),
        ("ratings run", "--pgn"),
        ("luck run", "--fit"),
        ("study seats run", "--plot"),
    ],
)
@pytest.mark.parametrize(
    ("below", "near"),
    [("result", " (did you mean 'results'?)"), ("result/deep", " (did you mean 'results'?)"), ("elsewhere", "")],
)
def test_a_file_makes_no_folder(arena: Any, command: str, option: str, below: str, near: str) -> None:
    Path("results").mkdir()
    Path("run").mkdir()
    Path("m.jsonl").touch()
    missing = below.partition("/")[0]
    told = f"arena: {option} {below}/file: there is no folder {missing}{near}; choose another place\n"
    assert arena(*command.split(), option, f"{below}/file") == (2, "", told)
    assert not Path(missing).exists()
