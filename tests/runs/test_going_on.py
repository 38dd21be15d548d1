"""A run that goes on is the run that began: nothing of it is lost, mixed with another or written twice."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError, UserError
from arena.executors.serial import Serial
from arena.match.work import WorkResult
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.open_folder import open_run
from arena.storage.run_folder import FolderStore
from tests.conftest import CopiedRun
from tests.kept import loosen, replays_of
from tests.runs.calling import Calling

TOURNAMENT = """
name: tiny
seed: 5
entrants: [random-legal, {bot: greedy, options: {greed: 0.5}}, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
blocks: 2
isolation: none
"""
MATCHES = 2 * 3 * 2
FILES = (
    "config.resolved.yaml",
    "matches.jsonl",
    "standings.json",
    "standings.csv",
    "standings.md",
    "crosstable.csv",
    "seats.csv",
)
RESUME = ("run", "--trust", "--resume", "out", "-q")


@pytest.fixture
def out(copied_run: CopiedRun, tmp_path: Path) -> Path:
    """The folder of a complete run."""
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    return copied_run(TOURNAMENT, "out", "-j", 1)


def left(folder: Path) -> dict[str, bytes]:
    """Everything in a run's folder that has to be the same on every run."""
    return {**{name: (folder / name).read_bytes() for name in FILES}, **replays_of(folder)}


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


CONFIG_CHANGES = {
    "name: tiny": ("name: tony", 'name: "tiny" then, "tony" now'),
    "seed: '5'": ("seed: '6'", 'seed: "5" then, "6" now'),
    "strikes: 3": ("strikes: 5", "strikes: 3 then, 5 now"),
    "fault_policy: substitute": ("fault_policy: void", 'fault_policy: "substitute" then, "void" now'),
    "seat_orders: rotations": ("seat_orders: balanced", 'seat_orders: "rotations" then, "balanced" now'),
    "replays: all": ("replays: none", 'replays: "all" then, "none" now'),
    "ask: 1.0": ("ask: 2.0", "limits.ask: 1.0 then, 2.0 now"),
    "memory: 512": ("memory: 256", "sandbox.memory: 512 then, 256 now"),
    "greed: 0.5": ("greed: 0.6", "entrants[1].options.greed: 0.5 then, 0.6 now"),
    "max_turns: 2": ("max_turns: 3", "editions[0].changes.max_turns: 2 then, 3 now"),
}


@pytest.mark.parametrize("old", CONFIG_CHANGES)
def test_a_changed_configuration_is_refused_with_what_differs(old: str, arena: Any, out: Path) -> None:
    new, told = CONFIG_CHANGES[old]
    change(out / "config.resolved.yaml", old, new)
    before = (out / "matches.jsonl").read_bytes()
    ran = arena(*RESUME)
    problem = f"arena: config.resolved.yaml has changed since this run began: {told}; restore it, or start a new run\n"
    assert ran == (2, "", problem)
    assert (out / "matches.jsonl").read_bytes() == before


def test_blocks_changed_by_hand_are_refused_with_how_to_add_some(arena: Any, out: Path) -> None:
    change(out / "config.resolved.yaml", "blocks: 2", "blocks: 3")
    ran = arena(*RESUME)
    assert ran.code == 2
    assert "blocks: 2 then, 3 now" in ran.err
    assert ran.err.endswith("for more blocks, restore it and use --blocks 3\n")


def test_only_the_number_of_processes_may_be_changed(arena: Any, out: Path) -> None:
    change(out / "config.resolved.yaml", "jobs: 1", "jobs: 2")
    assert arena(*RESUME).code == 0


def test_a_manifest_changed_to_fit_is_known_by_its_digest(arena: Any, out: Path) -> None:
    change(out / "config.resolved.yaml", "strikes: 3", "strikes: 5")
    change(out / "manifest.json", '"strikes": 3', '"strikes": 5')
    ran = arena(*RESUME)
    assert (ran.code, ran.err.startswith("arena: manifest.json has been changed: ")) == (2, True)


def test_a_rules_file_that_was_moved_is_no_change(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("parent: eagle-gryphon\nname: mine\nmax_turns: 2\n")
    (tmp_path / "tiny.yaml").write_text(
        TOURNAMENT.replace("{rules: eagle-gryphon, changes: {max_turns: 2}}", "mine.yaml")
    )
    assert arena("run", "tiny.yaml", "-o", "out", "-q").code == 0
    (tmp_path / "rules").mkdir()
    (tmp_path / "mine.yaml").rename(tmp_path / "rules" / "mine.yaml")
    change(tmp_path / "out" / "config.resolved.yaml", str(tmp_path), str(tmp_path / "rules"))
    assert arena(*RESUME).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("kept", [MATCHES, 5])
def test_a_run_with_added_blocks_is_the_run_that_began_with_them(
    kept: int, arena: Any, out: Path, tmp_path: Path
) -> None:
    matches = lines_of(out / "matches.jsonl")
    (out / "matches.jsonl").write_bytes(b"".join(matches[:kept]))
    ran = arena("run", "--trust", "--resume", "out", "--blocks", 3, "-q", "-j", 1)
    assert ran.code == 0
    assert ran.err.startswith("18 matches of 3 entrants, seed 5, ")
    assert arena("run", "tiny.yaml", "-o", "whole", "-q", "-j", 1, "--blocks", 3).code == 0
    assert left(out) == left(tmp_path / "whole")
    assert arena("verify", "out", "-q") == (0, "", "")
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["matches"], manifest["finished"], manifest["settings"]["blocks"]) == (18, 18, 3)
    assert arena(*RESUME).code == 0


def test_blocks_cannot_be_taken_away(arena: Any, out: Path) -> None:
    expected = "arena: this run has 2 blocks; you can add blocks but not remove any, got 1\n"
    assert arena("run", "--trust", "--resume", "out", "--blocks", 1) == (2, "", expected)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def lose_the_result(path: Path) -> None:
    path.write_bytes(b"".join(lines_of(path)[:-1]))


HARMS: dict[str, Callable[[Path], None]] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b"") and None,
    "cut in the last line": cut,
    "cut at a line": lose_the_result,
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_match_whose_replay_is_lost_is_played_again_to_the_same_bytes(harm: str, arena: Any, out: Path) -> None:
    before = left(out)
    loosen(out)
    harmed = [json.loads(line) for line in lines_of(out / "matches.jsonl")[3:5]]
    for record in harmed:
        HARMS[harm](out / record["replay"])
    ran = arena(*RESUME)
    assert ran.code == 0
    told = f"missing or cut off: the replay of {harmed[0]['id']} and 1 more; played again"
    assert ran.err.splitlines()[1:] == [told, "faults: none"]
    assert left(out) == before
    assert len(lines_of(out / "timings.jsonl")) == MATCHES


LINE_CHANGES = {
    '"rank":1': ('"rank":2', "contradict each other: rank of seat"),
    '"asks":': ('"asks":1', "contradict each other: asks is 1"),
    '"sha256":"': ('"sha256":"0', 'contradict each other: sha256 is "0'),
    '"block":0': ('"block":1', "has block 1, expected 0; remove the line to go on"),
    '"seed":"': ('"seed":"0', "(which follows from the run's seed); remove the line to go on"),
    '"entrant":"random-legal"': ('"entrant":"silent"', "expected random-legal, greedy; remove the line to go on"),
}


@pytest.mark.parametrize("old", LINE_CHANGES)
def test_a_line_that_cannot_be_true_is_refused_by_its_number(old: str, arena: Any, out: Path) -> None:
    new, told = LINE_CHANGES[old]
    change(out / "matches.jsonl", old, new)
    before = (out / "matches.jsonl").read_bytes()
    ran = arena(*RESUME)
    assert (ran.code, ran.err.count("\n")) == (2, 2)
    assert ran.err.splitlines()[1].startswith("arena: out/matches.jsonl:1: eagle-gryphon")
    assert told in ran.err
    assert (out / "matches.jsonl").read_bytes() == before


@pytest.mark.parametrize("packed", [True, False])
def test_a_line_that_contradicts_its_replay_is_replaced_once_it_is_removed(packed: bool, arena: Any, out: Path) -> None:
    before = left(out)
    if not packed:
        loosen(out)
    change(out / "matches.jsonl", '"rank":1', '"rank":2')
    assert arena(*RESUME).err.endswith("; remove the line, and the match is played again\n")
    (out / "matches.jsonl").write_bytes(b"".join(lines_of(out / "matches.jsonl")[1:]))
    assert arena(*RESUME).code == 0
    assert left(out) == before


@pytest.mark.parametrize("garbage", [b"garbage\n", b'{"id":1}\n', b"\xff\n", b"[]\n", b'{"id":"torn'])
def test_timings_that_nobody_can_read_are_dropped_with_a_note(garbage: bytes, arena: Any, out: Path) -> None:
    before, timings = left(out), lines_of(out / "timings.jsonl")
    (out / "timings.jsonl").write_bytes(b"".join([*timings[:3], timings[0], *timings[3:], garbage]))
    matches = lines_of(out / "matches.jsonl")
    (out / "matches.jsonl").write_bytes(b"".join(matches[1:]))  # so that the lines have to be brought into order
    ran = arena(*RESUME)
    assert (ran.code, "Traceback" in ran.err) == (0, False)
    assert any("out/timings.jsonl: dropped " in line for line in ran.err.splitlines()[1:])
    assert left(out) == before
    ids = [json.loads(line)["id"] for line in lines_of(out / "timings.jsonl")]
    assert ids == [json.loads(line)["id"] for line in lines_of(out / "matches.jsonl")]


def test_of_the_matches_only_a_last_line_that_is_cut_off_is_dropped(arena: Any, out: Path) -> None:
    before = left(out)
    cut(out / "matches.jsonl")
    ran = arena(*RESUME)
    assert ran.code == 0
    assert ran.err.splitlines()[1:] == ["out/matches.jsonl: dropped the last line, which was cut off", "faults: none"]
    assert left(out) == before
    with (out / "matches.jsonl").open("ab") as file:
        file.write(lines_of(out / "matches.jsonl")[2])
    ran = arena(*RESUME)
    assert ran.code == 2
    assert f"arena: out/matches.jsonl:{MATCHES + 1}: " in ran.err
    assert ran.err.endswith(" occurs twice; remove the line to go on\n")


def test_a_run_that_another_process_plays_is_not_gone_on_with(arena: Any, out: Path) -> None:
    before = left(out)
    with (out / "logs" / "lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = arena(*RESUME)
        assert ran.code == 2
        problem = (
            f"arena: out: another arena (process {os.getpid()}) is playing this run; wait until it ends, or stop it"
        )
        assert ran.err.splitlines()[1:] == [problem]
    assert left(out) == before
    assert arena(*RESUME).code == 0


def test_the_lock_ends_with_the_process_that_took_it_and_not_with_what_it_started(arena: Any, out: Path) -> None:
    with FolderStore(out):
        child = os.fork()
        if child == 0:  # goes on after the lock is released, as a worker of a killed run may
            os.read(os.pipe()[0], 1)
            os._exit(0)
    try:
        with FolderStore(out):
            pass
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_of_two_that_begin_in_one_folder_only_the_first_does(out: Path, tmp_path: Path) -> None:
    plan = make_plan(tmp_path / "tiny.yaml")
    with closing(Serial()) as executor, pytest.raises(UserError, match="already holds a run; choose another --out"):
        runs.start_run(plan, FolderStore(out), executor)


def move(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))


PUT_BACK = "restore it and resume with arena run --resume, or start a new run"
CHANGED = " was changed by another program while the run played; arena run --resume repairs it"
CHANGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "fewer matches": (lambda folder: os.truncate(folder / "matches.jsonl", 0), f"matches.jsonl{CHANGED}"),
    "a torn pack": (lambda folder: os.truncate(folder / "replays" / "0000.zst", 5), f"replays/0000.zst{CHANGED}"),
    "a longer index": (
        lambda folder: os.truncate(folder / "replays" / "0000.index", 9999),
        f"replays/0000.index{CHANGED}",
    ),
    "no replays": (
        lambda folder: shutil.rmtree(folder / "replays"),
        f"replays/0000.zst was moved or removed while the run played; {PUT_BACK}",
    ),
}
HAPPENINGS: dict[str, tuple[Callable[[Path], None], str]] = {
    "moved": (move, "it is {tmp}/moved/matches.jsonl now; resume with: arena run --resume {tmp}/moved --trust"),
    "removed": (shutil.rmtree, PUT_BACK),
    "without its matches": (
        lambda folder: (folder / "matches.jsonl").unlink(),
        PUT_BACK,
    ),
}


def broken_off(out: Path, happens: Callable[[Path], None], last: bool) -> ArenaError:
    """The error with which a run of three more matches ends when something happens to its folder after the first of
    them, or after the last."""
    (out / "matches.jsonl").write_bytes(b"".join(lines_of(out / "matches.jsonl")[: MATCHES - 3]))
    plan, store = open_run(out, trust=True)
    played = []

    def progress(done: WorkResult) -> None:
        played.append(done.record.id)
        if len(played) == (3 if last else 1):
            happens(out)

    with closing(Serial()) as executor, pytest.raises(ArenaError) as caught:
        runs.resume_run(plan, store, executor, listener=Calling(finished=progress))
    return caught.value


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("what", HAPPENINGS)
def test_a_folder_that_goes_while_the_run_plays_ends_it_with_what_to_do(
    what: str, last: bool, out: Path, tmp_path: Path
) -> None:
    happens, told = HAPPENINGS[what]
    problem = broken_off(out, happens, last)
    assert problem.exit_code != 0
    assert str(problem).startswith(f"{out}/matches.jsonl was moved or removed while the run played")
    assert str(problem).endswith(told.format(tmp=tmp_path))
    assert not (out / "replays").exists() or what == "without its matches", "nothing is written where nobody looks"


@pytest.mark.slow
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("harm", CHANGES)
def test_files_that_something_else_changes_end_the_run_which_is_mended_when_it_is_resumed(
    harm: str, last: bool, arena: Any, out: Path
) -> None:
    before = left(out)
    happens, told = CHANGES[harm]
    problem = broken_off(out, happens, last)
    assert str(problem) == f"{out}/{told}"
    assert arena(*RESUME).code == 0
    assert left(out) == before


@pytest.mark.slow
def test_a_run_that_was_moved_while_it_played_goes_on_where_it_is(arena: Any, out: Path, tmp_path: Path) -> None:
    before = left(out)
    (out / "matches.jsonl").write_bytes(b"".join(lines_of(out / "matches.jsonl")[:2]))
    plan, store = open_run(out, trust=True)
    with closing(Serial()) as executor, pytest.raises(ArenaError):
        runs.resume_run(plan, store, executor, listener=Calling(finished=lambda done: out.exists() and move(out)))
    assert arena("run", "--trust", "--resume", "moved", "-q").code == 0
    assert left(tmp_path / "moved") == before
