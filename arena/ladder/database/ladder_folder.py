"""The folder of ladders: what lies where in it."""

from __future__ import annotations

from pathlib import Path

from arena.finding.file_protection import LADDER_FILE
from arena.runs.planning.isolation_level import NO_WORD, BotPermissions

DATABASE_FILE = LADDER_FILE
SECRETS_FILE = "secrets.json"
"""Seeds of seasons that are not closed; only the operator may read them."""
VERSIONS_FOLDER = "versions"
"""The files of every version, in a folder named by their digest."""
SEASONS_FOLDER = "seasons"
"""The replays of every season, in a folder named by it."""
LADDER_LOG, LADDER_LOCK, LADDER_PROGRESS = "logs/ladder.log", "logs/lock", "logs/progress.json"
BOT_LOGS = "logs/bots"


class LadderFolder:
    """Names what lies in the ``folder`` of ladders, which is absolute; people are ``shown`` its name as given. What the
    ladders' files say of isolation counts as far as the ``word`` of whoever runs the command goes."""

    def __init__(self, folder: Path, word: BotPermissions = NO_WORD) -> None:
        self.shown, self.word = folder, word
        self.folder = folder.absolute()

    @property
    def database(self) -> Path:
        """The SQLite database of all ladders in the folder."""
        return self.folder / DATABASE_FILE

    @property
    def secrets(self) -> Path:
        """The file of the seeds of seasons that are not closed."""
        return self.folder / SECRETS_FILE

    def version(self, digest: str) -> Path:
        """The folder with the files of a version."""
        return self.folder / VERSIONS_FOLDER / digest

    def season(self, ladder: str, number: int) -> Path:
        """The folder of a season's replays: it holds packs as a run's folder does."""
        return self.folder / SEASONS_FOLDER / f"{ladder}.{number}"
