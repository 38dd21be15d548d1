"""A run whose replays are packed: every command reads them by run and match, and what is damaged is named or mended."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena import results
from arena.errors import ReplayError
from arena.executors.serial import Serial
from arena.replay.frame import pack_replay, zstd
from arena.runs.planning.isolation_level import strictest_isolation
from arena.runs.planning.make_plan import make_plan
from arena.runs.play_run import start_run
from arena.storage.packs.pack_index import PackEntry, index_entries
from arena.storage.packs.replay_packs import KeptReplays
from arena.storage.run_files import match_files as folders
from arena.storage.run_folder import FolderStore
from tests.docs.pages import TEXT
from tests.kept import loosen, replays_of
from tests.played_run import play_run
from tests.runs.calling import Calling

TOURNAMENT = """
name: tiny
seed: 5
entrants: [random-legal, greedy, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
blocks: 2
isolation: none
"""
MATCHES = 2 * 3 * 2


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run."""
    return play_run(tmp_path_factory.mktemp("played"), TOURNAMENT)


@pytest.fixture
def out(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "out"))


@pytest.fixture(scope="module")
def id(played: Path) -> str:
    """The id of a match in the middle of the run."""
    found: str = json.loads((played / "matches.jsonl").read_text().splitlines()[5])["id"]
    return found


def entry_of(out: Path, id: str) -> PackEntry:
    return next(entry for entry in index_entries(out / "replays" / "0000.index") if entry.id == id)


def damage(out: Path, id: str) -> None:
    """Change some bytes in the middle of its frame."""
    with (out / "replays" / "0000.zst").open("r+b") as file:
        file.seek(entry_of(out, id).offset + 100)
        file.write(b"!?!?")


def test_a_run_of_any_length_is_few_files(out: Path) -> None:
    assert sorted(path.name for path in (out / "replays").iterdir()) == ["0000.index", "0000.zst"]
    assert len(replays_of(out)) == MATCHES


def test_packed_replays_are_the_bytes_of_loose_ones(arena: Any, out: Path, tmp_path: Path) -> None:
    before = replays_of(out)
    ran = arena("unpack", "out", "--out", "files", "-q")
    assert (ran.code, ran.out, ran.err) == (0, f"{MATCHES} replays  files\n", "")
    files = {f"replays/{path.relative_to(tmp_path / 'files')}": path for path in (tmp_path / "files").rglob("*.jsonl")}
    assert {name: path.read_bytes() for name, path in files.items()} == before
    assert zstd.decompress((out / "replays" / "0000.zst").read_bytes()) == b"".join(
        before[f"replays/{entry.id}.jsonl"] for entry in index_entries(out / "replays" / "0000.index")
    )
    loosen(out)
    assert replays_of(out) == before
    assert arena("verify", "out", "-q") == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("loose", [False, True])
def test_a_replay_is_named_by_run_and_match_or_as_its_record_calls_it(
    loose: bool, arena: Any, out: Path, id: str
) -> None:
    if loose:
        loosen(out)
    name = f"out/replays/{id}.jsonl"
    assert arena("verify", "out", id).out.splitlines()[0] == f"{name}: verified"
    assert arena("rerun", "out", id) == (0, f"{name}: identical\n", f"isolation {strictest_isolation().level}\n")
    for command in (("show",), ("show", "--deals"), ("show", "--at", "ask1"), ("picture",)):
        ran = arena(*command, "out", id)
        assert ran.code == 0
        assert arena(*command, name) == ran
        assert arena(*command, "out", f"replays/{id}.jsonl") == ran


def test_several_matches_of_a_run_are_verified_alone(arena: Any, out: Path, id: str) -> None:
    damage(out, id)
    first, second, *_ = (entry.id for entry in index_entries(out / "replays" / "0000.index") if entry.id != id)
    assert arena("verify", "out", first, second, "-q") == (0, "", "")
    assert arena("verify", "out", first, id, "-q").code == ReplayError.exit_code


def test_a_typo_in_an_id_names_the_nearest(arena: Any, out: Path, id: str) -> None:
    typo = id.replace("/b000", "/b00")
    told = f"arena: out has no replay of a match {typo} (did you mean '{id}'?)\n"
    for command in ("show", "rerun", "picture", "unpack", "verify"):
        assert arena(command, "out", typo) == (2, "", told)
    assert arena("show", f"out/replays/{typo}.jsonl") == (2, "", told)


def test_a_run_s_folder_alone_is_answered_with_an_example(arena: Any, out: Path) -> None:
    first = next(index_entries(out / "replays" / "0000.index")).id
    told = "arena: out is a run's folder, expected a replay; say which match of it, such as: arena"
    assert arena("show", "out") == (2, "", f"{told} show out {first}\n")
    assert arena("rerun", "out") == (2, "", f"{told} rerun out {first}\n")
    assert arena("view", "out", "foo") == (
        2,
        "",
        f"arena: out has no replay of a match foo; an example of a match: {first}\n",
    )


def test_a_folder_of_runs_is_answered_with_an_example(arena: Any, out: Path) -> None:
    first = next(index_entries(out / "replays" / "0000.index")).id
    (out.parent / "some results").mkdir()
    out.rename(out.parent / "some results" / "out")
    told = "arena: some results holds 1 run, expected a replay; name one and a match, such as: arena"
    assert arena("view", "some results") == (2, "", f"{told} view 'some results/out' {first}\n")


def test_a_match_whose_replay_was_not_kept_is_told_from_one_that_was_never_played(
    arena: Any, out: Path, id: str
) -> None:
    shutil.rmtree(out / "replays")
    assert (
        arena("show", "out", id).err
        == f"arena: out has no replay of {id}; play with `replays: all` to keep all replays\n"
    )
    assert arena("show", "out", "other/b0000/0-1").err == "arena: out has no replay of a match other/b0000/0-1\n"
    assert arena("unpack", "out").err == "arena: out has no replays; play with `replays: all` to keep them\n"


def test_more_words_than_a_run_and_a_match_are_a_mistake(arena: Any, out: Path, id: str) -> None:
    ran = arena("show", "out", id, id)
    assert (ran.code, ran.err.splitlines()[-1]) == (2, "Error: expected FILE, or DIR and MATCH; got 3 words")


def test_damage_in_the_middle_of_a_pack_is_named_by_its_match(arena: Any, out: Path, id: str) -> None:
    damage(out, id)
    name = f"out/replays/{id}.jsonl"
    ran = arena("verify", "out", "-q")
    assert ran.code == ReplayError.exit_code
    assert [line.split(": ")[:2] for line in ran.out.splitlines()] == [[name, "its packed bytes are damaged"]]
    for command in (("show", "out", id), ("export", "out"), ("rerun", "out", id)):
        ran = arena(*command)
        assert (ran.code, f"{id}.jsonl: its packed bytes are damaged: " in ran.err) == (2, True)
    with pytest.raises(ReplayError, match="jsonl: its packed bytes are damaged"):
        list(results.read(out).rows(results.board.DealRow))
    ran = arena("unpack", "out", "-q")
    assert (ran.code, ran.out) == (2, f"{MATCHES - 1} replays  out/unpacked\n")
    assert ran.err.startswith(f"arena: {name}: its packed bytes are damaged: ")


@pytest.mark.slow
def test_a_damaged_replay_is_mended_by_playing_its_match_again(
    arena: Any, out: Path, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = replays_of(out)
    damage(out, id)
    ran = arena("run", "--trust", "--resume", "out", "-q")
    assert (ran.code, ran.err.splitlines()[1]) == (0, f"missing or cut off: the replay of {id}; played again")
    assert replays_of(out) == before
    monkeypatch.setattr(folders, "mend_packs", lambda packs: set())  # as if it lay far from the end
    damage(out, id)
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert arena("verify", "out", "-q").code == 2
    lines = (out / "matches.jsonl").read_text().splitlines(keepends=True)
    (out / "matches.jsonl").write_text("".join(line for line in lines if f'"{id}"' not in line))
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert arena("verify", "out", "-q") == (0, "", "")
    assert replays_of(out) == before


def test_a_match_that_was_packed_but_not_recorded_is_played_again(arena: Any, out: Path) -> None:
    before = replays_of(out), (out / "matches.jsonl").read_bytes()
    for name in ("matches.jsonl", "timings.jsonl"):
        lines = (out / name).read_bytes().splitlines(keepends=True)
        (out / name).write_bytes(b"".join(lines[:-2]) + lines[-2][:9])
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert (replays_of(out), (out / "matches.jsonl").read_bytes()) == before
    assert arena("verify", "out").out.count(": verified\n") == MATCHES


def test_a_full_disk_stops_a_run_with_what_resumes_it(
    arena: Any, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    write, written = os.write, []

    def write_some(handle: int, content: bytes) -> int:
        if not os.readlink(f"/proc/self/fd/{handle}").endswith(".zst"):
            return write(handle, content)
        written.append(handle)
        if len(written) > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, content[:100] if len(written) == 5 else content)

    monkeypatch.setattr(os, "write", write_some)
    ran = arena("run", "tiny.yaml", "-o", "out", "-q", "-j", 1)
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    again = "; when that is fixed, resume with: arena run --resume out --trust"
    assert ran.code == 1
    assert ran.err.splitlines()[-1] == f"arena: {tmp_path}/out/replays/0000.zst: No space left on device{again}"
    assert len((tmp_path / "out" / "matches.jsonl").read_bytes().splitlines()) == 4
    assert arena("run", "--trust", "--resume", "out", "-q").code == 0
    assert replays_of(tmp_path / "out") == replays_of(played)


def test_the_reader_on_the_results_page_reads_packs(out: Path, id: str) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```$", TEXT["results"], re.MULTILINE | re.DOTALL)
    (code,) = (text for text in blocks if "def replay" in text)
    names: dict[str, Any] = {"zstd": zstd}
    exec(code.replace("from compression import zstd\n", ""), names)
    assert names["replay"](out, id) == replays_of(out)[f"replays/{id}.jsonl"]
    assert names["replay"](out, "none") is None


def test_an_id_that_leads_out_of_the_folder_is_not_unpacked(arena: Any, out: Path, tmp_path: Path) -> None:
    frame = pack_replay(b'{"event":"match","id":"../../../evil"}\n')
    entry = PackEntry((out / "replays" / "0000.zst").stat().st_size, len(frame), "../../../evil")
    for kind, content in (("zst", frame), ("index", entry.line)):
        with (out / "replays" / f"0000.{kind}").open("ab") as file:
            file.write(content)
    ran = arena("unpack", "out", "-q", "--out", "files")
    assert (ran.code, ran.out) == (2, f"{MATCHES} replays  files\n")
    assert ran.err.endswith("its id is no name of a file below a folder\n")
    assert not list(tmp_path.parent.glob("evil*"))


def test_what_is_written_is_made_safe_from_time_to_time_and_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.yaml").write_text(TOURNAMENT)
    out, safe = tmp_path / "out", dict[str, int]()
    sync, lines = os.fdatasync, list[int]()

    def watched(file: int) -> None:
        sync(file)
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        if path.name == "0000.index":
            safe[path.name] = len(path.read_bytes().splitlines())

    monkeypatch.setattr(os, "fdatasync", watched)
    monkeypatch.setattr(folders, "UNSAFE_BYTES", 1)

    def progress(done: Any) -> None:
        lines.append(safe["0000.index"])

    start_run(make_plan(tmp_path / "tiny.yaml"), FolderStore(out), Serial(), listener=Calling(finished=progress))
    assert lines == list(range(1, MATCHES + 1))


def test_two_read_while_a_third_writes(out: Path, tmp_path: Path) -> None:
    one, two = KeptReplays(tmp_path / "new"), KeptReplays(tmp_path / "new")
    with FolderStore(tmp_path / "new") as store:
        for number, (name, replay) in enumerate(replays_of(out).items()):
            id = name.removeprefix("replays/").removesuffix(".jsonl")
            assert one.get(id) is two.get(id) is store.replay(id) is None
            store._files.packs.add(id, pack_replay(replay))
            assert one.get(id) == two.get(id) == store.replay(id) == replay
            assert len(list(two.ids())) == number + 1
