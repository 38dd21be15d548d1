"""A full disk is named where it is, and leaves nothing half-written in a ladder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

from arena.finding.reference import refer_file
from arena.ladder.database.bot_versions.version_files import keep_files
from arena.ladder.database.ladder_folder import LadderFolder
from tests.conftest import Arena


def full(*given: object, **more: object) -> NoReturn:
    """Writes as to a full disk, which does not say whose bytes it refused."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_export_names_its_folder(
    arena: Arena, league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "write_text", full)
    ran = arena("ladder", "export", "league", "--out", "public")
    assert (ran.code, ran.err.splitlines()[-1]) == (1, "arena: public: No space left on device")
    assert [path.name for path in tmp_path.iterdir() if "public" in path.name] == []


def test_a_submission_names_where_its_files_are_kept(
    arena: Arena, league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("# mine\n")
    ref, before = refer_file(str(tmp_path / "mine.py"), None), sorted((league / "versions").iterdir())
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as raised:
        keep_files(LadderFolder(Path("league")), ref)
    assert str(raised.value.filename).startswith("league/versions/")
    assert sorted((league / "versions").iterdir()) == before
