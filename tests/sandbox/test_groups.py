"""Groups that limit memory: where arena may make them, and what it makes of what they tell. Files play what the kernel
does; the kernel itself arena tries before it relies on a group (``arena doctor``)."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.clock import SYSTEM_CLOCK
from arena.errors import ArenaError
from arena.isolation.wire.control import OVER_MEMORY
from arena.isolation.worker.bot_pipe import BotPipe
from arena.isolation.worker.fork_server import ForkServer
from arena.sandbox import cgroups
from arena.sandbox.build import run_build
from arena.sandbox.build_process import BuildOrder
from arena.sandbox.cgroups import ARENA_GROUP, GROUP_PREFIX, GROUP_VARIABLE, SPARE_BYTES, MemoryGroup, folder_of_groups
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here

Files = dict[str, str]
VERSION_1 = {"memory.limit_in_bytes": "", "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n"}
VERSION_2 = {
    "memory.max": "max",
    "memory.events": "low 0\noom 0\noom_kill 0\noom_group_kill 0\n",
    "memory.oom.group": "",
}
EVENTS = {"memory.oom_control", "memory.events"}
both = pytest.mark.parametrize("files", [VERSION_1, VERSION_2], ids=["version 1", "version 2"])


@pytest.fixture
def folder(files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which a new folder has the files of a group at once, and is removed with them."""
    make, remove, parent = os.mkdir, os.rmdir, tmp_path / "groups"
    parent.mkdir()

    def make_group(path: str, *rest: Any, **more: Any) -> None:
        make(path, *rest, **more)
        if Path(path).parent == parent:
            for name, text in {**files, "cgroup.procs": ""}.items():
                Path(path, name).write_text(text)

    def remove_group(path: str, *rest: Any, **more: Any) -> None:
        for file in Path(path).iterdir() if Path(path).parent == parent else ():
            file.unlink()
        remove(path, *rest, **more)

    monkeypatch.setattr(os, "mkdir", make_group)
    monkeypatch.setattr(os, "rmdir", remove_group)
    return parent


def entered(group: Path) -> None:
    """Wait until a process has entered it."""
    until = time.monotonic() + 60
    while not (group / "cgroup.procs").read_text():
        assert time.monotonic() < until
        time.sleep(0.01)


def kill(group: Path) -> None:
    """What the kernel tells when it has killed one more process of the group for the memory."""
    (events,) = (group / name for name in EVENTS if (group / name).exists())
    before = int(events.read_text().partition("oom_kill ")[2].split()[0])
    events.write_text(events.read_text().replace(f"oom_kill {before}", f"oom_kill {before + 1}"))


@both
def test_a_group_has_a_limit_and_tells_once_when_it_was_reached(files: Files, folder: Path) -> None:
    with closing(MemoryGroup(str(folder), 5 << 20)) as group:
        (made,) = folder.iterdir()
        limit = "memory.max" if "memory.max" in files else "memory.limit_in_bytes"
        assert (made / limit).read_text() == str(5 << 20)
        assert not group.ran_out()
        kill(made)
        assert group.ran_out()
        assert not group.ran_out()
        cgroups.enter_group(group.entry)
        assert (made / "cgroup.procs").read_text() == "0"
        assert not group.is_empty()
    assert list(folder.iterdir()) == []


@both
def test_each_bots_process_enters_a_group_and_ends_for_its_memory_where_the_kernel_says_so(
    files: Files, folder: Path
) -> None:
    policy = msgspec.structs.replace(policy_here(SandboxPolicy(memory=100)), groups=str(folder))
    with closing(ForkServer(policy)) as server:
        pipes = [BotPipe(SYSTEM_CLOCK) for _ in range(3)]
        pids = server.spawn([pipe.bots_ends for pipe in pipes])
        made = sorted(folder.iterdir())
        assert len(made) == 3
        for pipe in pipes:
            pipe.close()  # without a request they end
        limit = "memory.max" if "memory.max" in files else "memory.limit_in_bytes"
        for each in made:
            entered(each)
            assert (each / limit).read_text() == str((100 << 20) + SPARE_BYTES)
        kill(made[1])
        assert [exit.over_limit for exit in server.end(pids)] == [0, OVER_MEMORY, 0]
        assert list(folder.iterdir()) == []  # the files say that somebody is left in them
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("files", [VERSION_2])
def test_an_empty_group_is_used_for_the_next_process(files: Files, folder: Path) -> None:
    policy = msgspec.structs.replace(policy_here(SandboxPolicy()), groups=str(folder))
    with closing(ForkServer(policy)) as server:
        for _ in range(3):
            with closing(BotPipe(SYSTEM_CLOCK)) as pipe:
                (pid,) = server.spawn([pipe.bots_ends])
                (made,) = folder.iterdir()
            entered(made)
            (made / "cgroup.procs").write_text("")  # as when it has ended
            assert server.end([pid])[0].over_limit == 0
            assert list(folder.iterdir()) == [made]


def test_a_build_without_the_group_that_it_should_have_is_not_begun(tmp_path: Path) -> None:
    for name in ("files", "tmp"):
        (tmp_path / name).mkdir()
    policy = SandboxPolicy(groups=str(tmp_path / "none"))
    with pytest.raises(ArenaError, match=r"a build cannot be isolated here: .*No such file"):
        run_build(BuildOrder(words=("true",)), policy, tmp_path)


def as_group(folder: Path, controllers: str = "cpu memory", below: str = "", processes: str = "") -> Path:
    folder.mkdir()
    (folder / "cgroup.controllers").write_text(controllers)
    (folder / "cgroup.subtree_control").write_text(below)
    (folder / "cgroup.procs").write_text(processes)
    return folder


def test_a_folder_that_is_named_is_used_if_it_limits_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, problem in (
        (tmp_path, "is no group that limits memory"),
        (as_group(tmp_path / "other", "cpu pids"), "does not limit memory"),
    ):
        monkeypatch.setenv(GROUP_VARIABLE, str(folder))
        with pytest.raises(OSError, match=f"{folder} {problem}"):
            folder_of_groups()
    given = as_group(tmp_path / "given", processes="77\n")
    monkeypatch.setenv(GROUP_VARIABLE, str(given))
    assert folder_of_groups() == str(given)
    assert (given / "cgroup.subtree_control").read_text() == "+memory"
    assert (given / "cgroup.procs").read_text() == "77\n"  # others' processes stay where they are


def test_a_group_of_somebody_elses_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(GROUP_VARIABLE, raising=False)
    monkeypatch.setattr(os, "getxattr", lambda *_: b"0")
    with pytest.raises(OSError, match="arena has no control group for bots, and ARENA_CGROUP names none"):
        folder_of_groups()


@pytest.mark.parametrize("moved_before", [False, True])
def test_the_processes_of_a_group_that_was_handed_over_move_below_it(
    moved_before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = as_group(tmp_path / "run.scope", processes="77\n", below="memory" if moved_before else "")
    if moved_before:
        (scope / ARENA_GROUP).mkdir()
    own = f"0::/run.scope{'/' + ARENA_GROUP if moved_before else ''}\n"
    read = cgroups._read_text
    monkeypatch.delenv(GROUP_VARIABLE, raising=False)
    monkeypatch.setattr(cgroups, "MOUNT_FOLDER", str(tmp_path))
    monkeypatch.setattr(cgroups, "_read_text", lambda path: own if path == "/proc/self/cgroup" else read(path))
    monkeypatch.setattr(os, "getxattr", lambda place, name: b"1" if place == str(scope) else b"0")
    assert folder_of_groups() == str(scope)
    moved = scope / ARENA_GROUP / "cgroup.procs"
    assert moved.exists() is not moved_before
    if not moved_before:
        assert moved.read_text() == "77"
        assert (scope / "cgroup.subtree_control").read_text() == "+memory"


def test_groups_of_processes_that_were_killed_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = as_group(tmp_path / "given", below="memory")
    kept, left, foreign = (
        given / f"{GROUP_PREFIX}{os.getpid()}-0",
        given / f"{GROUP_PREFIX}{2**22 + 1}-0",
        given / "others",
    )
    for each in (kept, left, foreign):
        each.mkdir()
    monkeypatch.setenv(GROUP_VARIABLE, str(given))
    folder_of_groups()
    assert (kept.exists(), left.exists(), foreign.exists()) == (True, False, True)
