"""The documentation pages say what the code does: names, keys, defaults and examples are compared with it."""

from __future__ import annotations

import ast
import configparser
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
import yaml
from click.testing import CliRunner

from arena import bot, strategy, testing
from arena.app import docs
from arena.app.folder import write_manifest
from arena.app.plan import make_plan
from arena.bot import Bot
from arena.cli.main import cli
from arena.config import tournament
from arena.config.editions import bundled_rules, load_edition
from arena.games import load_game
from arena.games.board import views
from arena.games.board.rules import Deck, EndSum, Rules, Space
from arena.games.contract import Event
from arena.match.work import SeatTiming, Timing
from arena.players.channel import LOG_LIMIT
from arena.players.faults import FaultKind
from arena.protocol.messages import LINE_LIMIT
from arena.replay.conduct import FaultPolicy
from arena.replay.lines import Answered, Faulted, Header, Result
from arena.sandbox.policy import Layer, Policy
from arena.sandbox.probe import NEEDS
from arena.tournament.intervals import clustered_mean
from arena.tournament.records import MatchRecord
from arena.tournament.render import standings_data
from arena.tournament.seat_orders import SeatOrders, seat_orders
from arena.tournament.standings import fold_standings

from . import bargain, verifier

ROOT = Path(__file__).parents[2]
PAGES = (
    "rules",
    "bargaining",
    "bots",
    "isolation",
    "protocol",
    "tournaments",
    "results",
    "replay",
    "glossary",
    "files",
)
TEXT = {name: (ROOT / "arena" / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES}
FLAT = {name: " ".join(text.split()) for name, text in TEXT.items()}
README = (ROOT / "README.md").read_text(encoding="utf-8")
GAME = load_game("board")


def blocks(name: str, info: str) -> list[str]:
    """The fenced blocks of a page that begin with ``info``."""
    return re.findall(rf"^```{info}\n(.*?)^```$", TEXT[name], re.DOTALL | re.MULTILINE)


def codes(text: str) -> set[str]:
    """Everything in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


# Form ----------------------------------------------------------------------------------------------


def test_every_page_is_listed_and_printed() -> None:
    listed = dict(docs.list_pages())
    assert {*PAGES, *docs.MADE} == set(listed)
    shown = CliRunner().invoke(cli, ["docs"]).output
    for name in PAGES:
        assert TEXT[name].startswith(f"# {listed[name]}\n")
        assert re.search(rf"^{name} +{re.escape(listed[name])}$", shown, re.MULTILINE)
        assert CliRunner().invoke(cli, ["docs", name]).output == TEXT[name]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_in_a_terminal(name: str) -> None:
    text = TEXT[name]
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.count("```") % 2 == 0
    for number, line in enumerate(text.splitlines(), 1):
        assert len(line) <= 110, f"line {number}"
        assert line == line.rstrip(), f"line {number}"


def test_pages_that_are_named_exist() -> None:
    for text in TEXT.values():
        for name in re.findall(r"arena docs ([a-z-]+)", text):
            assert name in (*PAGES, *docs.MADE)


# Commands ------------------------------------------------------------------------------------------


def commands(text: str) -> Iterator[str]:
    """Command lines in console blocks and in backticks."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield from re.findall(r"^\$ (arena .*)$", block, re.MULTILINE)
    for code in re.findall(r"`(arena [^`]+)`", text):
        yield " ".join(code.split())


def parse(line: str) -> None:
    """Fails for a command or an option that does not exist."""
    words = shlex.split(line.partition(" | ")[0], comments=True)[1:]
    if words[:1] == ["docs"]:
        return
    command: click.Command = cli
    while isinstance(command, click.Group) and words:
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"{line}: no command {name}"
        command = found
    known = {opt for param in command.params for opt in param.opts} | {"--help", "-h"}
    for word in words:
        if word.startswith("-"):
            assert word.partition("=")[0] in known, f"{line}: no option {word}"


@pytest.mark.parametrize("name", [*PAGES, "README"])
def test_every_command_shown_exists(name: str) -> None:
    for line in commands(TEXT.get(name, README)):
        parse(line)


def test_commands_of_pages_are_found_at_all() -> None:
    assert sum(1 for name in PAGES for _ in commands(TEXT[name])) > 30
    for wrong in ("arena play x", "arena run x --bogus", "arena bots make x"):
        with pytest.raises(AssertionError):
            parse(wrong)


# isolation -----------------------------------------------------------------------------------------


def test_the_levels_their_layers_and_the_amounts_are_told() -> None:
    text = TEXT["isolation"]
    for level, needed in NEEDS.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{level.value}` "))
        assert {layer.value for layer in needed} == codes(row.split("|")[2])
    for layer in Layer:
        assert re.search(rf"^\| `{layer.value}` ", text, re.MULTILINE)
    policy = Policy()
    for amount in (policy.memory, policy.threads, policy.files, policy.cpu, LINE_LIMIT, LOG_LIMIT):
        assert str(amount) in text.replace(",", "")


# rules ---------------------------------------------------------------------------------------------


def test_every_rule_number_that_code_cites_has_a_heading() -> None:
    headings = set(re.findall(r"^###? (B\d+(?:\.\d+)?) ", TEXT["rules"], re.MULTILINE))
    sources = [*(ROOT / "arena").rglob("*.py"), *(ROOT / "bots").glob("*.py"), *(ROOT / "tests" / "rules").glob("*.py")]
    for path in sources:
        cited = set(re.findall(r"\bB\d{1,2}(?:\.\d+)?\b", path.read_text(encoding="utf-8")))
        assert cited <= headings, f"{path.name} cites {sorted(cited - headings)}"


def test_every_rule_says_where_it_is_implemented() -> None:
    sections = re.split(r"^### (?=B)", TEXT["rules"], flags=re.MULTILINE)[1:]
    assert len(sections) > 30
    for section in sections:
        code = section.splitlines()[1]
        assert code.startswith("Code: `"), section.splitlines()[0]
        for file in re.findall(r"`(\w+\.py)`", code):
            assert (ROOT / "arena" / "games" / "board" / file).is_file()


def _keys_of_rules() -> dict[str, str]:
    text = TEXT["rules"].split("\n## The keys of a rules file\n")[1]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return {row.split("|")[1].strip(" `"): row.split("|")[4].strip() for row in rows}


def test_every_key_of_a_rules_file_is_described_with_its_base_value() -> None:
    described = _keys_of_rules()
    assert set(described) == {field.encode_name for field in msgspec.structs.fields(Rules)}
    base = yaml.safe_load(bundled_rules()["board-base"].read_text(encoding="utf-8"))
    for key, shown in described.items():
        value = base.get(key)
        if not isinstance(value, dict) and key not in ("names", "spaces", "source", "title"):
            written = str(value).lower() if isinstance(value, bool) else "null" if value is None else str(value)
            assert shown == written, key
    for part in (Space, Deck, EndSum):
        for field in msgspec.structs.fields(part):
            assert f"`{field.encode_name}`" in TEXT["rules"]


def test_editions_at_a_glance() -> None:
    rows = TEXT["rules"].split("\n## B10 ")[1].split("\n## ")[0].splitlines()
    table = [[cell.strip(" `") for cell in row[1:-1].split("|")] for row in rows if row.startswith("|")]
    assert set(table[0][1:]) == set(bundled_rules()) - {"board-base"}
    for number, name in enumerate(table[0][1:], 1):
        edition = load_edition(name)
        for row in table[2:]:
            if row[0] in ("names", "variants") or row[0].startswith("key"):
                continue
            value = edition.data[row[0]]
            shown = "–".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            assert row[number] == (shown.lower() if isinstance(value, bool) else shown), (name, row[0])


def test_every_variant_is_described() -> None:
    for path in bundled_rules().values():
        for variant in yaml.safe_load(path.read_text(encoding="utf-8")).get("variants") or {}:
            assert f"**{variant}**" in TEXT["rules"], variant


def test_family_names_are_the_editions() -> None:
    for name in ("eagle-gryphon", "face2face-2003", "schmidt-1994"):
        for family, printed in load_edition(name).data["names"].items():
            assert re.search(rf"\| {family} +\|.* {printed} ", TEXT["rules"])


def test_the_example_of_an_own_edition(tmp_path: Path) -> None:
    (block,) = blocks("rules", "yaml rules")
    path = tmp_path / "kitchen-table.yaml"
    path.write_text(block)
    edition = load_edition(str(path), ["long-talks"])
    assert (edition.label, edition.rules.hand_limit, edition.rules.max_ticks) == ("kitchen-table+long-talks", 10, 40)
    assert 15 not in edition.rules.deals
    assert edition.rules.end_rolls[10] == (1, 2)
    assert edition.rules.end_rolls[11] == (1, 2)


# bargaining and bots -------------------------------------------------------------------------------


def test_the_negotiation_that_is_told_is_what_the_engine_plays() -> None:
    (block,) = blocks("bargaining", "text")
    assert block.splitlines() == bargain.told()


@pytest.mark.parametrize("name", ["bargaining", "bots"])
def test_python_examples_are_python(name: str) -> None:
    for block in blocks(name, "python"):
        ast.parse(block)


def test_the_bot_in_twenty_lines_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [block for block in blocks("bots", "python") if "(Bot)" in block]
    assert whole
    for number, block in enumerate(whole):
        path = tmp_path / f"example{number}.py"
        path.write_text(block)
        for rules in ("eagle-gryphon", "outline", "schmidt-1994"):
            result = testing.play(f"{path}?patience=2", "greedy", str(path), rules=rules)
            assert [seat.faults for seat in result.seats] == [{}, {}, {}]
            assert result.hooks[0].keys() >= {"turn", "offer", "accept", "close"}


def test_the_example_of_a_test_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot_block, *_, test_block = blocks("bots", "python")
    (tmp_path / "mybot.py").write_text(bot_block)
    monkeypatch.chdir(tmp_path)
    space: dict[str, Any] = {}
    exec(test_block, space)
    (test,) = [value for key, value in space.items() if key.startswith("test_")]
    test()


def test_every_hook_is_described_with_its_view() -> None:
    rows = {row[0].strip("`"): row for row in _rows("bots", "Hooks")}
    assert set(rows) == {*GAME.hooks, "start", "finish"}
    for name, hook in GAME.hooks.items():
        assert rows[name][2] == f"`{hook.view.__name__}`"
        assert callable(getattr(Bot, name))
        assert f"`{name}`" in TEXT["bargaining"] or name in ("place_marker", "turn", "discard")


def test_every_move_is_described() -> None:
    described = codes("\n".join(row[0] for row in _rows("bots", "Replies")))
    assert described == {move.__name__ for hook in GAME.hooks.values() for move in hook.moves}
    text = TEXT["bots"].split("\n## Replies\n")[1].split("\n## ")[0]
    for hook in GAME.hooks.values():
        for move in hook.moves:
            for field in msgspec.structs.fields(move):
                assert f"`{field.name}`" in text, f"{move.__name__}.{field.name}"
    assert (bot.SAY_LENGTH, bot.NOTE_LENGTH) == (200, 1000)


def test_every_field_of_a_view_is_described() -> None:
    described = {row[0].strip("`") for row in _rows("bots", "Views")}
    assert described == {field.name for field in msgspec.structs.fields(views.BoardView)}
    for part in (views.AcceptView, views.InterruptView, views.DiscardView, views.Placard, views.ClosedDeal):
        for field in msgspec.structs.fields(part):
            assert f"`{field.name}`" in TEXT["bots"], f"{part.__name__}.{field.name}"
    for told in (bot.Start, bot.Finish, bot.Limits):
        for field in msgspec.structs.fields(told):
            assert f"`{field.name}`" in TEXT["bots"], f"{told.__name__}.{field.name}"


def test_faults_and_policies_are_closed_lists() -> None:
    described = [row[0].strip("`") for row in _rows("bots", "Faults")]
    assert described == [kind.value for kind in FaultKind]
    for policy in FaultPolicy:
        assert f"- `{policy.value}`: " in TEXT["bots"]
    assert all(f"`{kind.value}`" in TEXT["replay"] for kind in FaultKind)


def test_functions_for_bots_that_are_named_exist() -> None:
    sentence = FLAT["bots"].split("`arena.strategy` holds")[1].split(";")[0]
    for name in codes(sentence):
        assert callable(getattr(strategy, name))


def test_results_of_play_are_described() -> None:
    text = TEXT["bots"].split("\n## Testing\n")[1]
    result = testing.play("silent", "silent", seed="1")
    for name in result.__struct_fields__:
        assert f"`{name}`" in text


# tournaments and results ---------------------------------------------------------------------------


def _rows(name: str, heading: str) -> list[list[str]]:
    """The rows of all tables below a heading that begin with a name in backticks."""
    text = TEXT[name].split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line.startswith("| `")]


def test_every_key_of_a_tournament_is_described_with_its_default() -> None:
    rows = _rows("tournaments", "Keys")
    structs = (tournament.Tournament, tournament.Entrant, tournament.Edition, tournament.Limits, tournament.Sandbox)
    fields = [field for struct in structs for field in msgspec.structs.fields(struct)]
    assert [row[0].strip("`") for row in rows] == [field.name for field in fields]
    for row, field in zip(rows, fields, strict=True):
        if field.required:
            assert row[2] == "–", row[0]
        elif isinstance(field.default, int | float | str) and field.default:
            assert row[2].strip("`") == f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


@pytest.mark.parametrize("name", PAGES)
def test_tournament_examples_load(name: str, tmp_path: Path) -> None:
    for number, block in enumerate(blocks(name, "yaml tournament")):
        path = tmp_path / f"t{number}.yaml"
        path.write_text(block)
        plan = make_plan(path)
        assert plan.names
        if name == "tournaments":
            assert f"= {len(plan.schedule)}." in FLAT[name]


def test_yaml_blocks_say_what_they_are() -> None:
    for text in TEXT.values():
        assert all(
            info in ("yaml tournament", "yaml rules") for info in re.findall(r"^```(yaml.*)$", text, re.MULTILINE)
        )


def test_numbers_of_seat_orders() -> None:
    counts = "; ".join(", ".join(str(len(seat_orders(each, k))) for k in range(2, 7)) for each in SeatOrders)
    assert counts.replace("; 2, 6, 24", "; and 2, 6, 24") in FLAT["tournaments"]


def test_fields_of_records_and_timings_are_described() -> None:
    assert [row[0].strip("`") for row in _rows("results", "matches.jsonl")] == list(MatchRecord.__struct_fields__)
    rows = _rows("results", "timings.jsonl")
    assert {row[0].strip("`") for row in rows} == set(Timing.__struct_fields__)
    text = TEXT["results"].split("\n## timings.jsonl\n")[1].split("\n## ")[0]
    assert set(SeatTiming.__struct_fields__) <= codes(text)


def test_keys_of_the_manifest_are_described(tmp_path: Path) -> None:
    plan = make_plan(ROOT / "configs" / "tournaments" / "quick.yaml")
    write_manifest(tmp_path, plan, "arena run", {"started": "", "ended": "", "state": "", "finished": 0})
    described = codes("\n".join(row[0] for row in _rows("results", "manifest.json")))
    assert described == set(msgspec.json.decode((tmp_path / "manifest.json").read_bytes()))


def test_fields_of_standings_are_described() -> None:
    plan = make_plan(ROOT / "configs" / "tournaments" / "quick.yaml")
    data: Any = standings_data(fold_standings([], plan.names, ["one"]))
    text = TEXT["results"].split("\n## Standings\n")[1]
    for name in [
        *data["one"],
        *data["one"]["rows"][0],
        *data["one"]["crosstable"][0],
        *data["one"]["rows"][0]["win_rate"],
    ]:
        assert f"`{name}`" in text or name in ("rows",), name


def test_the_worked_interval() -> None:
    found = clustered_mean([(4, 8), (2, 8), (3, 8)])
    assert found.mean is not None
    assert found.half_width is not None
    assert f"{found.mean * 100:.1f} ±{found.half_width * 100:.1f} %" in FLAT["results"]


# replay --------------------------------------------------------------------------------------------


def _default(field: Any) -> str | None:
    if field.required:
        return None
    if field.default_factory is not msgspec.NODEFAULT:
        return {list: "[]", tuple: "[]", dict: "{}"}[field.default_factory]
    if field.default is msgspec.UNSET:
        return "absent"
    return {(): "[]", None: "null", False: "false", "": '""'}[field.default]


def test_every_line_kind_is_described_field_by_field() -> None:
    described = verifier.schema(TEXT["replay"])
    lines: tuple[type[Event], ...] = (Header, Answered, Faulted, Result, *GAME.events)
    kinds = {kind.__struct_config__.tag: kind for kind in lines}
    assert set(described) == set(kinds)
    for tag, kind in kinds.items():
        fields = {field.name: _default(field) for field in msgspec.structs.fields(kind)}
        assert described[str(tag)] == fields, tag
        assert list(described[str(tag)]) == list(fields), tag


def test_every_move_is_described_field_by_field() -> None:
    described = {row[0].strip("`"): verifier.fields(row[1]) for row in _rows("replay", "Moves") if row[0] != "`move`"}
    expected = {move.__struct_config__.tag: move for hook in GAME.hooks.values() for move in hook.moves}
    assert set(described) == set(expected)
    for tag, move in expected.items():
        assert described[str(tag)] == {field.name: _default(field) for field in msgspec.structs.fields(move)}, tag


def test_every_event_of_chance_is_described() -> None:
    described = {row[0].strip("`") for row in _rows("replay", "Chance")}
    source = "".join(path.read_text() for path in (ROOT / "arena" / "games" / "board").glob("*.py"))
    assert described == set(re.findall(r"Chanced\(\s*\"([a-z ]+)\"", source))


# glossary and files --------------------------------------------------------------------------------


def test_the_glossary_is_in_order_and_has_the_words() -> None:
    words = re.findall(r"^- \*\*(.+?)\*\*: ", TEXT["glossary"], re.MULTILINE)
    assert words == sorted(words, key=str.casefold)
    wanted = (
        "match block encounter bot entrant seat deal Boss offer agreement tick fizzle edition variant forfeit strike "
        "termination crosstable replay view hook ask fault default"
    )
    assert set(wanted.split()) | {"side promise", "last call", "seat order"} <= set(words)


def test_files_that_are_named_exist() -> None:
    text = TEXT["files"]
    board = text.split("\n## The board game, rule by rule\n")[1].split("\n## ")[0]
    named = {name for row in board.splitlines() if row.startswith("| `") for name in codes(row.split("|")[1])}
    real = {path.name for path in (ROOT / "arena" / "games" / "board").glob("*.py")} - {"__init__.py"}
    assert named == real
    for path in codes(text):
        if "/" in path and not path.startswith("arena/data"):
            assert (ROOT / path).exists() or path == "results/", path


def test_rooms_are_those_that_imports_are_checked_against() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter")
    layers = parser["importlinter:contract:rooms"]["layers"].split("\n")[1:]
    expected = [name.removeprefix("arena.") for layer in layers for name in re.split(r" [:|] ", layer)]
    described = [name for row in _rows("files", "Rooms") for name in re.findall(r"`(\w+)`", row[0])]
    assert described == expected


def test_the_readme_has_no_gaps_left_to_fill() -> None:
    assert re.findall(r"@[A-Z]+@|TODO|XXX", (ROOT / "README.md").read_text(encoding="utf-8")) == []
