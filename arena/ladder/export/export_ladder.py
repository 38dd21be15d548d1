"""A ladder as a static folder for any web host: standings, history, every match, and the public part of the rest.

The same database gives the same bytes; no file names the time of the export. The new folder is complete before it
replaces the old one."""

from __future__ import annotations

import glob
import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from filecmp import cmp
from functools import partial
from hashlib import file_digest
from pathlib import Path

import msgspec

from arena.errors import ReplayError, UserError
from arena.foreign_files import open_foreign_file, parse_json, read_foreign_file
from arena.ladder.database.bot_versions.version_history import rating_history
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladder_standings import ladder_standings
from arena.ladder.database.ladders import Ladder, Season, seasons_of_ladder
from arena.ladder.database.publishing import cassettes_public, public_keys, replays_public
from arena.ladder.export.exported_pages import (
    PAGES_FOLDER,
    SEASONS_FILE,
    page_names,
    write_result_pages,
    write_seasons_page,
)
from arena.ladder.export.ladder_tables import (
    OF_LADDER,
    OF_SEASON,
    root_of_season,
    write_ladder_tables,
    write_season_tables,
    write_seasons,
)
from arena.ladder.export.readme import export_readme
from arena.ladder.export.viewed_matches import VIEWER_FILE, MatchViewer, write_viewed_matches, write_viewer
from arena.ladder.presenting.atom_feed import FEED_FILE
from arena.ladder.presenting.ladder_page import SeasonLink, standings_page
from arena.ladder.presenting.standings_figures import ladder_standings_csv, ladder_standings_data
from arena.ladder.presenting.svg_chart import about_history, history_svg
from arena.ladder.presenting.text_table import ladder_standings_markdown
from arena.ladder.rating.rating_history import history_data
from arena.ladder.show.season_results import public_seed, season_before, season_result
from arena.ladder.show.version_results import ranked_versions
from arena.printable import printable_text
from arena.storage.files.atomic_files import blame_path, check_place, has_ended
from arena.storage.packs.pack_writer import PackWriter
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, REPLAYS_FOLDER, KeptReplays
from arena.storage.root_digest import RootDigest

INDEX_FILE, README_FILE, DIGESTS_FILE = "index.html", "README.md", "SHA256SUMS"
MARK_FILE = "ladder.json"
"""The file that identifies the exported ladder: by its name, and by its first commitment to a seed, which is unique."""
OLD_SUFFIX = "old"
"""The suffix of the old folder's name while the new one replaces it."""
EXPORT_PACK_BYTES = 1 << 26
"""Bytes from which on a pack of replays is full: hosts refuse very large files."""
SEASON_FILES = {
    "standings.csv": "the standings, as CSV",
    "standings.json": "the standings, as JSON",
    "standings.md": "the standings, as Markdown",
    "history.json": "ratings over time of the ten highest-rated versions, and events, as JSON",
    "history.svg": "the same as a picture",
}
"""The files in a season's folder other than its tables, each with its meaning."""


class LadderExport(msgspec.Struct, frozen=True):
    """What was written: the ladder, the folder, so many ``files``, ``seasons``, ``matches`` and ``replays``; the
    ``root`` digest of the last season that has matches, which is ``root_season`` ("" and 0: none has); ``changed`` says
    whether the folder holds anything else than before."""

    ladder: str
    out: str
    files: int
    seasons: int
    matches: int
    replays: int
    root: str
    root_season: int
    changed: bool


def export_ladder(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    out: Path,
    viewer: MatchViewer,
    tell: Callable[[int], object] = lambda replays: None,
) -> LadderExport:
    """Write the ladder to the folder ``out``, completely or not at all, with a ``viewer`` of its matches. Calls
    ``tell(1)`` after each replay.

    Raises UserError where ``out`` holds anything but an earlier export of this very ladder, ReplayError where a public
    replay is missing or damaged."""
    check_place(out, "--out", folder=True)
    folder = out.resolve()
    _clear_up(folder)
    commitment = seasons_of_ladder(database, ladder.id)[0].seed_sha256
    _check_folder(folder, out, ladder.name, commitment)
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        with blame_path(out):
            unfinished.mkdir()
            roots, replays = _write_all(place, database, ladder, unfinished, viewer, tell)
            sums = _digest_lines(unfinished)
            changed = _has_changed(folder, sums)
            if changed:
                (unfinished / DIGESTS_FILE).write_text(sums, encoding="utf-8")
                _keep_times(unfinished, folder)
                _take_place(unfinished, folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    played = next((number for number in range(len(roots), 0, -1) if roots[number - 1].matches), 0)
    return LadderExport(
        ladder.name,
        str(out),
        sums.count("\n") + 1,
        len(roots),
        sum(root.matches for root in roots),
        replays,
        roots[played - 1].digest if played else "",
        played,
        changed,
    )


def _clear_up(out: Path) -> None:
    """Restore or remove what killed exports have left behind."""
    for left in sorted(out.parent.glob(f".{glob.escape(out.name)}.*")):
        process, _, old = left.name.removeprefix(f".{out.name}.").partition(".")
        if not process.isdecimal() or old not in ("", OLD_SUFFIX) or not has_ended(process):
            continue
        if old and not out.exists():
            left.rename(out)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _check_folder(folder: Path, out: Path, ladder: str, commitment: str) -> None:
    """Raise UserError where the folder that would be replaced holds anything but an export of this ladder."""
    if not folder.exists():
        return
    known, mark = {DIGESTS_FILE}, {}
    with suppress(OSError, ValueError):
        known |= {line[66:] for line in read_foreign_file(folder / DIGESTS_FILE).decode().splitlines()}
    with suppress(OSError, ValueError):
        mark = parse_json(read_foreign_file(folder / MARK_FILE))
    is_export = isinstance(mark, dict) and "ladder" in mark and "seed_sha256" in mark
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if (path.is_symlink() or not path.is_dir()) and (name.as_posix() not in known or not is_export):
            raise UserError(
                f"--out {out}: it holds {name}, which is not part of an export; choose a folder used for nothing else"
            )
    if is_export and (mark["ladder"], mark["seed_sha256"]) != (ladder, commitment):
        other = f"of ladder {mark['ladder']}" if mark["ladder"] != ladder else f"of another ladder called {ladder}"
        raise UserError(f"--out {out}: it holds the export {other}; choose a folder used for nothing else")


def _write_all(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    folder: Path,
    viewer: MatchViewer,
    tell: Callable[[int], object],
) -> tuple[list[RootDigest], int]:
    """Write everything except the digests; return the root digests of the seasons, and the number of replays."""
    every, replays = seasons_of_ladder(database, ladder.id), 0
    roots = [root_of_season(database, season) for season in every]
    for season, root in zip(every, roots, strict=True):
        of_season = msgspec.structs.replace(ladder, season=season)
        below = folder / f"season-{season.number}"
        below.mkdir()
        write_season_tables(database, ladder, season, below)
        _write_standings(database, of_season, every, folder, below)
        replays += _write_replays(place, database, of_season, root, below, tell)
        viewed = write_viewed_matches(viewer, place, database, of_season, below)
        write_result_pages(place, database, of_season, below, viewed)
    write_ladder_tables(database, ladder, folder)
    write_viewer(viewer, ladder, folder)
    write_seasons_page(database, ladder, folder)
    write_seasons(folder, ladder, zip(every, roots, strict=True))
    (folder / MARK_FILE).write_bytes(_ladder_json(ladder, every[0].seed_sha256))
    (folder / README_FILE).write_text(export_readme(ladder, every, roots, SEASON_FILES), encoding="utf-8")
    return roots, replays


def _write_standings(
    database: sqlite3.Connection, ladder: Ladder, every: list[Season], folder: Path, below: Path
) -> None:
    """The standings of a season in all their forms; those of the last season are the first page too, or while nothing
    of it is closed, the final ones of the season before."""
    shown, drawn = ladder_standings(database, ladder), rating_history(database, ladder, refused=False)
    shown = replace(shown, whole=replace(shown.whole, waiting=0))  # nothing of an open round
    (below / "standings.csv").write_text(ladder_standings_csv(shown), encoding="utf-8")
    (below / "standings.md").write_text(ladder_standings_markdown(shown), encoding="utf-8")
    (below / "standings.json").write_bytes(_json_bytes(ladder_standings_data(shown)))
    (below / "history.json").write_bytes(_json_bytes(history_data(drawn)))
    (below / "history.svg").write_text(history_svg(drawn), encoding="utf-8")
    by_version, _ = page_names(ranked_versions(database, ladder))
    pages = {printable_text(name): file for name, file in by_version.items()}  # as the table shows them
    number, new = ladder.season.number, season_before(database, ladder.id, every[-1])
    first, notes = new or every[-1], []
    if (result := season_result(database, ladder.season)) is not None:
        notes.append(result.told)
    if seed := public_seed(ladder):
        notes.append(f"The seed of season {number}: {seed}")
    if new is not None and ladder.season in (new, every[-1]):
        notes.append(f"Season {every[-1].number} is new: none of its rounds is closed yet.")
    for page, up, down in ((below / INDEX_FILE, "../", ""), (folder / INDEX_FILE, "", f"season-{number}/")):
        links = [
            SeasonLink(f"Season {each.number}", f"{up}season-{each.number}/{INDEX_FILE}") for each in reversed(every)
        ]
        links = [SeasonLink(each.text, "") if each.text == f"Season {number}" else each for each in links]
        files = [SeasonLink(name, down + name) for name in (*SEASON_FILES, *OF_SEASON)]
        of_all = (SEASONS_FILE, FEED_FILE, VIEWER_FILE, README_FILE, MARK_FILE, "seasons.csv", *OF_LADDER)
        files += [SeasonLink(name, up + name) for name in of_all]
        if page.parent == below or ladder.season == first:
            picture, about = f"{down}history.svg", about_history(drawn)
            text = standings_page(shown, links, files, picture, about, partial(_version_file, pages, down), notes)
            page.write_text(text, encoding="utf-8")


def _version_file(pages: Mapping[str, str], down: str, version: str) -> str:
    """The address of a version's page, seen from a page above ``down``."""
    return f"{down}{PAGES_FOLDER}/{pages[version]}"


def _write_replays(
    place: LadderFolder,
    database: sqlite3.Connection,
    ladder: Ladder,
    root: RootDigest,
    below: Path,
    tell: Callable[[int], object],
) -> int:
    """Write the public replays of a season, and public cassettes, into packs in its folder; return how many replays."""
    if not root.matches or not replays_public(ladder.config, ladder.season):
        return 0
    season = place.season(ladder.name, ladder.season.number)
    kept, packs = KeptReplays(season), PackWriter(below / REPLAYS_FOLDER, EXPORT_PACK_BYTES)
    told = bool(ladder.config.models) and cassettes_public(ladder.config, ladder.season)
    cassettes = KeptReplays(season, CASSETTES_FOLDER)
    cassette_packs, written = PackWriter(below / CASSETTES_FOLDER, EXPORT_PACK_BYTES), 0
    rows = database.execute(
        "SELECT m.name FROM rounds r JOIN matches m ON m.round = r.id "
        "WHERE r.season = ? AND r.state = 'closed' AND m.replay ORDER BY m.id",
        (ladder.season.id,),
    )
    try:
        for (name,) in rows:
            frame = kept.replay_frame(name)
            if frame is None:
                raise ReplayError(f"{kept.folder}: the replay of {name} is missing or damaged; restore a backup")
            packs.add(name, frame)
            if told and (calls := cassettes.replay_frame(name)) is not None:
                cassette_packs.add(name, calls)
            written += 1
            tell(1)
    finally:
        packs.close()
        cassette_packs.close()
    return written


def _ladder_json(ladder: Ladder, commitment: str) -> bytes:
    """Return as JSON the ladder's keys and edition, without the names of the operator's files, and its first
    ``commitment`` to a seed."""
    keys = public_keys(ladder.config)
    keys["rules"] = ladder.edition.label
    edition = ladder.edition
    return _json_bytes(
        {
            "ladder": ladder.name,
            "seed_sha256": commitment,
            "game": edition.game,
            "edition": edition.label,
            "edition_sha256": edition.digest,
            "seats": ladder.seats,
            "keys": keys,
            "rules": edition.data,
        }
    )


def _json_bytes(data: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data)) + b"\n"


def _digest_lines(folder: Path) -> str:
    """Return the SHA-256 of every file except the list of digests itself, by name, in the format of ``sha256sum``."""
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / DIGESTS_FILE):
        with open_foreign_file(path) as file:
            lines.append(f"{file_digest(file, 'sha256').hexdigest()}  {path.relative_to(folder).as_posix()}\n")
    return "".join(lines)


def _has_changed(out: Path, sums: str) -> bool:
    """Return whether the files in the folder differ from those with these digests."""
    with suppress(OSError, UnicodeDecodeError):
        return read_foreign_file(out / DIGESTS_FILE).decode() != sums or _digest_lines(out) != sums
    return True


def _keep_times(new: Path, old: Path) -> None:
    """Give unchanged files their former modification times, so that tools that copy the folder to a host skip them."""
    for path in new.rglob("*"):
        before = old / path.relative_to(new)
        if path.is_file() and before.is_file() and cmp(path, before, shallow=False):
            found = before.stat()
            os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _take_place(new: Path, out: Path) -> None:
    """Replace the old folder by the new one, and remove the old one."""
    if not out.exists():
        new.rename(out)
        return
    aside = out.with_name(f"{new.name}.{OLD_SUFFIX}")
    out.rename(aside)
    try:
        new.rename(out)
    except BaseException:
        aside.rename(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)
