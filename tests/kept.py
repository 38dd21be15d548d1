"""What a run has kept, for tests: its replays by id, and the same run with its replays in files of their own."""

from __future__ import annotations

from pathlib import Path

from arena.storage.packs.pack import index_path, packs_in
from arena.storage.packs.replay_packs import KeptReplays, replay_path


def replays_of(run: Path) -> dict[str, bytes]:
    """Every replay of the run in this folder, by what its record calls it."""
    kept, found = KeptReplays(run), {}
    for id in sorted(kept.ids()):
        replay = kept.get(id)
        assert replay is not None
        found[replay_path(id)] = replay
    return found


def loosen(run: Path) -> None:
    """Put each replay into a file of its own, as runs had them before there were packs."""
    for name, replay in replays_of(run).items():
        path = run / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(replay)
    for path in packs_in(run / "replays"):
        path.unlink()
        index_path(path).unlink()
