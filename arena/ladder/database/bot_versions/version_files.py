"""The files of versions, stored in folders that are named by the digest of their content."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import UserError
from arena.finding.files import MOST_BYTES, BotFile
from arena.finding.reference import BotRef
from arena.foreign_files import read_foreign_file
from arena.ladder.database.bot_versions.versions import Version
from arena.ladder.database.ladder_folder import LadderFolder
from arena.storage.files.atomic_files import blame_path

READ_ONLY, READ_AND_RUN = 0o444, 0o555


def files_digest(files: Iterable[BotFile]) -> str:
    """Return the SHA-256 of a list of all files, sorted by path: one line per file, with the SHA-256 of its content,
    ``x`` if it is executable (else ``-``) and its path. Unlike the digest of a bot, it depends on the names of single
    files too."""
    lines = [
        f"{sha256(file.content).hexdigest()} {'x' if file.executable else '-'} {file.path}\n"
        for file in sorted(files, key=lambda file: file.path)
    ]
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def keep_files(place: LadderFolder, ref: BotRef) -> BotRef:
    """Store the files of a bot unless they are stored already. Return the reference for the database: it has neither
    the files nor the author's folder."""
    folder = place.version(files_digest(ref.files))
    if not folder.is_dir():
        unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            with blame_path(place.shown / folder.relative_to(place.folder)):
                _write_files(unfinished, ref)
                os.rename(unfinished, folder)
        except OSError:
            if not folder.is_dir():  # else another process has kept the same files meanwhile
                raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return msgspec.structs.replace(ref, files=(), folder="", origin="", bundled=False)


def _write_files(folder: Path, ref: BotRef) -> None:
    for file in ref.files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
        path.chmod(READ_AND_RUN if file.executable else READ_ONLY)
    _make_safe(folder)


def _make_safe(folder: Path) -> None:
    """Flush everything below the folder to disk, so that it survives a power cut before the database refers to it."""
    for place, _, names in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in names)):
            opened = os.open(path, os.O_RDONLY)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)


def fetch_version(place: LadderFolder, version: Version) -> BotRef:
    """Return the bot of a version with its files' contents. Raises UserError where they differ from those submitted."""
    folder = place.version(version.files)
    try:
        files = tuple(_read_files(folder))
    except OSError as problem:
        raise UserError(f"the files of {version.name} cannot be read: {problem}") from None
    if not files or files_digest(files) != version.files:
        raise UserError(f"{folder}: these are not the files of {version.name} that were submitted; restore a backup")
    return msgspec.structs.replace(version.reference, files=files, folder=str(folder), origin=str(folder))


def fetch_if_whole(place: LadderFolder, version: Version, damaged: dict[str, str]) -> BotRef:
    """Return the bot of a version. If its files differ from those submitted, return it without files and put the
    problem into ``damaged``, by the version's name."""
    try:
        return fetch_version(place, version)
    except UserError as problem:
        damaged[version.name] = str(problem)
        return version.reference


def _read_files(folder: Path) -> list[BotFile]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            runs = bool(path.stat().st_mode & 0o100)
            found.append(BotFile(path.relative_to(folder).as_posix(), read_foreign_file(path, MOST_BYTES), runs))
    return sorted(found, key=lambda file: file.path)
