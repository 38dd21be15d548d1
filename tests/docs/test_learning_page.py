"""``arena docs learning``: its script trains, exports and leaves a bot that plays; its code runs; its arrays are those
of the export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from arena.environments.episode import load_setting
from arena.learning.decisions import Decisions, encode_decisions
from arena.testing import play
from tests.learning.sb3_fakes import fake_modules

from .pages import blocks, codes, rows

PAGE = "learning"


def python_block(words: str) -> str:
    (block,) = (each for each in blocks(PAGE, "python") if words in each)
    return block


def test_the_script_trains_in_the_environment_and_writes_a_bot_that_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, module in fake_modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    exec(python_block("MaskablePPO"), space)
    assert len(space["model"].rewards) == 8 * 40
    result = play("./learned", *space["BOTS"], rules=space["RULES"], variants=("short-game",))
    assert result.seats[0].entrant == "learned"
    assert result.seats[0].faults == {}


def test_the_table_of_arrays_is_that_of_the_export() -> None:
    named = [name for row in rows(PAGE, "Decisions as arrays") for name in codes(row[0])]
    assert sorted(named) == sorted(Decisions._fields)


def test_the_code_that_reads_the_arrays_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy

    _, coding = load_setting("card-game", ())
    masks = numpy.zeros((2, len(coding.actions)), numpy.int8)
    masks[0, [1, 2]], masks[1, [1, 2, 3, 4]] = 1, 1
    numbers = numpy.array([2, 4])
    found = Decisions(
        numpy.zeros((2, coding.size), numpy.float32), masks, numbers, numbers, numbers, numbers, numbers, numbers,
        ("match",), "cards", coding.digest(), 0,
    )  # fmt: skip
    (tmp_path / "decisions.npz").write_bytes(encode_decisions(found))
    monkeypatch.chdir(tmp_path)
    exec(python_block("numpy.load"), {})
    assert capsys.readouterr().out == "a guess is right in 37.5% of 2 decisions\n"
