"""What somebody else may have written is read in one place: plain files alone, bounded in size and length of lines."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import arena as package
from arena import foreign_files
from arena.config.documents import dialect, yamlfile
from arena.errors import ReplayError, UnsafeFile
from arena.foreign_files import (
    LARGEST_FILE_BYTES,
    LONGEST_LINE,
    foreign_lines,
    parse_json,
    read_argument,
    read_foreign_file,
)
from arena.replay.frame import unpack_replay, zstd
from arena.replay.read import split_replay
from arena.storage.layout import read_records
from arena.storage.packs.pack import Pack
from arena.storage.packs.pack_index import PackEntry
from tests.conftest import CopiedRun, environment_of, warm_start
from tests.kept import replays_of

ROOT = Path(package.__file__).parent
TOURNAMENT = """
name: pair
seed: 5
entrants: [greedy, silent, fair]
editions: [{rules: eagle-gryphon, changes: {max_turns: 3}}]
isolation: none
"""
MEMORY = 400 << 20
"""Bytes that a command may take at most, by far less than what was made to be unpacked or read."""


@pytest.fixture
def run(copied_run: CopiedRun) -> Path:
    return copied_run(TOURNAMENT, "run")


@lru_cache
def bomb(size: int = 1 << 29) -> bytes:
    """A few bytes that unpack to so many."""
    packing, part = zstd.ZstdCompressor(), b" " * (1 << 20)
    parts = [packing.compress(part) for _ in range(size >> 20)]
    return b"".join([*parts, packing.compress(b" " * (size % (1 << 20))), packing.flush()])


def peak_of(*words: object, cwd: Path) -> tuple[int, str, int]:
    """The exit code of an ``arena`` command, what it said on standard error, and its greatest memory in bytes."""
    command, peak = warm_start().launch(cwd, [*map(str, words)], environment_of()), 0
    with closing(command):
        said: list[bytes] = []
        reading = Thread(target=lambda: said.extend(command.communicate(300)))
        reading.start()
        while reading.is_alive():
            with suppress(OSError, IndexError):  # it has ended
                status = Path(f"/proc/{command.pid}/status").read_text()
                peak = max(peak, int(status.split("VmHWM:")[1].split()[0]) << 10)
            reading.join(0.01)
    assert peak
    return command.wait(), said[1].decode(), peak


# Files ---------------------------------------------------------------------------------------------


def odd(kind: str, path: Path) -> str:
    """Put something that is no plain file at the path; what it is called."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("/etc/passwd")
    else:
        path.symlink_to("/dev/zero")
    return {"device": "a link", "link": "a link", "pipe": "a pipe", "folder": "a folder"}[kind]


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "device"])
@pytest.mark.usefixtures("alarm")
def test_only_plain_files_are_read_where_somebody_else_may_write(kind: str, tmp_path: Path) -> None:
    got = odd(kind, tmp_path / "odd")
    for read in (
        read_foreign_file,
        foreign_files.open_foreign_file,
        lambda path: list(foreign_lines(path)),
        foreign_files.check_file,
    ):
        with pytest.raises(UnsafeFile, match=f"odd: expected a file, got {got}"):
            read(tmp_path / "odd")


def test_a_device_that_is_opened_itself_is_not_read() -> None:
    for read in (read_foreign_file, read_argument):
        with pytest.raises(UnsafeFile, match="/dev/zero: expected a file, got a device"):
            read(Path("/dev/zero"))


def test_a_file_of_another_user_is_not_read_where_it_must_be_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"content")
    assert read_foreign_file(tmp_path / "file", own=True) == b"content"
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    with pytest.raises(UnsafeFile, match="file: it belongs to another user"):
        read_foreign_file(tmp_path / "file", own=True)


@pytest.mark.parametrize("read", [read_foreign_file, read_argument])
def test_a_file_that_is_too_large_is_not_read(read: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 2000)
    assert read(tmp_path / "file", 2000) == b"x" * 2000
    with pytest.raises(UnsafeFile, match="file: it holds more than 1,999 bytes"):
        read(tmp_path / "file", 1999)
    with (tmp_path / "file").open("r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(UnsafeFile, match="file: it holds more than 64 MiB"):
        read(tmp_path / "file")


def test_a_pipe_that_a_user_names_is_read_up_to_the_bound(tmp_path: Path) -> None:
    for size, most in ((300_000, 300_000), (300_000, 299_999)):
        with subprocess.Popen(["head", "-c", str(size), "/dev/zero"], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            path = f"/proc/self/fd/{process.stdout.fileno()}"
            if most >= size:
                assert read_argument(path, most) == bytes(size)
            else:
                with pytest.raises(UnsafeFile, match="more than 299,999 bytes"):
                    read_argument(path, most)


def test_a_replay_may_come_through_a_pipe(run: Path, tmp_path: Path) -> None:
    replay = next(iter(replays_of(run).values()))
    command = [sys.executable, "-m", "arena", "verify", "/dev/stdin"]
    ran = subprocess.run(command, cwd=tmp_path, env=environment_of(), capture_output=True, input=replay, timeout=300)
    assert (ran.returncode, ran.stderr.count(b"Traceback")) == (0, 0)


# Lines ---------------------------------------------------------------------------------------------


def test_lines_are_those_between_line_breaks_and_one_that_is_cut_off_is_none(tmp_path: Path) -> None:
    content = [b"one", b"", b"x" * 600_000, b"three\r", b"y" * 300_000]
    (tmp_path / "file").write_bytes(b"\n".join(content) + b"\ncut off")
    assert list(foreign_lines(tmp_path / "file")) == content
    (tmp_path / "file").write_bytes(b"")
    assert list(foreign_lines(tmp_path / "file")) == []


@pytest.mark.parametrize("before", [0, 2, 400_000])
def test_the_line_that_is_too_long_is_named(before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 2 << 20  # several times what is read at once
    monkeypatch.setattr(foreign_files, "LONGEST_LINE", longest)
    with (tmp_path / "file").open("wb") as file:
        file.write(b"\n" * before + b"x" * longest + b"\n")
    assert max(map(len, foreign_lines(tmp_path / "file"))) == longest
    with (tmp_path / "file").open("wb") as file:
        file.write(b"\n" * before + b"x" * (longest + 1) + b"\n" * 3)
    with pytest.raises(UnsafeFile, match=f"file: line {before + 1} has more than 2 MiB$"):
        list(foreign_lines(tmp_path / "file"))


@pytest.mark.parametrize("command", ["standings", "status", "verify"])
def test_a_line_of_hundreds_of_megabytes_takes_no_memory(command: str, run: Path, tmp_path: Path) -> None:
    path = run / "matches.jsonl"
    before = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(0, os.SEEK_END)
        file.truncate(file.tell() + (300 << 20))
    with path.open("ab") as file:
        file.write(b"\n")
    code, said, peak = peak_of(command, "run", cwd=tmp_path)
    assert code in (2, 3)
    assert "Traceback" not in said
    assert peak < MEMORY
    if command != "verify":  # it prints what is wrong on standard output
        line = f"line {len(before.splitlines()) + 1} has"
        where = f"byte {len(before)} begins a line of" if command == "status" else line
        assert f"run/matches.jsonl: {where} more than 16 MiB" in said


def test_a_line_of_a_replay_that_is_too_long_is_refused_by_its_number() -> None:
    with pytest.raises(ReplayError, match="line 2 has more than 16 MiB"):
        split_replay(b"{}\n" + b" " * (LONGEST_LINE + 1) + b"\n")


# Packs ---------------------------------------------------------------------------------------------


def test_a_frame_that_holds_too_much_is_not_unpacked() -> None:
    frame = bomb(LARGEST_FILE_BYTES + 1)
    assert len(frame) < 10_000
    with pytest.raises(ReplayError, match="more than 64 MiB unpacked"):
        unpack_replay(frame)
    assert unpack_replay(bomb(LARGEST_FILE_BYTES)) == b" " * LARGEST_FILE_BYTES


@pytest.mark.parametrize(
    "words",
    [
        ["show", "run", "ID"],
        ["verify", "run"],
        ["unpack", "run", "-o", "out"],
        ["ledger", "run", "-j", "1"],
    ],
    ids=lambda words: words[0],
)
def test_a_pack_that_unpacks_to_half_a_gigabyte_takes_no_memory(words: list[str], run: Path, tmp_path: Path) -> None:
    id = next(read_records(run)).id
    frame = bomb()
    with (run / "replays/0000.zst").open("ab") as file, (run / "replays/0000.index").open("ab") as index:
        index.write(PackEntry(file.tell(), len(frame), id).line)
        file.write(frame)
    code, said, peak = peak_of(*[id if word == "ID" else word for word in words], cwd=tmp_path)
    assert code in (2, 3)
    assert "Traceback" not in said
    assert peak < MEMORY


def test_an_index_that_tells_of_a_huge_frame_makes_nobody_take_memory_for_it(tmp_path: Path) -> None:
    (tmp_path / "0000.index").write_bytes(PackEntry(0, 1 << 40, "mine").line)
    with (tmp_path / "0000.zst").open("wb") as file:
        file.truncate(1 << 41)
    entry = Pack(tmp_path / "0000.zst").find("mine")
    assert entry is not None
    with pytest.raises(ReplayError, match="the replay of mine takes 1,099,511,627,776 bytes, too many for one replay"):
        Pack(tmp_path / "0000.zst").frame(entry)
    (tmp_path / "0000.index").write_bytes(f"{10**30} 5 mine\n".encode())
    with pytest.raises(ReplayError, match="expected OFFSET LENGTH ID"):
        Pack(tmp_path / "0000.zst").find("mine")


# Folders of runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["link", "pipe", "device", "folder"])
@pytest.mark.usefixtures("alarm")
def test_a_bots_log_that_is_no_plain_file_is_left_out_of_a_merge(
    kind: str, copied_run: CopiedRun, arena: Any, tmp_path: Path
) -> None:
    shares = [copied_run(TOURNAMENT, f"part{number}", "--shard", f"{number}/2", "-j", 1) for number in (1, 2)]
    logs = shares[0] / "logs/bots"
    logs.mkdir(parents=True, exist_ok=True)
    got = odd(kind, logs / "x.log")
    (logs / "y.log").write_text("printed\n")
    ran = arena("merge", "part1", "part2", "-o", "out")
    assert ran.code == 0
    assert f"part1/logs/bots/x.log: expected a file, got {got}" in ran.out + ran.err
    assert [path.name for path in (tmp_path / "out/logs/bots").iterdir()] == ["y.log"]


@pytest.mark.parametrize("folder", ["logs", "logs/bots", "replays"])
def test_a_folder_within_a_run_that_is_a_link_is_not_followed(
    folder: str, run: Path, arena: Any, tmp_path: Path
) -> None:
    (run / "logs/bots").mkdir(parents=True, exist_ok=True)
    (run / folder).rename(tmp_path / "elsewhere")
    (run / folder).symlink_to(tmp_path / "elsewhere")
    for command in ("status", "standings", "verify"):
        ran = arena(command, "run")
        assert ran.code in (2, 3)
        assert f"run/{folder}: expected a folder, got a link" in ran.out + ran.err


def test_a_link_to_a_whole_run_is_followed(run: Path, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to("run")
    assert arena("verify", "latest", "-q").code == 0
    assert arena("standings", "latest").code == 0


@pytest.mark.parametrize(
    "name", ["manifest.json", "config.resolved.yaml", "matches.jsonl", "logs/lock", "replays/0000.index", "audit.json"]
)
@pytest.mark.usefixtures("alarm")
def test_a_pipe_in_place_of_a_file_of_a_run_holds_no_command_up(name: str, run: Path, arena: Any) -> None:
    id = next(read_records(run)).id
    odd("pipe", run / name)
    commands = {"status": [], "standings": [], "verify": [], "merge": ["-o", "out"], "show": [id]}
    for command, rest in commands.items():
        ran = arena(command, "run", *rest)
        assert "Traceback" not in ran.err, command
        assert (run / name).is_fifo(), command


@pytest.mark.usefixtures("alarm")
def test_a_folder_of_replays_is_read_without_links_and_pipes(run: Path, arena: Any, tmp_path: Path) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some/good.jsonl").write_bytes(next(iter(replays_of(run).values())))
    os.mkfifo(tmp_path / "some/pipe.jsonl")
    (tmp_path / "some/link.jsonl").symlink_to("/etc/passwd")
    ran = arena("verify", "some")
    assert ran.code == 0
    assert "passwd" not in ran.out + ran.err


# Nesting -------------------------------------------------------------------------------------------

DEEP = 200_000


@pytest.mark.parametrize("name", ["manifest.json", "matches.jsonl", "audit.json", "logs/progress.json"])
def test_json_that_is_nested_too_deeply_gives_no_traceback(name: str, run: Path, arena: Any) -> None:
    told = (run / name).read_text() if (run / name).exists() else "{}"
    deep = "[" * DEEP + "]" * DEEP
    first = told.split("\n")[0] if name == "matches.jsonl" else told.rstrip()
    (run / name).write_text(first.rstrip()[:-1] + ("," if len(first) > 2 else "") + f'"deep":{deep}}}\n')
    for command in ("status", "standings", "verify"):
        ran = arena(command, "run")
        assert ran.code in (0, 2, 3), command
        assert "Traceback" not in ran.err, command


def test_a_replay_that_is_nested_too_deeply_gives_no_traceback(run: Path, arena: Any, tmp_path: Path) -> None:
    replay = next(iter(replays_of(run).values()))
    first, rest = replay.split(b"\n", 1)
    deep = b"[" * DEEP + b"]" * DEEP
    (tmp_path / "deep.jsonl").write_bytes(first[:-1] + b',"deep":' + deep + b"}\n" + rest)
    for command, code in (("show", 2), ("verify", 3)):
        ran = arena(command, "deep.jsonl")
        assert ran.code == code
        assert "line 1: not a replay header: maximum recursion depth exceeded" in ran.out + ran.err
        assert "Traceback" not in ran.err


def test_plain_json_says_so_too() -> None:
    assert parse_json(b'{"a": [1]}') == {"a": [1]}
    with pytest.raises(ValueError, match="it is nested too deeply"):
        parse_json(b"[" * DEEP)


@pytest.mark.slow
def test_a_document_of_very_many_values_is_not_read_to_its_end(
    arena: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dialect.MOST_NODES == 2 * yamlfile.MAX_VALUES
    monkeypatch.setattr(dialect, "MOST_NODES", 2_000)  # a hundredth, which is read in a hundredth of the time
    (tmp_path / "long.yaml").write_text("name: long\nentrants:\n" + "- greedy\n" * 300_000)
    ran = arena("run", "long.yaml")
    assert ran.code == 2
    assert "long.yaml:1999:1: more than 100,000 values" in ran.err
    with (tmp_path / "long.yaml").open("r+b") as file:
        file.truncate(17 << 20)
    ran = arena("run", "long.yaml")
    assert (ran.code, ran.err) == (2, "arena: long.yaml: it holds more than 16 MiB\n")


# The one place -------------------------------------------------------------------------------------

READS = {"read_text", "read_bytes", "copyfile", "copyfileobj", "copytree", "copy2", "mmap"}
LOADS = {("connect", "sqlite3"), ("load", "json"), ("loads", "json")}
MAY_READ = re.compile(rf"\b({'|'.join(READS)}|connect|loads?|open)\b")
"""What a file has to contain to do any of it."""
ROOMS = [
    "analysis",
    "cli",
    "commands",
    "config",
    "executors",
    "finding",
    "ladder",
    "match",
    "recorded",
    "replay",
    "rerun",
    "runs",
    "storage",
    "web",
]
EXCEPTIONS = {
    "runs/bundled_bots.py": (1, "bots that ship with arena"),
    "commands/export/data_package.py": (2, "tables just written, which are hashed; scripts that ship with arena"),
    "commands/docs/topics.py": (2, "pages that ship with arena"),
    "commands/doctor/fairness.py": (1, "what Linux says of the machine"),
    "ladder/integrity/backup.py": (3, "the operator's own ladder, copied by the operator"),
    "ladder/database/connection.py": (
        2,
        "SQLite, once its file was checked; migrations that ship with arena",
    ),
    "ladder/integrity/check_schema.py": (2, "a database in memory; migrations that ship with arena"),
    "ladder/database/bot_versions/version_files.py": (1, "files just written, which are brought to the disk"),
    "runs/machine_speed.py": (1, "what Linux says of the machine"),
    "commands/bots/new_bot.py": (2, "templates that ship with arena, and words for them"),
    "storage/packs/pack.py": (1, "an open file, put into memory piece by piece"),
    "storage/packs/pack_writer.py": (1, "the folder that was written to, which is brought to the disk"),
    "web/serve/ladders/ladder_reading.py": (1, "SQLite, once all its files were checked to be plain"),
    "web/serve/web.py": (1, "a page that the server has made in a folder of its own"),
    "commands/docs/samples.py": (1, "a ladder that was just exported to a folder of its own"),
    "commands/docs/site.py": (1, "pages that ship with arena"),
    "executors/process_pool/worker_evidence.py": (4, "what Linux says of a process"),
    "executors/process_pool/shared_page.py": (1, "memory that processes share"),
    "finding/depot.py": (1, "bots that ship with arena"),
    "finding/exempt_bots.py": (1, "bots that ship with arena"),
    "finding/loading.py": (2, "a bot's own process loads its code, and a bundled bot's file is checked"),
    "finding/programs.py": (1, "a program that is installed, of any size"),
    "finding/reference.py": (2, "bots that ship with arena, and modules that are installed"),
}
"""How many calls read without :mod:`arena.foreign_files`, by file, and what it is that nobody else can have written."""


def direct_readings(tree: ast.AST) -> Iterator[int]:
    """The lines with calls that may read a file."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        of = called.value.id if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) else ""
        if name in READS or (name, of) in LOADS or (name == "open" and _reads(node, of)):
            yield node.lineno


def _reads(call: ast.Call, of: str) -> bool:
    """Whether this call of ``open`` may read what was not opened by :mod:`arena.foreign_files`."""
    told = ast.unparse(call)
    if not call.args and isinstance(call.func, ast.Attribute):
        return of not in ("minutes", "_open")  # a match's minutes are opened too
    if "devnull" in told or of in ("webbrowser", "browser") or told.startswith("open(open_descriptor("):
        return False
    return not any(isinstance(each, ast.Constant) and each.value in ("w", "wb", "a", "ab") for each in call.args)


def test_files_of_others_are_opened_in_one_place() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): len(list(direct_readings(ast.parse(text))))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if MAY_READ.search(text := path.read_text(encoding="utf-8"))
    }
    excepted = {name: count for name, (count, _) in EXCEPTIONS.items()}
    told = "read by arena.foreign_files, or tell in EXCEPTIONS why nobody else can have written it"
    assert {name: count for name, count in found.items() if count} == excepted, told


def test_the_rule_finds_what_opens_files() -> None:
    text = "open(a); p.open('rb'); p.open(); os.open(a, 0); p.read_text(); p.read_bytes(); copyfile(a, b)\n"
    assert len(list(direct_readings(ast.parse(text)))) == 7
    assert list(direct_readings(ast.parse("sqlite3.connect(a)\njson.loads(b)"))) == [1, 2]
    written = "p.open('wb'); os.open(os.devnull, 0); open(open_descriptor(a), 'rb'); minutes.open()"
    assert not list(direct_readings(ast.parse(f"{written}; read_file(a); opened(b); json.dumps(c)")))
