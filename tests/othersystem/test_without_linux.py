"""Where there is no fork, no Landlock and no ``/proc``, as on macOS, bots that are trusted or ship with arena are
played, reports and pages are made, and everything else is refused with what to do. No Mac is here: a Python of Linux
is run without all that a Mac lacks (``sitecustomize.py``)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox import landlock, probe
from arena.sandbox.policy import Layer
from arena.system.platform_support import isolation_refusal, missing_features
from tests.conftest import Arena, Ran, environment_of, write_player

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
PLAY = "play ./mine.py greedy --seed 7 --trust --out played.jsonl"
PROGRAM = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from arena.cli.main import main
found = []
asked, sys.stdin = json.loads(sys.stdin.read()), io.StringIO("quit\\nyes\\nquit\\n")
for words in asked:
    sys.argv, out, err, code = ["arena", *words], io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO()), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    found.append((code, *(each.flush() or each.buffer.getvalue().decode() for each in (out, err))))
sys.__stdout__.write(json.dumps(found))
"""
SHORT = '--set editions=[{"rules":"eagle-gryphon","changes":{"max_turns":8}}]'
TRUSTED = (
    f"run ./mine.py fair greedy --blocks 1 --seed 7 --trust --quiet --out run -j 2 {SHORT}",
    "verify run",
    "standings run",
    "report run --out report.html",
    "ledger run",
    "export run --out tables",
    "match ./mine.py fair greedy --seed 7 --trust --out m.jsonl --rule max_turns=40",
    "view m.jsonl --out page.html",
    "show m.jsonl",
    "picture m.jsonl --out deal.svg",
    "rerun m.jsonl --trust",
    "refeed m.jsonl --seat 0 --bot ./mine.py --trust",
    "branch m.jsonl --at ask20 --repeat 1 --bot fair --trust",
    "gauntlet ./mine.py fair greedy --seed 7 --trust --deals 1 --rule max_turns=8",
    "compare ./mine.py fair greedy hard --seed 7 --trust --max-deals 1 --rule max_turns=8",
    "run --resume run --trust --blocks 2 --quiet",
    PLAY,
)
BUNDLED = (
    f"run dealmaker fair greedy --blocks 1 --seed 7 --quiet --out bundled {SHORT}",
    "run --resume bundled --blocks 2 --quiet",
    "match dealmaker fair greedy --seed 7 --out b.jsonl --rule max_turns=8",
    "rerun b.jsonl",
)
REFUSED = (
    "match ./mine.py fair greedy --seed 7",
    "run ./mine.py fair greedy --blocks 1 --seed 7 --quiet",
    "run dealmaker fair greedy --blocks 1 --isolate-all --quiet",
    "run dealmaker fair greedy --blocks 1 --require locked --quiet",
    "rerun m.jsonl",
    "refeed m.jsonl --seat 0 --bot ./mine.py",
    "branch m.jsonl --at ask20 --repeat 1 --bot ./mine.py",
    "audit run",
    "bots check ./mine.py",
    "match cmd:./program fair greedy --seed 7 --trust",
)


def run_all(folder: Path, commands: tuple[str, ...]) -> list[Ran]:
    """What these commands, one after another, say where the system is not Linux."""
    path = f"{HERE}:{ROOT}"
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps([line.split() for line in commands]),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment_of(PYTHONPATH=path, PYTHONHASHSEED="0"),
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return [Ran(*each) for each in json.loads(ran.stdout)]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """What each command says there."""
    folder = tmp_path_factory.mktemp("mac")
    write_player(folder, "turn = play_on", "mine")
    (folder / "program").write_text("#!/bin/sh\n")
    (folder / "program").chmod(0o755)
    commands = (*TRUSTED, *BUNDLED, *REFUSED, "doctor", "doctor --json")
    return dict(zip(commands, run_all(folder, commands), strict=True))


@pytest.mark.slow
def test_trusted_and_bundled_bots_are_played_and_looked_at_and_others_refused(told: dict[str, Ran]) -> None:
    for command in (*TRUSTED, *BUNDLED):
        ran = told[command]
        assert (ran.code, "Traceback" in ran.err) == (1 if command.startswith("compare") else 0, False), (command, ran)
    for command in REFUSED:
        ran = told[command]
        assert ran.code in (1, 2), command
        assert "only on Linux, and this is macOS: play bots in Python that you have read with --trust" in ran.err, ran
        assert "WSL2" in ran.err, command
        assert "Traceback" not in ran.err, command


@pytest.mark.slow
def test_what_is_played_there_has_the_same_bytes(told: dict[str, Ran], tmp_path: Path, arena: Arena) -> None:
    assert arena(*BUNDLED[0].split()).code == 0
    digest = re.search(r"root +([0-9a-f]{64})", told[BUNDLED[0]].err + told[BUNDLED[0]].out)
    assert digest is not None
    assert json.loads((Path("bundled") / "manifest.json").read_bytes())["root"] == digest[1]


@pytest.mark.slow
def test_the_doctor_says_what_is_missing_and_what_follows(told: dict[str, Ran]) -> None:
    ran, data = told["doctor"], json.loads(told["doctor --json"].out)
    assert (ran.code, data["level"]) == (0, "none")
    assert all((each["holds"], each["found"]) == (False, "needs Linux") for each in data["layers"])
    assert "this is macOS (arena docs isolation other-systems)" in ran.out
    assert all(f"\n{name} " in ran.out for name in data["missing"])


def test_on_linux_nothing_is_missing() -> None:
    assert (missing_features(), isolation_refusal()) == ({}, "")


@pytest.mark.parametrize("gone", [True, False])
def test_the_doctor_tells_where_landlock_is_missing_or_does_nothing(
    gone: bool, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version() -> int:
        raise OSError(38, "Function not implemented")

    if gone:
        monkeypatch.setattr(landlock, "landlock_version", version)
    monkeypatch.setattr(landlock, "restrict_self", lambda rules: None)
    probe.probe_layers.cache_clear()
    try:
        out = arena("doctor").out
        found = {each.layer: each for each in probe.probe_layers()}[Layer.LANDLOCK]
    finally:
        probe.probe_layers.cache_clear()
    assert not found.holds
    assert found.found.endswith("not implemented" if gone else "files can be read nevertheless, as under gVisor")
    assert "Landlock is missing or does nothing here" in out
    assert "gVisor" in out


def test_what_a_system_may_lack_is_asked_for_in_one_place() -> None:
    asks = re.compile(
        r"sys\.platform|hasattr\(os|\"fork\"|fdatasync|memfd_create|sched_getaffinity|os\.fork\b|/proc/self"
    )
    rooms = ("sandbox/", "isolation/")  # Linux alone has them
    files = {path.relative_to(ROOT / "arena").as_posix(): path for path in (ROOT / "arena").rglob("*.py")}
    found = {name for name, path in files.items() if asks.search(path.read_text()) and not name.startswith(rooms)}
    assert found == {
        "system/platform_support.py",
        "executors/process_pool/pool.py",  # forks, and is used where there are forks
        "runs/planning/load_bots.py",
    }
