"""A tournament run gives the same bytes however it is played, broken off and resumed, and a folder that tells all."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import environment_of, run_arena, write_player
from tests.kept import loosen, replays_of

SEED = "b7c1d20e9f4a6538e1027d9c54ab36f8"
"""Such as is drawn: of one that can be guessed the run would say so."""
TOURNAMENT = f"""
name: tiny
seed: {SEED}
entrants: [random-legal, greedy, {{bot}}]
editions:
  - {{{{rules: eagle-gryphon, changes: {{{{max_turns: 3}}}}}}}}
seats: 2
blocks: 1
isolation: none
"""
SLOW = """
def turn(self, view):
    time.sleep(float(os.environ.get("TEST_SLOWNESS", 0)))
    return self.choose(view)
"""
MATCHES = 3 * 2
BOTH = 2 * MATCHES
"""With another edition."""
GO_ON = "resume with: arena run --resume out"
SLOWNESS = "0.5"
"""With which a match of the slow bot takes long enough to be disturbed. Those of the two others are played first."""
APART = ("--set", "isolation=process")
"""The slow bot is isolated."""
WHOLE = (
    "config.resolved.yaml",
    "matches.jsonl",
    "standings.json",
    "standings.csv",
    "standings.md",
    "crosstable.csv",
    "seats.csv",
)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that TEST_SLOWNESS (seconds a turn) makes as slow as is wanted."""
    return write_player(tmp_path_factory.mktemp("bots"), SLOW, "slow")


@pytest.fixture
def tournament(tmp_path: Path, slow: Path) -> Path:
    """A tournament of six short matches."""
    return written(tmp_path, slow)


@pytest.fixture
def own(tmp_path: Path, write_bot: Any) -> Callable[[str], Path]:
    """The same tournament with another bot for the slow one, of this body."""
    return lambda body: written(tmp_path, write_bot(body, "slow"))


def written(folder: Path, bot: Path) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(TOURNAMENT.format(bot=bot))
    return path


@pytest.fixture(scope="module")
def played(slow: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing has disturbed, for all tests."""
    folder = tmp_path_factory.mktemp("played")
    assert run_arena(folder, "run", written(folder, slow), "-o", "unbroken", "-j", 2, "-q").code == 0
    return folder / "unbroken"


@pytest.fixture
def unbroken(played: Path, tmp_path: Path) -> dict[str, bytes]:
    """What it leaves; a copy of its folder is in ``unbroken``."""
    return left(Path(shutil.copytree(played, tmp_path / "unbroken")))


def left(folder: Path) -> dict[str, bytes]:
    """Everything in a run's folder that has to be the same on every run."""
    return {**{name: (folder / name).read_bytes() for name in WHOLE}, **replays_of(folder)}


def but_for_isolation(found: dict[str, bytes]) -> dict[str, bytes]:
    """What a run of isolated bots leaves, as that of trusted ones."""
    name = "config.resolved.yaml"
    assert b"isolation: process\n" in found[name]
    return {**found, name: found[name].replace(b"isolation: process\n", b"isolation: none\n")}


def with_another_edition(tournament: Path) -> Path:
    """The same tournament, of twice as many matches."""
    first = "  - {rules: eagle-gryphon, changes: {max_turns: 3}}\n"
    text = tournament.read_text()
    assert first in text
    tournament.write_text(text.replace(first, first + first.replace("eagle-gryphon", "face2face-2003")))
    return tournament


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def wait_until(holds: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def processes_in(folder: Path) -> list[int]:
    """Processes that work in a folder."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and path.name != str(os.getpid()):
            try:
                state = (path / "stat").read_text().rpartition(")")[2].split()[0]
                if (path / "cwd").resolve() == folder and state != "Z":
                    found.append(int(path.name))
            except OSError:
                continue
    return found


@pytest.mark.slow
def test_a_run_writes_everything_and_prints_the_standings(arena: Any, tournament: Path, tmp_path: Path) -> None:
    ran = arena("run", with_another_edition(tournament), "-o", "out", "-j", 2, "-q")
    assert ran.code == 0
    begins = f"{BOTH} matches of 3 entrants, seed {SEED}, 2 processes, isolation none, into out"
    assert ran.err.replace("\n  ", " ") == f"{begins}\nfaults: none\n"
    for label in ("eagle-gryphon", "face2face-2003"):
        assert re.search(rf"^{label}\+set-\w{{8}}-2p: 6 matches of board in 1 block, 0 void", ran.out, re.MULTILINE)
    root = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["root"]
    again = f"again    arena run out/config.resolved.yaml\nroot     {root}\n"
    assert ran.out.endswith(f"results  out\n{again}replays  out/replays  (check them with: arena verify out)\n")
    out = tmp_path / "out"
    files = {path.name for path in out.iterdir()}
    assert files == {*WHOLE, "manifest.json", "timings.jsonl", "logs", "replays"}
    assert lines(out / "matches.jsonl") == lines(out / "timings.jsonl") == BOTH
    records = [json.loads(line) for line in (out / "matches.jsonl").read_bytes().splitlines()]
    for record in records:
        last = replays_of(out)[record["replay"]].splitlines()[-1]
        assert json.loads(last)["sha256"] == record["sha256"]
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["command"] == f"arena run {tournament} -o out -j 2 -q"
    assert (manifest["seed"], manifest["state"], manifest["finished"]) == (SEED, "complete", BOTH)
    assert list(manifest["entrants"]) == ["random-legal", "greedy", "slow"]
    agree = "match seeds, schedule, configuration, manifest, standings agree"
    whole = f"out: complete, {BOTH} of {BOTH} matches; {agree}\n"
    verified = arena("verify", "out")
    assert (verified.code, verified.out.count(": verified\n"), verified.err) == (0, BOTH, "")
    assert verified.out.endswith(f"{whole}out: root digest {root}\n")
    assert arena("rerun", f"out/{records[0]['replay']}").out.endswith(": identical\n")


@pytest.mark.slow
def test_the_resolved_configuration_plays_the_same_tournament(
    arena: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    assert arena("run", "unbroken/config.resolved.yaml", "--trust", "-o", "again", "-q").code == 0
    assert left(tmp_path / "again") == unbroken


def test_standings_as_json_are_json_and_those_of_the_file(arena: Any, tournament: Path, tmp_path: Path) -> None:
    ran = arena("run", tournament, "-o", "out", "-q", "--json")
    assert json.loads(ran.out) == json.loads((tmp_path / "out" / "standings.json").read_text())


@pytest.mark.slow
def test_one_process_and_another_hash_seed_give_the_same_bytes(
    unbroken: dict[str, bytes], real_arena: Any, tournament: Path, tmp_path: Path
) -> None:
    ran = real_arena("run", tournament, "-o", "out", "-j", 1, PYTHONHASHSEED="77")
    assert ran.code == 0, ran.err
    config = unbroken["config.resolved.yaml"]
    assert left(tmp_path / "out") | {"config.resolved.yaml": config} == unbroken
    assert (tmp_path / "out/config.resolved.yaml").read_bytes() == config.replace(b"jobs: 2\n", b"jobs: 1\n")


def test_the_command_line_wins_over_the_file(arena: Any, tournament: Path, tmp_path: Path) -> None:
    ran = arena("run", tournament, "-o", "out", "-q", "-n", 1, "--seed", "9", "--set", "editions=[outline]", "--set")
    assert ran.code == 2
    options = (
        "-n",
        1,
        "--seed",
        "9",
        "--replays",
        "none",
        "--set",
        "editions=[{rules: face2face-2003, changes: {max_turns: 3}}]",
    )
    ran = arena("run", tournament, "-o", "out", "-q", *options)
    assert ran.err.startswith("6 matches of 3 entrants, seed 9, ")
    root = json.loads((tmp_path / "out" / "manifest.json").read_bytes())["root"]
    assert ran.out.endswith(f"results  out\nagain    arena run out/config.resolved.yaml\nroot     {root}\n")
    assert not (tmp_path / "out" / "replays").exists()


def test_only_replays_with_faults_may_be_kept(arena: Any, own: Any, tmp_path: Path) -> None:
    assert arena("run", own("def turn(self, view): 1 / 0"), "-o", "out", "-q", "--replays", "faults").code == 0
    records = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_bytes().splitlines()]
    for record in records:
        faulty = any(seat["entrant"] == "slow" for seat in record["seats"])
        assert bool(record["replay"]) == faulty
    assert set(replays_of(tmp_path / "out")) == {each["replay"] for each in records if each["replay"]}


def test_bots_named_in_place_of_a_file_play_a_round_robin(arena: Any, tmp_path: Path, write_bot: Any) -> None:
    write_bot("")
    brief = ("--set", "editions=[{rules: eagle-gryphon, changes: {max_turns: 4}}]", "--seed", "7", "--trust", "-q")
    ran = arena("run", "greedy", "greedy?greed=0.2", "./player.py", "--blocks", "2", *brief, "-o", "out", "--json")
    assert (ran.code, len((tmp_path / "out" / "matches.jsonl").read_text().splitlines())) == (0, 6)
    resolved = (tmp_path / "out" / "config.resolved.yaml").read_text()
    assert "name: round-robin" in resolved
    assert "greed: 0.2" in resolved
    assert arena("run", "out/config.resolved.yaml", "--trust", "-q", "-o", "again").code == 0
    assert (tmp_path / "again" / "matches.jsonl").read_bytes() == (tmp_path / "out" / "matches.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (("dealmaker", "fari"), "arena: no bundled bot 'fari' (did you mean 'fair'?)"),
        (("dealmaker", "./none.py"), "arena: no such file: "),
        (("dealmaker",), "arena: no tournament file 'dealmaker'; "),
        ((), "name a tournament file, such as: arena run configs/tournaments/quick.yaml; or two or more"),
    ],
)
def test_a_mistake_in_a_named_bot_is_told_without_a_file(arena: Any, bots: tuple[str, ...], message: str) -> None:
    ran = arena("run", *bots, "--trust")
    assert ran.code == 2
    assert message in ran.err
    assert "--set" not in ran.err


@pytest.mark.slow
def test_a_dry_run_writes_nothing(arena: Any, tournament: Path, tmp_path: Path) -> None:
    with_another_edition(tournament)
    before = sorted(tmp_path.rglob("*"))
    ran = arena("run", tournament, "--dry-run", "-o", "out")
    assert (ran.code, ran.err) == (0, "")
    pattern = r"eagle-gryphon\+set-\w{8}-2p: 6 matches\nface2face-2003\+set-\w{8}-2p: 6 matches\n"
    pattern += r"every entrant in 8 matches, every pair in 4, every entrant in every seat 4 times; 6 deals in 1 block\n"
    pattern += r"12 matches in (about|\d+ to) \d+ s \(\d+ ms a match in 8 tried, \d+ process(es)?\); "
    pattern += r"nothing was written\n"
    pattern += r"no pilot was played for the design factor: it takes 5 blocks or more, and the run has 1\n"
    assert re.fullmatch(pattern, ran.out)
    data = json.loads(arena("run", tournament, "--dry-run", "--json").out)
    assert (data["matches"], set(data["by_edition"].values())) == (12, {6})
    assert data["from_seconds"] <= data["seconds"] <= data["to_seconds"]
    assert data["most"] == (12 * 2 / data["jobs"] + 2 * (1 - 1 / data["jobs"])) * (10.0 + 60.0 + 1.0)
    asked = arena("run", tournament, "--dry-run", "--longest").out
    assert re.search(r"^at most [\d.]+ (min|h), if bots use up all their time limits$", asked, re.M)
    unlimited = arena("run", tournament, "--dry-run", "--longest", "--set", "limits.match=null").out
    assert "no upper bound: matches have no time limit" in unlimited
    assert [path for path in sorted(tmp_path.rglob("*")) if "__pycache__" not in path.parts] == before


def test_standings_are_rebuilt_from_the_matches_alone(arena: Any, unbroken: dict[str, bytes], tmp_path: Path) -> None:
    for name in WHOLE[2:]:
        (tmp_path / "unbroken" / name).unlink()
    ran = arena("standings", "unbroken")
    assert (ran.code, ran.err) == (0, "")
    assert left(tmp_path / "unbroken") == unbroken
    assert json.loads(arena("standings", "unbroken", "--json").out) == json.loads(unbroken["standings.json"])


def test_a_folder_is_named_after_the_tournament_and_the_time(arena: Any, tournament: Path, tmp_path: Path) -> None:
    ran = arena("run", tournament, "-n", 1, "-q", "--set", "editions=[eagle-gryphon]")
    assert ran.code == 0
    (folder,) = (tmp_path / "results").iterdir()
    assert re.fullmatch(r"tiny-\d{8}-\d{6}", folder.name)


def test_resuming_a_complete_run_changes_nothing(arena: Any, unbroken: dict[str, bytes], tmp_path: Path) -> None:
    manifest = json.loads((tmp_path / "unbroken" / "manifest.json").read_text())
    assert arena("run", "--trust", "--resume", "unbroken", "-q", "-j", 1).code == 0
    assert left(tmp_path / "unbroken") == unbroken
    again = json.loads((tmp_path / "unbroken" / "manifest.json").read_text())
    assert again["command"] == manifest["command"], "the command that began the run"


def broken_off(unbroken: dict[str, bytes], tmp_path: Path, keep: int, rest: bytes = b"") -> Path:
    """A folder as a killed run leaves it: ``keep`` matches, and ``rest`` of a line."""
    folder = tmp_path / "broken"
    shutil.copytree(tmp_path / "unbroken", folder)
    for name in WHOLE[2:]:
        (folder / name).unlink()
    for name in ("matches.jsonl", "timings.jsonl"):
        kept = (folder / name).read_bytes().splitlines(keepends=True)[:keep]
        (folder / name).write_bytes(b"".join(kept) + rest)
    loosen(folder)
    for path in list((folder / "replays").rglob("*.jsonl"))[::2]:
        path.unlink()
    first = next((folder / "replays").rglob("*.jsonl"))
    first.with_name(f".{first.name}.123").write_bytes(b"half a repl")
    return folder


@pytest.mark.parametrize("rest", [b"", b'{"id":"eagle-gryphon', b"\xff"])
def test_a_half_written_last_line_is_played_again(
    rest: bytes, arena: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    folder = broken_off(unbroken, tmp_path, 4, rest)
    assert arena("run", "--trust", "--resume", folder, "-q", "-j", 1).code == 0
    assert left(folder) == unbroken
    assert lines(folder / "timings.jsonl") == MATCHES


def test_a_resumed_run_plays_what_is_missing_by_id_wherever_it_stands(
    arena: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    folder = broken_off(unbroken, tmp_path, MATCHES)
    kept = unbroken["matches.jsonl"].splitlines(keepends=True)
    (folder / "matches.jsonl").write_bytes(b"".join(kept[::-3]))
    shutil.rmtree(folder / "replays")
    shutil.copytree(tmp_path / "unbroken" / "replays", folder / "replays")
    assert arena("run", "--trust", "--resume", folder, "-q", "-j", 1).code == 0
    assert left(folder) == unbroken


def test_a_damaged_line_in_the_middle_is_refused(arena: Any, unbroken: dict[str, bytes], tmp_path: Path) -> None:
    folder = broken_off(unbroken, tmp_path, 3, b"nonsense\n")
    ran = arena("run", "--trust", "--resume", folder, "-q", "-j", 1)
    assert ran.code == 2
    assert f"arena: {folder}/matches.jsonl:4: no match record: " in ran.err


@pytest.mark.slow
def test_a_run_whose_bots_have_changed_is_not_gone_on_with(
    arena: Any, own: Any, write_bot: Any, tmp_path: Path
) -> None:
    assert arena("run", own(SLOW), "-o", "out", "-q").code == 0
    write_bot(SLOW + "# changed\n", "slow")
    ran = arena("run", "--trust", "--resume", "out", "-q", "-j", 1)
    expected = "arena: the bot of slow (slow.py) has changed since this run began; start a new run\n"
    assert ran == (2, "", expected)


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_prints_the_command_that_goes_on(
    arena: Any, launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", *APART, TEST_SLOWNESS=SLOWNESS)
    out = tmp_path / "out"
    wait_until(lambda: lines(out / "matches.jsonl") >= 2)
    os.killpg(run.pid, signal.SIGINT)
    stdout, stderr = run.communicate(timeout=300)
    assert (run.returncode, stdout) == (130, b"")
    finished = lines(out / "matches.jsonl")
    assert 2 <= finished < MATCHES
    stopped = f"stopped: {finished} of {MATCHES} matches are finished and kept"
    assert stderr.decode().splitlines()[1:] == ["faults: none", stopped, GO_ON], stderr.decode()
    assert json.loads((out / "manifest.json").read_text())["state"] == "stopped"
    assert "in out: stopped (by Ctrl-C), " in arena("status", "out").out
    wait_until(lambda: not processes_in(tmp_path))
    assert arena(*GO_ON.split()[3:], "-q", "-j", 1).code == 0
    assert but_for_isolation(left(out)) == unbroken


@pytest.mark.slow
def test_a_signal_to_the_process_of_a_run_alone_ends_it_as_ctrl_c_does(
    arena: Any, launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", TEST_SLOWNESS=SLOWNESS)
    out = tmp_path / "out"
    wait_until(lambda: lines(out / "matches.jsonl") >= 2)
    os.kill(run.pid, signal.SIGTERM)
    stdout, stderr = run.communicate(timeout=30)
    assert (run.returncode, stdout) == (128 + signal.SIGTERM, b"")
    stopped = f"stopped: {lines(out / 'matches.jsonl')} of {MATCHES} matches are finished and kept"
    go_on = f"{GO_ON} --trust"
    assert stderr.decode().splitlines()[1:] == ["faults: none", stopped, go_on], stderr.decode()
    assert json.loads((out / "manifest.json").read_text())["state"] == "stopped"
    assert "in out: stopped (by SIGTERM), " in arena("status", "out").out
    wait_until(lambda: not processes_in(tmp_path), 10)
    assert arena(*go_on.split()[3:], "-q", "-j", 1).code == 0
    assert left(out) == unbroken


def test_a_signal_before_the_first_match_ends_the_command_in_one_line(launch: Any, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time, pathlib\npathlib.Path('here').touch()\ntime.sleep(60)\n")
    run = launch("match", f"{tmp_path}/slow.py", "silent", "--trust")
    wait_until(lambda: (tmp_path / "here").exists())
    run.terminate()
    _, stderr = run.communicate(timeout=30)
    assert (run.returncode, stderr) == (143, b"arena: stopped\n")
    wait_until(lambda: not processes_in(tmp_path), 10)


@pytest.mark.slow
def test_a_run_whose_terminal_is_closed_ends_as_cleanly(arena: Any, tournament: Path, tmp_path: Path) -> None:
    terminal, its_side = pty.openpty()
    environment = environment_of(TEST_SLOWNESS=SLOWNESS, PYTHONUNBUFFERED="")  # to write later what is printed
    command = [sys.executable, "-m", "arena", "run", str(tournament), "-o", "out"]
    controlled = (
        "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(2, termios.TIOCSCTTY, 0); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", controlled, *command],
        cwd=tmp_path,
        env=environment,
        stdin=its_side,
        stdout=its_side,
        stderr=its_side,
    )
    os.close(its_side)
    wait_until(lambda: lines(tmp_path / "out" / "matches.jsonl") >= 2)
    os.close(terminal)
    assert run.wait(30) == 128 + signal.SIGHUP
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["state"] == "stopped"
    assert "in out: stopped (by SIGHUP), " in arena("status", "out").out
    wait_until(lambda: not processes_in(tmp_path), 10)


@pytest.mark.slow
def test_a_killed_run_leaves_no_processes_and_is_resumed_to_the_same_bytes(
    arena: Any, launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", *APART, TEST_SLOWNESS=SLOWNESS)
    out = tmp_path / "out"
    wait_until(lambda: lines(out / "matches.jsonl") >= 2)
    assert len(processes_in(tmp_path)) >= 3
    run.kill()
    run.communicate()
    wait_until(lambda: not processes_in(tmp_path))
    assert lines(out / "matches.jsonl") < MATCHES
    assert arena("run", "--resume", "out", "-q", "-j", 1).code == 0
    assert but_for_isolation(left(out)) == unbroken


@pytest.mark.slow
def test_a_run_that_is_under_way_is_not_gone_on_with_until_its_process_ends(
    real_arena: Any, launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", TEST_SLOWNESS=SLOWNESS)
    out = tmp_path / "out"
    wait_until(lambda: lines(out / "matches.jsonl") >= 2)
    os.killpg(run.pid, signal.SIGSTOP)  # so that it is not finished when the second one has started
    second = real_arena("run", "--trust", "--resume", "out", "-q")
    assert (second.code, second.out) == (2, "")
    told = f"arena: out: another arena (process {run.pid}) is playing this run; wait until it ends, or stop it"
    assert second.err.splitlines()[1:] == [told]
    third = real_arena("run", tournament, "-o", "out", "-q")
    assert (third.code, third.out) == (2, "")
    assert "out exists already; choose another --out, or resume it with: arena run --resume out" in third.err
    before = lines(out / "matches.jsonl")
    os.killpg(run.pid, signal.SIGCONT)
    wait_until(lambda: lines(out / "matches.jsonl") > before)  # it plays on, undisturbed
    assert run.poll() is None
    run.kill()
    run.wait()
    assert lines(out / "matches.jsonl") < MATCHES
    assert real_arena("run", "--trust", "--resume", "out", "-q").code == 0, "at once, whatever its workers still do"
    assert left(out) == unbroken


@pytest.mark.slow
def test_a_run_whose_folder_is_moved_while_it_plays_ends_with_an_error_and_goes_on_where_it_lies(
    arena: Any, launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", TEST_SLOWNESS=SLOWNESS)
    wait_until(lambda: lines(tmp_path / "out" / "matches.jsonl") >= 2)
    (tmp_path / "out").rename(tmp_path / "moved")
    stdout, stderr = run.communicate(timeout=30)
    assert (run.returncode, stdout) == (1, b"")
    now = f"it is {tmp_path}/moved/matches.jsonl now; resume with: arena run --resume {tmp_path}/moved --trust"
    problem = f"arena: out/matches.jsonl was moved or removed while the run played: {now}"
    assert stderr.decode().splitlines()[1:] == [problem]
    assert not (tmp_path / "out").exists()
    assert arena("run", "--trust", "--resume", "moved", "-q", "-j", 1).code == 0
    assert left(tmp_path / "moved") == unbroken


@pytest.mark.slow
def test_workers_that_are_told_to_end_leave_no_half_of_a_replay_and_change_no_result(
    launch: Any, unbroken: dict[str, bytes], tournament: Path, tmp_path: Path
) -> None:
    run = launch("run", tournament, "-o", "out", "-j", 2, "-q", TEST_SLOWNESS=SLOWNESS)
    out = tmp_path / "out"
    for finished in (1, 3):
        wait_until(lambda finished=finished: lines(out / "matches.jsonl") >= finished)  # type: ignore[misc]
        for worker in Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split():
            os.kill(int(worker), signal.SIGTERM)
        for replay in replays_of(out).values():
            assert json.loads(replay.splitlines()[-1])["event"] == "result"
    _, stderr = run.communicate(timeout=300)
    assert (run.returncode, stderr.decode().splitlines()[-1]) == (0, "faults: none")
    assert left(out) == unbroken


@pytest.mark.slow
def test_a_bot_that_ends_its_workers_spoils_neither_the_run_nor_its_repetition(
    arena: Any, own: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    tournament = own("def turn(self, view):\n    if view.turn == 3: os._exit(0)\n    return self.choose(view)")
    for name in ("one", "two"):
        assert arena("run", tournament, "-o", name, "-q", *APART).code == 0
    assert left(tmp_path / "one") == left(tmp_path / "two")
    assert arena("verify", "one").code == 0
    with_slow = [line for line in left(tmp_path / "one")["matches.jsonl"].splitlines() if b'"slow"' in line]
    assert any(b'"dead":1' in line for line in with_slow)
    others = [line for line in left(tmp_path / "one")["matches.jsonl"].splitlines() if b'"slow"' not in line]
    assert set(others[:2]) <= set(unbroken["matches.jsonl"].splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("how", [(), APART], ids=["trusted", "isolated"])
def test_a_run_ends_with_its_faults_and_keeps_the_evidence_of_late_ones_beside_the_replays(
    how: tuple[str, ...], arena: Any, own: Any, tmp_path: Path
) -> None:
    tournament = own("def turn(self, view):\n    time.sleep(20)")
    short = "editions=[{rules: face2face-2003, changes: {max_turns: 8}}]"
    one = ["--set", short, "--set", "limits={ask: 0.5, bank: 0.5}", "--strikes", 1]
    ran = arena("run", tournament, "-o", "out", "-q", *one, *how)
    assert ran.code == 0
    assert ran.err.splitlines()[-1] == "faults: slow 4 late; timings.jsonl says how late"
    late = []
    for line in (tmp_path / "out" / "timings.jsonl").read_text().splitlines():
        for seat in json.loads(line)["seats"]:
            assert bool(seat["late"]) == (seat["entrant"] == "slow")
            late += seat["late"]
    for each in late:
        assert each["hook"] == "turn"
        assert each["ask"] > 0
        assert each["seconds"] >= 1.0 > each["computed"]
        assert (each["limit"], each["bank"]) == (0.5, 0.5)
    assert b'"seconds"' not in b"".join(left(tmp_path / "out").values())


@pytest.mark.slow
def test_what_bots_print_and_raise_is_in_the_log(real_arena: Any, own: Any, tmp_path: Path) -> None:
    tournament = own("def turn(self, view):\n    print('hello', view.turn)\n    raise ValueError('\\ud800')")
    ran = real_arena("run", tournament, "-o", "out", "-q")
    assert ran.code == 0
    assert ran.err.count("\n") == 2
    log = (tmp_path / "out" / "logs" / "run.log").read_text()
    assert "printed: hello 1\n" in log
    assert "slow.py broke" in log
    assert "ValueError: \\ud800" in log


@pytest.mark.slow
def test_what_isolated_bots_print_and_raise_is_in_a_log_of_their_own(real_arena: Any, own: Any, tmp_path: Path) -> None:
    tournament = own("def turn(self, view):\n    print('hello', view.turn)\n    raise ValueError('\\ud800')")
    assert real_arena("run", tournament, "-o", "out", "-q", *APART).code == 0
    logs = tmp_path / "out" / "logs"
    (log,) = (logs / "bots").iterdir()
    text = log.read_text()
    heading = r"^== slow printed in \S+, seat \d, replay [0-9a-f]{12}:\nask \d+ turn:\n  hello \d$"
    assert re.search(heading, text, re.MULTILINE)
    assert "ValueError: \\ud800" in text
    assert "hello" not in (logs / "run.log").read_text()


@pytest.mark.slow
def test_a_bot_that_changes_the_folder_does_not_take_the_replays_along(arena: Any, own: Any, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    tournament = own(f"def start(self, start): os.chdir({str(tmp_path / 'elsewhere')!r})")
    assert arena("run", tournament, "-o", "out", "-q", *APART).code == 0
    assert arena("verify", "out").out.count(": verified\n") == MATCHES
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.slow
def test_progress_goes_to_standard_error_of_a_terminal_only(real_arena: Any, tournament: Path) -> None:
    stderr = real_arena("run", tournament, "-o", "out").err
    assert stderr.replace("\n  ", " ").splitlines() == [
        f"{MATCHES} matches of 3 entrants, seed {SEED}, 2 processes, isolation none, into out",
        "faults: none",
    ] or (len(os.sched_getaffinity(0)) != 2 and stderr.count("\n") in (2, 3))
