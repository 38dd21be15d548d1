"""``manifest.json`` of a run's folder: what was known before its first match, and the run's state."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from arena.config.documents.dialect import dump_yaml
from arena.engine import PURE
from arena.errors import UnsafeFile, UserError
from arena.foreign_files import parse_json, read_foreign_file
from arena.storage.files.atomic_files import write_whole
from arena.storage.layout import CONFIG_FILE, MANIFEST_FILE, check_folders
from arena.storage.resume_command import resume_command
from arena.storage.run_facts.facts import Facts, RunState

FIRST_WRITTEN = ("command", "started", "skipped", "measure_names", "registration")
"""The keys that keep what they said when the run began, even when it is resumed."""


class Manifest:
    """The manifest of the run in ``folder``; messages call the folder ``shown``."""

    def __init__(self, folder: Path, shown: Path) -> None:
        self.folder, self.shown = folder, shown

    def begin(self, facts: Facts) -> None:
        """Write the facts of a new run, and the configuration beside them. Raises UserError where a run has already
        begun there."""
        if (self.folder / MANIFEST_FILE).exists():
            raise UserError(f"{self.shown} already holds a run; choose another --out")
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / CONFIG_FILE, dump_yaml(facts.config).encode())
        self._write({**facts_as_keys(facts), "started": _utc_text(), "state": RunState.RUNNING})

    def go_on(self, facts: Facts) -> None:
        """Write the facts of a resumed run: the same as before, except for added blocks."""
        before = self.read()
        kept: dict[str, Any] = {name: before[name] for name in FIRST_WRITTEN if name in before}
        if not before.get("code"):
            kept["code"] = {}  # what played the matches before is not known
        kept["engines"] = list(dict.fromkeys((*before.get("engines", (PURE,)), *facts.engines)))
        write_whole(self.folder / CONFIG_FILE, dump_yaml(facts.config).encode())
        before.pop("root", None)
        self._write({**before, **facts_as_keys(facts), **kept, "state": RunState.RUNNING})

    def end(self, state: RunState, finished: int, suspended: Mapping[str, int]) -> None:
        """Write how the run ended."""
        self.update({"state": state, "ended": _utc_text(), "finished": finished, "suspended": dict(suspended)})

    def count_again(self, matches: int) -> None:
        """Add ``matches`` to the number of matches that are played again."""
        again = self.read().get("played_again", 0) + matches
        self.update({"played_again": again, "state": RunState.RUNNING})

    def update(self, keys: Mapping[str, Any]) -> None:
        """Write these keys; all others stay as they are."""
        self._write({**self.read(), **keys})

    def read(self) -> dict[str, Any]:
        """The whole manifest. Raises UserError where there is no run, or where it cannot be read."""
        return read_facts_file(self.folder, self.shown, MANIFEST_FILE, "run")

    def facts(self) -> Facts:
        """The facts that were known before the first match."""
        return msgspec.convert(self.read(), Facts)

    def state(self) -> RunState:
        """The run's state. Raises UserError where the manifest does not say."""
        stated = self.read().get("state")
        if stated not in list(RunState):
            raise UserError(f"{self.shown / MANIFEST_FILE}: state is {stated!r}, expected one of {', '.join(RunState)}")
        return RunState(stated)

    def resume_command(self) -> str:
        """The command that resumes the run, as it is typed."""
        try:
            manifest = self.read()
        except UserError:  # it says nothing that would have to be said again
            manifest = {}
        return resume_command(self.shown, manifest)

    def _write(self, manifest: dict[str, Any]) -> None:
        write_whole(self.folder / MANIFEST_FILE, (json.dumps(manifest, indent=2) + "\n").encode())


def _utc_text() -> str:
    """The current time in UTC, for the manifest only."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_facts_file(folder: Path, shown: Path, name: str, content: str) -> dict[str, Any]:
    """The whole JSON file ``name`` of the folder, which has the keys of Facts. Messages call the folder ``shown``.
    Raises UserError where it is missing, so that the folder holds no ``content``, or where it cannot be read."""
    path, shown_path = folder / name, shown / name
    if not path.is_file():
        raise UserError(f"{shown} holds no {content}: {shown_path} is missing")
    check_folders(folder)
    try:
        data: dict[str, Any] = parse_json(read_foreign_file(path))
        msgspec.convert(data, Facts)
    except UnsafeFile as problem:
        raise UserError(f"{shown_path}: {problem.reason}") from None
    except (OSError, ValueError) as problem:
        raise UserError(f"{shown_path} cannot be read: {problem}") from None
    return data


def facts_as_keys(facts: Facts) -> dict[str, Any]:
    """Facts as keys of a JSON file; the configuration has a file of its own."""
    keys = {name: getattr(facts, name) for name in Facts.__struct_fields__ if name != "config"}
    return {name: msgspec.to_builtins(value) for name, value in keys.items() if name != "registration" or value}
