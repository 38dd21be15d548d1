"""A tournament file becomes a checked, spelled out tournament; mistakes are told with line, column and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bot import Limits
from arena.config.documents.dialect import dump_yaml
from arena.config.tournament_config import RESOLVED_CONFIG, EditionEntry, Entrant, Tournament, to_data
from arena.config.tournament_yaml import load_tournament
from arena.errors import ConfigError
from arena.tournament.formats.make_format import RoundRobinTables
from arena.tournament.schedule.balance import Balance
from arena.tournament.schedule.deals import Deals

SMALL = "name: t\nentrants: [greedy, honest, patient]\neditions: [outline]\n"

FULL = """\
name: Autumn league
seed: 42
deals: fresh
entrants:
  - greedy?greed=0.4
  - {bot: greedy, name: very greedy, options: {greed: 0.9, loud: true}}
  - bots/mine.py
  - bots/mine.py:Shark
  - my.bots:Whale
editions:
  - outline
  - rules: house.yaml
    variants: [last-call]
    changes: {deals: {7: 4}, must_deal_with: null}
    seats: 5
seats: [3, 4]
blocks: 50
seat_orders: balanced
fault_policy: forfeit
strikes: 1
limits: {start: 20, ask: 0.5, bank: 0, match: null}
jobs: 4
replays: faults
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot and an edition; the current folder is another one."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").touch()
    (tmp_path / "house.yaml").touch()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


def load(folder: Path, text: str, *overrides: str, files: bool = True) -> Tournament:
    file = folder / "t.yaml"
    file.write_text(text, encoding="utf-8")
    return load_tournament(file, overrides, files=files)


def refusal(folder: Path, text: str, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text, *overrides)
    return str(caught.value).replace(f"{folder}/", "")


def test_a_small_file_gets_the_defaults(folder: Path) -> None:
    assert load(folder, SMALL) == Tournament(
        name="t",
        entrants=tuple(Entrant(bot=name, name=name) for name in ("greedy", "honest", "patient")),
        editions=(EditionEntry(rules="outline"),),
        seed=None,
        seats=None,
        blocks=None,
        deals=Deals.TABLE,
        tables=RoundRobinTables.SPREAD,
        seat_orders="rotations",
        fault_policy="substitute",
        strikes=3,
        limits=Limits(start=10.0, ask=1.0, bank=10.0, match=60.0),
        jobs=None,
        replays="all",
    )


@pytest.mark.parametrize(
    ("lines", "tables", "deals"),
    [
        ("tables: all", RoundRobinTables.ALL, Deals.DUPLICATE),
        ("tables: spread", RoundRobinTables.SPREAD, Deals.TABLE),
        ("tables: spread\ndeals: duplicate", RoundRobinTables.SPREAD, Deals.DUPLICATE),
        ("tables: all\ndeals: table", RoundRobinTables.ALL, Deals.TABLE),
        ("format: gauntlet\nchallengers: [greedy]", None, Deals.DUPLICATE),
        ("format: swiss\nrounds: 1", None, Deals.TABLE),
    ],
)
def test_which_matches_share_a_deal_follows_from_the_tables(
    folder: Path, lines: str, tables: RoundRobinTables | None, deals: Deals
) -> None:
    loaded = load(folder, SMALL + lines)
    assert (loaded.tables, loaded.deals) == (tables, deals)


def test_only_a_round_robin_has_a_choice_of_tables(folder: Path) -> None:
    told = refusal(folder, SMALL + "format: gauntlet\nchallengers: [greedy]\ntables: all")
    assert told == "t.yaml:6:9: tables: only a round robin has a choice of tables; the tables of a gauntlet are fixed"


@pytest.mark.parametrize(
    ("lines", "tables"),
    [
        ("deals: duplicate", RoundRobinTables.ALL),
        ("", RoundRobinTables.ALL),
        ("format: gauntlet\nchallengers: [greedy]", None),
    ],
)
def test_a_resolved_file_of_before_means_every_table_of_one_deal(
    folder: Path, lines: str, tables: RoundRobinTables | None
) -> None:
    file = folder / RESOLVED_CONFIG
    file.write_text(SMALL + lines)
    loaded = load_tournament(file)
    assert (loaded.tables, loaded.deals, loaded.balance) == (tables, Deals.DUPLICATE, Balance.PAIRS)


TEAM_MISTAKES = {
    "a/b": "t.yaml:3:32: entrants[0].team: expected a team's name of at most 40 characters, without '/', control "
    "characters and spaces around it, got 'a/b'",
    "' a'": "t.yaml:3:32: entrants[0].team: expected a team's name of at most 40 characters, without '/', control "
    "characters and spaces around it, got ' a'",
}


@pytest.mark.parametrize("team", TEAM_MISTAKES)
def test_a_team_is_named_in_one_line(folder: Path, team: str) -> None:
    text = f"name: t\neditions: [outline]\nentrants: [{{bot: greedy, team: {team}}}, fair]\n"
    assert refusal(folder, text) == TEAM_MISTAKES[team]


def test_mixtures_enter_each_bot_as_often_as_a_table_has_seats(folder: Path) -> None:
    mixed = "format: mixtures\nseats: 3\n"
    loaded = load(folder, SMALL + mixed)
    bots = ["greedy", "honest", "patient"]
    assert [entrant.name for entrant in loaded.entrants] == [
        *bots,
        *(f"{name}#{copy}" for copy in (2, 3) for name in bots),
    ]
    assert [entrant.bot for entrant in loaded.entrants] == bots * 3
    assert loaded.deals is Deals.DUPLICATE
    again = load(folder, dump_yaml(to_data(loaded)))
    assert again == loaded, "copies are not entered again"
    assert len(load(folder, dump_yaml(to_data(loaded)), "seats=[2]").entrants) == 6


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("format: mixtures", "format: mixtures need 'seats': how many sit at a table, copies of a bot too"),
        (
            "format: mixtures\nseats: 2\nentrants: [{bot: greedy, team: a}, fair]",
            "entrants[0].team: mixtures have no teams, because copies of a bot meet; leave it out",
        ),
        (
            "format: mixtures\nseats: 2\nentrants: [greedy, {bot: greedy, name: two}]",
            "entrants: expected at least 2 different bots for mixtures, got copies of one",
        ),
        (
            "format: mixtures\nseats: 2\nentrants: [greedy, {bot: fair, name: 'greedy#2'}]",
            "entrants: a name ends in the number of a copy of another bot; give it another 'name'",
        ),
        (
            f"format: mixtures\nseats: 2\nentrants: [greedy, {{bot: fair, name: {'n' * 39}}}]",
            f"entrants: expected names of at most 40 characters with the number of a copy, got '{'n' * 39}#2'",
        ),
    ],
)
def test_mixtures_that_cannot_be_played_are_told(folder: Path, lines: str, told: str) -> None:
    keys = [line for line in SMALL.splitlines() if not ("entrants" in lines and line.startswith("entrants"))]
    assert refusal(folder, "\n".join([*keys, lines])).partition(": ")[2] == told


def test_a_team_mate_of_the_only_challenger_is_refused_because_it_would_never_play(folder: Path) -> None:
    text = (
        "name: t\neditions: [outline]\nformat: gauntlet\nchallengers: [greedy]\n"
        "entrants: [{bot: greedy, team: a}, {bot: fair, team: a}, hard]\n"
    )
    told = "t.yaml:5:54: entrants[1].team: fair would never play: all challengers are in its team, a"
    assert refusal(folder, text) == told


def test_a_full_file_is_spelled_out(folder: Path) -> None:
    assert load(folder, FULL) == Tournament(
        name="Autumn league",
        entrants=(
            Entrant(bot="greedy", name="greedy", options={"greed": 0.4}),
            Entrant(bot="greedy", name="very greedy", options={"greed": 0.9, "loud": True}),
            Entrant(bot=f"{folder}/bots/mine.py", name="mine"),
            Entrant(bot=f"{folder}/bots/mine.py:Shark", name="Shark"),
            Entrant(bot="my.bots:Whale", name="Whale"),
        ),
        editions=(
            EditionEntry(rules="outline"),
            EditionEntry(
                rules=f"{folder}/house.yaml",
                variants=("last-call",),
                changes={"deals": {7: 4}, "must_deal_with": None},
                seats=(5,),
            ),
        ),
        seed="42",
        deals=Deals.FRESH,
        tables=RoundRobinTables.SPREAD,
        seats=(3, 4),
        blocks=50,
        seat_orders="balanced",
        fault_policy="forfeit",
        strikes=1,
        limits=Limits(start=20.0, ask=0.5, bank=0.0, match=None),
        jobs=4,
        replays="faults",
    )


@pytest.mark.parametrize("text", [SMALL, FULL])
def test_a_resolved_tournament_is_read_back_from_anywhere(folder: Path, text: str) -> None:
    tournament = load(folder, text)
    again = folder / "elsewhere" / "config.resolved.yaml"
    again.write_text(dump_yaml(to_data(tournament)), encoding="utf-8")
    assert load_tournament(again) == tournament


@pytest.mark.parametrize("seed", ["no", "12", "1e3", "2026-11-20", "007", "ünï", "null"])
def test_a_seed_stays_the_same_text_when_read_back(folder: Path, seed: str) -> None:
    tournament = load(folder, SMALL, f'seed="{seed}"')
    assert tournament.seed == seed
    assert load(folder, dump_yaml(to_data(tournament))) == tournament


def test_the_command_line_wins_over_the_file_in_its_order(folder: Path) -> None:
    settings = ["limits.ask=2", "entrants[0].options.greed=0.7", "limits.ask=3", "seats=3", "seed=9"]
    settings += ["editions[0].seats=2"]
    tournament = load(folder, SMALL, *settings)
    assert tournament.limits == Limits(ask=3.0)
    assert tournament.entrants[0] == Entrant(bot="greedy", name="greedy", options={"greed": 0.7})
    assert (tournament.seats, tournament.seed) == ((3,), "9")
    assert tournament.editions == (EditionEntry(rules="outline", seats=(2,)),)


def test_a_file_that_is_not_beside_the_tournament_is_taken_from_the_current_folder(folder: Path) -> None:
    (folder / "elsewhere" / "other.py").touch()
    assert load(folder, SMALL, "entrants[0]=other.py").entrants[0].bot == f"{folder}/elsewhere/other.py"


def test_a_finished_run_can_be_looked_at_when_its_bots_are_gone(folder: Path) -> None:
    assert load(folder, SMALL, "entrants[0]=/gone/away.py", files=False).entrants[0].name == "away"


ROOT_KEYS = (
    "name, entrants, editions, seed, seats, blocks, deals, seat_orders, fault_policy, strikes, suspend_after, limits, "
    "time_limit, max_fault_rate, jobs, executor, scheduler, replays, isolation, require, skip_broken, sandbox, format, "
    "challengers, tables, balance, rounds, fixtures, measures, models, consulting, slots"
)

ONE_LINE_MISTAKES = {
    "edition: x": f"t.yaml:4:1: edition: unknown key (did you mean 'editions'?); expected one of {ROOT_KEYS}",
    "blocks: 0": "t.yaml:4:9: blocks: expected a whole number from 1 to 1,000,000,000 or null, got 0",
    "strikes: many": "t.yaml:4:10: strikes: expected a whole number from 1 to 1,000,000, got 'many'",
    "jobs: 0": "t.yaml:4:7: jobs: expected a whole number from 1 to 1,000 or null, got 0",
    "executor: das": "t.yaml:4:11: executor: expected pool, serial, dask or module:Name, got 'das' "
    "(did you mean 'dask'?)",
    "scheduler: 8786": "t.yaml:4:12: scheduler: expected text of at least 1 character or null, got 8786;"
    " put text in quotes",
    "seat_orders: rotation": "t.yaml:4:14: seat_orders: expected rotations, williams, balanced, all or listed, got"
    " 'rotation' (did you mean 'rotations'?)",
    "deals: same": "t.yaml:4:8: deals: expected duplicate, table, fresh or null, got 'same'",
    "fault_policy: forgive": "t.yaml:4:15: fault_policy: expected substitute, forfeit or void, got 'forgive'"
    " (did you mean 'forfeit'?)",
    "replays: no": 't.yaml:4:10: replays: no is ambiguous; write false, or quote it: "no"',
    "limits: {asks: 1}": "t.yaml:4:10: limits.asks: unknown key (did you mean 'ask'?);"
    " expected one of start, ask, bank, match",
    "limits:\n  ask: 0": "t.yaml:5:8: limits.ask: expected a number above 0 and of at most 1,000,000, got 0",
    "limits: {bank: -1}": "t.yaml:4:16: limits.bank: expected a number from 0 to 1,000,000, got -1",
    "limits: {match: 0}": "t.yaml:4:17: limits.match: expected a number above 0 and of at most 1,000,000 or null,"
    " got 0",
    "seats: 0": "t.yaml:4:8: seats: expected at least 2 seats, got 0",
    "seats: [2, 1]": "t.yaml:4:12: seats[1]: expected at least 2 seats, got 1",
    "seats: [2, 2]": "t.yaml:4:12: seats[1]: 2 occurs twice",
    "seats: 4": "t.yaml:4:8: seats: 4 seats, but only 3 entrants to fill them",
    "seats: []": "t.yaml:4:8: seats: expected numbers of seats, got an empty list",
    "seats: all": "t.yaml:4:8: seats: expected a whole number, a list of them or null, got 'all'",
    "seed: 1.5": "t.yaml:4:7: seed: expected text, a whole number or null, got 1.5; put text in quotes",
    'seed: "a\\nb"': "t.yaml:4:7: seed: expected text in one line, without control characters, got 'a\\nb'",
    "format: swis": "t.yaml:4:9: format: expected round-robin, gauntlet, swiss, knockout, list or mixtures, got 'swis'"
    " (did you mean 'swiss'?)",
    "format: gauntlet": "t.yaml:4:9: format: a gauntlet needs 'challengers': the names of one entrant or more",
    "challengers: [greedy]": "t.yaml:4:14: challengers: only a gauntlet has challengers: write 'format: gauntlet', or"
    " leave it out",
    "format: gauntlet\nchallengers: [gredy]": "t.yaml:5:15: challengers[0]: expected an entrant's name, got 'gredy'"
    " (did you mean 'greedy'?); there are greedy, honest, patient",
    "format: gauntlet\nchallengers: [greedy, greedy]": "t.yaml:5:23: challengers[1]: 'greedy' occurs twice",
    "format: gauntlet\nchallengers: [greedy, honest, patient]": "t.yaml:5:14: challengers: expected entrants that "
    "are not challengers, as their opponents, got none",
    "format: gauntlet\nchallengers: [greedy, honest]\nseats: 3": "t.yaml:6:8: seats: 3 seats, but only a challenger "
    "and the field to fill them; together 2",
    "name: again": "t.yaml:4:1: name: the key occurs twice, in lines 1 and 4",
}  # fmt: skip


@pytest.mark.parametrize("line", ONE_LINE_MISTAKES)
def test_a_wrong_line_is_told(folder: Path, line: str) -> None:
    assert refusal(folder, SMALL + line) == ONE_LINE_MISTAKES[line]


ENTRANT_MISTAKES = {
    "greedy": "t.yaml:3:11: entrants: expected a list, got 'greedy'",
    "[greedy]": "t.yaml:3:11: entrants: expected at least 2 entrants, got 1",
    "[greedy, honest, greedy]": "t.yaml:3:28: entrants[2]: entrants[0] also has the name 'greedy';"
    " give each a different 'name'",
    "[greedy, {bot: honest, name: greedy}]": "t.yaml:3:20: entrants[1]: entrants[0] also has the name 'greedy';"
    " give each a different 'name'",
    "[greedy, 3]": "t.yaml:3:20: entrants[1]: expected a bot, or a mapping with the key 'bot' or 'cmd', got 3",
    "[greedy, {bto: x}]": "t.yaml:3:21: entrants[1].bto: unknown key (did you mean 'bot'?);"
    " expected one of bot, cmd, name, options, files, team, models",
    "[greedy, {name: x}]": "t.yaml:3:20: entrants[1]: expected either a 'bot' or a 'cmd', got neither",
    "[greedy, {bot: x, options: {a: [1]}}]": "t.yaml:3:42: entrants[1].options.a:"
    " expected text, a number, true or false, got a list of 1",
    "[greedy, {bot: 'x?a=1'}]": "t.yaml:3:26: entrants[1].bot: options after '?' belong to the short form;"
    " write them under 'options'",
    "[greedy, 'x?a']": "t.yaml:3:20: entrants[1]: bot 'x?a': expected option=value after '?' or '&', got 'a'",
    "[greedy, a b]": "t.yaml:3:20: entrants[1]: bot 'a b': expected a bundled name, a file (bots/mine.py or"
    " bots/mine.py:Class), a folder (bots/mine/), package.module:Class or cmd:\"./bot --flag\"",
    "[greedy, {bot: x, name: ' '}]": "t.yaml:3:35: entrants[1].name: expected a name, got ' '",
    "[greedy, {bot: x, name: ..}]": "t.yaml:3:35: entrants[1].name: expected a name, got '..'",
    "[greedy, {bot: x, name: a/b}]": "t.yaml:3:35: entrants[1].name:"
    " expected a name without '/' and control characters, got 'a/b'",
    '[greedy, {bot: x, name: "a\\tb"}]': "t.yaml:3:35: entrants[1].name:"
    " expected a name without '/' and control characters, got 'a\\tb'",
    f"[greedy, {{bot: x, name: {'x' * 41}}}]": "t.yaml:3:35: entrants[1].name:"
    " expected a name of at most 40 characters, got 41",
    "[greedy, {bot: x, name: 3}]": "t.yaml:3:35: entrants[1].name: expected text, got 3; put text in quotes",
    "[greedy, bots/mien.py]": "t.yaml:3:20: entrants[1].bot: no such file: bots/mien.py or"
    " elsewhere/bots/mien.py (did you mean 'mine.py'?)",
}  # fmt: skip


@pytest.mark.parametrize("entrants", ENTRANT_MISTAKES)
def test_wrong_entrants_are_told(folder: Path, entrants: str) -> None:
    assert refusal(folder, f"name: t\neditions: [outline]\nentrants: {entrants}") == ENTRANT_MISTAKES[entrants]


EDITION_MISTAKES = {
    "outline": "t.yaml:3:11: editions: expected a list, got 'outline'",
    "[]": "t.yaml:3:11: editions: expected at least 1 edition, got an empty list",
    "[3]": "t.yaml:3:12: editions[0]: expected rules, or a mapping with the key 'rules', got 3",
    "[outline, {rules: outline}]": "t.yaml:3:21: editions[1]: the same as editions[0]",
    "[{rules: a, variants: [b, b]}]": "t.yaml:3:37: editions[0].variants[1]: the variant 'b' occurs twice",
    "[outline, {rules: outline, seats: 2}, {rules: outline, seats: [2]}]": "t.yaml:3:49: editions[2]:"
    " the same as editions[1]",
    "[{rules: a, seats: 1}]": "t.yaml:3:30: editions[0].seats: expected at least 2 seats, got 1",
    "[{rules: a, seats: [2, 7]}]": "t.yaml:3:34: editions[0].seats[1]: 7 seats, but only 2 entrants to fill them",
    "[{rules: a, seats: [2, 2]}]": "t.yaml:3:34: editions[0].seats[1]: 2 occurs twice",
    "[{rules: a, seats: 3}]": "t.yaml:3:30: editions[0].seats: 3 seats, but only 2 entrants to fill them",
    "[{rules: a, seats: []}]": "t.yaml:3:30: editions[0].seats: expected numbers of seats, got an empty list",
    "[{rules: a, seats: all}]": "t.yaml:3:30: editions[0].seats: expected a whole number, a list of them or null,"
    " got 'all'",
    "[{rules: a, seat: 2}]": "t.yaml:3:23: editions[0].seat: unknown key (did you mean 'seats'?);"
    " expected one of rules, variants, changes, seats",
    "[hose.yaml]": "t.yaml:3:12: editions[0].rules: no such file: hose.yaml or elsewhere/hose.yaml"
    " (did you mean 'house.yaml'?)",
}  # fmt: skip


@pytest.mark.parametrize("editions", EDITION_MISTAKES)
def test_wrong_editions_are_told(folder: Path, editions: str) -> None:
    assert refusal(folder, f"name: t\nentrants: [a, b]\neditions: {editions}") == EDITION_MISTAKES[editions]


SETTING_MISTAKES = {
    "limits.asks=1": "--set limits.asks: unknown key (did you mean 'ask'?); expected one of start, ask, bank,"
    " match",
    "limit.ask=1": "--set limit.ask: limit: unknown key (did you mean 'limits'?);"
    f" expected one of {ROOT_KEYS}",
    "blocks=x": "--set blocks: expected a whole number from 1 to 1,000,000,000 or null, got 'x'",
    "limits={ask: 2, bank: -1}": "--set limits: limits.bank: expected a number from 0 to 1,000,000, got -1",
    "entrants[1]=greedy": "--set entrants[1]: entrants[0] also has the name 'greedy';"
    " give each a different 'name'",
    "entrants[1].name=a/b": "--set entrants[1].name:"
    " expected a name without '/' and control characters, got 'a/b'",
    "entrants[0].options.greed=no": '--set entrants[0].options.greed: no is ambiguous;'
    ' write false, or quote it: "no"',
}  # fmt: skip


@pytest.mark.parametrize("setting", SETTING_MISTAKES)
def test_a_wrong_setting_is_told_without_a_line(folder: Path, setting: str) -> None:
    assert refusal(folder, SMALL, setting) == SETTING_MISTAKES[setting]


def test_a_missing_key_is_told(folder: Path) -> None:
    assert refusal(folder, "name: t\nentrants: [a, b]") == "t.yaml:1:1: editions: the key is missing; expected a list"
