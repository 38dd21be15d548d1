"""Packs: replays of many matches in one file, found by id, and mended however writing was interrupted."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from arena.errors import ReplayError
from arena.replay.frame import pack_replay, unpack_replay, zstd
from arena.storage.packs import pack_index as indexes
from arena.storage.packs.pack import Pack, scan_frames
from arena.storage.packs.pack_index import PackEntry, PackIndex, index_entries
from arena.storage.packs.pack_recovery import mend_packs
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import KeptReplays

IDS = [f"mine 2-4p/b{block:04}/{table}" for block in range(3) for table in ("0-1-2-3", "0-1-2-4")]


def replay(id: str, more: str = "") -> bytes:
    """What looks like a replay from outside."""
    noise = os.urandom(60).hex()
    return f'{{"event":"match","id":"{id}"}}\n{{"event":"draw","cards":"{noise}{more}"}}\n'.encode()


def write(folder: Path, contents: dict[str, bytes], largest: int = 1 << 30) -> None:
    """Add the replays to the packs of a run's folder."""
    writer = PackWriter(folder / "replays", largest)
    for id, content in contents.items():
        writer.add(id, pack_replay(content))
    writer.close()


def found(folder: Path, ids: Iterable[str] = IDS) -> dict[str, bytes]:
    """The replays that can be read."""
    kept = KeptReplays(folder)
    return {id: content for id in ids if (content := kept.get(id)) is not None}


@pytest.fixture
def contents(tmp_path: Path) -> dict[str, bytes]:
    """Replays that are packed in ``tmp_path``."""
    contents = {id: replay(id) for id in IDS}
    write(tmp_path, contents)
    return contents


def places(folder: Path) -> list[PackEntry]:
    return list(index_entries(folder / "replays" / "0000.index"))


def test_a_replay_is_found_by_its_id_as_it_was(contents: dict[str, bytes], tmp_path: Path) -> None:
    assert found(tmp_path) == contents
    assert KeptReplays(tmp_path).get("mine 2-4p/b0000/0-1-2-5") is None
    assert list(KeptReplays(tmp_path).ids()) == IDS


def test_a_pack_unpacks_to_its_replays_one_behind_another(contents: dict[str, bytes], tmp_path: Path) -> None:
    packed = (tmp_path / "replays" / "0000.zst").read_bytes()
    assert zstd.decompress(packed) == b"".join(contents.values())
    for entry in places(tmp_path):
        assert unpack_replay(packed[entry.offset : entry.end]) == contents[entry.id]


def test_a_full_pack_is_followed_by_the_next(tmp_path: Path) -> None:
    contents = {id: replay(id) for id in IDS}
    write(tmp_path, contents, largest=200)
    names = sorted(path.name for path in (tmp_path / "replays").iterdir())
    assert names == [f"{number:04}.{kind}" for number in range(3) for kind in ("index", "zst")]
    assert found(tmp_path) == contents
    assert list(KeptReplays(tmp_path).ids()) == IDS


def test_of_a_match_that_was_packed_twice_the_later_replay_counts(tmp_path: Path) -> None:
    contents = {id: replay(id) for id in IDS}
    write(tmp_path, {**contents, IDS[1]: replay(IDS[1]), IDS[4]: replay(IDS[4])}, largest=400)
    write(tmp_path, {IDS[1]: contents[IDS[1]]}, largest=400)
    write(tmp_path, {IDS[4]: contents[IDS[4]]})
    assert found(tmp_path) == contents
    assert sorted(KeptReplays(tmp_path).ids()) == IDS


def test_an_id_that_ends_like_another_is_not_taken_for_it(tmp_path: Path) -> None:
    contents = {id: replay(id) for id in ("a 2/b0/0", "2/b0/0", "b 2/b0/0")}
    write(tmp_path, contents)
    assert found(tmp_path, contents) == contents
    assert PackIndex(tmp_path / "replays" / "0000.index").find("/b0/0") is None


@pytest.mark.parametrize("few", [0, 8])
def test_what_comes_while_somebody_reads_is_found(few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "SCANNED_IDS", few)
    monkeypatch.setattr(indexes, "FRESH_ENTRIES", 2)
    kept, contents = KeptReplays(tmp_path), {id: replay(id) for id in IDS}
    for number, (id, content) in enumerate(contents.items()):
        assert kept.get(id) is None
        write(tmp_path, {id: content}, largest=400)
        for known in IDS[: number + 1]:
            assert kept.get(known) == contents[known]
            assert kept.in_packs(known)


@pytest.mark.parametrize("few", [0, 8])
def test_half_a_line_of_an_index_is_not_there_yet(
    few: int, contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "SCANNED_IDS", few)
    path = tmp_path / "replays" / "0000.index"
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    kept = KeptReplays(tmp_path)
    assert kept.get(IDS[-1]) is None
    assert list(kept.ids()) == IDS[:-1]
    with path.open("ab") as file:
        file.write(whole[-3:])
    assert kept.get(IDS[-1]) == contents[IDS[-1]]


def test_a_table_that_was_read_is_dropped_when_the_index_is_another(
    contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "SCANNED_IDS", 0)
    kept, path = KeptReplays(tmp_path), tmp_path / "replays" / "0000.index"
    assert kept.get(IDS[3]) == contents[IDS[3]]
    lines = path.read_bytes().splitlines(keepends=True)
    (tmp_path / "new").write_bytes(b"".join(lines[1:]))
    (tmp_path / "new").replace(path)
    assert kept.get(IDS[0]) is None
    assert kept.get(IDS[3]) == contents[IDS[3]]


def cut(name: str, by: int) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, (folder / name).stat().st_size - by)


def spoil(name: str, at: int, content: bytes) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
            file.write(content)

    return harm


def add(name: str, content: bytes) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        with (folder / name).open("ab") as file:
            file.write(content)

    return harm


def drop_last_line(folder: Path) -> None:
    path = folder / "0000.index"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def drop_last_frame(folder: Path) -> None:
    os.truncate(folder / "0000.zst", list(index_entries(folder / "0000.index"))[-1].offset)


HARMS: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "nothing": (lambda folder: None, IDS),
    "half a frame behind the last": (add("0000.zst", pack_replay(replay("torn"))[:-20]), IDS),
    "half a line behind the last": (add("0000.index", b"1234 5"), IDS),
    "zeros behind the last frame": (add("0000.zst", bytes(999)), IDS),
    "zeros behind the last line": (add("0000.index", bytes(999)), IDS),
    "a frame cut off": (cut("0000.zst", 20), IDS[:-1]),
    "the last line cut off": (cut("0000.index", 3), IDS),
    "no last line": (drop_last_line, IDS),
    "no last frame": (drop_last_frame, IDS[:-1]),
    "zeros in place of the last frame": (spoil("0000.zst", -120, bytes(120)), IDS[:-1]),
    "a damaged frame in the middle": (
        lambda folder: spoil("0000.zst", list(index_entries(folder / "0000.index"))[2].offset + 40, b"!!")(folder),
        [*IDS[:2], *IDS[3:]],
    ),
    "garbage in the index": (spoil("0000.index", 3, b"\xff\n!"), IDS),
    "no index": (lambda folder: (folder / "0000.index").unlink(), IDS),
    "an empty index": (lambda folder: os.truncate(folder / "0000.index", 0), IDS),
    "no pack": (lambda folder: (folder / "0000.zst").unlink(), []),
    "an empty pack": (lambda folder: os.truncate(folder / "0000.zst", 0), []),
    "neither": (lambda folder: [path.unlink() for path in list(folder.iterdir())] and None, []),
}


@pytest.mark.parametrize("harm", HARMS)
def test_what_was_broken_off_is_mended_and_gone_on_with(harm: str, contents: dict[str, bytes], tmp_path: Path) -> None:
    do, left = HARMS[harm]
    do(tmp_path / "replays")
    mend_packs(tmp_path / "replays")
    assert found(tmp_path) == {id: contents[id] for id in left}
    assert list(KeptReplays(tmp_path).ids()) == left
    write(tmp_path, {id: contents[id] for id in IDS if id not in left})
    assert found(tmp_path) == contents
    assert mend_packs(tmp_path / "replays") == set(IDS)
    assert found(tmp_path) == contents


@pytest.mark.parametrize("file", ["0000.zst", "0000.index"])
def test_wherever_a_file_was_cut_off_only_what_was_cut_is_lost(
    file: str, contents: dict[str, bytes], tmp_path: Path
) -> None:
    packs, ends = tmp_path / "replays", [entry.end for entry in places(tmp_path)]
    whole = {path.name: path.read_bytes() for path in packs.iterdir()}
    for size in range(0, len(whole[file]) + 1, 7):
        for name, content in whole.items():
            (packs / name).write_bytes(content[:size] if name == file else content)
        mend_packs(packs)
        left = IDS if file == "0000.index" else [id for id, end in zip(IDS, ends, strict=True) if end <= size]
        assert list(found(tmp_path)) == left
        assert (packs / "0000.zst").stat().st_size == (ends[len(left) - 1] if left else 0)


def test_mending_leaves_what_is_whole_as_it_is(contents: dict[str, bytes], tmp_path: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_ino) for path in (tmp_path / "replays").iterdir()}
    assert mend_packs(tmp_path / "replays") == set(IDS)
    assert {path: (path.read_bytes(), path.stat().st_ino) for path in (tmp_path / "replays").iterdir()} == before


def test_mending_unpacks_only_the_end_of_the_last_pack(contents: dict[str, bytes], tmp_path: Path) -> None:
    *_, before, last = places(tmp_path)
    spoil("0000.zst", 40, b"!!")(tmp_path / "replays")
    assert mend_packs(tmp_path / "replays", unsure=1) == {last.id}
    assert mend_packs(tmp_path / "replays", unsure=1025) == {before.id, last.id}
    with pytest.raises(ReplayError, match="its packed bytes are damaged"):
        KeptReplays(tmp_path).get(IDS[0])


def test_without_an_index_the_pack_itself_is_read(contents: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "replays" / "0000.index").unlink()
    spoil("0000.zst", 40, b"!!")(tmp_path / "replays")
    assert found(tmp_path) == {id: contents[id] for id in IDS[1:]}
    assert [entry.id for entry in scan_frames(tmp_path / "replays" / "0000.zst")] == IDS[1:]


def test_a_damaged_line_of_the_index_is_told_with_its_place(contents: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "replays" / "0000.index"
    start = len(path.read_bytes().splitlines(keepends=True)[0])
    spoil("0000.index", start, b"x")(tmp_path / "replays")
    with pytest.raises(ReplayError, match=rf"0000\.index: at byte {start}: expected OFFSET LENGTH ID, got b'x"):
        KeptReplays(tmp_path).get(IDS[1])
    with pytest.raises(ReplayError, match=f"at byte {start}: "):
        list(KeptReplays(tmp_path).ids())


def test_an_entry_that_points_at_the_replay_of_another_match_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {IDS[0]: replay(IDS[1])})
    with pytest.raises(ReplayError, match=f"at byte 0 is the replay of {IDS[1]}, expected that of {IDS[0]}"):
        KeptReplays(tmp_path).get(IDS[0])


def test_an_entry_beyond_the_end_of_the_pack_is_refused(contents: dict[str, bytes], tmp_path: Path) -> None:
    drop_last_frame(tmp_path / "replays")
    with pytest.raises(ReplayError, match=r"0000\.zst ends before the replay of mine"):
        KeptReplays(tmp_path).get(IDS[-1])


@pytest.mark.parametrize(
    "frame", [b"", b"no frame", pack_replay(b"one") + pack_replay(b"two"), pack_replay(b"one")[:-1]]
)
def test_what_is_not_one_whole_frame_is_no_replay(frame: bytes) -> None:
    with pytest.raises(ReplayError, match="its packed bytes are damaged"):
        unpack_replay(frame)


@pytest.mark.parametrize("file", ["0000.zst", "0000.index"])
def test_where_there_is_no_room_nothing_is_added_and_the_file_is_named(
    file: str, contents: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write_all, full = (tmp_path / "replays" / file).read_bytes(), os.write, True

    def write_some(handle: int, content: bytes) -> int:
        if not full or Path(os.readlink(f"/proc/self/fd/{handle}")).name != file:
            return write_all(handle, content)
        if len(content) < 10:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_all(handle, content[: len(content) // 2])

    writer = PackWriter(tmp_path / "replays")
    monkeypatch.setattr(os, "write", write_some)
    with pytest.raises(OSError, match=f"No space left on device: '.*{file}'"):
        writer.add("more", pack_replay(replay("more")))
    assert (tmp_path / "replays" / file).read_bytes() == before
    full = False
    content = replay("more")
    writer.add("more", pack_replay(content))
    writer.close()
    assert found(tmp_path, [*IDS, "more"]) == {**contents, "more": content}
    assert Pack(tmp_path / "replays" / "0000.zst").find("more") is not None
