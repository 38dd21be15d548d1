"""The replays in a run's folder: those in its packs, and the separate files of older runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from arena.errors import ReplayError
from arena.foreign_files import files_below
from arena.replay import frame as frames
from arena.replay.read import read_replay
from arena.storage.packs.pack import Pack, packs_in
from arena.storage.packs.pack_index import PackEntry
from arena.storage.record_check import result_at_end

REPLAYS_FOLDER = "replays"
"""The folder of the packs, relative to the run's folder."""
CASSETTES_FOLDER = "cassettes"
"""The folder of the packs that hold the matches' calls of models, relative to the run's folder."""
OPEN_CALLS_FOLDER = f"{CASSETTES_FOLDER}/open"
"""The folder of the calls of matches that are not finished."""


def replay_path(match_id: str) -> str:
    """The path of a match's replay, relative to the run's folder."""
    return f"{REPLAYS_FOLDER}/{match_id}.jsonl"


def id_in(path: Path) -> tuple[Path, str] | None:
    """The run's folder and the match's id for a replay at ``path``; None for any other file."""
    above = next((folder for folder in path.parents if folder.name == REPLAYS_FOLDER), None)
    if above is None or path.suffix != ".jsonl":
        return None
    return above.parent, path.relative_to(above).as_posix().removesuffix(".jsonl")


class KeptReplays:
    """Reads the replays of one run, which may still be played: every replay is complete or absent. ``below`` is the
    folder of the packs: that of cassettes is read alike."""

    def __init__(self, folder: Path, below: str = REPLAYS_FOLDER) -> None:
        self.folder, self.below = folder, below
        self._packs: dict[Path, Pack] = {}

    def get(self, id: str) -> bytes | None:
        """The replay of a match, or None. Raises ReplayError where it is damaged."""
        if (found := self._find(id)) is not None:
            where, entry = found
            return where.read(entry)
        path = self._own_file(id)
        return read_replay(path, kept=True) if path.is_file() else None

    def locate_replay(self, id: str) -> tuple[Path, PackEntry] | None:
        """The pack that has the replay of a match, and its entry there; None where no pack has it. Raises ReplayError
        for a damaged index."""
        found = self._find(id)
        return None if found is None else (found[0].path, found[1])

    def replay_frame(self, id: str) -> bytes | None:
        """The replay of a match as a compressed frame; None where there is none, or where it is incomplete. Damage in
        its middle is noticed only by decompressing."""
        if (found := self._find(id)) is None:
            path = self._own_file(id)
            return frames.pack_replay(read_replay(path, kept=True)) if result_at_end(path) is not None else None
        try:
            frame = found[0].frame(found[1])
        except ReplayError:
            return None
        return frame if frames.length_of(memoryview(frame)) == len(frame) else None

    def has_replay(self, id: str) -> bool:
        """Whether there is a replay of a match, damaged or not."""
        return self.in_packs(id) or self._own_file(id).is_file()

    def in_packs(self, id: str) -> bool:
        """Whether the packs have a replay of a match. Fast for many ids: each index is read only once."""
        for pack in reversed(self._packs.values()):
            if pack.has_read(id):
                return True
        return any(pack.has_replay(id) for pack in self._newest()) or any(
            pack.has_replay(id) for pack in self._look_again()
        )

    def ids(self) -> Iterator[str]:
        """The ids of all replays, each once, in the order in which they are fastest to read. Raises ReplayError for a
        damaged index."""
        self._look_again()
        packs = list(reversed(self._newest()))
        for number, pack in enumerate(packs, 1):
            for entry in pack.entries():
                if not any(later.has_replay(entry.id) for later in packs[number:]):
                    yield entry.id
        below = self.folder / self.below
        for path in files_below(below, ".jsonl"):
            id = path.relative_to(below).as_posix().removesuffix(".jsonl")
            if not path.name.startswith(".") and not self.in_packs(id):
                yield id

    def _own_file(self, id: str) -> Path:
        """The separate file that a match has in an older run."""
        return self.folder / self.below / f"{id}.jsonl"

    def _find(self, id: str) -> tuple[Pack, PackEntry] | None:
        for packs in (self._newest, self._look_again):
            for pack in packs():
                if (entry := pack.find(id)) is not None:
                    return pack, entry
        return None

    def _newest(self) -> list[Pack]:
        """The known packs, the newest first."""
        return list(reversed(self._packs.values()))

    def _look_again(self) -> list[Pack]:
        """The packs added since the last look, the newest first."""
        new = [path for path in packs_in(self.folder / self.below) if path not in self._packs]
        self._packs.update((path, Pack(path)) for path in new)
        return [self._packs[path] for path in reversed(new)]


@lru_cache(maxsize=8)
def replays_of(folder: Path) -> KeptReplays:
    """The replays of the run in this folder (an absolute path). The object is cached, so that the next caller need not
    read the indexes again."""
    return KeptReplays(folder)
