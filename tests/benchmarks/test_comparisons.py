"""The benchmarks that compare arena with its peers and one commit with another."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def loaded(name: str) -> ModuleType:
    """A benchmark as a module."""
    spec = spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_script(name: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A benchmark, run as its page says."""
    here = {**os.environ, "PYTHONPATH": str(BENCH.parents[1]), "PYTHONHASHSEED": "0"}
    command = [sys.executable, str(BENCH / f"{name}.py"), *arguments]
    return subprocess.run(command, env=here, cwd=cwd, capture_output=True, text=True, timeout=200)


def test_arena_alone_needs_no_peer(capsys: pytest.CaptureFixture[str]) -> None:
    loaded("peers").main(["--only", "--rounds", "2", "--seconds", "0.05", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [len(found["decisions_a_second"][game]["with_copies"]) for game in ("board", "cards")] == [2, 2]
    assert all(rate > 0 for rates in found["matches_a_second"].values() for rate in rates)


def test_a_peer_that_is_not_installed_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in loaded("peers").PACKAGES.items():
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(SystemExit, match=rf'^{name} cannot be played: .*pip install "arena-negotiation\[peers\]"$'):
            loaded("peers").main(["--only", name])


@pytest.mark.parametrize("peer", loaded("peers").PEERS)
def test_every_peer_that_is_installed_plays_and_is_compared(peer: str) -> None:
    peers = loaded("peers")
    if find_spec(peers.PACKAGES[peer]) is None:  # the extra is not among what tests need: its message is tested above
        with pytest.raises(SystemExit):
            peers.peer_game(peer)
        return
    play = peers.peer_game(peer)
    assert play(1, False) == play(1, True) > 0
    done = run_script("peers", "--only", peer, "--rounds", "1", "--seconds", "0.05")
    assert re.search(rf"^\| {peer} \|( \d+\.\d\d \(\d+\.\d\d to \d+\.\d\d\) \|){{4}}", done.stdout, re.M)


@pytest.mark.parametrize(
    ("ratios", "dearer"),
    [
        ([1.05, 1.06, 1.04, 1.05, 1.07, 1.05, 1.04, 1.05, 1.06], True),
        ([1.02, 1.02, 1.01, 1.02, 1.03, 1.02, 1.02, 1.02, 1.02], False),  # dearer, but by less than 3 %
        ([0.70, 0.80, 1.40, 1.30, 1.20, 1.10, 0.90, 0.95, 1.50], False),  # chance
        ([0.50, 0.52, 0.51, 0.50, 0.50, 0.52, 0.51, 0.50, 0.50], False),
    ],
)
def test_a_regression_is_more_than_3_percent_and_more_than_chance(ratios: Sequence[float], dearer: bool) -> None:
    assert loaded("regress").is_regression(ratios) is dearer


def test_the_interval_of_a_median_is_that_of_order_statistics() -> None:
    interval = loaded("regress").median_interval
    assert interval(range(1, 10)) == (2, 8)  # 96.1 %; from 3 to 7 it would be 82.0 %
    assert interval(range(1, 4)) == (1, 3)


@pytest.mark.slow
def test_a_commit_that_costs_more_is_told_and_one_that_does_not_is_not(tmp_path: Path) -> None:
    for folder in ("tests/bench", "arena", "bots"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tests" / "bench" / "regress.py").write_text((BENCH / "regress.py").read_text())
    (tmp_path / "arena" / "__init__.py").touch()
    for bot in loaded("regress").STRANGERS:
        (tmp_path / "bots" / f"{bot}.py").write_text("")
    for loops in (50_000, 800_000):
        (tmp_path / "arena" / "__main__.py").write_text(f"for _ in range({loops}): pass\n")
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "loops"]):
            user = ["-c", "user.name=tests", "-c", "user.email=tests@example.org"]
            subprocess.run(["git", "-C", tmp_path, *user, *command], check=True)
    run = [sys.executable, str(tmp_path / "tests" / "bench" / "regress.py"), "--only", "start", "--rounds", "5"]
    told = subprocess.run([*run, "HEAD~1", "HEAD"], capture_output=True, text=True)
    assert told.returncode == 1, told.stderr
    assert "| dearer |" in told.stdout
    back = subprocess.run([*run, "HEAD", "HEAD~1"], capture_output=True, text=True)
    assert (back.returncode, "dearer" in back.stdout) == (0, False), back.stderr
    assert list(Path(tmp_path, ".git", "worktrees").glob("*")) == []
