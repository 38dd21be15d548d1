"""What a run tells: everything in its folder that has to be the same however it was played."""

from __future__ import annotations

from pathlib import Path

from arena.storage.run_folder import FolderStore

FILES = ("matches.jsonl", "standings.json", "standings.csv", "standings.md", "crosstable.csv", "seats.csv")


def told(folder: Path) -> dict[str, bytes | None]:
    """The files that follow from the matches, and the replay of each match by its id."""
    store = FolderStore(folder)
    found: dict[str, bytes | None] = {name: (folder / name).read_bytes() for name in FILES}
    return found | {record.id: store.replay(record.id) for record in store.records()}
