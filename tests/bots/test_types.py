"""The games' base classes tell a type checker what bots may do: ``mypy --strict`` passes right bots, not wrong ones."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.commands.bots.new_bot import games_with_template, new_bot
from arena.games import load_game
from arena.games.board import BoardBot
from arena.games.cards import CardsBot
from arena.games.game_bot import Bot
from tests.conftest import environment_of

ROOT = Path(__file__).parents[2]
BASES: dict[str, type[Bot]] = {"board": BoardBot, "cards": CardsBot}
RIGHT = {
    "words": """
        def turn(self, view: board.TurnView) -> board.TurnAnswer:
            return Reply(board.Draw(), say="patience") if view.rolled else board.Roll()

        def offer(self, view: board.OfferView) -> board.OfferAnswer:
            return Reply(say="nothing to offer")
    """,
    "any_legal_move": """
        def turn(self, view: board.TurnView) -> board.TurnAnswer:
            return self.random.choice(self.legal_moves(view))

        def interrupt(self, view: board.InterruptView) -> board.InterruptAnswer:
            return next((move for move in self.legal_moves(view) if self.refusal(view, move) is None), None)
    """,
    "rules": """
        def discard(self, view: board.DiscardView) -> board.Discard:
            return board.Discard(view.hand[self.rules.hand_limit :])
    """,
}
WRONG = {
    "answer": ("def turn(self, view: board.TurnView) -> board.TurnAnswer: return True", "return-value"),
    "answer_in_words": (
        "def close(self, view: board.CloseView) -> board.CloseAnswer: return Reply(board.Roll(), say='x')",
        "arg-type",
    ),
    "answer_of_another_hook": (
        "def accept(self, view: board.AcceptView) -> board.TurnAnswer: return board.Roll()",
        "override",
    ),
    "none_where_something_must_be_done": (
        "def turn(self, view: board.TurnView) -> None: return None",
        "override",
    ),
    "view": ("def turn(self, view: board.CloseView) -> board.TurnAnswer: return board.Roll()", "override"),
    "key_of_the_rules": (
        "def turn(self, view: board.TurnView) -> board.TurnAnswer: return board.Open((self.rules.hand_limt,))",
        "attr-defined",
    ),
    "text": ("def accept(self, view: board.AcceptView) -> str: return 'yes'", "override"),
}
HEAD = "from arena.bot import Reply\nfrom arena.games import board\nfrom arena.games.board import BoardBot\n\n\n"


def readme_bot() -> str:
    (found,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return str(found)


def bot_for_both_games() -> str:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "arena/docs/bots.md").read_text("utf-8"), re.DOTALL | re.M)
    (found,) = [block for block in blocks if "class Amphibian" in block]
    return str(found)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory, mypy_cache: Path) -> Callable[[str], list[str]]:
    """What ``mypy --strict`` says of each bot, all looked at in one go."""
    folder = tmp_path_factory.mktemp("typed")
    for game in games_with_template():
        new_bot(f"template_{game}", folder, game)
    (folder / "readme.py").write_text(readme_bot())
    (folder / "both.py").write_text(bot_for_both_games())
    for name, body in RIGHT.items():
        (folder / f"right_{name}.py").write_text(f"{HEAD}class Mine(BoardBot):{body}")
    for name, (body, _) in WRONG.items():
        (folder / f"wrong_{name}.py").write_text(f"{HEAD}class Mine(BoardBot):\n    {body}\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    files = sorted(path.name for path in folder.glob("*.py"))
    environment = environment_of(MYPYPATH=str(ROOT), MYPY_CACHE_DIR=str(mypy_cache))
    done = subprocess.run([*command, *files], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert done.stderr == ""
    assert all(line.partition(":")[0] in files for line in done.stdout.splitlines()), done.stdout

    def of(name: str) -> list[str]:
        assert f"{name}.py" in files
        return [line for line in done.stdout.splitlines() if line.startswith(f"{name}.py:") and " error: " in line]

    return of


@pytest.mark.slow
def test_templates_and_the_bots_of_readme_and_docs_pass(checked: Callable[[str], list[str]]) -> None:
    for game in games_with_template():
        assert checked(f"template_{game}") == []
        assert checked(f"test_template_{game}") == []
    assert checked("readme") == []
    assert checked("both") == []


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_bot_passes(name: str, checked: Callable[[str], list[str]]) -> None:
    assert checked(f"right_{name}") == []


@pytest.mark.parametrize("name", WRONG)
def test_a_bot_with_a_wrong_type_does_not(name: str, checked: Callable[[str], list[str]]) -> None:
    (error,) = checked(f"wrong_{name}")
    assert error.endswith(f"[{WRONG[name][1]}]")


@pytest.mark.parametrize("game", BASES)
def test_a_games_base_declares_every_hook_with_its_view_its_answer_and_its_rule(game: str) -> None:
    base = BASES[game]
    hooks = load_game(game).hooks
    assert base.base_of == game
    assert {name for name in vars(base) if not name.startswith("_") and callable(getattr(base, name))} == set(hooks)
    letter = {"board": "B", "cards": "C"}[game]
    for name, hook in hooks.items():
        declared = getattr(base, name)
        assert declared.__annotations__["view"] == hook.view.__name__
        assert declared.__annotations__["return"] == hook.view.__name__.replace("View", "Answer")
        assert re.search(rf"\({letter}\d.*\)", declared.__doc__), name
