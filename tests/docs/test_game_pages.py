"""What the pages say of each game is what its code does: rules, hooks, moves, views, events, keys, examples."""

from __future__ import annotations

import ast
import json
import re
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner

from arena import bot, testing
from arena.bot import Bot
from arena.cli.main import cli
from arena.config.editions import bundled_rules, load_edition, load_source
from arena.finding.hooks import games_of_class
from arena.finding.loading import make_bot
from arena.finding.reference import refer_file
from arena.games.contract import Event, Move, View
from arena.replay.lines import Answered, Faulted, Header, Result

from . import bargain, cousins, verifier
from .pages import BOTS_PAGE, FLAT, GAMES, LETTER, PARENT, ROOT, RULES_PAGE, TEXT, blocks, codes, rows, section

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game", GAMES)


def test_every_game_has_its_pages() -> None:
    assert set(RULES_PAGE) == set(LETTER) == set(PARENT) == set(BOTS_PAGE) == set(GAMES)


# Rules ---------------------------------------------------------------------------------------------


@every_game
def test_every_rule_number_that_code_cites_has_a_heading(game: str) -> None:
    letter = LETTER[game]
    headings = set(re.findall(rf"^###? ({letter}\d+(?:\.\d+)?) ", TEXT[RULES_PAGE[game]], re.MULTILINE))
    folders = [ROOT / "arena", ROOT / "bots", ROOT / "configs", ROOT / "tests" / "rules", ROOT / "tests" / game]
    for path in [file for folder in folders for kind in ("*.py", "*.yaml", "*.txt") for file in folder.rglob(kind)]:
        cited = set(re.findall(rf"\b{letter}\d{{1,2}}(?:\.\d+)?\b", path.read_text(encoding="utf-8")))
        assert cited <= headings, f"{path.name} cites {sorted(cited - headings)}"
    for name, text in TEXT.items():
        cited = set(re.findall(rf"\b{letter}\d{{1,2}}(?:\.\d+)?\b", text))
        assert cited <= headings, f"{name} cites {sorted(cited - headings)}"


@every_game
def test_every_rule_says_where_it_is_implemented(game: str) -> None:
    sections = re.split(rf"^### (?={LETTER[game]})", TEXT[RULES_PAGE[game]], flags=re.MULTILINE)[1:]
    assert len(sections) > 20
    for part in sections:
        heading, code, *_ = part.splitlines()
        assert code.startswith("Code: `"), heading
        for file, words in re.findall(r"`([\w/]+\.py)`(?: \((`.*?`)\))?", part.split("\n\n")[0]):
            path = ROOT / "arena" / "games" / game / file
            for word in codes(words):
                assert re.search(rf"^\s*(def|class) {word}\b", path.read_text(encoding="utf-8"), re.MULTILINE) or (
                    word in ("x", "from")
                ), f"{heading}: {file} defines no {word}"
            assert path.is_file()


@every_game
def test_rules_are_numbered_without_gaps(game: str) -> None:
    numbers = re.findall(rf"^### {LETTER[game]}(\d+)\.(\d+) ", TEXT[RULES_PAGE[game]], re.MULTILINE)
    chapters = {int(chapter) for chapter, _ in numbers}
    for chapter in chapters:
        assert [int(rule) for each, rule in numbers if int(each) == chapter] == [
            *range(1, 1 + sum(int(each) == chapter for each, _ in numbers))
        ]


def _structs(kind: Any) -> set[type[msgspec.Struct]]:
    """The structs that a type is made of, moves and events left out: these are tested by themselves."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if issubclass(kind, Move | Event):
            return set()
        hints = typing.get_type_hints(kind)
        return {kind}.union(*(_structs(hints[name]) for name in kind.__struct_fields__))
    return set[type[msgspec.Struct]]().union(*map(_structs, typing.get_args(kind)))


@every_game
def test_every_key_of_a_rules_file_is_described_with_its_base_value(game: str) -> None:
    rules_type = GAMES[game].rules_type
    described = {row[0].strip("`"): row[3] for row in rows(RULES_PAGE[game], "The keys of a rules file")}
    assert list(described) == [field.encode_name for field in msgspec.structs.fields(rules_type)]
    base = yaml.safe_load(bundled_rules()[PARENT[game]].read_text(encoding="utf-8"))
    for key, shown in described.items():
        value = base.get(key)
        if not isinstance(value, dict) and key not in ("names", "spaces", "source", "title"):
            written = str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)
            assert shown == written, key
    for part in _structs(rules_type) - {rules_type}:
        for field in msgspec.structs.fields(part):
            assert f"`{field.encode_name}`" in TEXT[RULES_PAGE[game]], field


@every_game
def test_every_variant_is_described(game: str) -> None:
    for path in bundled_rules().values():
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if data.get("game", "board") == game:
            for variant in data.get("variants") or {}:
                assert f"**{variant}**" in TEXT[RULES_PAGE[game]], variant


def test_board_editions_at_a_glance() -> None:
    found = section("rules", "B10 Editions at a glance").splitlines()
    table = [[cell.strip(" `") for cell in row[1:-1].split("|")] for row in found if row.startswith("|")]
    playable = [name for name in bundled_rules() if not load_source(name).abstract]
    editions = {name for name in playable if load_edition(name).game == "board"}
    assert set(table[0][1:]) == editions
    for number, name in enumerate(table[0][1:], 1):
        edition = load_edition(name)
        for row in table[2:]:
            if row[0] in ("names", "variants") or row[0].startswith("key"):
                continue
            value = edition.data[row[0]]
            shown = "–".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            assert row[number] == (shown.lower() if isinstance(value, bool) else shown), (name, row[0])


def test_family_names_are_the_editions() -> None:
    for name in ("eagle-gryphon", "face2face-2003", "schmidt-1994"):
        for family, printed in load_edition(name).data["names"].items():
            assert re.search(rf"\| {family} +\|.* {printed} ", TEXT["rules"])


def test_card_numbers_by_players_are_the_edition_s() -> None:
    data = load_edition("card-game").data
    found = [
        [cell.strip(" $") for cell in line[1:-1].split("|")]
        for line in section("card-rules", "C2.1 By number of players").splitlines()
        if line.startswith("|")
    ][2:]
    assert [row[0] for row in found] == [str(players) for players in load_edition("card-game").seats]
    for players, *numbers in found:
        assert numbers == [str(data[key][players]) for key in ("hand", "rounds", "limit", "cousins")]


def test_card_numbers_are_the_edition_s() -> None:
    deck = load_edition("card-game").rules.deck
    words = {1: "one", 2: "two", 3: "three", 4: "four", 7: "seven"}
    table = section("card-rules", "C1.1 Coloured cards")
    for key in ("positive", "negative", "reverse", "pota", "move"):
        each = getattr(deck, key)
        each = list(each.values()) if isinstance(each, dict) else [each]
        (row,) = re.findall(rf"(?i)^\| {key} +\|.*$", table, re.MULTILINE)
        assert f" {3 * sum(each)} " in row
        assert ", ".join(words[number] for number in each) in row or f"{words[each[0]]} of each" in row
    assert sum(deck.counts()) - deck.wild_pota == 3 * 32


EXAMPLES = {
    "board": (
        "kitchen-table",
        "long-talks",
        {"hand_limit": 10, "max_ticks": 40, "end_rolls": {"10": [1, 2], "11": [1, 2]}},
    ),
    "cards": ("wild-weekend", "quick", {"factor": 10, "rounds": {"3": 1, "4": 1}, "limit": {"3": 100, "4": 200}}),
}


@every_game
def test_the_example_of_an_own_edition(game: str, tmp_path: Path) -> None:
    name, variant, values = EXAMPLES[game]
    (block,) = blocks(RULES_PAGE[game], "yaml rules")
    path = tmp_path / f"{name}.yaml"
    path.write_text(block)
    edition = load_edition(str(path), [variant])
    assert edition.label == f"{name}+{variant}"
    for key, value in values.items():
        found = edition.data[key]
        if isinstance(value, dict):
            found = {each: list(found[each]) if isinstance(value[each], list) else found[each] for each in value}
        assert found == value
    if game == "board":
        assert 15 not in edition.rules.deals
    else:
        assert edition.rules.deck.positive == {1: 1, 2: 3, 3: 3, 4: 3}


def test_the_example_of_an_own_board_is_checked_and_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (board,), (tournament,) = blocks("rules", "yaml board"), blocks("rules", "yaml board tournament")
    (tmp_path / "my-board.yaml").write_text(board)
    (tmp_path / "boards.yaml").write_text(tournament)
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ arena (.*)$", section("rules", "Your own board"), re.MULTILINE)
    assert [words.split()[:2] for words in commands[:1]] == [["rules", "check"]]
    for words in (*commands, "run boards.yaml -q -j 1 --trust --blocks 1 -o out"):
        ran = CliRunner().invoke(cli, words.split())
        assert ran.exit_code == 0, ran.output
    spaces = load_edition("my-board.yaml").rules.spaces
    assert {min(len(space.groups), 2) for space in spaces} == {0, 1, 2}
    labels = {json.loads(line)["edition"] for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()}
    assert labels == {"my-board-3p", "eagle-gryphon-3p", "eagle-gryphon+reported-board-3p"}


# Bargaining ----------------------------------------------------------------------------------------


def test_the_negotiations_that_are_told_are_what_the_engine_plays() -> None:
    board, cards = blocks("bargaining", "text")
    assert board.splitlines() == bargain.told()
    assert cards.splitlines() == cousins.told()


# Bots ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bargaining", "bots", *BOTS_PAGE.values()])
def test_python_examples_are_python(name: str) -> None:
    for block in blocks(name, "python"):
        ast.parse(block)


EDITIONS = {"board": ("eagle-gryphon", "outline", "schmidt-1994"), "cards": ("card-game",)}
ASKED = {
    "Penny": {"turn", "offer", "accept", "close"},
    "Prudence": {"lead", "offer", "accept", "play"},
    "Rollouts": {"turn"},
    "Amphibian": {"accept", "offer"},
    "Anything": {"accept", "offer"},
}


def bot_examples() -> list[str]:
    """The examples in Python on the pages for writers of bots."""
    return [block for page in ("bots", *BOTS_PAGE.values()) for block in blocks(page, "python")]


@pytest.mark.parametrize("name", ASKED)
def test_the_bots_of_the_page_play(name: str, tmp_path: Path) -> None:
    (block,) = [block for block in bot_examples() if f"class {name}(" in block]
    path = tmp_path / "example.py"
    path.write_text(block)
    option = {"Penny": "?patience=2", "Prudence": "?generous=false"}.get(name, "")
    for game in games_of_class(type(make_bot(refer_file(str(path), None)))):
        editions = EDITIONS[game] if name == "Penny" else EDITIONS[game][:1]
        if name == "Rollouts":  # it plays on in its thoughts
            editions = (str(tmp_path / "brief.yaml"),)
            Path(*editions).write_text("parent: eagle-gryphon\nname: brief\nmax_turns: 20\n")
        for seed, rules in enumerate(editions, 1):
            result = testing.play(f"{path}{option}", "random-legal", str(path), rules=rules, seed=str(seed))
            assert [seat.faults for seat in result.seats] == [{}, {}, {}]
            assert set().union(*result.hooks) >= ASKED[name]


def test_every_bot_of_the_page_is_played() -> None:
    assert set(re.findall(r"^class (\w+)\(.*Bot\):", "\n".join(bot_examples()), re.MULTILINE)) == set(ASKED)


def test_the_example_of_a_test_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_block = blocks("bots", "python")[0]
    (test_block,) = [block for block in blocks("bots", "python") if "def test_" in block]
    (tmp_path / "mybot.py").write_text(bot_block)
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    exec(test_block, space)
    (test,) = [value for key, value in space.items() if key.startswith("test_")]
    test()


def part(game: str, name: str) -> str:
    """The heading of a game's part."""
    return f"{game.capitalize()}: {name}"


@every_game
def test_every_hook_is_described_with_its_view(game: str) -> None:
    described = {row[0].strip("`"): row for row in rows(BOTS_PAGE[game], "Hooks")}
    hooks = GAMES[game].hooks
    assert set(described) == set(hooks)
    for name, hook in hooks.items():
        assert described[name][2] == f"`{hook.view.__name__}`"
        assert not hasattr(Bot, name)
        assert f"`{name}`" in TEXT["bargaining"] or name in ("place_marker", "turn", "lead", "discard")


def test_what_bots_are_told_is_described() -> None:
    assert [row[0] for row in rows("bots", "Hooks")] == ["`start`", "`finish`"]
    for told in (bot.Start, bot.Finish, bot.Limits):
        for field in msgspec.structs.fields(told):
            assert f"`{field.name}`" in section("bots", "Hooks"), f"{told.__name__}.{field.name}"
    assert (bot.SAY_LENGTH, bot.NOTE_LENGTH) == (200, 1000)


@every_game
def test_every_move_is_described(game: str) -> None:
    page, heading = BOTS_PAGE[game], "Moves"
    described: dict[str, set[str]] = {}
    names: set[str] = set()
    for line in section(page, heading).splitlines():
        cells = [cell.strip() for cell in line[1:-1].split("|")]
        if line.startswith("| ") and cells[0] != "move":
            names = codes(cells[0]) or names
            for name in names:
                described.setdefault(name, set()).update(re.findall(r"`(\w+)`(?: = \S+)?", cells[1]))
    kinds = {move.__name__: move for hook in GAMES[game].hooks.values() for move in hook.moves}
    assert described == {name: {field.name for field in msgspec.structs.fields(move)} for name, move in kinds.items()}
    for name, move in kinds.items():
        for field in msgspec.structs.fields(move):
            if not field.required:
                default = () if field.default_factory in (tuple, list) else field.default
                assert f"`{field.name}` = {default}" in section(page, heading), f"{name}.{field.name}"
    answers = {name: set[str]() for name in kinds}
    for hook_name, hook in GAMES[game].hooks.items():
        for move in hook.moves:
            answers[move.__name__].add(hook_name)
    for row in rows(page, heading):
        for name in codes(row[0]):
            assert codes(row[2]) == answers[name], name


@every_game
def test_every_field_of_a_view_is_described(game: str) -> None:
    hooks = GAMES[game].hooks
    common = {field.name for field in msgspec.structs.fields(View)}
    assert {row[0].strip("`") for row in rows("bots", "Views")} == common
    fields = {name: {field.name for field in msgspec.structs.fields(hook.view)} for name, hook in hooks.items()}
    shared = set.intersection(*fields.values())
    assert {row[0].strip("`") for row in rows(BOTS_PAGE[game], "Views")} == shared - common
    text = section(BOTS_PAGE[game], "Views") + section(BOTS_PAGE[game], "Moves")
    for name, own in fields.items():
        for field in own - shared:
            assert f"`{field}`" in text, f"{hooks[name].view.__name__}.{field}"
    views: set[type[msgspec.Struct]] = {hook.view for hook in hooks.values()}
    for nested in set[type[msgspec.Struct]]().union(*map(_structs, views)) - views:
        for inner in msgspec.structs.fields(nested):
            described = f"`{inner.name}`" in text or re.search(rf"`{nested.__name__}\([^`]*\b{inner.name}\b", text)
            assert described, f"{nested.__name__}.{inner.name}"


@every_game
def test_functions_for_bots_that_are_named_exist(game: str) -> None:
    module = __import__(f"arena.games.{game}.strategy", fromlist=["strategy"])
    found = [name for row in rows(BOTS_PAGE[game], "Ready-made functions") for name in codes(row[0])]
    assert len(found) > 10
    for call in found:
        name, _, given = call.rstrip(")").partition("(")
        code = getattr(module, name).__code__
        names = code.co_varnames[: code.co_argcount]
        assert len(given.split(", ")) <= len(names), call
        assert [each for each in given.split(", ") if len(each) > 1] == [
            known for known, each in zip(names, given.split(", "), strict=False) if len(each) > 1
        ], call


# Replays -------------------------------------------------------------------------------------------


def _default(field: Any) -> str | None:
    if field.required:
        return None
    if field.default_factory is not msgspec.NODEFAULT:
        return {list: "[]", tuple: "[]", dict: "{}"}[field.default_factory]
    if field.default is msgspec.UNSET:
        return "absent"
    return "[]" if field.default == () else json.dumps(field.default)


@every_game
def test_every_line_kind_is_described_field_by_field(game: str) -> None:
    described = verifier.schema(TEXT["replay"], game)
    lines: tuple[type[Event], ...] = (Header, Answered, Faulted, Result, *GAMES[game].events)
    kinds = {kind.__struct_config__.tag: kind for kind in lines}
    assert set(described) == set(kinds)
    for tag, kind in kinds.items():
        fields = {field.name: _default(field) for field in msgspec.structs.fields(kind)}
        assert described[str(tag)] == fields, tag
        assert list(described[str(tag)]) == list(fields), tag


@every_game
def test_every_move_is_described_field_by_field(game: str) -> None:
    found = verifier.tables(TEXT["replay"], part(game, "moves"))
    described = {name.strip("`"): verifier.fields(cell) for name, cell in found if name != "`move`"}
    hooks = GAMES[game].hooks
    expected = {move.__struct_config__.tag: move for hook in hooks.values() for move in hook.moves}
    assert set(described) == set(expected)
    for tag, move in expected.items():
        assert described[str(tag)] == {field.name: _default(field) for field in msgspec.structs.fields(move)}, tag
    for row in rows("replay", part(game, "moves")):
        answered = {
            name for name, hook in hooks.items() for move in hook.moves if f"`{move.__struct_config__.tag}`" == row[0]
        }
        assert row[0] == "`move`" or codes(row[2]) - {"shifts"} == answered, row[0]


@every_game
def test_every_event_of_chance_is_described(game: str) -> None:
    described = {row[0].strip("`") for row in rows("replay", part(game, "events of chance")) if row[0] != "`name`"}
    paths = (ROOT / "arena" / "games" / game).rglob("*.py")
    source = "".join(path.read_text() for path in paths if "presenting" not in path.parts)
    calls = re.findall(r"chance\.(?:below|permutation)\((.*)\)", source)
    assert described == {re.findall(r'"([a-z ]+)"', call)[0] for call in calls}


@every_game
def test_idle_answers_are_named(game: str) -> None:
    text = FLAT["replay"].split(f"### {part(game, 'asks and defaults')}")[1]
    sentence = text.split("The idle answers:")[1].split(". ")[0]
    for name, hook in GAMES[game].hooks.items():
        if hook.idle is not None:
            assert re.search(rf"`{hook.idle.__struct_config__.tag}`[^,.]* for {name}\b", sentence), name


@every_game
def test_terminations_are_named(game: str) -> None:
    for termination in GAMES[game].terminations:
        assert f"`{termination}`" in section("replay", "Result")
