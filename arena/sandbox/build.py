"""Runs the command that builds a bot, locked in: without network, and with one folder that it may write to.

The command comes from a stranger, as the bot does. A separate process (:mod:`arena.sandbox.build_process`) starts and
watches it, and ends everything that it has started, even when this process is killed.
"""

from __future__ import annotations

import subprocess
import sys
from os import SEEK_END
from pathlib import Path

import msgspec

from arena.errors import ArenaError
from arena.sandbox.build_process import BuildEnd, BuildEnding, BuildOrder
from arena.sandbox.policy import SandboxPolicy

OUTPUT_BYTES = 16 << 10
"""How many bytes at the end of the output are kept."""
OMISSION_MARK = b"[...]\n"
"""The mark before the kept output where its beginning was cut off."""


class BuildResult(msgspec.Struct, frozen=True):
    """How a build ended: ``how``, its exit ``code`` (negative: the signal that ended it), its duration in ``seconds``,
    the peak ``memory`` of all its processes together, in bytes, and the end of its ``output``."""

    how: BuildEnding
    code: int
    seconds: float
    memory: int
    output: str


def run_build(order: BuildOrder, policy: SandboxPolicy, folder: Path) -> BuildResult:
    """Run a command in ``folder``, under all layers of the ``policy``. The folder contains ``files``, where the command
    is run, and ``tmp`` for temporary files; the command's output is written beside them.

    Raises ArenaError where the command cannot be locked in.
    """
    settings = msgspec.json.encode({"path": sys.path, "order": order, "policy": policy, "folder": str(folder)}).decode()
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-s", "-c", _BUILD_PROGRAM, settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=output,
            env={"PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            told = process.stdout.read()
        finally:
            process.stdin.close()  # the watching process ends all others when it sees this, and then itself
            process.stdout.close()
            process.wait()
    said = _last_of(folder / "output")
    try:
        end = msgspec.json.decode(told, type=BuildEnd)
    except msgspec.DecodeError:
        raise ArenaError(
            f"a build cannot be isolated here: {said.strip() or 'the process that watches it ended'}"
        ) from None
    if end.how is BuildEnding.NOT_LOCKED:
        raise ArenaError(f"a build cannot be isolated here: {end.why}")
    return BuildResult(end.how, end.code, round(end.seconds, 3), end.memory, said)


def _last_of(path: Path) -> str:
    with open(path, "rb") as file:
        size = file.seek(0, SEEK_END)
        file.seek(max(0, size - OUTPUT_BYTES))
        text = file.read()
    return ((OMISSION_MARK if size > OUTPUT_BYTES else b"") + text).decode("utf-8", "backslashreplace")


_BUILD_PROGRAM = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])["path"]
from arena.sandbox.build_process import watch_build
watch_build(sys.argv[1])
"""
