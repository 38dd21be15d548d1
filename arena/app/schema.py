"""The JSON Schemas of replays and of the wire protocol, made from the very types that write and read them."""

from __future__ import annotations

import json
from typing import Any, Union

import msgspec

from arena.bot import Finish, Said
from arena.games import load_game
from arena.protocol.messages import FROM_ARENA, FROM_BOT, VERSION
from arena.replay.lines import FORMAT, Answered, Faulted, Header, Result

GAMES = ("board",)


def replay_schema() -> str:
    """One schema for any line of a replay, whatever the game."""
    lines: list[Any] = [Header, Answered, Faulted, Result]
    moves: list[Any] = []
    for name in GAMES:
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


def protocol_schema() -> str:
    """One schema for any message of the wire protocol, whatever the game."""
    parts: dict[str, list[Any]] = {"Rules": [], "View": [], "Move": [], "Event": [Said]}
    for name in GAMES:
        game = load_game(name)
        found = {
            "Rules": [game.rules_type],
            "View": [hook.view for hook in game.hooks.values()],
            "Move": [move for hook in game.hooks.values() for move in hook.moves],
            "Event": list(game.events),
        }
        for part, kinds in found.items():
            parts[part] += [kind for kind in kinds if kind not in parts[part]]
    views = list(parts["View"])
    tagged = [Union[(*FROM_BOT, *FROM_ARENA)], Union[tuple(parts["Move"])], Union[tuple(parts["Event"])], Finish]
    schemas, components = msgspec.json.schema_components(
        [*tagged, *parts["Rules"], *views], ref_template="#/$defs/{name}"
    )
    messages, moves, events, finish, *others = schemas
    rules, whole = others[: len(parts["Rules"])], others[len(parts["Rules"]) :]
    components |= {"AnyMove": moves, "AnyEvent": events, "AnyRules": {"anyOf": rules}, "AnyView": {"anyOf": whole}}
    for kind in views:
        components[kind.__name__]["properties"]["news"] = {"type": "array", "items": {"$ref": "#/$defs/AnyEvent"}}
    fields = {name: components[name]["properties"] for name in ("Begin", "Asked", "Replied", "Told")}
    fields["Begin"]["rules"] = {"$ref": "#/$defs/AnyRules"}
    fields["Asked"]["view"] = {"$ref": "#/$defs/AnyView"}
    fields["Asked"]["changes"] = {"type": "object"}
    fields["Asked"]["legal"] = {"type": "array", "items": {"$ref": "#/$defs/AnyMove"}}
    fields["Replied"]["move"] = {"anyOf": [{"$ref": "#/$defs/AnyMove"}, {"type": ["boolean", "null"]}]}
    fields["Told"]["view"] = finish
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A message of arena's wire protocol, version {VERSION}",
        **messages,
        "$defs": components,
    }
    return json.dumps(schema, indent=2) + "\n"
