"""A complete run of a tournament, for tests of what is done with runs."""

from __future__ import annotations

from pathlib import Path

from arena.executors.serial import Serial
from arena.runs.planning.make_plan import make_plan
from arena.runs.play_run import start_run
from arena.storage.run_folder import FolderStore


def play_run(folder: Path, config: str) -> Path:
    """Play the tournament in this text of a tournament file, in this process; the run's folder, which is in
    ``folder``."""
    (folder / "config.yaml").write_text(config, encoding="utf-8")
    start_run(make_plan(folder / "config.yaml"), FolderStore(folder / "out"), Serial())
    return folder / "out"
