"""Copies a folder of ladders while it is being played.

First, where the copy is to be played on, the calls of language models in matches under way: once a match is over, they
are in a pack. Then the database, by SQLite's own online backup. Everything to which it refers is in the other files by
then, because a replay is written to its pack before the match goes into the database, and a version's files before its
row. Full packs and the files of versions never change: on the same file system the copy hard-links them, which needs no
space."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from arena.errors import ArenaError, UserError
from arena.foreign_files import files_in
from arena.ladder.database.connection import is_ladder_database, open_database
from arena.ladder.database.ladder_folder import (
    DATABASE_FILE,
    SEASONS_FOLDER,
    SECRETS_FILE,
    VERSIONS_FOLDER,
    LadderFolder,
)
from arena.ladder.entry.secret_leaks import leaks_in_files, leaks_in_rows
from arena.storage.files.atomic_files import check_place, has_ended, remove_left
from arena.storage.packs.pack import index_path, packs_in
from arena.storage.packs.pack_writer import PACK_BYTES
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, OPEN_CALLS_FOLDER, REPLAYS_FOLDER

DATABASE_ENDINGS = (".sqlite", ".sqlite3", ".db")
"""Endings of a target's name that ask for a copy of the database alone."""


class Backup(msgspec.Struct):
    """What was copied: ``to`` which path, how many ``versions`` and ``packs``, the ``bytes`` written, the bytes of
    files that are hard-``linked`` and need no space, and whether the seeds of open seasons (``secrets``) are
    included."""

    to: str
    versions: int = 0
    packs: int = 0
    bytes: int = 0
    linked: int = 0
    secrets: bool = False


def backup_ladders(place: LadderFolder, to: Path, with_secrets: bool = False) -> Backup:
    """Copy the folder of ladders to a new folder, completely or not at all; or only its database, where the name ``to``
    has one of the :data:`DATABASE_ENDINGS`. Raises UserError where something exists there already, where a file is
    missing, and where a copy without secrets would hold one, because it is in a version's files."""
    if to.exists() or to.is_symlink():
        raise UserError(f"{to} exists already: a backup needs a new folder; choose another name")
    if any(place.folder / name in to.absolute().parents for name in (VERSIONS_FOLDER, SEASONS_FOLDER)):
        raise UserError(f"{to} is inside {place.shown}; choose another place")
    check_place(to, "the backup", folder=True)
    if to.suffix in DATABASE_ENDINGS:
        if with_secrets:
            raise UserError(f"{to}: a copy of only the database holds no secrets; give a folder")
        return _database_alone(place, to)
    to.absolute().parent.mkdir(parents=True, exist_ok=True)
    _remove_left(to)
    unfinished = to.absolute().with_name(f".{to.name}.{os.getpid()}")
    found = Backup(str(to))
    try:
        unfinished.mkdir(mode=0o700 if with_secrets else 0o777)
        if with_secrets:
            _copy_journals(place, unfinished, found)
        _copy_database(place, unfinished / DATABASE_FILE, found)
        _copy_versions(place, unfinished, found)
        _copy_packs(place, unfinished, found)
        if with_secrets:
            _copy_secrets(place, unfinished, found)
        else:
            _check_secrets(place, unfinished)
        _sync(unfinished)
        os.rename(unfinished, to.absolute())
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return found


def _database_alone(place: LadderFolder, to: Path) -> Backup:
    to.absolute().parent.mkdir(parents=True, exist_ok=True)
    _remove_left(to)
    unfinished, found = to.absolute().with_name(f".{to.name}.{os.getpid()}"), Backup(str(to))
    try:
        _check_secrets(place, None)
        _copy_database(place, unfinished, found)
        os.rename(unfinished, to.absolute())
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    return found


def _remove_left(to: Path) -> None:
    """Remove what backups have left beside ``to`` that were killed while they wrote, whatever they were to be called:
    the next one has another name."""
    for left in to.absolute().parent.glob(".*"):
        name, dot, process = left.name[1:].rpartition(".")
        if dot and process.isdecimal() and has_ended(process) and _is_unfinished(left, Path(name)):
            remove_left(left.with_name(name))


def _is_unfinished(left: Path, name: Path) -> bool:
    """Whether it is a copy of ladders that was to have this name: nothing else has these files and no others."""
    try:
        if name.suffix in DATABASE_ENDINGS:
            return left.is_file() and is_ladder_database(left)
        held = {each.name for each in left.iterdir()}
    except OSError:
        return False
    return held <= {DATABASE_FILE, f"{DATABASE_FILE}-journal", VERSIONS_FOLDER, SEASONS_FOLDER, SECRETS_FILE} and (
        DATABASE_FILE in held or held == {SEASONS_FOLDER}
    )


def _copy_journals(place: LadderFolder, to: Path, found: Backup) -> None:
    """Copy what models have answered in matches under way, which would cost money again. A line that is just being
    written may be cut off: who reads a journal leaves that out."""
    for season in sorted((place.folder / SEASONS_FOLDER).glob("*")):
        for file in files_in(season / OPEN_CALLS_FOLDER, ".jsonl") if (season / OPEN_CALLS_FOLDER).is_dir() else ():
            with suppress(FileNotFoundError):  # its match is over
                _copy_existing(file, to / file.relative_to(place.folder), found)


def _copy_database(place: LadderFolder, to: Path, found: Backup) -> None:
    """Copy one snapshot in a single step, so that a constant writer cannot make the copy start again."""
    with closing(open_database(place.database, place.shown)) as database:
        try:
            with closing(sqlite3.connect(to)) as copy:
                database.backup(copy)
        except sqlite3.OperationalError as problem:  # of the copy: there is no room for it
            raise ArenaError(f"{_copied_name(to)}: {problem}") from None
        except sqlite3.Error as problem:
            raise UserError(
                f"{place.shown / DATABASE_FILE} cannot be copied to {_copied_name(to)}: {problem}"
            ) from None
    found.bytes += to.stat().st_size
    _sync(to)


def _copy_versions(place: LadderFolder, to: Path, found: Backup) -> None:
    """Copy the folders of all versions that are undamaged."""
    (to / VERSIONS_FOLDER).mkdir()
    for folder in sorted((place.folder / VERSIONS_FOLDER).glob("[0-9a-f]*")):
        found.versions += 1
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            _link(file, to / file.relative_to(place.folder), found)


def _copy_packs(place: LadderFolder, to: Path, found: Backup) -> None:
    """Copy the packs of all seasons, of replays and of cassettes; of packs that still grow, the present content."""
    seasons = sorted((place.folder / SEASONS_FOLDER).glob("*"))
    for kept in (season / name for season in seasons for name in (REPLAYS_FOLDER, CASSETTES_FOLDER)):
        packs = packs_in(kept) if kept.is_dir() else []
        for pack in packs:
            found.packs += 1
            whole = pack is not packs[-1] and pack.stat().st_size >= PACK_BYTES
            for file in (index_path(pack), pack):  # whatever the index tells of is in the pack
                copy = to / file.relative_to(place.folder)
                _link(file, copy, found) if whole else _copy(file, copy, found)


def _copy_secrets(place: LadderFolder, to: Path, found: Backup) -> None:
    _copy(place.secrets, to / SECRETS_FILE, found)
    (to / SECRETS_FILE).chmod(0o600)
    found.secrets = True


def _check_secrets(place: LadderFolder, copy: Path | None) -> None:
    """Raise UserError where the database, or a copied file (if ``copy`` is given), holds a secret."""
    with closing(open_database(place.database, place.shown)) as database:
        found = list(leaks_in_files(place, database, copy)) if copy is not None else []
        found += leaks_in_rows(place, database)
    if found:
        more = f" (and {len(found) - 1} more, see: arena ladder check)" if len(found) > 1 else ""
        raise UserError(f"a copy without secrets cannot be made while a secret is in another file: {found[0]}{more}")


def _link(file: Path, to: Path, found: Backup) -> None:
    """Hard-link a file; copy it where a link is impossible, as on another file system."""
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(file, to)
        found.linked += file.stat().st_size
    except OSError:
        _copy(file, to, found)


def _copy(file: Path, to: Path, found: Backup) -> None:
    try:
        _copy_existing(file, to, found)
    except FileNotFoundError:
        raise UserError(f"{file} is missing, so nothing can be copied; see: arena ladder check") from None


def _copy_existing(file: Path, to: Path, found: Backup) -> None:
    """Copy a file. Raises FileNotFoundError where it is not there."""
    try:
        mode = file.stat().st_mode & 0o777
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)
        to.chmod(mode)
    except FileNotFoundError:
        to.unlink(missing_ok=True)
        raise
    except OSError as problem:
        raise ArenaError(f"{_copied_name(to)}: {problem.strerror or problem}") from None
    found.bytes += to.stat().st_size
    _sync(to)


def _copied_name(path: Path) -> str:
    """What a file of the copy will be called: it is written under another name."""
    parts = [re.sub(rf"^\.(.+)\.{os.getpid()}$", r"\1", part) for part in path.parts]
    return str(Path(*parts))


def _sync(path: Path) -> None:
    """Flush a file or folder to disk, so that it survives a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
