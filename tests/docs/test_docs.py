"""The documentation pages say what the code does: their form, commands, examples, and what is common to all games."""

from __future__ import annotations

import ast
import configparser
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from arena import __version__, testing
from arena.bot import Limits
from arena.cli.main import cli
from arena.commands.compare.comparison import ComparisonQuestion
from arena.commands.compare.tuning.command import USUAL
from arena.commands.docs import topics
from arena.commands.docs.page_groups import PAGE_GROUPS, START_PAGE
from arena.commands.docs.sections import PageSection
from arena.commands.docs.topics import DocsPage
from arena.commands.gauntlet.results import GauntletFault
from arena.commands.verify.results import FileVerdict, VerifyReport
from arena.config import ladder_config, tournament_config
from arena.config.documents.yamlfile import parse_yaml
from arena.config.ladder_yaml import check_ladder_document, find_ladder_file, load_ladder
from arena.games import load_game
from arena.isolation.worker.bot_pipe import LOG_LIMIT
from arena.match.work import SeatTiming, Timing
from arena.old_names import OLD_KEYS, OLD_OPTIONS, OLD_PAGES, OldPage, old_name_warning
from arena.penalties import FaultKind, FaultPolicy
from arena.protocol.messages import LINE_LIMIT
from arena.recorded.ask_detail import AnswerKind, AskDetail, ViewPart
from arena.recorded.deal_stories import DealStories
from arena.recorded.story import Story, StoryLine
from arena.replay.play_difference import PlayDifference
from arena.replay.replay_sentences import SentenceKind
from arena.resources import docs_folder
from arena.results import board, cards
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan_facts import facts_of
from arena.sandbox.policy import Amounts, Layer, SandboxPolicy
from arena.sandbox.probe import LEVEL_LAYERS
from arena.sequential.test_settings import SequentialVerdict
from arena.storage.consistency import Consistency
from arena.storage.run_facts.facts import RunState
from arena.storage.run_files.tuning_folder import COURSE_FILE, TRIALS_FILE, TUNING_FILE, TUNING_RESULT, TrialLine
from arena.storage.run_folder import FolderStore
from arena.storage.tables.match_tables import MATCH_COLUMNS, Table, run_tables
from arena.tournament.inference.intervals import LEAST_CLUSTERS, clustered_mean
from arena.tournament.measures.measures import MEASURES, order_measures
from arena.tournament.records.match_record import MatchRecord
from arena.tournament.schedule.seat_orders import SeatOrders, seat_orders
from arena.tournament.standings.standings import fold_standings
from arena.tournament.standings.standings_text import standings_data
from arena.tournament.tables.rounded_figures import estimate_text
from arena.tuning.tuning_course import PATIENCE, STEPS

from .pages import FLAT, GAMES, LETTER, PAGES, ROOT, RULES_PAGE, TEXT, blocks, codes, rows, section

README = (ROOT / "README.md").read_text(encoding="utf-8")


# Form ----------------------------------------------------------------------------------------------


def test_every_page_is_listed_and_printed() -> None:
    listed = {page.name: page for page in topics.list_pages()}
    shown = CliRunner().invoke(cli, ["docs"]).output
    for name in PAGES:
        assert TEXT[name].startswith(f"# {listed[name].title}\n")
        assert re.search(rf"^  {name} +{re.escape(listed[name].aim)}$", shown, re.MULTILINE)
        assert CliRunner().invoke(cli, ["docs", name]).output == TEXT[name]


def test_every_page_is_in_exactly_one_group_and_says_in_a_line_what_its_readers_can_do() -> None:
    grouped = [name for group in PAGE_GROUPS for name in group.pages]
    files = {path.stem for path in docs_folder().glob("*.md")}
    assert sorted(grouped) == sorted(files | set(topics.SCHEMA_TOPICS))
    for page in topics.list_pages():
        assert re.fullmatch(r"[A-Z][^\n]{15,78}[.]", page.aim), page.name
    assert len({page.aim for page in topics.list_pages()}) == len(grouped)


def test_pages_are_listed_in_their_groups_in_reading_order() -> None:
    shown = CliRunner().invoke(cli, ["docs"]).output
    first, *parts = shown.split("\n\n")
    assert first == f"Start here: arena docs {START_PAGE}"
    for part, group in zip(parts, PAGE_GROUPS, strict=True):
        title, *lines = part.splitlines()
        assert (title, [line.split()[0] for line in lines]) == (group.title, list(group.pages))
    listed = json.loads(CliRunner().invoke(cli, ["docs", "--json"]).output)
    assert [page["name"] for page in listed] == [name for group in PAGE_GROUPS for name in group.pages]
    assert set(listed[0]) == {"name", "title", "group", "aim"}


def test_every_page_can_be_read_in_a_terminal() -> None:
    for name, text in TEXT.items():
        assert text.endswith("\n"), name
        assert not text.endswith("\n\n"), name
        assert text.count("```") % 2 == 0, name
        lines = text.splitlines()
        assert not [(name, n, line) for n, line in enumerate(lines, 1) if len(line) > 110 or line != line.rstrip()]


def test_pages_that_are_named_exist() -> None:
    for text in TEXT.values():
        for name in re.findall(r"arena docs ([a-z][a-z-]*)", text):
            assert name in (*PAGES, *topics.SCHEMA_TOPICS)


# Commands ------------------------------------------------------------------------------------------


def commands(text: str) -> Iterator[str]:
    """Command lines in console blocks, in sh blocks, and in backticks."""
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        yield from re.findall(r"(?:^|&& |… )(arena .*)$", block, re.MULTILINE)
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
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"{line}: no command {name}"
        command = found
    known = {opt for param in command.params for opt in param.opts} | {"--help", "-h"}
    for word in words:
        if word.startswith("-"):
            assert word.partition("=")[0] in known, f"{line}: no option {word}"


def test_every_command_shown_exists() -> None:
    for text in (*TEXT.values(), README):
        for line in commands(text):
            parse(line)


def test_commands_of_pages_are_found_at_all() -> None:
    assert sum(1 for name in PAGES for _ in commands(TEXT[name])) > 30
    for wrong in ("arena plai x", "arena run x --bogus", "arena bots make x"):
        with pytest.raises(AssertionError):
            parse(wrong)


# isolation -----------------------------------------------------------------------------------------


def test_the_levels_their_layers_and_the_amounts_are_told() -> None:
    text = TEXT["isolation"]
    for level, needed in LEVEL_LAYERS.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{level.value}` "))
        assert {layer.value for layer in needed} == codes(row.split("|")[2])
    for layer in Layer:
        assert re.search(rf"^\| `{layer.value}` ", text, re.MULTILINE)
    policy = SandboxPolicy()
    for amount in (policy.memory, policy.threads, policy.files, policy.cpu, LINE_LIMIT, LOG_LIMIT):
        assert str(amount) in text.replace(",", "")


# bots ----------------------------------------------------------------------------------------------


def test_faults_and_policies_are_closed_lists() -> None:
    assert [row[0].strip("`") for row in rows("bots", "Faults")] == [kind.value for kind in FaultKind]
    for kind, row in zip(FaultKind, rows("bots", "Faults"), strict=True):
        said = ["no", "yes"]
        assert row[1:] == [
            kind.traits.meaning,
            said[kind.ends_match],
            kind.traits.gone.value,
            said[kind.can_be_reported],
        ]
    for policy in FaultPolicy:
        assert f"- `{policy.value}`: " in TEXT["bots"]


def test_results_of_play_are_described() -> None:
    text = section("bots", "Testing")
    result = testing.play("silent", "silent", seed="1")
    for name in result.__struct_fields__:
        assert f"`{name}`" in text


# tournaments and results ---------------------------------------------------------------------------


def test_every_key_of_a_tournament_is_described_with_its_default() -> None:
    described = rows("tournaments", "Keys")
    structs = (tournament_config.Tournament, tournament_config.Entrant, tournament_config.EditionEntry, Limits, Amounts)
    fields = [field for struct in structs for field in msgspec.structs.fields(struct)]
    assert [row[0].strip("`") for row in described] == [field.name for field in fields]
    for row, field in zip(described, fields, strict=True):
        if field.required:
            assert row[2] == "–", row[0]
        elif isinstance(field.default, int | float | str) and field.default:
            assert row[2].strip("`") == f"{field.default:g}" if isinstance(field.default, float) else str(field.default)


def test_tournament_examples_load(tmp_path: Path) -> None:
    for name in PAGES:
        for number, block in enumerate(blocks(name, "yaml tournament")):
            path = tmp_path / f"{name}-{number}.yaml"
            path.write_text(block)
            plan = make_plan(path)
            assert plan.names, path
            if name == "tournaments":
                assert f"= {len(plan.schedule)} matches." in FLAT[name], path


def test_leagues_are_shown_without_a_seed_that_somebody_could_guess() -> None:
    shown = [
        *re.findall(r"^```yaml.*\n(.*?)^```$", README, re.DOTALL | re.MULTILINE),
        *blocks("tournaments", "yaml tournament"),
    ]
    shown += [(ROOT / "configs" / "tournaments" / f"{name}.yaml").read_text() for name in ("league", "versions")]
    assert len(shown) == 11
    for text in shown:
        assert not re.search(r"^seed:", text, re.MULTILINE)


def test_every_key_of_a_ladder_is_described_with_its_default() -> None:
    described = rows("ladders", "Keys")
    for struct in (ladder_config.LadderConfig, ladder_config.EntryRules, ladder_config.Publish):
        fields = {field.name: field for field in msgspec.structs.fields(struct)}
        own, described = described[: len(fields)], described[len(fields) :]
        assert {row[0].strip("`") for row in own} == set(fields)
        for row in own:
            field, default = fields[row[0].strip("`")], row[-2].strip("`")
            if field.required:
                assert default == "–", field.name
            elif isinstance(field.default, bool):
                assert default == str(field.default).lower()
            elif isinstance(field.default, int | float | str) and field.default:
                assert default == str(field.default)
    assert not described


def test_ladder_examples_load() -> None:
    shipped = (ROOT / "configs" / "ladders" / "nightly.yaml").read_text()
    models, nightly = blocks("ladders", "yaml ladder")
    assert nightly.split("\n", 1)[1] in shipped
    assert check_ladder_document(parse_yaml(models, "talkers.yaml"), Path())[0].entry.models == ("fast",)
    config, edition = load_ladder(find_ladder_file("nightly"))
    assert (config.seats, edition.label, [anchor.name for anchor in config.anchors]) == (
        4,
        "eagle-gryphon",
        ["fair", "greedy", "hard"],
    )


def test_yaml_blocks_say_what_they_are() -> None:
    known = (
        "yaml tournament",
        "yaml parts",
        "yaml ladder",
        "yaml rules",
        "yaml board",
        "yaml board tournament",
        "yaml study",
    )
    for text in TEXT.values():
        assert all(info in known for info in re.findall(r"^```(yaml.*)$", text, re.MULTILINE))


def test_numbers_of_seat_orders() -> None:
    schemes = [each for each in SeatOrders if each is not SeatOrders.LISTED]
    told = {row[0].strip("`"): row[1] for row in rows("tournaments", "What is played")}
    for each in schemes:
        assert told[each] == ", ".join(str(len(seat_orders(each, k))) for k in range(2, 7))


def test_fields_of_records_and_timings_are_described() -> None:
    assert [row[0].strip("`") for row in rows("results", "matches.jsonl")] == list(MatchRecord.__struct_fields__)


@pytest.mark.parametrize(("game", "words"), [("board", "The board game"), ("cards", "The card game")])
def test_the_counts_that_a_measure_may_name_are_those_of_the_game(game: str, words: str) -> None:
    (told,) = re.findall(rf"^- {words}: (.*?)[.;]$(?=\n(?:- |\n))", TEXT["tournaments"], re.MULTILINE | re.DOTALL)
    summary = load_game(game).summary
    assert summary is not None
    assert set(re.findall(r"`(\w+)`", told)) == set(summary.counts)
    timings = rows("results", "timings.jsonl")
    assert {row[0].strip("`") for row in timings} == set(Timing.__struct_fields__)
    assert set(SeatTiming.__struct_fields__) <= codes(section("results", "timings.jsonl"))


def test_keys_of_the_manifest_are_described(tmp_path: Path) -> None:
    plan = make_plan(ROOT / "configs" / "tournaments" / "quick.yaml")
    store = FolderStore(tmp_path)
    store.begin(facts_of(plan, "arena run"))
    store.end(RunState.COMPLETE, 0, {})
    store.remember({"merged": [], "reused": {}, "played_again": 0, "root": "", "machines": []})
    described = codes("\n".join(row[0] for row in rows("results", "manifest.json")))
    assert described == set(msgspec.json.decode((tmp_path / "manifest.json").read_bytes()))


def test_fields_of_what_commands_print_as_json_are_described() -> None:
    described = codes(section("replay", "What to check").partition("### As JSON")[2])
    for each in (
        VerifyReport,
        FileVerdict,
        Consistency,
        Story,
        StoryLine,
        PlayDifference,
        DocsPage,
        AskDetail,
        ViewPart,
        DealStories,
    ):
        assert set(each.__struct_fields__) <= described, each
    assert {*SentenceKind, *AnswerKind, *PageSection.__struct_fields__} - {"start", "end"} <= described


def test_fields_of_a_gauntlet_are_described(arena: Any) -> None:
    few = ("--deals", 1, "--rule", "max_turns=4", "--trust", "-q", "--json")
    found = msgspec.json.decode(arena("gauntlet", "greedy", "silent", *few, "--vary", "greed=0.2,0.8").out)
    described = codes(section("gauntlet", "What is kept"))
    for each in (found, found["challengers"][0], found["duels"][0], found["trials"][0]):
        assert set(each) <= described
    assert set(found["duels"][0]["score"]) == {"mean", "half_width", "low", "high", "clusters"}
    assert '`{"mean", "half_width", "low", "high", "clusters"}`' in TEXT["gauntlet"]
    assert {*GauntletFault.__struct_fields__, "command"} <= described


def test_fields_of_a_comparison_are_described(arena: Any) -> None:
    few = ("--max-deals", 1, "--rule", "max_turns=4", "--trust", "-q", "--json")
    found = msgspec.json.decode(arena("compare", "greedy", "silent", "fair", *few).out)
    described = codes(section("comparing", "As JSON"))
    for each in (found, found["test"], found["savings"], found["differences"][0], found["measures"]["beaten"]):
        assert set(each) <= described
    assert {verdict.name.lower() for verdict in SequentialVerdict} <= described
    assert {*found["measures"], "money"} <= codes(section("comparing", "What is tested"))
    for option in ("difference", "null", "alpha", "beta"):
        assert getattr(ComparisonQuestion(new="", old=""), option) == found["test"][option]
        assert f"--{option}" in FLAT["comparing"]


def test_fields_of_a_tuning_are_described(arena: Any) -> None:
    few = ("--max-deals", 1, "--rule", "max_turns=2", "--trust", "-q", "--json", "--rounds", 1, "-n", 1, "-j", 1)
    words = ("greedy", "silent", "fair", "--options", "greed=0.1:0.9", "--method", "halving", "--candidates", 2)
    found = msgspec.json.decode(arena("tune", *words, *few).out)
    described = codes(section("tuning", "As JSON")) | codes(section("tuning", "Watching, stopping, going on"))
    assert {*found, *found["rounds"][0], *TrialLine.__struct_fields__} <= described
    assert {TRIALS_FILE, TUNING_RESULT, COURSE_FILE, TUNING_FILE} <= described
    for number in (f"{STEPS} steps", f"last {STEPS // 2} places", "after two rounds", f"({USUAL.candidates})"):
        assert number in FLAT["tuning"]
    assert (PATIENCE, USUAL.deals) == (2, 3)


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


def test_the_measures_of_standings_are_those_of_the_list_with_their_units() -> None:
    lines = section("results", "Standings").partition("\n### ")[0].splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert table[2:] == [
        [
            measure.header or "–",
            f"`{measure.name}`",
            measure.unit.value,
            "±" if measure.interval else "–",
            "yes" if measure.across_games else "no",
            measure.meaning,
        ]
        for measure in MEASURES
    ]
    for measure in MEASURES:
        if measure.parts is not None:
            assert f"`{measure.name}_by_kind` (JSON) and in columns `{measure.name}.KIND` (CSV)" in FLAT["results"]


@pytest.mark.parametrize(
    ("games", "told"), [(1, "The order is by"), (2, "if there are several games, `all` is ordered by")]
)
def test_the_order_of_standings_is_that_of_the_list(games: int, told: str) -> None:
    first, *others = (measure.header for measure in order_measures(MEASURES, ["game"] * games))
    assert f"{told} {first}, then {', '.join(others)} and name" in FLAT["results"]


def test_the_worked_interval() -> None:
    found = clustered_mean([(4, 8), (2, 8), (3, 8)], share=True, step=1.0)
    assert f"three blocks of 8 matches: {estimate_text(found, 1, share=True)}." in FLAT["results"]


def test_the_worked_interval_of_a_share_of_nothing_and_the_least_number_of_blocks() -> None:
    without = clustered_mean([(0, 8)] * 25, share=True)
    assert f"No win in 25 blocks of 8: {estimate_text(without, 1, share=True)}." in FLAT["results"]
    assert LEAST_CLUSTERS == 3
    assert "With fewer than three blocks there is no ±" in FLAT["results"]
    assert "With fewer than three blocks no interval is printed." in FLAT["numbers"]


@pytest.mark.parametrize(("name", "table"), run_tables(GAMES, events=True).items(), ids=str)
def test_every_column_of_every_table_is_described_as_in_the_code_in_order(name: str, table: Table) -> None:
    described: list[list[str]] = []
    line = re.compile(r"^\| +(?:`(.*?)`)? *\| +(whole|number|truth|text|list|time)? *\| (.*?) *\|$", re.MULTILINE)
    for column, kind, meaning in line.findall(section("tables", name)):
        if column and kind:
            described.append([column, kind, meaning])
        elif described and not column and not kind:  # the second line of a meaning
            described[-1][2] += f" {meaning}"
    lists = {"wholes": "list", "texts": "list"}
    own = table.columns[len(MATCH_COLUMNS) :]
    assert described == [[each.name, lists.get(each.kind, each.kind), each.meaning.sentence] for each in own]


def test_every_word_that_stands_in_a_table_is_described() -> None:
    words = {
        "deals": board.Ending,
        "offers": (*board.Answer, *board.OfferOutcome),
        "agreements": board.AgreementOutcome,
        "payments": board.PaymentKind,
        "plays": board.PlayKind,
        "bargains": (*cards.BargainKind, *cards.Answer),
        "actions": cards.ActionKind,
    }
    for name, found in words.items():
        assert {str(word) for word in found} <= codes(section("tables", name)), name


def test_the_version_to_cite_is_this_one() -> None:
    assert f"version = {{{__version__}}}" in section("results", "How to cite")


# glossary and files --------------------------------------------------------------------------------


def test_the_glossary_is_in_order_and_has_the_words() -> None:
    words = re.findall(r"^- \*\*(.+?)\*\*: ", TEXT["glossary"], re.MULTILINE)
    assert words == sorted(words, key=str.casefold)
    wanted = (
        "match block encounter bot entrant seat deal Boss offer agreement tick fizzle edition variant forfeit strike "
        "termination crosstable replay view hook ask fault default"
    )
    assert set(wanted.split()) | {"side promise", "last call", "seat order"} <= set(words)
    cards = "Cousin POTA multiplier lead share token proposal request centre out round"
    assert set(cards.split()) | {"reverse card", "move card", "X card", "double pass", "deal limit"} <= set(words)


def test_old_names_are_those_that_are_read() -> None:
    told = [(codes(row[0]), codes(row[1]), codes(row[2])) for row in rows("changes", "Old options")]
    assert told == [(set(each.commands), {each.old}, {each.new_words}) for each in OLD_OPTIONS]
    told = [(codes(row[0]), codes(row[1]), codes(row[2])) for row in rows("changes", "Old keys of tournament files")]
    assert told == [({each.within}, {each.old}, {each.new}) for each in OLD_KEYS]
    pages = [(row[0].strip("`"), row[1].strip("`")) for row in rows("changes", "Old pages")[1:]]
    assert pages == [(each.old, each.new) for each in OLD_PAGES]


@pytest.mark.parametrize("moved", OLD_PAGES, ids=lambda each: each.old)
def test_an_old_place_of_a_page_prints_the_new_one_and_names_it(moved: OldPage) -> None:
    old = CliRunner().invoke(cli, ["docs", *moved.old.split()])
    new = CliRunner().invoke(cli, ["docs", *moved.new.split()])
    assert (old.exit_code, old.stdout) == (0, new.stdout)
    assert old.stderr == old_name_warning(f"arena docs {moved.old}", f"arena docs {moved.new}") + "\n"
    assert new.stderr == ""


def test_a_section_of_an_old_page_is_found_where_it_is_now() -> None:
    ran = CliRunner().invoke(cli, ["docs", "ladder-entries", "Building"])
    assert ran.stdout == CliRunner().invoke(cli, ["docs", "ladders", "building"]).stdout
    assert ran.stdout.startswith("### Building\n")


def test_all_pages_but_that_of_changes_have_only_the_new_names() -> None:
    for page, text in {**TEXT, "README": README}.items():
        if page == "changes":
            continue
        shown = [*commands(text), *codes(text)]
        for option in OLD_OPTIONS:
            commands_of = tuple(f"arena {name} " for name in option.commands)
            assert not [line for line in shown if line.startswith(commands_of) and option.old in line.split()], page
        for block in re.findall(r"^```yaml.*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            old = [key for key in OLD_KEYS if re.search(rf"[{{,] ?{key.old}:|^ +{key.old}:", block, re.MULTILINE)]
            assert not old, page


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_found_by_its_number(game: str) -> None:
    """In the map, with a file that acts on it and names it."""
    found: dict[str, set[str]] = {}
    for line in section("files", "Rules by number").splitlines():
        numbers, _, files = line.removeprefix("| ").partition(" | ")
        for number in re.findall(rf"^{LETTER[game]}\d[\d.]*|(?<=, ){LETTER[game]}\d[\d.]*", numbers):
            found.setdefault(number, set()).update(codes(files))
    chapters = set(re.findall(rf"^## ({LETTER[game]}\d)", TEXT[RULES_PAGE[game]], re.MULTILINE))
    assert chapters <= found.keys()
    for number, files in found.items():
        for file in files:
            assert number in (ROOT / "arena" / "games" / game / file).read_text(encoding="utf-8"), (number, file)


def test_the_map_is_two_pages() -> None:
    assert len(TEXT["files"].splitlines()) <= 130


def packages() -> dict[str, str]:
    """What the docstring of each folder of the package says, in one line, by its path below arena."""
    said = {}
    for path in (ROOT / "arena").rglob("__init__.py"):
        if path.parent != ROOT / "arena":
            text = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())
            said[path.parent.relative_to(ROOT / "arena").as_posix()] = re.sub(r":\w+:`[.]?", "`", text).replace(
                "``", "`"
            )
    return said


def test_every_room_is_in_the_map_as_it_describes_itself_and_every_folder_does() -> None:
    said = packages()
    assert all(said.values())
    for row in rows("files", "Rooms"):
        (name,) = codes(row[0])
        if not (ROOT / "arena" / f"{name}.py").exists():
            assert said[name.replace(".", "/")].startswith(row[1]), name


RECIPES = (
    "change a rule",
    "add a key to editions",
    "add a measure",
    "add a fault",
    "add an executor",
    "add a pairing policy",
    "add a part of the match page",
    "add a game",
    "add a command",
)


def test_there_is_a_recipe_for_each_of_these() -> None:
    assert tuple(re.findall(r"^- To ([\w ]+?)[:,]", section("files", "Recipes"), re.MULTILINE)) == RECIPES


def test_files_that_are_named_exist() -> None:
    for path in codes(TEXT["files"]):
        if "/" in path and not path.startswith("arena/data"):
            places = (ROOT, ROOT / "arena", *(ROOT / "arena" / "games" / game for game in GAMES))
            assert any((place / path).exists() for place in places) or path == "results/", path


def test_rooms_are_those_that_imports_are_checked_against() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter")
    layers = parser["importlinter:contract:rooms"]["layers"].split("\n")[1:]
    expected = [name.removeprefix("arena.") for layer in layers for name in re.split(r" [:|] ", layer)]
    described = [name for row in rows("files", "Rooms") for name in re.findall(r"`([\w.]+)`", row[0])]
    assert described == expected


def test_the_readme_has_no_gaps_left_to_fill() -> None:
    assert re.findall(r"@[A-Z]+@|TODO|XXX", (ROOT / "README.md").read_text(encoding="utf-8")) == []
