"""The replays of a run as files of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from arena.errors import ReplayError, UserError
from arena.recorded.replay_names import is_run, known_id, name_file_in
from arena.storage.files.atomic_files import check_place, write_whole
from arena.storage.packs.replay_packs import REPLAYS_FOLDER, KeptReplays, replay_path


class UnpackResult(msgspec.Struct, frozen=True):
    """The result: the number of ``replays`` written to the folder ``out``, and a line for each of the ``damaged``
    replays that were skipped."""

    out: str
    replays: int
    damaged: list[str]


def unpack_run(
    folder: Path,
    out: Path | None = None,
    ids: Sequence[str] = (),
    tell: Callable[[int], object] = lambda replays: None,
) -> UnpackResult:
    """Write the replays of the run in ``folder``, or those of the matches ``ids``, to ``out`` (by default its folder
    ``unpacked``), each to a file ID.jsonl. ``tell`` is called with 1 after each replay. Raises UserError for a folder
    without a run or replays, and for an unknown id."""
    if not is_run(folder) and not (folder / REPLAYS_FOLDER).is_dir():
        raise UserError(f"{folder} holds no run")
    out = out if out is not None else folder / "unpacked"
    check_place(out, "--out", folder=True)
    ids = [known_id(folder, id) for id in ids]
    written, damaged, kept = 0, list[str](), KeptReplays(folder)
    for id in ids or kept.ids():
        try:
            replay = kept.get(id)
            assert replay is not None, "it was just found"
            write_whole(_unpacked_path(out, id), replay, durable=False)
            written += 1
        except ReplayError as problem:
            damaged.append(str(name_file_in(folder / replay_path(id), problem)))
        tell(1)
    if not written and not damaged:
        raise UserError(f"{folder} has no replays; play with `replays: all` to keep them")
    return UnpackResult(str(out), written, damaged)


def _unpacked_path(out: Path, id: str) -> Path:
    """The path for the replay. Raises ReplayError for an id that would lead outside the folder."""
    inside = PurePosixPath(f"{id}.jsonl")
    if inside.is_absolute() or ".." in inside.parts:
        raise ReplayError("its id is no name of a file below a folder")
    return out / inside
