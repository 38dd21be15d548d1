"""``arena docs environments``: its code runs, and its tables are those of the codings."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from arena.coding.coding import Coding
from arena.environments import SeatEnv, TableEnv
from arena.environments.episode import load_setting
from arena.environments.rewards import RewardKind
from arena.match.walk.verify import verify_replay

from .pages import FLAT, blocks, codes, rows

PAGE = "environments"
both_games = pytest.mark.parametrize(
    ("rules", "game"), [("eagle-gryphon", "The board game"), ("card-game", "The card game")]
)


def numbers(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first}–{first + count - 1}"


def coding_of(rules: str) -> Coding:
    return load_setting(rules, ())[1]


@both_games
def test_the_table_of_actions_is_that_of_the_coding(rules: str, game: str) -> None:
    coding, expected = coding_of(rules), []
    for group, first in zip(coding.groups, coding.first, strict=True):
        few = len(group.labels) <= 4
        labels = ", ".join(group.labels) if few else f"{group.labels[0]} … {group.labels[-1]}"
        hooks = ", ".join(f"`{hook}`" for hook in group.hook.split(", "))
        expected.append([hooks, numbers(first, len(group.labels)), labels, group.meaning])
    assert rows(PAGE, f"{game}: actions") == expected
    assert f"{len(coding.actions)} actions" in FLAT[PAGE]


@both_games
def test_the_table_of_the_observation_is_that_of_the_coding(rules: str, game: str) -> None:
    coding, expected, place = coding_of(rules), [], 0
    for field in coding.fields:
        expected.append([f"`{field.name}`", numbers(place, field.size), f"{field.scale:g}", field.meaning])
        place += field.size
    assert rows(PAGE, f"{game}: observation") == expected
    assert f"{coding.size} numbers" in FLAT[PAGE]


def test_the_arguments_and_rewards_are_all_there() -> None:
    arguments = {name for env in (SeatEnv, TableEnv) for name in inspect.signature(env).parameters}
    assert {next(iter(codes(row[0]))) for row in rows(PAGE, "One seat, or the whole table")} == arguments
    assert [row[0] for row in rows(PAGE, "Rewards")] == [f"`{kind}`" for kind in RewardKind]


def test_the_code_runs_and_its_replay_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    seat, table = blocks(PAGE, "python")
    exec(compile(seat, "seat", "exec"), {})
    verify_replay(Path("episode.jsonl").read_bytes())
    exec(compile(table, "table", "exec"), {})
    money, standings = capsys.readouterr().out.splitlines()
    assert all(word.isdigit() for word in money.split())
    assert standings.startswith("[")
