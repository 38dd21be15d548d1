"""Whatever ends a run at whatever moment: what is finished stays, and going on from it gives the bytes of a run that
nothing has disturbed."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as command
from arena.executors.process_pool.pool import Pool
from arena.executors.serial import Serial
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.open_folder import open_run
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.store import RunRemains
from tests.conftest import environment_of
from tests.executors.fixtures import children, noted_fork_servers, wait_until
from tests.executors.fixtures import runs as is_running
from tests.runs.calling import Calling

pytestmark = pytest.mark.slow

ForkServersOf = Callable[[int], list[int]]
TOURNAMENT = """
name: tiny
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, greedy, silent]
editions:
  - {{rules: eagle-gryphon, changes: {{max_turns: 3}}}}
{cards}seats: 2
blocks: {blocks}
tables: all
isolation: {isolation}
"""
CARDS = "  - {rules: card-game, seats: 3, changes: {rounds: {3: 1}}}\n"
"""With trusted bots both games are played; isolated, whose processes take longest, those of one are killed."""
MATCHES = {"none": 3 * 2 + 1 * 3, "all": 3 * 2}
"""Of a block, by the name of the configuration."""
FILES = ("matches.jsonl", "standings.json", "standings.csv", "standings.md", "crosstable.csv", "seats.csv")
KILLS = {"none": 4, "all": 2}
"""Of trusted and of isolated bots: how many kills."""
LATEST = 0.6
"""When a run is killed at latest, as a share of the time that a whole one takes on this machine now."""


def configuration(folder: Path, isolation: str, blocks: int = 2) -> Path:
    path = folder / f"{isolation}.yaml"
    cards = CARDS if isolation == "none" else ""
    path.write_text(TOURNAMENT.format(isolation=isolation, blocks=blocks, cards=cards))
    return path


def content(folder: Path) -> dict[str, bytes]:
    """Everything of a complete run that has to be the same on every run, replays by their matches' ids."""
    store = FolderStore(folder)
    found = {name: (folder / name).read_bytes() for name in FILES}
    for record in store.records():
        replay = store.replay(record.id)
        assert replay is not None, record.id
        found[record.id] = replay
    return found


def play(config: Path, out: Path) -> tuple[RunState, RunRemains]:
    """Begin the run, or go on with it, in this process."""
    kept = RunRemains()

    def recovered(found: RunRemains) -> None:
        nonlocal kept
        kept = found

    with closing(Pool(2)) as executor:
        if (out / "manifest.json").exists():
            plan, store = open_run(out, trust=FolderStore(out).facts().is_trusted)
            outcome = runs.resume_run(plan, store, executor, listener=Calling(recovered=recovered))
        else:
            outcome = runs.start_run(make_plan(config), FolderStore(out), executor)
    return outcome.state, kept


def family(process: int, fork_servers: ForkServersOf) -> tuple[list[int], list[int]]:
    """A process with its workers and their fork servers, and the bots."""

    def below(parents: list[int]) -> list[int]:
        found: list[int] = []
        for each in parents:
            with suppress(OSError):
                found += children(each)
        return found

    workers = below([process])
    servers = [server for worker in workers for server in fork_servers(worker)]
    bots = below(servers)
    return [process, *workers, *servers], [*bots, *below(bots)]


def forked(act: Callable[[], None], told: Path) -> int:
    """A process that does this; what it writes is in the file ``told``."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            writing = os.open(told, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            for number in (1, 2):
                os.dup2(writing, number)
            act()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
        except BaseException:
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(code)
    return child


def begun(config: Path, folder: Path, disturb: Callable[[], None]) -> tuple[int, str]:
    """The exit code and standard error of ``arena run CONFIG -o out -j 2 -q``, begun in this folder, in a process in
    which something is done before."""

    def run() -> None:
        os.chdir(folder)
        sys.argv = ["arena", "run", str(config), "-o", "out", "-j", "2", "-q"]
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        disturb()
        try:
            command.main()
        finally:
            sys.stderr.flush()

    _, status = os.waitpid(forked(run, folder / "told"), 0)
    return os.waitstatus_to_exitcode(status), (folder / "told").read_text()


def killed(
    config: Path, out: Path, after: float, chance: random.Random, underway: bool, fork_servers: ForkServersOf
) -> bool:
    """Play in a process of its own and kill it so many seconds later with all its processes, in any order, but bots
    last: of one that ends before those who watch it, nobody can say that it was not its own fault. Whether it was still
    at it. Of a run that is ``underway`` the seconds count from the first match that it finishes."""
    there = len(whole_lines(out))
    child = forked(lambda: play(config, out) and None, out.with_suffix(".told"))
    patience = time.monotonic() + 10
    while underway and there < MATCHES[config.stem] and len(whole_lines(out)) == there and time.monotonic() < patience:
        time.sleep(0.001)
    time.sleep(after)
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        assert status == 0, out.with_suffix(".told").read_text()
        return False
    watching, bots = family(child, fork_servers)
    for some in (watching, bots):
        chance.shuffle(some)
    doomed = [*watching, *bots]
    for process in doomed:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    wait_until(lambda: not any(map(is_running, doomed)))
    return status != 0  # it may have seen that others were gone, and have ended before its own turn came


def whole_lines(out: Path) -> set[str]:
    """The ids in the whole lines of ``matches.jsonl``."""
    path = out / "matches.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.is_file() else []
    return {json.loads(line)["id"] for line in lines}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run leaves that nothing has disturbed, whether its bots are isolated or not."""
    folder = tmp_path_factory.mktemp("unbroken")
    with closing(Serial()) as executor:
        runs.start_run(make_plan(configuration(folder, "none")), FolderStore(folder / "out"), executor)
    return content(folder / "out")


@pytest.mark.parametrize("isolation", KILLS)
def test_a_run_that_is_killed_at_any_moment_with_all_its_processes_ends_with_the_same_bytes(
    isolation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork_servers = noted_fork_servers(tmp_path, monkeypatch)
    config, seed = configuration(tmp_path, isolation, 1), random.randrange(10**9)
    print(f"moments from random.Random({seed})")
    chance, kills, began = random.Random(seed), KILLS[isolation], time.monotonic()
    assert play(config, tmp_path / "unbroken")[0] is RunState.COMPLETE
    longest = LATEST * (time.monotonic() - began)
    unbroken = content(tmp_path / "unbroken")
    number, out, survived, halfway = 0, tmp_path / "run0", 0, 0
    while survived < kills or (halfway < kills / 10 and survived < 8 * kills):
        underway = chance.random() < 0.5
        after = chance.uniform(0, longest / 10 if underway else longest)
        if killed(config, out, after, chance, underway, fork_servers):
            survived += 1
            halfway += 0 < len(whole_lines(out)) < MATCHES[isolation]
        elif content(out) == unbroken:
            number, out = number + 1, tmp_path / f"run{number + 1}"
        else:
            pytest.fail(f"run{number} is complete with other bytes")
        if chance.random() < 0.2 and (out / "manifest.json").exists():
            there = whole_lines(out)
            state, kept = play(config, out)
            assert state is RunState.COMPLETE
            again, _ = open_run(out, trust=isolation == "none")
            ids = {fixture.id for fixture in again.schedule if fixture.index in kept.matches}
            assert ids == there, "what was finished, and nothing else, is kept"
            assert not [note for note in kept.notes if "replay" in note], "a replay is there before its record"
            assert content(out) == unbroken
            number, out = number + 1, tmp_path / f"run{number + 1}"
    assert play(config, out)[0] is RunState.COMPLETE
    assert content(out) == unbroken
    assert halfway >= kills / 10, "most kills came before or after all matches"


FILL = """
import os
free = os.statvfs(".")
with open("filler", "wb") as file:
    file.write(bytes(free.f_bavail * free.f_frsize - {free}))
"""
"""Fills the file system but for so many bytes."""
MOUNTED = """
set -e
mount -t tmpfs -o size=4m tmpfs {place}
cd {place}
{python} -c '{fill}'
set +e
{python} -m arena run {config} -o out -j 2 -q >{log}.out 2>{log}.err
echo $? >{log}.code
rm -f {place}/filler
set -e
cp -r out {kept}
"""
"""What runs where a small file system is mounted that nobody else sees: a run fills it. What it leaves is copied to
where there is more room."""


def can_mount() -> bool:
    """Whether this user can mount a file system for itself."""
    command = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    with suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


def limit_files(size: int) -> None:
    """Let no file of this process grow larger: a write ends in the middle, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_file_that_cannot_grow_ends_the_run_with_a_line_that_says_how_to_go_on(
    arena: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    code, said = begun(configuration(tmp_path, "none"), tmp_path, lambda: limit_files(12_345))
    assert code == 1
    *_, last = said.splitlines()
    assert last.startswith("arena: ")
    assert last.endswith(": File too large; when that is fixed, resume with: arena run --resume out --trust")
    assert "Traceback" not in said
    assert arena("run", "--trust", "--resume", "out", "-q", "-j", 1).code == 0
    assert content(tmp_path / "out") == unbroken


def test_a_full_disk_ends_the_run_with_a_line_and_with_room_again_it_ends_the_same(
    arena: Any, unbroken: dict[str, bytes], tmp_path: Path
) -> None:
    config = configuration(tmp_path, "none")
    if can_mount():
        log = tmp_path / "log"
        place = tmp_path / "small"
        place.mkdir()
        script = MOUNTED.format(
            place=place,
            python=sys.executable,
            fill=FILL.format(free=60_000),
            config=config,
            log=log,
            kept=tmp_path / "out",
        )
        command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
        done = subprocess.run(command, env=environment_of(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        code, said = int(Path(f"{log}.code").read_text()), Path(f"{log}.err").read_text()
    else:
        code, said = begun(config, tmp_path, fill_device)
    assert code == 1
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("arena: ")
    assert said.splitlines()[-1].endswith(
        ": No space left on device; when that is fixed, resume with: arena run --resume out --trust"
    )
    assert arena("run", "--trust", "--resume", "out", "-q", "-j", 1).code == 0
    assert content(tmp_path / "out") == unbroken


def fill_device() -> None:
    """Have the disk be full after seven replays, for whoever may mount nothing."""
    add, calls = PackWriter.add, [0]

    def full(self: PackWriter, *given: Any) -> Any:
        calls[0] += 1
        if calls[0] > 7:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out/replays/0000.zst")
        return add(self, *given)

    PackWriter.add = full  # type: ignore[method-assign]
