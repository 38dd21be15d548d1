"""What a command that builds a bot may do, and what comes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.errors import ArenaError
from arena.sandbox.build import OMISSION_MARK, OUTPUT_BYTES, BuildResult, run_build
from arena.sandbox.build_process import BuildEnding, BuildOrder
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import policy_here

HERE = policy_here(SandboxPolicy())
WITHOUT = msgspec.structs.replace(
    HERE, around=(), layers=tuple(layer for layer in HERE.layers if layer is not Layer.BUBBLEWRAP)
)
"""All layers but bubblewrap."""
SEALED = pytest.param(
    HERE, id="sealed", marks=pytest.mark.skipif(not HERE.around, reason="bubblewrap does not work here")
)
LOCKED = pytest.param(
    WITHOUT,
    id="locked",
    marks=pytest.mark.skipif(
        not {Layer.LANDLOCK, Layer.SECCOMP} <= set(WITHOUT.layers), reason="Landlock or seccomp do not work here"
    ),
)
both = pytest.mark.parametrize("policy", [SEALED, LOCKED])


def sleeping(seconds: str) -> bool:
    """Whether a process sleeps for just so long; small systems have neither ``ps`` nor ``pgrep``."""
    asked = f"sleep\0{seconds}\0".encode()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            if path.read_bytes() == asked:
                return True
    return False


def run(
    folder: Path, policy: SandboxPolicy, *words: str, given: dict[str, str] | None = None, **most: Any
) -> BuildResult:
    folder.chmod(0o711)
    for above in folder.parents:  # pytest's folders are nobody else's, and root's builds are another user's
        if above.stat().st_uid == os.getuid() and str(above).startswith("/tmp/"):
            above.chmod(above.stat().st_mode | 0o011)
    for name in ("files", "tmp"):
        (folder / name).mkdir()
    for name, text in (given or {}).items():
        (folder / "files" / name).write_text(text)
    return run_build(BuildOrder(words=words, **most), policy, folder)


@both
def test_a_build_may_make_run_and_remove_files_of_its_own_and_nothing_else(
    policy: SandboxPolicy, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a seed")
    tried = f"""
        mkdir made && cp given made/kept && chmod +x made/kept && ./made/kept && rm given
        echo scrap > $TMPDIR/scrap && echo "own files: yes"
        cat {secret} && echo "others' files: read"
        echo x > /tmp/arena-build-test && echo "others' folders: written"
        echo x >> /etc/hosts && echo "the system: written"
        kill -9 {os.getpid()} && echo "others: killed"
        true
    """
    script = "#!/bin/sh\necho ran\n"
    ran = run(tmp_path, policy, "sh", "-c", tried, given={"given": script})
    assert (ran.how, ran.code) == (BuildEnding.DONE, 0)
    said = [line for line in ran.output.splitlines() if ":" not in line or line.split(":")[0] in ("own files", "ran")]
    assert "ran" in said
    assert "own files: yes" in said
    for done in ("read", "written", "killed", "a seed"):
        assert f": {done}" not in ran.output
    assert "a seed" not in ran.output
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["made"]
    assert (tmp_path / "files/made/kept").read_text() == script


@both
def test_a_build_has_no_network(policy: SandboxPolicy, tmp_path: Path) -> None:
    code = "import socket\ntry: socket.create_connection(('127.0.0.1', 9), 1)\nexcept PermissionError: print('refused')"
    ran = run(tmp_path, policy, "/usr/bin/python3", "-c", code)
    assert ran.output == "refused\n"


@both
def test_what_a_build_leaves_running_ends_with_it(policy: SandboxPolicy, tmp_path: Path) -> None:
    ran = run(tmp_path, policy, "sh", "-c", "(sleep 987.25; echo late > late) & echo done")
    assert (ran.how, ran.output) == (BuildEnding.DONE, "done\n")
    assert not sleeping("987.25")


@pytest.mark.parametrize(
    ("how", "command", "most"),
    [
        (BuildEnding.TIME, "sleep 60", {"seconds": 0.3}),
        (BuildEnding.MEMORY, "for i in 1 2 3 4 5 6; do tail /dev/zero & done; sleep 60", {"memory": 16}),
        (BuildEnding.DISK, "for i in 1 2 3 4 5 6; do head -c 400000 /dev/zero > f$i; done; sleep 60", {"disk": 1}),
        (BuildEnding.DISK, "for i in 1 2 3 4 5 6; do > f$i; done; sleep 60", {"files": 5}),
    ],
    ids=["time", "memory", "bytes", "files"],
)
def test_a_build_that_takes_too_much_is_ended(
    how: BuildEnding, command: str, most: dict[str, Any], tmp_path: Path
) -> None:
    began = time.monotonic()
    ran = run(tmp_path, HERE, "sh", "-c", command, **most)
    assert ran.how is how
    assert ran.code == -signal.SIGKILL
    assert time.monotonic() - began < 20


@both
def test_a_build_has_no_more_processes_than_it_may(policy: SandboxPolicy, tmp_path: Path) -> None:
    ran = run(tmp_path, policy, "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; sleep 60", processes=5)
    assert ran.how is BuildEnding.PROCESSES or "Cannot fork" in ran.output
    assert ran.code


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's builds are another user's")
def test_a_folder_that_a_build_cannot_reach_is_told(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    for name in ("files", "tmp"):
        (hidden / "folder" / name).mkdir(parents=True)
    hidden.chmod(0o700)
    with pytest.raises(ArenaError, match="accessible only to root; set TMPDIR to another folder"):
        run_build(BuildOrder(words=("true",)), WITHOUT, hidden / "folder")


def test_what_it_wrote_last_counts_too(tmp_path: Path) -> None:
    assert run(tmp_path, WITHOUT, "sh", "-c", "> a; > b; > c", files=3).how is BuildEnding.DISK


def test_of_a_long_output_the_end_is_kept(tmp_path: Path) -> None:
    ran = run(tmp_path, WITHOUT, "sh", "-c", "head -c 99999 /dev/zero | tr '\\0' y; echo; echo end")
    assert ran.output.startswith(OMISSION_MARK.decode())
    assert ran.output.endswith("y\nend\n")
    assert len(ran.output) == len(OMISSION_MARK) + OUTPUT_BYTES


def test_a_build_ends_with_the_process_that_wanted_it(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from arena.sandbox.build import run_build, BuildOrder; "
        "from arena.sandbox.policy import SandboxPolicy; "
        "run_build(BuildOrder(words=('sh', '-c', 'sleep 986.5 & sleep 986.5')), SandboxPolicy(), Path(sys.argv[1]))"
    )
    folder = tmp_path / "folder"
    for name in ("files", "tmp"):
        (folder / name).mkdir(parents=True)
    wants = subprocess.Popen([sys.executable, "-c", code, str(folder)])

    until = time.monotonic() + 20
    while not sleeping("986.5") and time.monotonic() < until:
        time.sleep(0.1)
    assert sleeping("986.5")
    wants.kill()
    wants.wait()
    while sleeping("986.5") and time.monotonic() < until:
        time.sleep(0.1)
    assert not sleeping("986.5")
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not folder.exists()


@pytest.mark.parametrize("policy", [SEALED, LOCKED, pytest.param(SandboxPolicy(), id="not locked in")])
def test_a_program_that_is_not_there_is_told(policy: SandboxPolicy, tmp_path: Path) -> None:
    ran = run(tmp_path, policy, "no-such-program")
    assert ran.code > 0
    assert "no-such-program" in ran.output
    assert "no such" in ran.output.lower()
