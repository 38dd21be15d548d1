"""Recorded matches that go on otherwise: models answer as recorded, and once the user allows it, what is new."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import Arena
from tests.consultation.asking import FakeModel, write_asker
from tests.consultation.test_runs_with_models import Models, models

__all__ = ["models"]
MATCH = ("match", "./asker.py", "greedy", "--seed", 7, "--rule", "max_turns=3", "--models", "fast.yaml")


@pytest.fixture
def recorded(arena: Arena, models: Models, tmp_path: Path) -> Path:
    """A match in which a bot asked a model, and a version of the bot that asks otherwise."""
    write_asker(tmp_path)
    (tmp_path / "fast.yaml").write_text("models: {fast: {url: scripted, price: {prompt: 1, completion: 1}}}\n")
    models(FakeModel())
    ran = arena(*MATCH, "--out", "m.jsonl")
    assert ran.code == 0, ran.err
    (tmp_path / "newer.py").write_text((tmp_path / "asker.py").read_text().replace("what now?", "and now?"))
    return tmp_path / "m.jsonl"


def test_a_bot_that_asks_something_new_is_answered_once_this_is_allowed_and_never_twice(
    arena: Arena, models: Models, recorded: Path
) -> None:
    words = ("refeed", "m.jsonl", "--seat", 0, "--bot", "./newer.py", "--all", "--trust")
    model = models(FakeModel())
    refused = arena(*words)
    assert refused.code == 1
    assert "the request is in no cassette" in refused.err
    assert "nearest recording" in refused.err
    assert model.asked == []
    model = models(FakeModel())
    assert arena(*words, "--allow-models", "--calls", "calls", "--money", 1).code in (0, 1)
    assert model.asked
    assert all("and now?" in each.messages[-1].content for each in model.asked)
    silent = models(FakeModel())
    assert arena(*words, "--allow-models", "--calls", "calls").code in (0, 1)
    assert silent.asked == []
    folder = recorded.with_name("folder")
    folder.mkdir()
    for name in ("m.jsonl", "m.cassette"):
        shutil.copy(recorded.with_name(name), folder)
    model = models(FakeModel())
    found = arena("refeed", "folder", "--entrant", "asker", "--bot", "./newer.py", "--all", "--trust", "--allow-models")
    assert found.code in (0, 1), found.err
    assert model.asked


def test_a_branch_asks_what_is_new_and_its_replay_has_its_own_cassette(
    arena: Arena, models: Models, recorded: Path, tmp_path: Path
) -> None:
    words = ("branch", "m.jsonl", "--at", "ask1", "--repeat", 1, "--bot", "./newer.py", "-q")
    model = models(FakeModel())
    told = arena(*words)
    assert "in no cassette" in told.out + told.err
    assert "add --allow-models, so that language models answer what is not recorded" in told.err
    assert model.asked == []
    model = models(FakeModel())
    branched = arena(*words, "--allow-models", "--calls", "calls", "--out", "out")
    assert "add --allow-models" not in branched.err
    assert branched.code == 0, branched.err
    assert "16 slots in one process" in branched.err
    assert any("and now?" in each.messages[-1].content for each in model.asked)
    again = models(FakeModel())
    assert arena(*words, "--allow-models", "--calls", "calls").code == 0
    assert again.asked == []
    assert (tmp_path / "out" / "changed.cassette").is_file()
    for words, why in (
        (("branch", "m.jsonl", "--scan", 0, "--allow-models"), "in a scan models answer as recorded"),
        (("branch", "m.jsonl", "--at", "ask1", "--calls", "x"), "add --allow-models"),
        (("refeed", "m.jsonl", "--seat", 0, "--bot", "./newer.py", "--pdb", "--allow-models"), "in the debugger"),
    ):
        refused = arena(*words)
        assert (refused.code, re.search(why, refused.err) is not None) == (2, True), refused.err
