"""Gauntlets: planned without a file, and kept as runs like any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.botspec import parse_bot
from arena.config.documents.dialect import dump_yaml
from arena.config.variations import parse_all
from arena.penalties import FaultPolicy
from arena.runs.gauntlet_setup import GauntletOptions, base_challenger, entrant_words, set_up_gauntlet
from arena.runs.planning.make_plan import make_plan
from arena.tournament.formats.make_format import Formats
from arena.tournament.schedule.seat_orders import SeatOrders

SHORT = ("max_turns=4",)
BRIEF = ("--rule", "max_turns=4", "--trust", "-q")
FILE = """
name: mine
seed: 5
entrants: [silent, greedy, random-legal]
format: gauntlet
challengers: [greedy]
editions: [{rules: eagle-gryphon, changes: {max_turns: 4}}]
seats: 2
blocks: 2
isolation: none
"""


def plan_of(*bots: str, **more: Any) -> Any:
    return set_up_gauntlet(GauntletOptions(bot=bots[0], opponents=bots[1:], settings=SHORT, trust=True, **more))


def test_the_bot_is_at_every_table_of_four_in_balanced_orders_and_the_others_share_the_rest() -> None:
    plan = plan_of("greedy", "fair", "hard", "hoarder", "saboteur")
    assert plan.labels[0].endswith("-4p")
    assert plan.tournament.seat_orders is SeatOrders.BALANCED
    assert plan.tournament.blocks == 50
    assert len(plan.schedule) == 50 * 4 * 12
    assert all(fixture.entrants.count(0) == 1 for fixture in plan.schedule)


@pytest.mark.parametrize(
    ("bots", "more", "seats"),
    [
        (["greedy", "fair"], {}, 2),
        (["greedy", "fair", "hard"], {}, 3),
        (["tycoon", "closer", "fair", "cousin"], {"rules": "card-game"}, 4),
        (["greedy", *["silent"] * 6], {"seats": 6}, 6),
    ],
)
def test_there_are_as_many_seats_as_bots_up_to_four_or_as_many_as_wanted(
    bots: list[str], more: dict[str, Any], seats: int
) -> None:
    gauntlet = GauntletOptions(bot=bots[0], opponents=tuple(bots[1:]), trust=True, **more)
    assert set_up_gauntlet(gauntlet).schedule.editions[0].seats == seats


def test_bots_of_one_name_are_numbered() -> None:
    assert plan_of("greedy", "greedy?greed=0.9", "fair").names == ("greedy#1", "greedy#2", "fair")


def test_the_plan_is_a_tournament_that_a_file_can_hold(tmp_path: Path, write_bot: Any) -> None:
    bot = write_bot("")
    plan = plan_of(
        "greedy?greed=0.4",
        str(bot),
        "fair",
        values=parse_all(["greed=0.1,0.2"]),
        variants=("short-game",),
        deals=3,
        fault_policy=FaultPolicy.VOID,
        strikes=5,
    )
    (tmp_path / "t.yaml").write_text(dump_yaml(plan.resolved_config()))
    again = make_plan(tmp_path / "t.yaml")
    assert again.resolved_config() == plan.resolved_config()
    assert [fixture.id for fixture in again.schedule] == [fixture.id for fixture in plan.schedule]
    assert again.tournament.format is Formats.GAUNTLET


def test_values_are_challengers_named_after_them_with_their_options() -> None:
    wanted = GauntletOptions(
        bot="greedy?greed=0.2", opponents=("fair",), values=parse_all(["greed=0.1:0.3:0.1"]), settings=SHORT, trust=True
    )
    plan = set_up_gauntlet(wanted)
    assert plan.tournament.challengers == ("greedy?greed=0.1", "greedy?greed=0.2", "greedy?greed=0.3")
    assert [entrant.options for entrant in plan.tournament.entrants] == [
        {"greed": each} for each in (0.1, 0.2, 0.3)
    ] + [{}]
    assert base_challenger(wanted, plan) == "greedy?greed=0.2"


def test_without_a_value_of_its_own_among_them_others_are_compared_with_the_first() -> None:
    wanted = GauntletOptions(
        bot="greedy", opponents=("fair",), values=parse_all(["greed=0.3,0.1"]), settings=SHORT, trust=True
    )
    assert base_challenger(wanted, set_up_gauntlet(wanted)) == "greedy?greed=0.3"


@pytest.mark.parametrize("text", ["text?note=a%20b&more='1'", "x?note='yes'", "x?on=true&n=1.5", "plain"])
def test_an_entrant_is_named_on_the_command_line_with_options_that_read_back_the_same(text: str) -> None:
    wanted = GauntletOptions(bot="silent", opponents=("silent",), trust=True)
    plan = set_up_gauntlet(wanted)
    options = parse_bot(text).options
    entrant = plan.tournament.entrants[0]
    tournament = msgspec.structs.replace(
        plan.tournament, entrants=(msgspec.structs.replace(entrant, options=options), plan.tournament.entrants[1])
    )
    words = entrant_words(wanted, msgspec.structs.replace(plan, tournament=tournament))
    assert parse_bot(words[entrant.name]).options == options


def test_a_gauntlet_in_a_tournament_file_plays_its_challengers_matches_only(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(FILE)
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    lines = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert len(lines) == 2 * 2 * 2
    assert all("greedy" in [seat["entrant"] for seat in line["seats"]] for line in lines)
    assert arena("verify", "out", "-q").code == 0
    settings = json.loads((tmp_path / "out" / "manifest.json").read_text())["settings"]
    assert (settings["format"], settings["challengers"]) == ("gauntlet", ["greedy"])


@pytest.mark.slow
def test_a_resumed_gauntlet_ends_with_the_same_bytes_whatever_the_number_of_processes(
    arena: Any, tmp_path: Path
) -> None:
    play = ("gauntlet", "greedy", "silent", "random-legal", "fair", "--seed", 3, "--deals", 2, *BRIEF)
    assert arena(*play, "-o", "whole", "-j", 1).code == 0
    assert arena(*play, "-o", "part", "-j", 2).code == 0
    matches = tmp_path / "part" / "matches.jsonl"
    assert matches.read_bytes() == (tmp_path / "whole" / "matches.jsonl").read_bytes()
    matches.write_bytes(b"".join(matches.read_bytes().splitlines(keepends=True)[5:-3]))
    assert arena("run", "--trust", "--resume", "part", "-q").code == 0
    for name in ("matches.jsonl", "standings.json", "crosstable.csv"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert arena("verify", "part", "-q").code == 0


def test_a_run_that_says_it_had_other_challengers_does_not_verify(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(FILE)
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    config = tmp_path / "out" / "config.resolved.yaml"
    config.write_text(config.read_text().replace("- greedy\n", "- silent\n"))
    ran = arena("verify", "out", "-q")
    assert ran.code == 3
    assert 'challengers[0]: "greedy" there, "silent" here' in ran.out


def test_a_run_from_before_there_were_formats_is_a_round_robin(arena: Any, tmp_path: Path) -> None:
    plain = FILE.replace("format: gauntlet\nchallengers: [greedy]\n", "")
    (tmp_path / "t.yaml").write_text(plain)
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    path = tmp_path / "out" / "manifest.json"
    manifest = json.loads(path.read_text())
    for key in ("format", "challengers", "suspend_after"):
        del manifest["settings"][key]
    path.write_text(json.dumps(manifest))
    problems = arena("verify", "out", "-q").out.splitlines()
    assert [line.partition(": ")[2] for line in problems] == [
        "it has been changed: its digest is not the one in config_sha256"
    ]


def test_where_broken_bots_are_skipped_a_challenger_must_be_left(arena: Any, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    text = FILE.replace("[silent, greedy, ", "[silent, fair, ./broken.py, ").replace("[greedy]", "[broken, fair]")
    (tmp_path / "t.yaml").write_text(text + "skip_broken: true\n")
    assert arena("run", "t.yaml", "-o", "out", "-q").code == 0
    (tmp_path / "u.yaml").write_text(text.replace("[broken, fair]", "[broken]") + "skip_broken: true\n")
    ran = arena("run", "u.yaml", "-q")
    assert ran.code == 2
    assert "challengers: none of the challengers can be loaded (not admitted: broken)" in ran.err
