"""The JSON Schema of replays, made from the very types that write and read them."""

from __future__ import annotations

import json
from typing import Any, Union

import msgspec

from arena.games import games, load_game
from arena.replay.lines import FORMAT, Answered, Faulted, Header, Result


def replay_schema() -> str:
    """One schema for any line of a replay, whatever the game."""
    lines: list[Any] = [Header, Answered, Faulted, Result]
    moves: list[Any] = []
    for name in games():
        game = load_game(name)
        lines += [event for event in game.events if event not in lines]
        moves += [move for hook in game.hooks.values() for move in hook.moves if move not in moves]
    (line_schema, move_schema), components = msgspec.json.schema_components(
        [Union[tuple(lines)], Union[tuple(moves)]], ref_template="#/$defs/{name}"
    )
    components["Move"] = move_schema
    for line in ("Answered", "Faulted"):
        for field in ("move", "reply"):
            if field in components[line]["properties"]:
                components[line]["properties"][field] = {"anyOf": [{"$ref": "#/$defs/Move"}, {"type": "null"}]}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of {FORMAT}",
        **line_schema,
        "$defs": components,
    }
    return json.dumps(schema, indent=2) + "\n"
