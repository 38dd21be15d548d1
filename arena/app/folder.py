"""A run's folder below ``results/``: what is written where, and how it is read again.

``matches.jsonl`` is the truth, one line a match; standings and crosstable are folded from it. While a run is
under way lines are only ever added; when it is complete they stand in the schedule's order.
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

import msgspec

from arena import __version__
from arena.app.plan import Plan
from arena.config.dialect import dump
from arena.errors import UserError
from arena.games.chance import SCHEME
from arena.match.work import Done, write_whole
from arena.replay.lines import FORMAT
from arena.tournament import render
from arena.tournament.records import MatchRecord
from arena.tournament.standings import Standings, fold_standings

CONFIG, MANIFEST, MATCHES, TIMINGS = "config.resolved.yaml", "manifest.json", "matches.jsonl", "timings.jsonl"
_RECORDS = msgspec.json.Decoder(MatchRecord)


def new_folder(name: str, out: Path | None) -> Path:
    """An empty folder for a run: ``out``, or ``results/NAME-YYYYMMDD-HHMMSS``. UserError where it is not empty."""
    if out is None:
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        plain = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in name)
        tries = (Path("results") / f"{plain}-{stamp}{suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
        out = next(path for path in tries if not path.exists())
    elif out.exists() and (not out.is_dir() or any(out.iterdir())):
        again = f", or go on with: arena run --resume {out}" if (out / MANIFEST).is_file() else ""
        raise UserError(f"{out} exists already; choose another --out{again}")
    return out


def begin(folder: Path, plan: Plan, command: str) -> None:
    """Write what is known before the first match."""
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    write_whole(folder / CONFIG, dump(plan.resolved()).encode())
    write_manifest(folder, plan, command, {"started": now(), "state": "running"})


def now() -> str:
    """The time, for the manifest alone."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write_manifest(folder: Path, plan: Plan, command: str, more: dict[str, Any]) -> None:
    """Write ``manifest.json``: versions, digests, the command that began the run, and ``more``, over what it held."""
    path, before = folder / MANIFEST, {}
    if path.is_file():
        before = json.loads(path.read_text())
    manifest = {
        "tournament": plan.tournament.name,
        "seed": plan.seed,
        "command": before.get("command", command),
        "matches": len(plan.schedule),
        "arena": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "replay_format": FORMAT,
        "chance": SCHEME,
        "isolation": plan.isolation.describe(),
        "editions": {label: edition.digest for label, (edition, _) in zip(plan.labels, plan.tables, strict=True)},
        "entrants": {
            name: {"bot": bot.name, "sha256": bot.sha256, "options": bot.options}
            for name, bot in zip(plan.names, plan.bots, strict=True)
        },
    }
    write_whole(path, (json.dumps({**before, **manifest, **more}, indent=2) + "\n").encode())


def check_same(folder: Path, plan: Plan) -> None:
    """Refuse to go on with bots or rules that are not those the run began with."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError) as problem:
        raise UserError(f"{folder / MANIFEST} cannot be read: {problem}") from None
    for name, bot in zip(plan.names, plan.bots, strict=True):
        began = manifest.get("entrants", {}).get(name, {}).get("sha256")
        if began != bot.sha256:
            raise UserError(f"the bot of {name} ({bot.name}) has changed since this run began; start a new run")
    for label, (edition, _) in zip(plan.labels, plan.tables, strict=True):
        if manifest.get("editions", {}).get(label) != edition.digest:
            raise UserError(f"the rules of {label} have changed since this run began; start a new run")
    level = manifest.get("isolation", {}).get("level")
    if level != plan.isolation.level:
        raise UserError(f"this run began with bots at isolation level {level}, here it is {plan.isolation.level}")
    if manifest.get("arena") != __version__:
        raise UserError(f"this run began with arena {manifest.get('arena')}, this is {__version__}; start a new run")


def records(folder: Path) -> Iterator[MatchRecord]:
    """The finished matches, as they stand. A last line that is cut off (the run was killed) is passed over."""
    path = folder / MATCHES
    if not path.is_file():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield _RECORDS.decode(line)
            except msgspec.DecodeError as problem:
                foreign = isinstance(problem, msgspec.ValidationError)
                hint = "; was it written by another version of arena?" if foreign else ""
                raise UserError(f"{path}:{number}: no match record: {problem}{hint}") from None


class Writer:
    """Adds finished matches to ``matches.jsonl`` and ``timings.jsonl``, each line flushed at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._matches, self._timings = _reopen(folder / MATCHES), _reopen(folder / TIMINGS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._matches.close()
        self._timings.close()

    def add(self, done: Done) -> None:
        """One more match."""
        self._matches.write(msgspec.json.encode(done.record) + b"\n")
        self._timings.write(msgspec.json.encode(done.timing) + b"\n")
        self._matches.flush()
        self._timings.flush()


def _reopen(path: Path) -> IO[bytes]:
    """Open for adding, behind the last whole line."""
    file = path.open("ab+")
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            end = start + found + 1
            break
        end = start
    file.truncate(end)
    return file


def put_in_order(folder: Path, plan: Plan) -> None:
    """Bring the lines of a complete run into the schedule's order, if a broken-off run left them otherwise."""
    if all(record.id == fixture.id for record, fixture in zip(records(folder), plan.schedule, strict=False)):
        return
    for name in (MATCHES, TIMINGS):
        path = folder / name
        lines = {msgspec.json.decode(line)["id"]: line for line in path.read_bytes().splitlines(keepends=True)}
        write_whole(path, b"".join(lines[fixture.id] for fixture in plan.schedule if fixture.id in lines))


def labels_of(folder: Path) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The tournament, its entrants and its editions' labels, as the manifest has them. Raises UserError without one."""
    if not (folder / MANIFEST).is_file():
        raise UserError(f"{folder} holds no run: {folder / MANIFEST} is missing")
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return manifest["tournament"], tuple(manifest["entrants"]), tuple(manifest["editions"])
    except (OSError, ValueError, KeyError) as problem:
        raise UserError(f"{folder / MANIFEST} cannot be read: {problem!r}") from None


def write_standings(
    folder: Path, tournament: str, names: Sequence[str], labels: Sequence[str]
) -> tuple[Standings, ...]:
    """Fold ``matches.jsonl`` into the standings files."""
    standings = fold_standings(records(folder), names, labels)
    data = json.dumps(render.standings_data(standings), indent=2, ensure_ascii=False) + "\n"
    markdown = "\n".join(f"## {each.edition}\n\n{render.standings_markdown(each)}" for each in standings)
    for name, text in (
        ("standings.json", data),
        ("standings.csv", render.standings_csv(standings)),
        ("standings.md", f"# {tournament}\n\n{markdown}"),
        ("crosstable.csv", render.crosstable_csv(standings)),
    ):
        write_whole(folder / name, text.encode())
    return standings


def remove_unfinished(folder: Path) -> None:
    """Remove files that a killed worker left half written."""
    for path in (folder / "replays").rglob(".*.jsonl.*"):
        with suppress(FileNotFoundError):
            path.unlink()


def command_line() -> str:
    """The command as it was given, to be typed again."""
    return shlex.join(["arena", *sys.argv[1:]])
