"""``arena docs searching``: its bot plays and repeats itself, and its test finds nothing wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import bundled
from arena.bot import Bot
from arena.games import load_game
from arena.testing import play

from .pages import blocks, rows


@pytest.fixture
def trier(tmp_path: Path) -> Path:
    """The bot of the page."""
    (source,) = (block for block in blocks("searching", "python") if "class Trier" in block)
    path = tmp_path / "trier.py"
    path.write_text(source)
    return path


def test_the_bot_of_the_page_plays_and_repeats_itself(trier: Path) -> None:
    first, again = (play(f"{trier}?playouts=4", "dealmaker", "greedy", rules="outline", seed="7") for _ in "12")
    assert [seat.faults for seat in first.seats] == [{}, {}, {}]
    assert first.sha256 == again.sha256
    assert first.sha256 != play("dealmaker", "dealmaker", "greedy", rules="outline", seed="7").sha256


@pytest.mark.parametrize(
    ("search", "rules", "rivals"),
    [
        ("FlatSearch(", "outline", ["dealmaker", "greedy"]),
        ("LineSearch(", "outline", ["dealmaker", "greedy"]),
        ("TreeSearch(", "card-game", ["usurper", "closer"]),
    ],
)
def test_the_bots_with_a_search_play_and_repeat_themselves(
    tmp_path: Path, search: str, rules: str, rivals: list[str]
) -> None:
    (source,) = (block for block in blocks("searching", "python") if search in block)
    path = tmp_path / "closer.py"
    path.write_text(source.replace("playouts=60", "playouts=4"))
    first, again = (play(str(path), *rivals, rules=rules, seed="7") for _ in "12")
    assert [seat.faults for seat in first.seats] == [{}, {}, {}]
    assert first.sha256 == again.sha256


@pytest.mark.parametrize(
    ("cls", "game"),
    [
        (bundled.Planner, "board"),
        (bundled.Strategist, "board"),
        (bundled.Tactician, "board"),
        (bundled.Schemer, "cards"),
    ],
)
def test_the_moves_that_a_bot_tries_are_those_of_its_hooks(cls: type[Bot], game: str) -> None:
    hooks = [row[0].split("`")[1] for row in rows("searching", f"The search of `{cls.__name__.lower()}`")]
    assert {hook for hook in vars(cls) if hook in load_game(game).hooks} == set(hooks)


def test_the_test_of_the_page_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1] / "thirdgame")
    (source,) = (block for block in blocks("searching", "python") if "def test_" in block)
    space: dict[str, object] = {}
    exec(source.replace("my.pies", "tests.thirdgame.pie"), space)
    test = space["test_what_it_imagines"]
    assert callable(test)
    test()
