"""Whatever stands on the command line or in a file: one clear line, the right exit code, and never a traceback."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.errors import ArenaError
from arena.storage.logs.job_log import joint_log

HUGE = "1" + "0" * 30
TINY = "name: tiny\nseed: 5\nentrants: [silent, greedy]\neditions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]\n"


def one_line(ran: Any) -> str:
    """The message of a mistake: exit code 2, one line (below the usage, where click found it), no data."""
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    *usage, line = ran.err.rstrip("\n").split("\n")
    assert not usage or (len(usage), usage[0][:7]) == (3, "Usage: ")
    return str(line)


VALUES = {
    f"run t.yaml --blocks {HUGE}": "is not in the range 1<=x<=1000000000",
    f"run t.yaml --set blocks={HUGE}": "blocks: expected a whole number from 1 to 1,000,000,000 or null, got 1000",
    f"run t.yaml --set strikes={HUGE}": "--set strikes: expected a whole number from 1 to 1,000,000, got 1000",
    f"run t.yaml --set jobs={HUGE}": "--set jobs: expected a whole number from 1 to 1,000 or null, got 1000",
    f"run t.yaml -j {HUGE} --oversubscribe": "is not in the range 1<=x<=1000",
    f"run t.yaml --set seed=0x{'f' * 5000}": "expected a number of at most 512 bits, got one of 20,000; quote text",
    f"run t.yaml --set editions[0].changes.max_turns={HUGE}": "max_turns: expected a whole number of at most 64 bits",
    f"run t.yaml --set editions[0].changes[{HUGE}]=1": "unknown key; expected one of",
    "run t.yaml --set editions[99999999999999].x=1": "editions has items [0] to [0], got 99999999999999",
    "match silent silent --ask nan": "'nan' is not a number of seconds",
    "match silent silent --bank nan": "'nan' is not a number of seconds",
    "match silent silent --ask inf": "inf is not in the range 0<x<=1000000",
    "match silent silent --bank 1e400": "inf is not in the range 0<=x<=1000000",
    "match silent silent --bank 1e300": "1e+300 is not in the range 0<=x<=1000000",
    "run t.yaml --set limits.ask=1e300": "limits.ask: expected a number above 0 and of at most 1,000,000, got 1e+300",
    f"match silent silent --strikes {HUGE}": "is not in the range 1<=x<=1000000",
    f"match greedy?greed={HUGE} silent": "option greed: expected a whole number of at most 64 bits; put text in quotes",
    f"match silent silent --rule max_turns={HUGE}": "--rule max_turns: expected a whole number from 1 to 1,000,000,000",
    "bench --seconds nan": "'nan' is not a number of seconds",
    f"bench -j {HUGE}": "is not in the range 1<=x<=1000",
    "match silent silent --seed a\x07b": "--seed: expected text of one line in UTF-8, without control characters, got",
    "run t.yaml --seed a\x07b": "--seed: expected text of one line in UTF-8, without control characters, got 'a\\x07b'",
    "run t.yaml --seed \udcff": "--seed: expected text of one line in UTF-8, without control characters, got '\\udcff'",
    "run t.yaml --set seed=\udcff": "--set seed: the character U+DCFF is not allowed",
    f"rules check outline --rule {'9' * 5000}=1": "unknown key",
    "rules check /dev/zero.yaml": "no such file",
    "run /dev/zero": "expected a YAML file, got a device",
    f"rules check {'x' * 5000}": "no rules called 'xxxxx",
    f"rules check {'x' * 5000}.yaml": "cannot be read: File name too long",
    "rules check outline --rule game=.x": "there is no game '.x'",
    "rules check outline --rule game=a..b": "there is no game 'a..b'",
    "rules check outline --rule game=os.path": "os.path defines no GAME",
}
for _name in ("memory", "cpu", "threads", "files"):
    VALUES[f"run t.yaml --set sandbox.{_name}={HUGE}"] = f"--set sandbox.{_name}: expected a whole number from "


def test_a_value_that_no_machine_can_use_is_refused(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(TINY)
    for line, message in VALUES.items():
        assert message in one_line(arena(*line.split(" "))), ascii(line)[:100]


RULES = {
    "variants: [1, 2]": "2:11: variants: expected a mapping of names to differences, got a list of 2",
    "variants: {a: 3}": "2:15: variants.a: expected a mapping of differences, got 3",
    "variants: {1: {}}": "2:12: variants.1: expected a name of letters, digits, '.', '_' and '-', got 1",
    "variants: {a/b: {}}": "expected a name of letters, digits, '.', '_' and '-', got 'a/b'",
    "name: [x]": "2:7: name: expected letters, digits, '.', '_' and '-', got a list of 1",
    f"name: {'a' * 200}": "2:7: name: expected a name of at most 60 characters, got 200",
    "abstract: 3": "2:11: abstract: expected true or false, got 3",
    f"max_turns: {HUGE}": "2:12: max_turns: expected a whole number from 1 to 1,000,000,000, got 1000",
}


@pytest.mark.parametrize("command", ["rules check r.yaml", "match silent silent --rules r.yaml"])
def test_a_rules_file_of_wrong_types_is_refused_when_it_is_read(command: str, arena: Any, tmp_path: Path) -> None:
    for text, message in RULES.items():
        (tmp_path / "r.yaml").write_text(f"parent: eagle-gryphon\n{text}\n")
        said = one_line(arena(*command.split()))
        assert said.startswith("arena: r.yaml:"), text
        assert message in said, text


def chain(folder: Path, length: int, top: str) -> str:
    for number in range(length):
        (folder / f"r{number}.yaml").write_text(f"parent: {f'./r{number - 1}.yaml' if number else top}\n")
    return f"r{length - 1}.yaml"


def test_a_long_chain_of_parents_is_called_long_and_a_circle_a_circle(arena: Any, tmp_path: Path) -> None:
    file = chain(tmp_path, 13, "eagle-gryphon")
    assert arena("rules", "check", file).code == 0
    file = chain(tmp_path, 20, "eagle-gryphon")
    assert one_line(arena("rules", "check", file)).endswith(
        "parent: more than 16 parents, one above the other; merge some of them"
    )
    file = chain(tmp_path, 3, "./r2.yaml")
    assert one_line(arena("rules", "check", file)).endswith("./r2.yaml is a parent of itself")


def test_so_many_variants_that_no_folder_can_be_called_by_them_are_refused(arena: Any, tmp_path: Path) -> None:
    names = [f"variant-{number}-{'x' * 40}" for number in range(6)]
    (tmp_path / "r.yaml").write_text(
        f"parent: eagle-gryphon\nvariants: {{{', '.join(f'{each}: {{}}' for each in names)}}}"
    )
    options = [word for name in names for word in ("--variant", name)]
    assert "write a rules file with these changes" in one_line(arena("rules", "show", "r.yaml", *options))


def shell(folder: Path, command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What a shell line does; ``arena`` in it is the real command, which need not start itself again for its hash
    seed."""
    line = command.replace("arena", f"{sys.executable} -m arena")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONHASHSEED": "0", **more}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closed", "start"),
    [("--trust >&-", "0"), ("--trust <&- 2>&-", "0"), ("<&- >&- 2>&-", "random")],
)
def test_closed_streams_are_no_failure(closed: str, start: str, tmp_path: Path) -> None:
    ran = shell(tmp_path, f"arena match silent silent --seed 1 --rule max_turns=2 {closed}", PYTHONHASHSEED=start)
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert ("rank" in ran.stdout) is (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("command", ["docs rules", "--help"])
def test_a_reader_that_has_seen_enough_is_no_failure(command: str, tmp_path: Path) -> None:
    ran = shell(tmp_path, f"arena {command} | true; echo ${{PIPESTATUS[0]}}")
    assert (ran.stdout, ran.stderr) == ("0\n", "")


def test_output_that_does_not_fit_fails_in_one_line_and_a_message_that_does_not_changes_nothing(tmp_path: Path) -> None:
    ran = shell(tmp_path, "arena docs rules > /dev/full; echo $?; arena docs nonsense 2> /dev/full; echo $?")
    assert (ran.stdout, ran.stderr) == ("1\n2\n", "arena: standard output: No space left on device\n")


def test_what_does_not_fit_elsewhere_is_not_called_standard_output(arena: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(main, "_run_command", full)
    assert arena("docs", "rules").err == "arena: No space left on device\n"


LOUD = """
def turn(self, view):
    print("x" * 400)
    return self.choose(view)
"""


@pytest.mark.parametrize("size", [1, 4])
def test_a_run_whose_disk_is_full_ends_with_one_line_that_says_how_to_go_on(
    size: int, write_bot: Any, tmp_path: Path
) -> None:
    write_bot(LOUD, "loud")
    (tmp_path / "t.yaml").write_text(
        TINY.replace("silent", "./loud.py").replace("max_turns: 2", "max_turns: 30") + "blocks: 4"
    )
    ran = shell(tmp_path, f"ulimit -f {size}; arena run t.yaml --trust -q -j 1 -o out")
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert "Traceback" not in ran.stderr
    *_, last = lines = ran.stderr.rstrip("\n").split("\n")
    assert len([line for line in lines if "File too large" in line]) == len(lines) - 1 <= 2
    assert last.startswith("arena: ")
    assert last.endswith("; when that is fixed, resume with: arena run --resume out --trust") or size == 1


def test_a_gauntlet_whose_disk_is_full_says_how_to_go_on_too(tmp_path: Path) -> None:
    ran = shell(tmp_path, "ulimit -f 8; arena gauntlet greedy fair hard --deals 3 --trust -q -j 1 -o out")
    assert ran.returncode == 1
    assert ran.stdout == ""
    *_, last = ran.stderr.rstrip("\n").split("\n")
    assert last.startswith("arena: ")
    assert last.endswith(": File too large; when that is fixed, resume with: arena run --resume out --trust")


def test_a_log_that_cannot_be_written_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    with joint_log(Path("/dev/full")):
        for number in range(100):
            logging.getLogger("arena").info("line %s", number)
    assert capfd.readouterr().err == "/dev/full: No space left on device; no more is logged\n"


def test_a_system_without_semaphores_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("multiprocessing.Queue", refuse)
    with (
        pytest.raises(ArenaError, match=r"^/dev/shm: Permission denied; it must be writable"),
        joint_log(tmp_path / "l"),
    ):
        pytest.fail("a run began")


@pytest.mark.parametrize("kilobytes", [16_000, 20_000, 25_000, 30_000])
def test_too_little_memory_to_start_is_told_in_one_line(kilobytes: int, tmp_path: Path) -> None:
    """Python itself can fail for want of memory too, once in some fifty starts, before arena begins."""
    for _ in range(3):
        ran = shell(tmp_path, f"ulimit -v {kilobytes}; arena match silent silent --seed 1")
        assert ran.returncode != 0
        if ran.returncode == 1 and "Traceback" not in ran.stderr:
            return
    pytest.fail(ran.stderr)


def test_what_modules_log_for_want_of_memory_is_not_printed(tmp_path: Path) -> None:
    for name in ("_hashlib", "_md5"):  # as if there were no memory to load them
        (tmp_path / f"{name}.py").write_text("raise ImportError\n")
    ran = shell(tmp_path, "ulimit -v 8000000; PYTHONPATH=. arena --version")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("command", ["verify", "show", "rerun"])
def test_a_device_without_end_is_no_replay(command: str, arena: Any) -> None:
    ran = arena(command, "/dev/zero")
    assert ran.code == 2
    assert "/dev/zero: expected a replay, got a device" in ran.out + ran.err
