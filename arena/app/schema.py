"""The JSON Schemas of replays and of the wire protocol, made from the very types that write and read them."""

from __future__ import annotations

import json
from typing import Any, Union

import msgspec

from arena.bot import Finish, Said
from arena.games import games, load_game
from arena.protocol.messages import FROM_ARENA, FROM_BOT, VERSION
from arena.replay.lines import FORMAT, Answered, Faulted, Header, Result


def replay_schema() -> str:
    """One schema for any line of a replay, whatever the game.

    Games may use the same word for different moves or events, so each has a union of its own. A match ends for one of
    its game's reasons.
    """
    common = (Header, Answered, Faulted, Result)
    loaded = [load_game(name) for name in games()]
    events = [Union[common], *(Union[game.events] for game in loaded)]
    moves = [Union[tuple(kind for hook in game.hooks.values() for kind in hook.moves)] for game in loaded]
    ends = [game.terminations for game in loaded]
    schemas, components = msgspec.json.schema_components([*events, *moves, *ends], ref_template="#/$defs/{name}")
    lines: list[dict[str, Any]] = [dict(each) for each in schemas]
    components["SeatResult"]["properties"]["faults"]["propertyNames"] = {"$ref": "#/$defs/FaultKind"}
    components["Move"] = _any(lines[len(events) : -len(ends)])
    components["Result"]["properties"]["termination"] = _any(lines[-len(ends) :])
    for line in ("Answered", "Faulted"):
        for field in ("move", "reply"):
            if field in components[line]["properties"]:
                components[line]["properties"][field] = {"anyOf": [{"$ref": "#/$defs/Move"}, {"type": "null"}]}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of {FORMAT}",
        **_any(lines[: len(events)]),
        "$defs": components,
    }
    return json.dumps(schema, indent=2) + "\n"


def protocol_schema() -> str:
    """One schema for any message of the wire protocol, whatever the game."""
    loaded = [load_game(name) for name in games()]
    wanted: dict[str, list[Any]] = {
        "message": [Union[(*FROM_BOT, *FROM_ARENA)]],
        "AnyMove": [Union[tuple(kind for hook in game.hooks.values() for kind in hook.moves)] for game in loaded],
        "AnyEvent": [Said, *(Union[game.events] for game in loaded)],
        "AnyRules": [game.rules_type for game in loaded],
        "AnyView": [hook.view for game in loaded for hook in game.hooks.values()],
        "finish": [Finish],
    }
    schemas, components = msgspec.json.schema_components(
        [kind for kinds in wanted.values() for kind in kinds], ref_template="#/$defs/{name}"
    )
    found = iter(schemas)
    parts = {part: [next(found) for _ in kinds] for part, kinds in wanted.items()}
    for view in parts["AnyView"]:
        name = view["$ref"].rpartition("/")[2]
        components[name]["properties"]["news"] = {"type": "array", "items": {"$ref": "#/$defs/AnyEvent"}}
    components |= {part: _any(each) for part, each in parts.items() if part.startswith("Any")}
    fields = {name: components[name]["properties"] for name in ("Begin", "Asked", "Replied", "Told")}
    fields["Begin"]["rules"] = {"$ref": "#/$defs/AnyRules"}
    fields["Asked"]["view"] = {"$ref": "#/$defs/AnyView"}
    fields["Asked"]["changes"] = {"type": "object"}
    fields["Asked"]["legal"] = {"type": "array", "items": {"$ref": "#/$defs/AnyMove"}}
    fields["Replied"]["move"] = {"anyOf": [{"$ref": "#/$defs/AnyMove"}, {"type": ["boolean", "null"]}]}
    (fields["Told"]["view"],) = parts["finish"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A message of arena's wire protocol, version {VERSION}",
        **parts["message"][0],
        "$defs": components,
    }
    return json.dumps(schema, indent=2) + "\n"


def _any(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """What fits one of ``schemas``, each of them a choice itself."""
    choices = [choice for schema in schemas for choice in schema.get("anyOf", [schema])]
    return {"anyOf": [choice for place, choice in enumerate(choices) if choice not in choices[:place]]}
