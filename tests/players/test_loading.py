"""A bot's name leads to one class, or to a message that says what was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import BotError
from arena.finding.hooks import games_of_class, hooks_of
from arena.finding.loading import make_bot
from arena.finding.reference import BotRef, bundled_bots, find_file, refer_file, refer_module
from arena.games import built_in_games, import_game
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
    assert why(refer_file(str(file), None)) == "bots.py defines 2 bots: One, Two. Say which, as in bots.py:One"
    assert type(make_bot(refer_file(str(file), "Two"))).__name__ == "Two"


def test_a_file_without_a_bot_lists_its_classes(file: Path) -> None:
    file.write_text("class One: pass\n")
    expected = "bots.py defines no bot: no class derives from arena.bot.Bot; its classes are One"
    assert why(refer_file(str(file), None)) == expected
    assert why(refer_file(str(file), "One")) == "One in bots.py is not a bot: it does not derive from arena.bot.Bot"
    file.write_text("")
    assert why(refer_file(str(file), None)).endswith("; it defines no class")


def test_a_misspelt_class_option_or_file_names_the_nearest(file: Path) -> None:
    assert why(refer_file(str(file), "Onne")) == "bots.py defines no 'Onne' (did you mean 'One'?)"
    expected = "bot bots.py has no option 'dept' (did you mean 'depth'?); it takes depth"
    assert why(refer_file(str(file), None, {"dept": 3})) == expected
    with pytest.raises(BotError, match=r"no bot file .*/bot\.py \(did you mean 'bots\.py'\?\)"):
        refer_file(str(file.with_name("bot.py")), None)
    with pytest.raises(BotError, match=r"no bundled bot 'greddy' \(did you mean 'greedy'\?\); there are .*dealmaker, "):
        find_file("greddy")


@pytest.mark.parametrize("module", ["sys", "no_such_package.bot", "arena.no_such_module"])
def test_a_module_that_is_not_there_or_has_no_source_is_named(module: str) -> None:
    with pytest.raises(BotError, match=f"no module '{module}' to import"):
        refer_module(module, "Bot")


def test_a_file_is_executed_anew_for_every_bot(file: Path) -> None:
    file.write_text(ONE + "    seen = []\n    def __post__(self): pass\n")
    first, second = (make_bot(refer_file(str(file), None)) for _ in range(2))
    vars(type(first))["seen"].append(1)
    assert vars(type(second))["seen"] == []


BASES = "from arena.bot import Bot\nfrom arena.games.board import BoardBot\nfrom arena.games.cards import CardsBot\n"
MINE = BASES + "class Mine({bases}):\n    def hook(self, view): ...\n    {body}\n"


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., BotRef]:
    """A bot whose class derives from ``bases`` and has the line ``body``."""

    def write(bases: str, body: str = "pass", source: str = MINE) -> BotRef:
        path = tmp_path / "mine.py"
        path.write_text(source.format(bases=bases, body=body))
        return refer_file(str(path), None)

    return write


@pytest.mark.parametrize(
    ("bases", "body", "asked"),
    [
        ("BoardBot", "turn = offer = hook", {"board": {"turn", "offer"}}),
        ("CardsBot", "lead = offer = hook", {"cards": {"lead", "offer"}}),
        (
            "BoardBot, CardsBot",
            "turn = play = offer = hook",
            {"board": {"turn", "offer"}, "cards": {"play", "offer"}},
        ),
        ("BoardBot, CardsBot", "lead = hook", {"board": set(), "cards": {"lead"}}),
        ("Bot", "games = ('board', 'cards'); turn = offer = hook", {"board": {"turn", "offer"}, "cards": {"offer"}}),
        ("Bot", "games = ('cards',); turn = play = offer = hook", {"cards": {"play", "offer"}}),
        ("Bot", "pass", {}),
        ("BoardBot", "pass", {"board": set()}),
        ("BoardBot", "lead = hook", {"board": set()}),
    ],
)
def test_a_bot_is_asked_the_hooks_it_overrides_in_the_games_it_says(
    bases: str, body: str, asked: dict[str, set[str]], mine: Callable[..., BotRef]
) -> None:
    cls = type(make_bot(mine(bases, body)))
    assert games_of_class(cls) == tuple(asked)
    assert {game: hooks for game in built_in_games() if (hooks := hooks_of(cls, game)) or game in asked} == asked


def test_a_hook_counts_as_overridden_in_any_class_of_the_bot(mine: Callable[..., BotRef]) -> None:
    source = BASES + "class _Base(BoardBot):\n    def turn(self, view): ...\nclass Mine(_Base): pass\n"
    assert hooks_of(type(make_bot(mine("", source=source))), "board") == {"turn"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("turn = offer = hook", "bot mine.py has hooks (turn, offer) but does not say which game it plays. "),
        ("turn = offer = hook", "Write class Mine(BoardBot) after 'from arena.games.board import BoardBot', or name "),
        ("play = offer = hook", """Mine(CardsBot) after [...] name its games in the class, as in games = ("cards",)"""),
        ("games = ('bord',)", "bot mine.py plays 'bord' (did you mean 'board'?); there are board, cards"),
        ("games = 'board'", 'bot mine.py: games is a tuple of names, as in games = ("board",)'),
        ("games = ('no.such',)", "bot mine.py plays 'no.such': there is no game 'no.such'"),
    ],
)
def test_a_plain_bot_with_hooks_that_names_no_game_there_is_is_refused(
    body: str, message: str, mine: Callable[..., BotRef]
) -> None:
    assert all(part in why(mine("Bot", body)) for part in message.split("[...]"))


def test_the_table_tells_the_hooks_of_a_game_outside_arena(mine: Callable[..., BotRef]) -> None:
    ref = mine("Bot", "divide = hook")
    import_game("tests.thirdgame.pie")
    make_bot(ref)
    with pytest.raises(BotError, match=r"has hooks \(divide\) but .* 'from tests\.thirdgame\.pie import PieBot'"):
        make_bot(ref, "tests.thirdgame.pie")


@pytest.mark.parametrize(
    ("bases", "body", "hint"),
    [
        ("BoardBot", "def ofer(self, view): ...", "ofer is not a hook and is never called; did you mean 'offer'?"),
        ("BoardBot", "def placeMarker(self, view): ...", "did you mean 'place_marker'?"),
        ("CardsBot", "discards = hook", "did you mean 'discard'?"),
        ("BoardBot", "def starts(self, start): ...", "did you mean 'start'?"),
        ("Bot", "def finsh(self, finish): ...", "did you mean 'finish'?"),
        ("Bot", "def trun(self, view): ...", "did you mean 'turn'?"),
        ("BoardBot", "@staticmethod\n    def closes(view): ...", "did you mean 'close'?"),
        ("BoardBot", "@cache\n    def closes(self, view): ...", "did you mean 'close'?"),
    ],
)
def test_a_misspelt_hook_is_refused_with_the_nearest(
    bases: str, body: str, hint: str, mine: Callable[..., BotRef]
) -> None:
    refused = why(mine(bases, body, "from functools import cache\n" + MINE))
    assert hint in refused
    assert refused.endswith("If not, choose another name or begin the name with an underscore")


@pytest.mark.parametrize(
    "body",
    [
        "def offers(self, view): ...\n    def offer(self, view): return self.offers(view)",
        "def offers(self, view): ...\n    offer = offers",
        "def offers(self, view): ...\n    def offer(self, view): return [move for move in map(self.offers, [view])]",
        "def offers(self, view): ...\n    def offer(self, view): return getattr(self, 'offers')(view)",
        "def offers(self, view): ...\n    @cache\n    def offer(self, view): return self.offers(view)",
        "def offers(self, view): ...\ndef helper(bot, view): return bot.offers(view)",
        "def offers(self, view): ...\nclass Helper:\n    def ask(self, bot): return bot.offers(None)",
        "def _ofer(self, view): ...",
        "class Offer: ...",
        "closed = False",
        "@property\n    def closed(self): ...",
        "def bargain(self, view): ...",
    ],
)
def test_a_method_that_the_bot_uses_itself_or_that_is_like_no_hook_is_its_own_affair(
    body: str, mine: Callable[..., BotRef]
) -> None:
    assert games_of_class(type(make_bot(mine("BoardBot", body, "from functools import cache\n" + MINE)))) == ("board",)


def test_a_hook_of_a_class_named_after_the_games_base_is_refused_not_silently_hidden(
    mine: Callable[..., BotRef],
) -> None:
    source = BASES + "class Cautious:\n    def turn(self, view): ...\nclass Mine({bases}): pass\n"
    hidden = "bot mine.py: turn of Cautious is hidden by BoardBot; where Mine derives from both, name Cautious first"
    assert why(mine("BoardBot, Cautious", source=source)) == hidden
    assert hooks_of(type(make_bot(mine("Cautious, BoardBot", source=source))), "board") == {"turn"}


def test_a_bot_made_for_the_board_game_lets_its_defaults_play_at_a_table_of_cards() -> None:
    result = play("greedy", "random-legal", "random-legal", rules="card-game", seed="1")
    assert result.seats[0].faults == {}
    assert result.hooks[0] == {}
    assert result.hooks[1]
