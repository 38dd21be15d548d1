"""The replays named on a command line, and their content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.errors import ReplayError, UserError
from arena.foreign_files import files_below
from arena.games.contract import Event
from arena.recorded.replay_names import is_run, name_file_in, read_named
from arena.replay.lines import Header
from arena.replay.read import game_of, read_header, read_replay_lines, split_replay
from arena.storage.packs.pack import packs_in
from arena.storage.packs.replay_packs import REPLAYS_FOLDER, KeptReplays, replay_path


def require_replays(paths: Sequence[Path]) -> None:
    """Raise UserError for a folder without replays, unless it is a run's."""
    for path in paths:
        if path.is_dir() and not is_run(path) and next(_names_below(path), None) is None:
            raise UserError(f"no replays (*.jsonl) below {path}")


def replay_names(paths: Sequence[Path]) -> Iterator[Path]:
    """The names of the replays that are named, belong to a named run, or lie below another named folder, in order.
    Raises UserError, before anything else, as :func:`require_replays`."""
    require_replays(paths)
    for path in paths:
        yield from _names_below(path) if path.is_dir() else (path,)


def _names_below(folder: Path) -> Iterator[Path]:
    if not is_run(folder) and folder.name == REPLAYS_FOLDER and packs_in(folder):
        folder = folder.parent
    if is_run(folder) or (folder / REPLAYS_FOLDER).is_dir():
        return (folder / replay_path(id) for id in KeptReplays(folder).ids())
    return (path for path in files_below(folder, ".jsonl") if not path.name.startswith("."))


def load_replay(path: Path) -> tuple[Header, list[Event]]:
    """A replay's header and lines. Raises ReplayError, naming the file."""
    try:
        return read_replay_lines(read_named(path))
    except ReplayError as problem:
        raise name_file_in(path, problem) from None


def read_match(path: Path, content: bytes | None = None) -> tuple[Header, bytes]:
    """The header and all bytes of a replay, if its game is known here; ``content`` are its bytes, if they have been
    read already. Raises ReplayError, naming the replay."""
    content = read_named(path) if content is None else content
    try:
        header = read_header(split_replay(content)[0])
        game_of(header)
    except ReplayError as problem:
        raise name_file_in(path, problem) from None
    return header, content
