"""No bot and no build holds more memory than it may, whichever layers of the sandbox hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.bot import Limits
from arena.finding.programs import refer_command
from arena.finding.reference import find_file
from arena.isolation.worker.fork_server import ForkServers
from arena.sandbox.build import BuildResult, run_build
from arena.sandbox.build_process import BuildEnding, BuildOrder
from arena.sandbox.policy import Layer, SandboxPolicy
from arena.sandbox.probe import policy_here
from tests.conftest import play, spec_of

from . import hoards

LIMIT = 64
HERE = policy_here(SandboxPolicy(memory=LIMIT))
SERVERS = ForkServers()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("cc"), reason="there is no compiler")]


def level(id: str, *without: Layer) -> Any:
    """The policy without these layers, where all others work."""
    left = tuple(layer for layer in Layer if layer not in without)
    policy = msgspec.structs.replace(HERE, layers=left, around=HERE.around if Layer.BUBBLEWRAP in left else ())
    lacking = set(left) - set(HERE.layers)
    return pytest.param(policy, id=id, marks=pytest.mark.skipif(bool(lacking), reason=f"no {lacking} here"))


SEALED, LOCKED = level("sealed"), level("locked", Layer.BUBBLEWRAP)
FILTERED = level("filtered", Layer.BUBBLEWRAP, Layer.LANDLOCK)
COUNTED = level("counted", Layer.BUBBLEWRAP, Layer.LANDLOCK, Layer.SECCOMP)
filtered = pytest.mark.parametrize("policy", [SEALED, LOCKED])


def seen(first: str, *others: str) -> pytest.MarkDecorator:
    """The first way at every level, the others where all layers hold and where the least do: whoever counts is the
    same at all levels."""
    tried = [(first, level) for level in (SEALED, LOCKED, FILTERED, COUNTED)]
    tried += [(way, level) for way in others for level in (SEALED, COUNTED)]
    cases = [pytest.param(way, *each.values, id=f"{way}-{each.id}", marks=each.marks) for way, each in tried]
    return pytest.mark.parametrize(("way", "policy"), cases)


@pytest.fixture(scope="module", autouse=True)
def servers() -> Iterator[None]:
    yield
    SERVERS.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hoards")
    (folder / "hoard.c").write_text(hoards.C)
    subprocess.run(["cc", "-O1", "-o", folder / "hoard", folder / "hoard.c"], check=True)
    return folder / "hoard"


def as_bot(program: Path, way: str, policy: SandboxPolicy) -> tuple[dict[str, int], str]:
    """The faults of a bot that hoards, and what it said; the bot beside it has none."""
    refs = (refer_command([str(program), way, "bot"]), find_file("silent"))
    spec = spec_of(refs, limits=Limits(20.0, 20.0, 0.0))
    result = play(spec, refs, policy=policy, servers=SERVERS)
    hoards_, beside = result.seats
    assert beside.faults == {}
    notes = [line["note"] for line in map(json.loads, result.replay.splitlines()) if line.get("note")]
    return hoards_.faults, "".join(notes)


def as_build(program: Path, way: str, policy: SandboxPolicy, folder: Path, disk: int = 1024) -> BuildResult:
    folder.chmod(0o711)
    for above in folder.parents:  # pytest's folders are nobody else's, and root's builds are another user's
        if above.stat().st_uid == os.getuid() and str(above).startswith("/tmp/"):
            above.chmod(above.stat().st_mode | 0o011)
    for name in ("files", "tmp"):
        (folder / name).mkdir()
    shutil.copy(program, folder / "files" / "hoard")
    return run_build(BuildOrder(words=("./hoard", way), memory=LIMIT, disk=disk), policy, folder)


@filtered
def test_a_bot_is_refused_memory_that_nobody_could_count(policy: SandboxPolicy, program: Path) -> None:
    faults, said = as_bot(program, "+".join(hoards.REFUSED), policy)
    assert faults == {}
    check_refused(said)


def check_refused(said: str) -> None:
    """It held nothing in any of the ways, and each was refused."""
    told = said.strip().removesuffix(".").split(". ")
    assert len(told) == len(hoards.REFUSED), said
    for way, found in zip(hoards.REFUSED, told, strict=True):
        assert re.fullmatch(r"[\w/]+: .*(not permitted|denied|No such).*; held 0 MB", found), (way, found)


@seen(*hoards.SEEN)
def test_a_bot_that_holds_what_no_filter_refuses_is_ended_for_it(
    way: str, policy: SandboxPolicy, program: Path
) -> None:
    assert as_bot(program, way, policy) == ({"refused": 1}, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is told how large nameless memory is")
@pytest.mark.parametrize("policy", [COUNTED])
@pytest.mark.parametrize("way", ["shared", "device", "key"])
def test_without_a_filter_memory_that_was_unmapped_is_counted(way: str, policy: SandboxPolicy, program: Path) -> None:
    assert as_bot(program, way, policy) == ({"refused": 1}, "")


@filtered
def test_a_build_is_refused_memory_that_nobody_could_count(
    policy: SandboxPolicy, program: Path, tmp_path: Path
) -> None:
    ran = as_build(program, "+".join(hoards.REFUSED), policy, tmp_path)
    assert ran.how is BuildEnding.DONE
    check_refused(ran.output)


@seen(*reversed(hoards.SEEN), "sockets")
def test_a_build_that_holds_what_no_filter_refuses_is_ended_for_it(
    way: str, policy: SandboxPolicy, program: Path, tmp_path: Path
) -> None:
    assert as_build(program, way, policy, tmp_path).how is BuildEnding.MEMORY


@pytest.mark.parametrize("policy", [SEALED, LOCKED, FILTERED])
def test_a_build_cannot_make_its_pipes_larger(policy: SandboxPolicy, program: Path, tmp_path: Path) -> None:
    assert as_build(program, "pipes", policy, tmp_path).output == "fcntl: Operation not permitted; held 0 MB. \n"


@pytest.mark.parametrize("policy", [SEALED, COUNTED])
def test_a_build_that_writes_to_files_without_a_name_is_ended_for_it(
    policy: SandboxPolicy, program: Path, tmp_path: Path
) -> None:
    assert as_build(program, "nameless-file", policy, tmp_path, disk=100).how is BuildEnding.DISK
