"""The folder of ladders: the paths of its files."""

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
"""The replays of every season, in a folder named after it."""
PAIRING_FOLDER = "pairing"
"""What the next tables of every season are chosen from, in a file named after it."""
LADDER_LOG, LADDER_LOCK, LADDER_PROGRESS = "logs/ladder.log", "logs/lock", "logs/progress.json"
UPLOADS_LOCK = "logs/uploads-lock"
"""Locked by the server that takes uploads and checks them."""
LAST_PLAY = "logs/last-play.json"
BOT_LOGS = "logs/bots"


class LadderFolder:
    """The paths in the ``folder`` of ladders, which is absolute; ``shown`` is the folder's name as the user gave it.
    The isolation keys of the ladders' files take effect only as far as the operator's permissions (``word``) allow."""

    def __init__(self, folder: Path, word: BotPermissions = NO_WORD) -> None:
        self.shown, self.word = folder, word
        self.folder = folder.absolute()

    @property
    def database(self) -> Path:
        """The SQLite database of all ladders in the folder."""
        return self.folder / DATABASE_FILE

    @property
    def secrets(self) -> Path:
        """The file with the seeds of seasons that are not closed."""
        return self.folder / SECRETS_FILE

    def version(self, digest: str) -> Path:
        """Return the folder with the files of the version that has this digest."""
        return self.folder / VERSIONS_FOLDER / digest

    def pairing(self, ladder: str, number: int) -> Path:
        """The file with what a season's next tables are chosen from; it is computed anew where it is missing."""
        return self.folder / PAIRING_FOLDER / f"{ladder}.{number}"

    def season(self, ladder: str, number: int) -> Path:
        """The folder of a season's replays: it holds packs as a run's folder does."""
        return self.folder / SEASONS_FOLDER / f"{ladder}.{number}"
