"""The page on auditing tells of every field and label, and its recipe is the program's."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from arena.storage.audit_file import AuditBound, AuditDifference, AuditOutcome, AuditResult, AuditTally
from arena.storage.root_digest import root_of
from arena.tournament.standings.provenance import Label
from tests.docs.pages import TEXT, blocks, codes, rows, section


def test_every_field_of_an_audit_is_described() -> None:
    described = codes(section("auditing", "What is written"))
    for each in (AuditResult, AuditDifference, AuditBound, AuditTally):
        assert set(each.__struct_fields__) <= described, each
    assert set(AuditOutcome) - {AuditOutcome.IDENTICAL} <= codes(section("auditing", "When a match differs"))


def test_every_label_is_described() -> None:
    assert [row[0].strip("`") for row in rows("auditing", "Labels")] == list(Label)


def test_the_recipe_in_python_gives_the_root_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "matches.jsonl").write_bytes(b"".join(b'{"id":"%d"}\n' % number for number in range(99)))
    (recipe,) = (block for block in blocks("auditing", "text") if block.startswith("from hashlib"))
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()) as printed:
        exec(recipe, {})
    assert printed.getvalue().strip() == root_of(tmp_path / "matches.jsonl").digest


def test_the_recipe_of_the_shell_is_the_one_that_is_tested() -> None:
    (recipe,) = re.findall(r"^split .*$", TEXT["auditing"], re.MULTILINE)
    assert recipe in (Path(__file__).parents[1] / "storage" / "test_root.py").read_text()
