"""The root digest: what it is of, and that everybody finds the same."""

from __future__ import annotations

import json
import random
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.storage.root_digest import CHUNK_DIGESTS, root_of

TOURNAMENT = """
name: tiny
seed: b7c1d20e9f4a6538e1027d9c54ab36f8
entrants: [random-legal, greedy, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
blocks: 2
isolation: none
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TOURNAMENT)
    return path


def write(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"".join(lines))
    return path


def test_anybody_can_compute_it_with_the_tools_of_a_shell(tmp_path: Path) -> None:
    path = write(tmp_path / "matches.jsonl", [b'{"id":"%d"}\n' % number for number in range(150)])
    ran = subprocess.run(
        "split -l 1 --filter=sha256sum matches.jsonl | cut -c -64 | LC_ALL=C sort | sha256sum",
        shell=True, cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    assert ran.stdout.split()[0].decode() == root_of(path).digest
    assert root_of(path).matches == 150


def test_it_is_the_digest_of_the_sorted_digests_however_many_there_are(tmp_path: Path) -> None:
    lines = [b'{"id":"%d"}\n' % number for number in range(CHUNK_DIGESTS + 7)]
    told = "".join(f"{each}\n" for each in sorted(sha256(line).hexdigest() for line in lines))
    assert root_of(write(tmp_path / "a", lines)).digest == sha256(told.encode()).hexdigest()


def test_the_order_of_lines_does_not_matter_but_every_byte_and_every_line_does(tmp_path: Path) -> None:
    lines = [b'{"id":"%d","money":7}\n' % number for number in range(40)]
    root = root_of(write(tmp_path / "a", lines)).digest
    mixed = random.Random(3).sample(lines, len(lines))
    assert root_of(write(tmp_path / "b", mixed)).digest == root
    for other in (lines[1:], [*lines, lines[0]], [lines[0].replace(b"7", b"8"), *lines[1:]]):
        assert root_of(write(tmp_path / "c", other)).digest != root


def test_a_line_that_is_cut_off_does_not_count_and_no_file_has_no_lines(tmp_path: Path) -> None:
    whole = root_of(write(tmp_path / "a", [b'{"id":"1"}\n']))
    assert root_of(write(tmp_path / "b", [b'{"id":"1"}\n', b'{"id":'])) == whole
    assert root_of(tmp_path / "missing").digest == root_of(write(tmp_path / "c", [])).digest == sha256().hexdigest()


def roots_in(folder: Path) -> set[str]:
    """All root digests that the files of a run name."""
    standings = json.loads((folder / "standings.json").read_text())
    page = (folder / "standings.md").read_text().split()
    stated = json.loads((folder / "manifest.json").read_text())["root"]
    return {stated, page[-1], root_of(folder / "matches.jsonl").digest, *(each["root"] for each in standings.values())}


@pytest.mark.slow
def test_however_a_run_was_played_it_has_the_same_root(arena: Any, tiny: Path, tmp_path: Path) -> None:
    ran = arena("run", "tiny.yaml", "-o", "one", "-j", 1, "-q")
    (root,) = roots_in(tmp_path / "one")
    assert f"\nroot     {root}\n" in ran.out
    for share in ("1/2", "2/2"):
        assert arena("run", "tiny.yaml", "--shard", share, "-o", f"part{share[0]}", "-j", 1, "-q").code == 0
        assert roots_in(tmp_path / f"part{share[0]}") != {root}
    assert f"\nroot     {root}\n" in arena("merge", "part1", "part2", "--out", "merged", "-q").out
    assert arena("run", "tiny.yaml", "--reuse", "one", "-o", "reused", "-j", 1, "-q").code == 0
    assert roots_in(tmp_path / "merged") == roots_in(tmp_path / "reused") == {root}


@pytest.mark.slow
def test_a_resumed_run_has_the_same_root_and_a_longer_one_another(arena: Any, tiny: Path, tmp_path: Path) -> None:
    assert arena("run", "tiny.yaml", "-o", "one", "-j", 1, "-q").code == 0
    (root,) = roots_in(tmp_path / "one")
    lines = (tmp_path / "one" / "matches.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "one" / "matches.jsonl").write_bytes(b"".join(lines[3:]))
    assert arena("run", "--trust", "--resume", "one", "-j", 1, "-q").code == 0
    assert roots_in(tmp_path / "one") == {root}
    assert arena("run", "--trust", "--resume", "one", "--blocks", 3, "-j", 1, "-q").code == 0
    (longer,) = roots_in(tmp_path / "one")
    assert longer != root


@pytest.mark.slow
def test_verification_says_the_root_and_finds_a_line_that_was_changed_since(
    arena: Any, tiny: Path, tmp_path: Path
) -> None:
    assert arena("run", "tiny.yaml", "-o", "out", "-j", 1, "-q").code == 0
    (root,) = roots_in(tmp_path / "out")
    assert arena("verify", "out").out.splitlines()[-1] == f"out: root digest {root}"
    assert f"root      {root}\n" in arena("status", "out").out
    assert json.loads(arena("status", "out", "--json").out)["root"] == root
    assert json.loads(arena("verify", "out", "--json").out)["runs"][0]["root"] == root
    path = tmp_path / "out" / "matches.jsonl"
    path.write_bytes(path.read_bytes().replace(b',"void":false', b', "void":false', 1))  # the same, in other bytes
    assert arena("standings", "out").code == 0
    ran = arena("verify", "out", "-q")
    since = "matches.jsonl has been changed since the run was complete"
    now = root_of(path).digest
    assert (ran.code, ran.out) == (3, f"out/manifest.json: root is {root}, by matches.jsonl it is {now}: {since}\n")
