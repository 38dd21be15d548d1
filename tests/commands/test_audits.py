"""``arena audit`` plays matches again: what is the same, what is not, whom that concerns, what it says of the rest."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.executors.executor import Look, no_look
from arena.executors.make import make_executor
from arena.match.work import Work, WorkResult
from arena.rerun import audit
from arena.runs.planning.isolation_level import EXEMPT_WORDS, strictest_isolation
from arena.tournament.standings.provenance import Label
from tests.conftest import Arena
from tests.kept import loosen

TOURNAMENT = """
name: june
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [greedy, random-legal, ./mine.py]
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 4}}}}]
seats: 2
blocks: 1
tables: all
isolation: {isolation}
"""
SAID = f"isolation {strictest_isolation().level}{EXEMPT_WORDS}"
"""What an audit says of greedy and random-legal, which are bundled, and of a third."""
LABEL = "eagle-gryphon+set-9156c083-2p"
MATCHES = 2 * 3
FIRST = "\ndef turn(self, view):\n    return self.legal_moves(view)[0]\n"
BY_CHANCE = """
def turn(self, view):
    import random
    return random.choice(self.legal_moves(view))
"""
BY_THE_CLOCK = """
def turn(self, view):
    moves = self.legal_moves(view)
    return moves[time.time_ns() // 1000 % len(moves)]
"""
BY_MACHINE = """
def turn(self, view):
    moves = sorted(self.legal_moves(view), key=repr)
    return moves[-1 if os.environ.get("ODD") else 0]
"""


@pytest.fixture
def play(arena: Arena, write_bot: Any, kept_runs: Path, tmp_path: Path) -> Any:
    """Plays the tournament with a bot of these methods as ``mine``; with the first, once for all tests."""

    def played(body: str = FIRST, isolation: str = "none", *more: object) -> Path:
        write_bot(body, "mine")
        (tmp_path / "june.yaml").write_text(TOURNAMENT.format(isolation=isolation))
        out, kept = tmp_path / "out", kept_runs / "june"
        if body == FIRST and kept.exists():
            return Path(shutil.copytree(kept, out))
        assert arena("run", "june.yaml", "-o", "out", "-j", 1, "-q", *more).code == 0
        if body == FIRST:
            shutil.copytree(out, kept)
        return out

    return played


def audited(arena: Arena, *given: object, code: int = 0) -> Any:
    """What an audit of trusted bots finds, as data."""
    ran = arena("audit", "out", "--trust", "-j", 1, "-q", "--json", *given)
    assert (ran.code, ran.err) == (code, "isolation none\n"), ran
    return json.loads(ran.out)


def by_name(tallies: Any) -> dict[str, Any]:
    return {each["name"]: each for each in tallies}


@pytest.mark.slow
def test_what_is_played_again_comes_out_the_same_and_every_bot_has_a_label(
    arena: Arena, play: Any, other_interpreter: None
) -> None:
    out = play()
    ran = arena("audit", "out", "--sample", "100%", "-j", 1, "-q")
    assert ran.code == 0
    assert f"\n{MATCHES} of {MATCHES} identical.\n" in ran.out
    assert f"These are all {MATCHES} matches, so this is certain." in ran.out
    written = "written to out/audit.json; the standings show the labels"
    assert ran.err == f"{SAID}\n{written}\n"
    found = by_name(json.loads((out / "audit.json").read_bytes())["entrants"])
    assert {name: each["label"] for name, each in found.items()} == {
        "greedy": Label.ITSELF, "random-legal": Label.FROM_SEED, "mine": Label.FROM_SEED,
    }  # fmt: skip
    assert found["greedy"]["evidence"].startswith("4 of 4 matches played again: same bytes; with another seed the same")
    assert "with another seed it answers differently (arena audit, 20" in found["mine"]["evidence"]


NOW_AND_THEN = """
    def turn(self, view):
        if view.turn == 1 and self.random.random() < 0.5:
            raise ValueError("now and then")
        return Draw() if view.rolled else Roll()
"""
NOT_ALWAYS_STARTED = """
    def start(self, start):
        if self.random.random() < 0.5:
            raise ValueError("now and then")
"""
OTHER_WORDS = """
    def turn(self, view):
        if view.turn == 1:
            raise ValueError(self.random.random())
        return Draw() if view.rolled else Roll()
"""


@pytest.mark.slow
def test_a_bot_whose_faults_alone_follow_its_seed_is_not_said_to_repeat_itself(arena: Arena, tmp_path: Path) -> None:
    head = "from arena.games.board import BoardBot, Draw, Roll\n\nclass Mine(BoardBot):"
    bodies = {"then": NOW_AND_THEN, "start": NOT_ALWAYS_STARTED, "words": OTHER_WORDS}
    for name, body in bodies.items():
        (tmp_path / f"{name}.py").write_text(head + body)
    entrants = "greedy, ./then.py, ./start.py, ./words.py"
    text = TOURNAMENT.format(isolation="none").replace("greedy, random-legal, ./mine.py", entrants)
    (tmp_path / "june.yaml").write_text(text)
    ran = arena("run", "june.yaml", "--seed", 7, "-o", "out", "-j", 1, "-q")
    bots = by_name(audited(arena, "--sample", "100%")["entrants"])
    for name in bodies:
        assert re.search(rf"faults: .*\b{name} ", ran.err), name
        assert (bots[name]["identical"], bots[name]["label"]) == (6, Label.FROM_SEED), name
        assert "; with another seed it answers differently (arena audit, 20" in bots[name]["evidence"], name


@pytest.mark.slow
def test_labels_stand_in_all_standings_and_verification_accepts_them(arena: Arena, play: Any) -> None:
    out = play()
    before = {path.name: path.read_bytes() for path in out.glob("standings.*")}
    audited(arena, "--sample", 6, "--no-write")
    assert {path.name: path.read_bytes() for path in out.glob("standings.*")} == before
    assert not (out / "audit.json").exists()
    audited(arena, "--sample", 6)
    assert arena("verify", "out", "-q").code == 0
    rows = json.loads((out / "standings.json").read_text())[LABEL]["rows"]
    evidence = {row["entrant"]: row["evidence"] for row in rows}
    assert {row["entrant"]: row["label"] for row in rows}["greedy"] == "repeats itself"
    assert json.loads(arena("standings", "out", "--json").out)[LABEL]["rows"] == rows
    header, *lines = (out / "standings.csv").read_text().splitlines()
    assert header.endswith(",label,evidence")
    assert all(evidence[line.split(",")[3]] in line for line in lines)
    assert f"greedy repeats itself: {evidence['greedy']}." in (out / "standings.md").read_text()
    shown = " ".join(arena("standings", "out").out.split())
    assert f"greedy repeats itself: {evidence['greedy']}." in shown
    assert re.search(r" repeat themselves from the seed \(\d.* match(es)? of each played again; arena audit, 20", shown)
    (out / "audit.json").write_text("{}")
    ran = arena("verify", "out", "-q")
    assert (ran.code, ran.out.count("\n")) == (3, 1)
    assert "out/audit.json cannot be read: " in ran.out


@pytest.mark.slow
def test_labels_are_of_the_matches_that_were_audited(arena: Arena, play: Any) -> None:
    out = play()
    audited(arena, "--sample", 3)
    assert arena("run", "--trust", "--resume", "out", "--blocks", 2, "-j", 1, "-q").code == 0
    rows = json.loads((out / "standings.json").read_text())[LABEL]["rows"]
    assert {row["label"] for row in rows} == {None}
    assert arena("verify", "out", "-q").code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "label", "isolation"), [(BY_CHANCE, Label.NOT, "none"), (BY_THE_CLOCK, Label.CLOCK, "process")]
)
def test_a_bot_that_does_not_repeat_itself_is_named_as_such_and_nobody_is_accused(
    body: str, label: Label, isolation: str, arena: Arena, play: Any
) -> None:
    out = play(body, isolation)
    trust = ["--trust"] if isolation == "none" else []
    ran = arena("audit", "out", "--sample", "100%", "-j", 1, "-q", *trust)
    assert ran.code == 0
    found = json.loads((out / "audit.json").read_bytes())
    bots = by_name(found["entrants"])
    assert bots["mine"]["label"] == label
    assert "its answers differ between two plays of " in bots["mine"]["evidence"]
    assert bots["greedy"]["label"] == Label.ITSELF
    assert bots["random-legal"]["label"] == Label.FROM_SEED
    assert found["others"]
    for each in found["others"]:
        assert (each["came"], each["entrant"], each["others_as_recorded"]) == ("not repeatable", "mine", True)
        assert 0 < each["ask"] <= each["asks"]
    steady = MATCHES // 3
    assert found["bound"] == {"matches": steady, "drawn": steady, "differ": 0, "at_most": 0, "confidence": 0.95}
    said = " ".join(ran.out.split())
    assert "differ because of bots that do not repeat themselves" in said
    assert f"These are all {steady} matches of bots that repeat themselves" in said


@pytest.mark.slow
def test_other_answers_of_a_steady_bot_are_found_beside_one_that_does_not_repeat_itself(
    arena: Arena, play: Any, write_bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bot(BY_MACHINE, "odd")
    monkeypatch.setenv("ODD", "1")
    out = play(BY_CHANCE, "none", "--set", "entrants=[greedy,./odd.py,./mine.py]")
    monkeypatch.setenv("ODD", "")
    found = audited(arena, "--sample", "100%", "--no-write", code=3)
    came = {each["id"]: (each["came"], each["entrant"]) for each in found["others"]}
    played = {record["id"]: names(record) for record in records(out)}
    assert {came[id] for id, sat in played.items() if "odd" in sat} == {("otherwise", "odd")}
    assert {came[id] for id, sat in played.items() if id in came and "odd" not in sat} == {("not repeatable", "mine")}


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "matches.jsonl").read_bytes().splitlines()]


def names(record: dict[str, Any]) -> list[str]:
    return [seat["entrant"] for seat in record["seats"]]


def exchange(out: Path, lines: list[dict[str, Any]]) -> set[str]:
    """Exchange the replays of the first two of these matches; their ids."""
    one, other = (out / line["replay"] for line in lines[:2])
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    return {line["id"] for line in lines[:2]}


@pytest.mark.slow
def test_exchanged_replays_are_found(arena: Arena, play: Any) -> None:
    out = play()
    loosen(out)
    swapped = exchange(out, records(out))
    ran = arena("audit", "out", "--sample", "100%", "--trust", "-j", 1, "-q")
    assert ran.code == 3
    found = json.loads((out / "audit.json").read_bytes())
    assert {each["id"] for each in found["others"]} == swapped
    assert all(each["problem"].startswith("its replay is of another match, or of other bots: id: ")
               for each in found["others"])  # fmt: skip
    assert found["bound"]["differ"] == 2
    assert f"{MATCHES - 2} of {MATCHES} identical; 2 DIFFER" in " ".join(ran.out.split())


@pytest.mark.slow
def test_a_changed_line_is_found_and_nothing_is_written(arena: Arena, play: Any) -> None:
    out = play()
    path = out / "matches.jsonl"
    record = records(out)[0]
    old = f'"money":{record["seats"][0]["money"]}'
    path.write_bytes(path.read_bytes().replace(old.encode(), b'"money":99', 1))
    ran = arena("audit", "out", "--sample", "100%", "-j", 1, "-q")
    assert (ran.code, ran.err) == (3, f"{SAID}\n")
    assert "manifest.json has another root digest, " in " ".join(ran.out.split())
    said = " ".join(ran.out.split())
    assert f"{record['id']} (played on" in said
    assert "DIFFERS: its line in matches.jsonl contradicts its replay: money of seat 0 is 99 here" in said
    assert not (out / "audit.json").exists()


@pytest.mark.slow
def test_a_host_with_other_results_is_named(
    arena: Arena, play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two shares of a run, of which the second is played on a machine where a bot plays otherwise."""
    shutil.rmtree(play(BY_MACHINE))
    for share, host, odd in (("1/2", "even", ""), ("2/2", "odd", "1")):
        path = tmp_path / f"part{share[0]}"
        monkeypatch.setenv("ODD", odd)
        assert arena("run", "june.yaml", "--shard", share, "-o", path, "-j", 1, "-q").code == 0
        timings = [json.loads(line) | {"host": host} for line in (path / "timings.jsonl").read_bytes().splitlines()]
        (path / "timings.jsonl").write_text("".join(json.dumps(each) + "\n" for each in timings))
    assert arena("merge", "part1", "part2", "--out", "out", "-q").code == 0
    monkeypatch.setenv("ODD", "")
    found = audited(arena, "--sample", 1, "--each", 3, code=3)
    hosts = by_name(found["hosts"])
    assert hosts["even"]["identical"] == hosts["even"]["played"] >= 3
    assert hosts["odd"]["identical"] < hosts["odd"]["played"]
    assert {(each["host"], each["came"], each["entrant"]) for each in found["others"]} == {("odd", "otherwise", "mine")}
    assert by_name(found["entrants"])["mine"]["label"] is None


@pytest.mark.slow
def test_matches_without_replays_are_compared_by_their_records(arena: Arena, play: Any) -> None:
    play(BY_CHANCE, "none", "--replays", "none")
    found = audited(arena, "--sample", "100%")
    assert by_name(found["entrants"])["mine"]["label"] == Label.NOT
    assert {each["came"] for each in found["others"]} == {"not repeatable"}
    greedy = by_name(found["entrants"])["greedy"]
    told = f"{greedy['identical']} of 4 matches played again: same bytes; with another seed it was not tried"
    assert greedy["identical"] >= 2
    assert greedy["evidence"].startswith(told)


@pytest.mark.slow
def test_a_bot_that_is_not_here_or_is_another_now_is_told_and_the_rest_is_audited(
    arena: Arena, play: Any, tmp_path: Path
) -> None:
    play(f"{FIRST}# played from this folder\n")
    kept = (tmp_path / "mine.py").rename(tmp_path / "old.py")
    found = audited(arena, "--sample", "100%", "--no-write")
    mine = by_name(found["entrants"])["mine"]
    assert mine["absent"] == "the bot of mine (mine.py) was not found; name it with --bot mine=BOT"
    assert (mine["played"], found["played"], found["bound"]["matches"]) == (0, MATCHES // 3, MATCHES // 3)
    assert audited(arena, "--sample", "100%", "--bot", "mine=old.py", "--no-write")["identical"] == MATCHES
    kept.write_text(kept.read_text() + "# changed\n")
    found = audited(arena, "--sample", 1, "--bot", "mine=old.py", "--no-write")
    told = "old.py is not the bot that played: its digest differs"
    assert by_name(found["entrants"])["mine"]["absent"] == told


@pytest.mark.slow
def test_those_that_are_added_for_entrants_and_hosts_do_not_count_as_drawn(arena: Arena, play: Any) -> None:
    play()
    found = audited(arena, "--sample", 1, "--no-write")
    assert found["seed"] == found["root"]
    assert (found["drawn"], found["played"]) == (1, 1 + found["added"])
    assert min(each["played"] for each in (*found["entrants"], *found["hosts"])) == 3
    assert found["bound"]["drawn"] == 1
    assert found["bound"]["at_most"] == MATCHES - found["identical"] == MATCHES - found["played"]


@pytest.mark.slow
def test_the_bound_counts_every_match_that_differs_also_those_that_were_added(
    arena: Arena, play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODD", "1")
    play(BY_MACHINE)
    monkeypatch.setenv("ODD", "")
    found = audited(arena, "--sample", 1, "--each", MATCHES, "--no-write", code=3)
    assert (found["played"], found["bound"]["drawn"]) == (MATCHES, 1)
    assert found["bound"]["at_most"] == len(found["others"]) == MATCHES - found["identical"]


@pytest.mark.slow
def test_matches_with_faults_of_time_are_not_chosen_but_told(arena: Arena, play: Any) -> None:
    out = play()
    lines = records(out)
    lines[0]["seats"][0]["faults"] = {"late": 1}
    (out / "matches.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = audited(arena, "--sample", "100%", code=3)  # its root is not that of the manifest any more
    assert found["root"] != found["root_in_manifest"]
    assert not (out / "audit.json").exists()
    assert "root digest of the matches is not the one in manifest.json" in " ".join(
        arena("audit", "--help").out.split()
    )
    assert (found["timely"], found["played"], found["others"]) == (1, MATCHES - 1, [])


@pytest.mark.slow
@pytest.mark.parametrize("body", [FIRST, BY_MACHINE])
def test_what_is_found_does_not_depend_on_which_match_is_done_first(
    body: str, arena: Arena, play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ODD", "1")
    play(body)
    monkeypatch.setenv("ODD", "")
    again: list[list[str]] = []
    play_again = audit.play_again

    def noted(works: Sequence[Work], jobs: int) -> list[WorkResult | None]:
        again.append([work.spec.id for work in works])
        return play_again(works, jobs)

    monkeypatch.setattr(audit, "play_again", noted)
    found = []
    for executor in (make_executor, LastFirst):
        monkeypatch.setattr("arena.commands.audit.command.make_executor", executor)
        code = 0 if body == FIRST else 3
        found.append(audited(arena, "--sample", "100%", "--no-write", code=code) | {"when": ""})
    assert found[0] == found[1]
    assert again == ([] if body == FIRST else 4 * again[:1])


class LastFirst:
    """Gives its results in the reverse of the order in which the work came."""

    def __init__(self, jobs: int) -> None:
        self.executor, self.jobs, self.room = make_executor(jobs), jobs, 1000

    def __getattr__(self, name: str) -> Any:
        return getattr(self.executor, name)

    def completed(self, look: Look = no_look) -> Any:
        yield from list(self.executor.completed(look))[::-1]


@pytest.mark.slow
def test_two_processes_find_what_one_finds(arena: Arena, play: Any, other_interpreter: None) -> None:
    out = play()
    found = []
    for jobs in (1, 2):
        ran = arena("audit", "out", "--sample", "100%", "-j", jobs, "-q")
        assert ran.code == 0
        told = json.loads((out / "audit.json").read_bytes())
        files = {path.name: path.read_bytes() for path in out.glob("standings.*")}
        found.append((ran.out, told | {"when": ""}, files))
    assert found[0] == found[1]


def test_mistakes_meet_a_clear_line(arena: Arena, play: Any) -> None:
    play()
    size = "expected a share such as 5%, or a number of matches such as 200, got"
    for given, told in (
        (("--sample", "0"), f"{size} '0'"),
        (("--sample", "101%"), f"{size} '101%'"),
        (("--bot", "mien=x"), "--bot: no entrant 'mien' (did you mean 'mine'?); there are greedy, random-legal, mine"),
        (("--bot", "mine"), "--bot mine: expected ENTRANT=BOT, such as mybot=./mybot.py"),
    ):
        ran = arena("audit", "out", "-q", *given)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.err
