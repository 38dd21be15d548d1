"""Modules that the fork server imports for bots: there at once, and their global generator seeded from the match."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.finding.reference import find_file, refer_file
from arena.isolation.worker.fork_server import ForkServers
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from tests.conftest import play, spec_of

ROOT = Path(__file__).parents[2]
NUMPY = """
from random import Random
imported = [1]
class _Global:
    def __init__(self): self.its = Random()
    def seed(self, number): self.its.seed(number)
    def random(self): return self.its.random()
random = _Global()
"""
"""Stands for numpy: a module with a generator that all in the process share."""
BODY = """
def turn(self, view):
    import numpy
    return Reply(self.play_on(view), note=f"{numpy.random.random()}")
"""


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "numpy.py").write_text(NUMPY)
    monkeypatch.syspath_prepend(tmp_path / "library")
    return policy_here(SandboxPolicy(preload=("numpy",)))


def test_a_global_generator_is_another_in_every_seat_and_match_and_repeats(
    policy: SandboxPolicy, write_bot: Any
) -> None:
    bot = refer_file(str(write_bot(BODY)), None)
    refs, servers = (bot, find_file("silent"), bot), ForkServers()

    def drawn(seed: str) -> list[tuple[int, str]]:
        lines = [
            msgspec.json.decode(line)
            for line in play(spec_of(refs, seed=seed), refs, policy=policy, servers=servers).replay.split(b"\n")[:-1]
        ]
        return [(line["seat"], line["note"]) for line in lines if line.get("note")]

    once = drawn("one")
    assert len({note for _, note in once}) == len(once) > 4
    assert {seat for seat, _ in once} == {0, 2}
    assert drawn("one") == once
    assert not {note for _, note in drawn("two")} & {note for _, note in once}
    servers.close()


def test_a_module_that_is_not_there_is_told_with_its_place(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "name: t\nentrants: [fair, greedy, silent]\neditions: [eagle-gryphon]\nsandbox: {preload: [no_such_module]}\n"
    )
    ran = arena("run", "t.yaml")
    assert ran.code != 0
    assert "t.yaml:4:21: sandbox.preload[0]: no module 'no_such_module' to import" in ran.err


def test_the_fork_server_needs_nothing_that_shows_games_or_is_an_extra() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['gymnasium', 'pettingzoo', 'numpy']))\n"
        "from arena.isolation.server.warmup import import_games\n"
        "import_games()\n"
        "print(*(name for name in sys.modules if '.presenting.' in name))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout == "\n"
