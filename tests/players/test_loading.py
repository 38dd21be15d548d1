"""A bot's name leads to one class, or to a message that says what was found."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import BotError
from arena.games import games
from arena.players.hooks import games_of, hooks_of
from arena.players.loading import (
    BotRef,
    bundled_bots,
    find_file,
    make_bot,
    refer_file,
    refer_module,
)
from arena.testing import play

ONE = "from arena.bot import Bot\nclass One(Bot):\n    def __init__(self, depth: int = 1): self.depth = depth\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(ONE)
    return path


def why(ref: BotRef) -> str:
    with pytest.raises(BotError) as caught:
        make_bot(ref)
    return str(caught.value)


def test_the_only_bot_of_a_file_is_found(file: Path) -> None:
    file.write_text(ONE + "class _Hidden(Bot): pass\nAlias = None\nfrom arena.bot import Bot as Base\n")
    bot = make_bot(refer_file(str(file), None, {"depth": 3}))
    assert (type(bot).__name__, vars(bot)["depth"]) == ("One", 3)


def test_every_bundled_bot_loads() -> None:
    for name in bundled_bots():
        make_bot(find_file(name))


def test_two_bots_in_a_file_ask_for_a_choice(file: Path) -> None:
    file.write_text(ONE + "class Two(Bot): pass\n")
    assert why(refer_file(str(file), None)) == f"{file} defines 2 bots: One, Two. Say which, as in {file}:One"
    assert type(make_bot(refer_file(str(file), "Two"))).__name__ == "Two"


def test_a_file_without_a_bot_lists_its_classes(file: Path) -> None:
    file.write_text("class One: pass\n")
    expected = f"{file} defines no bot: no class derives from arena.bot.Bot; its classes are One"
    assert why(refer_file(str(file), None)) == expected
    assert why(refer_file(str(file), "One")) == f"One in {file} is no bot: it does not derive from arena.bot.Bot"
    file.write_text("")
    assert why(refer_file(str(file), None)).endswith("; it defines no class")


def test_a_misspelt_class_option_or_file_names_the_nearest(file: Path) -> None:
    assert why(refer_file(str(file), "Onne")) == f"{file} defines no 'Onne' (did you mean 'One'?)"
    expected = "bot bots.py has no option 'dept' (did you mean 'depth'?); it takes depth"
    assert why(refer_file(str(file), None, {"dept": 3})) == expected
    with pytest.raises(BotError, match=r"no bot file .*/bot\.py \(did you mean 'bots\.py'\?\): No such file"):
        refer_file(str(file.with_name("bot.py")), None)
    with pytest.raises(BotError, match=r"no bundled bot 'greddy' \(did you mean 'greedy'\?\); there are .*dealmaker, "):
        find_file("greddy")


@pytest.mark.parametrize("module", ["sys", "no_such_package.bot", "arena.no_such_module"])
def test_a_module_that_is_not_there_or_has_no_source_is_named(module: str) -> None:
    with pytest.raises(BotError, match=f"no module '{module}' to import"):
        refer_module(module, "Bot")


def test_a_file_that_changed_since_it_was_named_is_refused(file: Path) -> None:
    ref = refer_file(str(file), None)
    file.write_text(ONE + "\n")
    assert why(ref) == f"{file} has changed since this run began"


def test_a_file_is_executed_anew_for_every_bot(file: Path) -> None:
    file.write_text(ONE + "    seen = []\n    def __post__(self): pass\n")
    first, second = (make_bot(refer_file(str(file), None)) for _ in range(2))
    vars(type(first))["seen"].append(1)
    assert vars(type(second))["seen"] == []


@pytest.mark.parametrize(
    ("body", "played"),
    [
        ("turn = offer = hook", ("board",)),
        ("lead = accept = hook", ("cards",)),
        ("turn = play = offer = hook", ("board", "cards")),
        ("offer = accept = discard = hook", ("board", "cards")),
        ("pass", ()),
        ("games = ('cards',); turn = play = offer = hook", ("cards",)),
        ("games = ('board', 'cards'); turn = offer = hook", ("board", "cards")),
    ],
)
def test_a_bot_is_asked_in_the_games_it_names_or_its_hooks_tell(
    body: str, played: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(f"from arena.bot import Bot\nclass Mine(Bot):\n    def hook(self, view): ...\n    {body}\n")
    cls = type(make_bot(refer_file(str(file), None)))
    assert games_of(cls) == played
    assert {game for game in games() if hooks_of(cls, game)} == set(played)


def test_a_bot_made_for_the_board_game_lets_its_defaults_play_at_a_table_of_cards() -> None:
    result = play("greedy", "random-legal", "random-legal", rules="card-game", seed="1")
    assert result.seats[0].faults == {}
    assert result.hooks[0] == {}
    assert result.hooks[1]


def test_a_bot_that_names_a_game_there_is_not_cannot_be_loaded(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("from arena.bot import Bot\nclass Mine(Bot):\n    games = ('bord',)\n")
    with pytest.raises(BotError, match=r"plays 'bord' \(did you mean 'board'\?\); there are board, cards"):
        make_bot(refer_file(str(file), None))
