"""The name of a replay: a file's path, or FOLDER/replays/ID.jsonl, as ``matches.jsonl`` names that of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import nlargest
from operator import eq
from pathlib import Path

from arena.errors import ReplayError, UserError, nearest_hint
from arena.replay.read import read_replay
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE, MATCHES_FILE, read_records
from arena.storage.packs.replay_packs import REPLAYS_FOLDER, KeptReplays, id_in, replay_path, replays_of
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

COMPARED_IDS = 100
"""How many ids are compared letter by letter with a mistyped one."""


def is_run(path: Path) -> bool:
    """Whether a folder is that of a run."""
    return any((path / name).is_file() for name in (MATCHES_FILE, MANIFEST_FILE, CONFIG_FILE))


def read_named(path: Path) -> bytes:
    """The bytes of the replay with this name. Raises ReplayError, naming it, if there is none or it is damaged."""
    if not path.exists() and (found := id_in(path)) is not None:
        folder, id = found
        try:
            replay = replays_of(folder.absolute()).get(id)
        except ReplayError as problem:
            raise name_file_in(path, problem) from None
        if replay is not None:
            return replay
    return read_replay(path)


def name_file_in(path: Path, problem: ReplayError) -> ReplayError:
    """The problem with the file's name in front, unless it is there already."""
    text = str(problem)
    return problem if text.startswith(str(path)) else ReplayError(f"{path}: {text}")


def kept_replay(get: Callable[[str], bytes | None], folder: Path, record: MatchRecord) -> bytes:
    """The replay of a record of the run in ``folder``; ``get`` returns the replay for an id. Raises ReplayError, naming
    it, where it is missing or damaged."""
    path = folder / record.replay
    try:
        found = get(record.id)
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    if found is None:
        raise ReplayError(f"{path} is missing; play its match again with: {FolderStore(folder).resume_command()}")
    return found


def name_of(folder: Path, id: str) -> Path:
    """The name of the replay of this match of the run in ``folder``. Raises as :func:`known_id` does."""
    return folder / replay_path(known_id(folder, id))


def known_id(folder: Path, id: str) -> str:
    """The id of a match of the run in ``folder`` that has a replay, from the id or from the replay's name in its
    record. Raises UserError where there is none, with the nearest id."""
    if not is_run(folder) and not (folder / REPLAYS_FOLDER).is_dir():
        raise UserError(f"{folder} holds no run: neither {MATCHES_FILE} nor {REPLAYS_FOLDER}")
    kept = replays_of(folder.absolute())
    id = id.removeprefix(f"{REPLAYS_FOLDER}/").removesuffix(".jsonl")
    if not kept.has_replay(id):
        if any(record.id == id for record in read_records(folder)):
            raise UserError(f"{folder} has no replay of {id}; play with `replays: all` to keep all replays")
        raise UserError(f"{folder} has no replay of a match {id}{_suggest_match(id, kept)}")
    return id


def _suggest_match(id: str, kept: KeptReplays) -> str:
    """The match with a replay whose id is most similar; where none is similar, the first as an example."""
    first = next(kept.ids(), None)
    return nearest_hint(id, similar_ids(id, kept.ids())) or (
        "" if first is None else f"; an example of a match: {first}"
    )


def command_line_names(path: Path) -> list[str]:
    """The arguments that name the replay ``path`` on a command line: its file, or the folder of its run and the id of
    its match."""
    if path.exists() or (found := id_in(path)) is None:
        return [str(path)]
    return [str(found[0]), found[1]]


def runs_in(folder: Path) -> list[Path]:
    """The runs directly in a folder, by name."""
    try:
        return sorted(path for path in folder.iterdir() if is_run(path))
    except OSError:
        return []


def similar_ids(id: str, ids: Iterable[str]) -> list[str]:
    """The ids with the most letters in the same place, counted from either end."""

    def same(other: str) -> int:
        return [*map(eq, id, other), *map(eq, reversed(id), reversed(other))].count(True)

    return nlargest(COMPARED_IDS, ids, key=same)
