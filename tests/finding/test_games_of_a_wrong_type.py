"""A bot whose ``games`` are of a wrong type is refused at once, in words that say what to write."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

GAMES = ["5", "...", '"board"', "None", "object()", '("board", 5)', '{"board"}', "iter(())", "lambda: 1"]
NAMES = ['(".x",)', '("a..b",)', '("",)', '("x" * 100_000,)', '("board\\n",)', '("os.path",)']


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("trust", [[], ["--trust"]])
def test_it_is_refused_at_once(trust: list[str], games: str, arena: Any, write_bot: Any) -> None:
    write_bot("pass", "mine", f"from arena.bot import Bot\nclass Mine(Bot):\n    games = {games}\n")
    began = perf_counter()
    ran = arena("match", "./mine.py", "silent", *trust)
    assert perf_counter() - began < 9
    assert (ran.code, ran.err) == (2, 'arena: bot mine.py: games is a tuple of names, as in games = ("board",)\n')


@pytest.mark.parametrize("games", NAMES)
def test_a_name_that_no_game_can_have_is_no_game(games: str, arena: Any, write_bot: Any) -> None:
    write_bot("pass", "mine", f"from arena.bot import Bot\nclass Mine(Bot):\n    games = {games}\n")
    ran = arena("match", "./mine.py", "silent", "--trust")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("arena: bot mine.py plays '")
