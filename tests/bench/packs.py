"""What do packs cost and save? Compares packed replays with files of their own, and opens a run of a million.

Run: python tests/bench/packs.py [MATCHES] [REPLAYS]     (200 matches of each game, 1,000,000 replays; Linux)
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from arena.commands.bench.speed import BenchTable
from arena.config.editions import load_edition
from arena.match.runner import play_here
from arena.replay.frame import pack_replay, unpack_replay
from arena.storage.files.atomic_files import write_whole
from arena.storage.packs.pack_index import PackEntry
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import KeptReplays, replay_path

MANY = """
import resource, sys
from pathlib import Path
from time import process_time
from arena.storage.packs.replay_packs import KeptReplays
from arena.storage.packs.pack_recovery import mend_packs

folder, first, last, number = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
print(f"  imports            {peak():6.0f} MB")
began = process_time()
mend_packs(folder / "replays")
print(f"  mending            {process_time() - began:6.2f} s")
began, kept = process_time(), KeptReplays(folder)
assert kept.get(last) is not None
print(f"  one replay         {process_time() - began:6.2f} s {peak():6.0f} MB")
began = process_time()
assert kept.in_packs(first) and not kept.in_packs("none")
print(f"  table of all       {process_time() - began:6.2f} s {peak():6.0f} MB")
began = process_time()
assert sum(1 for id in kept.ids()) == number
print(f"  all ids            {process_time() - began:6.2f} s {peak():6.0f} MB")
began, ids = process_time(), [id for id, _ in zip(kept.ids(), range(10_000))]
began = process_time()
assert all(map(kept.in_packs, ids))
print(f"  is it there?       {(process_time() - began) / len(ids) * 1e6:6.1f} µs")
"""


def seconds(task: Callable[[], object]) -> float:
    """CPU time, of this process and in the system on its behalf."""
    began = process_time()
    task()
    return process_time() - began


def on_disk(folder: Path) -> int:
    """Bytes that the files below a folder take on disk."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*"))


def compare(edition: str, matches: int, folder: Path) -> None:
    """Write the replays of bundled bots in both ways, and read them back."""
    table = BenchTable(load_edition(edition))
    replays: dict[str, bytes] = {}
    playing = seconds(lambda: replays.update(_play(table, matches)))
    frames: dict[str, bytes] = {}
    loose, packed, writer = folder / "loose", folder / "packed", PackWriter(folder / "packed" / "replays")
    packing = seconds(lambda: frames.update((id, pack_replay(replay)) for id, replay in replays.items()))
    unpacking = seconds(lambda: [unpack_replay(frame) for frame in frames.values()])
    files = seconds(lambda: [write_whole(loose / replay_path(id), each, False) for id, each in replays.items()])
    adding = seconds(lambda: [writer.add(id, frame) for id, frame in frames.items()])
    writer.close()
    kept = KeptReplays(packed)
    reading = seconds(lambda: [kept.get(id) for id in replays])
    reading_files = seconds(lambda: [(loose / replay_path(id)).read_bytes() for id in replays])
    assert all(kept.get(id) == replay for id, replay in replays.items())
    raw, small, us = sum(map(len, replays.values())), sum(map(len, frames.values())), 1e6 / matches
    print(f"{edition}: {matches} matches of {playing / matches * 1e3:.1f} ms, {raw / matches / 1e3:.1f} kB a replay")
    print(f"  size               1 : {raw / small:.1f} in bytes, 1 : {on_disk(loose) / on_disk(packed):.1f} on disk")
    print(f"  worker: pack       {packing * us:6.0f} µs, {packing / playing:.1%} of a match")
    print(
        f"  parent: add        {adding * us:6.0f} µs; a file of its own {files * us:.0f} µs: 1 : {files / adding:.1f}"
    )
    print(f"  unpack             {unpacking * us:6.0f} µs")
    print(f"  find, read, unpack {reading * us:6.0f} µs; a file of its own {reading_files * us:.0f} µs")


def _play(table: BenchTable, matches: int) -> Iterator[tuple[str, bytes]]:
    for number in range(matches):
        work = table.work(number)
        yield work.spec.id, play_here(work.spec, work.bots).replay


def open_many(number: int, folder: Path) -> None:
    """Make packs of very many very small replays, and see what reading them needs in a process of its own."""
    below = folder / "replays"
    below.mkdir()
    first = last = ""
    offset = place = 0
    with (below / "0000.zst").open("wb") as frames, (below / "0000.index").open("wb") as lines:
        for place in range(number):
            last = f"eagle-gryphon-4p/b{place // 360:05}/{place % 360}-1-2-3"
            first = first or last
            frame = pack_replay(f'{{"event":"match","id":"{last}"}}\n'.encode())
            frames.write(frame)
            lines.write(PackEntry(offset, len(frame), last).line)
            offset += len(frame)
    sizes = " and ".join(f"{(below / name).stat().st_size / 1e6:.0f} MB" for name in ("0000.zst", "0000.index"))
    print(f"{number:,} small replays: {sizes}", flush=True)
    subprocess.run([sys.executable, "-c", MANY, str(folder), first, last, str(number)], check=True)


def main() -> None:
    """Measure and print."""
    given = list(map(int, sys.argv[1:]))
    matches, replays = given + [200, 1_000_000][len(given) :]
    with TemporaryDirectory() as folder:
        for edition in ("eagle-gryphon", "card-game"):
            (Path(folder) / edition).mkdir()
            compare(edition, matches, Path(folder) / edition)
        os.mkdir(f"{folder}/many")
        open_many(replays, Path(folder) / "many")


if __name__ == "__main__":
    main()
