"""The served runs and ladders in a folder, each under a name that is looked up and never becomes part of a path."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from time import monotonic

from arena.errors import UserError
from arena.ladder.database.ladder_folder import DATABASE_FILE, LadderFolder
from arena.recorded.replay_names import is_run
from arena.web.serve.runs.served_run import ServedRun

LOOKED_AT = 2.0
"""Seconds after which the folder is listed again."""
CACHED_RUNS = 8
"""How many runs keep their matches in memory at most: those that were looked at last."""
MOST_PLACES = 2000
"""How many runs and ladders of a folder are listed at most."""


class ServedPlaces:
    """The runs and ladders in ``folder``: the folder itself, or its direct subfolders. Raises UserError where there are
    none and the folder cannot hold any."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.single = _is_served(folder)
        self._lock, self._looked = Lock(), 0.0
        self._runs: dict[str, ServedRun] = {}
        self._ladders: dict[str, LadderFolder] = {}
        self.left_out = 0
        self._look()
        if not self._runs and not self._ladders:
            expected = "a run, a ladder, or a folder that holds such folders"
            raise UserError(f"{folder} holds nothing that can be served: expected {expected}")

    @property
    def runs(self) -> dict[str, ServedRun]:
        """The runs by name."""
        self._look()
        return self._runs

    @property
    def ladders(self) -> dict[str, LadderFolder]:
        """The folders of ladders by name."""
        self._look()
        return self._ladders

    def followed_runs(self) -> list[ServedRun]:
        """Return the runs to follow: those that were looked at last. Drop the matches of the others from memory."""
        with self._lock:
            runs = sorted(self._runs.values(), key=lambda run: -run.wanted)
            for run in runs[CACHED_RUNS:]:
                if run.wanted:
                    self._runs[run.name] = ServedRun(run.name, run.folder)
        return runs[:CACHED_RUNS]

    def _look(self) -> None:
        """List the folder again."""
        with self._lock:
            if self._looked and monotonic() - self._looked < LOOKED_AT:
                return
            self._looked = monotonic()
            found = [self.folder] if self.single else _folders_below(self.folder)
            self.left_out = max(0, len(found) - MOST_PLACES)
            found = found[:MOST_PLACES]
            runs = {_folder_name(folder): folder for folder in found if not (folder / DATABASE_FILE).is_file()}
            self._runs = {
                name: self._runs[name] if name in self._runs else ServedRun(name, folder)
                for name, folder in runs.items()
            }
            self._ladders = {
                _folder_name(folder): LadderFolder(folder) for folder in found if (folder / DATABASE_FILE).is_file()
            }


def ladders_of(places: ServedPlaces) -> LadderFolder:
    """The folder of ladders that is served alone. Raises UserError where runs or several folders are served."""
    if not places.single or len(places.ladders) != 1:
        raise UserError(f"--submit takes bots for the ladders of one folder, and {places.folder} is not one of ladders")
    return next(iter(places.ladders.values()))


def _is_served(folder: Path) -> bool:
    """Whether a folder is that of a run or of ladders."""
    return (folder / DATABASE_FILE).is_file() or is_run(folder)


def _folders_below(folder: Path) -> list[Path]:
    """The runs and ladders right below a folder, the newest first."""
    try:
        named = [path for path in folder.iterdir() if path.name.isprintable() and not path.name.startswith(".")]
        found = [path for path in named if _is_served(path)]
        return sorted(found, key=lambda path: (-path.stat().st_mtime, path.name))
    except OSError as problem:
        raise UserError(f"{folder} cannot be read: {problem.strerror or problem}") from None


def _folder_name(folder: Path) -> str:
    """Return the name of a folder in addresses."""
    return folder.name or folder.resolve().name or "run"
