"""The JSON Schema of replays, made from the types, fits what is written and refuses what is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from arena.commands.docs.schema import replay_schema
from arena.games import built_in_games, load_game

FAULTS = {
    "broken": "1 / 0",
    "garbled": "return 'roll'",
    "illegal": "return Roll() if view.rolled else Draw()",
    "late": "time.sleep(9)",
}


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(replay_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_command_prints_the_schema(arena: Any) -> None:
    ran = arena("docs", "replay-schema")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == json.loads(replay_schema())


def some_of_each(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first lines with the same keys, of each event, and of answers and faults of each hook and kind."""
    seen = Counter[tuple[object, ...]]()
    for line in lines:
        shape = (line["event"], line.get("hook"), line.get("kind"), *line)
        seen[shape] += 1
        if seen[shape] <= 5:
            yield line


@pytest.mark.parametrize("rules", ["eagle-gryphon", "schmidt-1994"])
def test_every_line_of_real_replays_fits(rules: str, validator: Any, contest: Any) -> None:
    from arena.config.editions import load_edition

    edition = load_edition(rules, changes={"max_turns": 15})
    replay = contest("random-legal", "saboteur", "random-legal", edition=edition).replay
    lines = [json.loads(line) for line in replay.splitlines()]
    assert {"match", "result", "answer", "chance", "drew"} <= {line["event"] for line in lines}
    for line in some_of_each(lines):
        validator.validate(line)


@pytest.mark.parametrize("kind", FAULTS)
def test_every_line_of_a_match_with_faults_fits(kind: str, validator: Any, contest: Any, write_bot: Any) -> None:
    from arena.bot import Limits

    bot = write_bot(f"def turn(self, view):\n    {FAULTS[kind]}")
    lines = [json.loads(line) for line in contest(bot, "silent", limits=Limits(9.0, 0.05, 0.0)).replay.splitlines()]
    assert {line["kind"] for line in lines if line["event"] == "fault"} == {kind}
    for line in some_of_each(lines):
        validator.validate(line)


def test_every_line_of_a_match_with_a_missing_bot_fits(validator: Any, contest: Any, write_bot: Any) -> None:
    lines = [json.loads(line) for line in contest(write_bot("1 / 0"), "silent").replay.splitlines()]
    assert [line["kind"] for line in lines if line["event"] == "fault"] == ["missing"]
    for line in some_of_each(lines):
        validator.validate(line)


@pytest.mark.parametrize(
    "change",
    [
        {"event": "danced"},
        {"seat": "one"},
        {"seat": None},
        {"ask": 1.5},
        {"hook": 7},
        {"extra": 1},
        {"move": {"move": "fly"}},
        {"move": {"move": "offers", "offers": [{"to": 1}]}},
        {"move": {"move": "lay", "clans": ["purple"]}},
        {"move": {}},
        {"move": 7},
    ],
)
def test_broken_lines_are_refused(change: dict[str, Any], validator: Any) -> None:
    good = {"event": "answer", "ask": 1, "seat": 0, "hook": "turn", "move": {"move": "roll"}, "say": "", "note": ""}
    validator.validate(good)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**good, **change})


@pytest.mark.parametrize("key", ["event", "ask", "seat", "hook", "move"])
def test_incomplete_lines_are_refused(key: str, validator: Any) -> None:
    good = {"event": "answer", "ask": 1, "seat": 0, "hook": "turn", "move": {"move": "roll"}}
    validator.validate(good)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({name: value for name, value in good.items() if name != key})


def test_closed_lists_stand_in_the_schema(validator: Any) -> None:
    from arena.penalties import FaultKind, FaultPolicy, SeatEnd

    parts = validator.schema["$defs"]
    for kind in (FaultPolicy, SeatEnd, FaultKind):
        assert parts[kind.__name__]["enum"] == sorted(kind)
    assert parts["Header"]["properties"]["fault_policy"] == {"$ref": "#/$defs/FaultPolicy"}
    seat = parts["SeatResult"]["properties"]
    assert seat["ended"] == {"$ref": "#/$defs/SeatEnd", "default": "played"}
    assert seat["faults"]["propertyNames"] == {"$ref": "#/$defs/FaultKind"}


@pytest.mark.parametrize("change", [{"ended": "fled"}, {"faults": {"lazy": 1}}, {"faults": {"late": "1"}}])
def test_a_seat_that_ended_otherwise_than_in_the_lists_is_refused(change: dict[str, Any], validator: Any) -> None:
    seat = {"entrant": "ann", "money": 1, "rank": 1, "ended": "forfeit", "faults": {"late": 1}}
    line = {"event": "result", "termination": "end roll", "asks": 9, "sha256": ""}
    validator.validate({**line, "seats": [seat]})
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**line, "seats": [{**seat, **change}]})


def test_a_match_ends_for_a_reason_of_a_game(validator: Any) -> None:
    result = {"event": "result", "seats": [], "asks": 1, "sha256": ""}
    for game in map(load_game, built_in_games()):
        for termination in game.terminations:
            validator.validate({**result, "termination": termination.value})
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**result, "termination": "boredom"})
