"""The JSON Schemas of replays, of what ``arena show --jsonl`` prints and of the wire protocol, made from the very types
that write and read them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Union

import msgspec

from arena.bot import Finish, Said
from arena.games import built_in_games, load_game
from arena.penalties import FaultKind
from arena.protocol.messages import FROM_ARENA, FROM_BOT, PROTOCOL_VERSION, Failed
from arena.recorded.match_lines import MatchLine, SeenLine
from arena.replay.lines import REPLAY_FORMAT, Answered, Faulted, Header, Result
from arena.replay.seat_lines import SEAT_LINES

NULL_SCHEMA = {"type": "null"}


class ReplaySchemas(NamedTuple):
    """Schemas of any ``line`` of a replay, of any event of a ``game``, and of ``others``, with the ``definitions`` that
    they refer to."""

    line: dict[str, Any]
    game: dict[str, Any]
    others: list[dict[str, Any]]
    definitions: dict[str, Any]


def replay_schema() -> str:
    """One schema for any line of a replay, whatever the game.

    Games may use the same word for different moves or events, so each has a union of its own. A match ends for one of
    its game's reasons.
    """
    made = _of_replays()
    return _schema_text(f"A line of {REPLAY_FORMAT}", made.line, made.definitions)


def show_schema() -> str:
    """One schema for any line that ``arena show --jsonl`` prints, with and without a seat, whatever the game."""
    tables = [game.folded for game in map(load_game, built_in_games()) if game.folded is not None]
    made = _of_replays(Union[SEAT_LINES], MatchLine, SeenLine, *tables)
    seen, line, seen_line, *table = made.others
    for kind, event in ((MatchLine, made.line), (SeenLine, _any_schema([seen, made.game]))):
        made.definitions[kind.__name__]["properties"] |= {"event": event, "table": _any_schema([*table, NULL_SCHEMA])}
    return _schema_text("A line of arena show --jsonl", _any_schema([line, seen_line]), made.definitions)


def _of_replays(*others: Any) -> ReplaySchemas:
    loaded = [load_game(name) for name in built_in_games()]
    lines = [Union[Header, Answered, Faulted, Result], *(Union[game.events] for game in loaded)]
    moves = [Union[tuple(kind for hook in game.hooks.values() for kind in hook.moves)] for game in loaded]
    ends = [game.terminations for game in loaded]
    kinds = [*lines, *moves, *ends, *others]
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    found = iter([dict(each) for each in schemas])
    line, move, end = ([next(found) for _ in kind] for kind in (lines, moves, ends))
    definitions["SeatResult"]["properties"]["faults"]["propertyNames"] = {"$ref": "#/$defs/FaultKind"}
    definitions["Move"] = _any_schema(move)
    own = {"termination": _any_schema(end)} | dict.fromkeys(
        ("move", "reply"), _any_schema([{"$ref": "#/$defs/Move"}, NULL_SCHEMA])
    )
    for name in ("Result", "SeenResult", "Answered", "SeenAnswer", "Faulted", "SeenFault"):
        fields = definitions.get(name, {}).get("properties", {})
        fields |= {field: schema for field, schema in own.items() if field in fields}
    return ReplaySchemas(_any_schema(line), _any_schema(line[1:]), list(found), definitions)


def _schema_text(title: str, schema: dict[str, Any], components: dict[str, Any]) -> str:
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema, "$defs": components}
    return json.dumps(whole, indent=2) + "\n"


def protocol_schema() -> str:
    """One schema for any message of the wire protocol, whatever the game."""
    loaded = [load_game(name) for name in built_in_games()]
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
    components |= {part: _any_schema(each) for part, each in parts.items() if part.startswith("Any")}
    fields = {name: components[name]["properties"] for name in ("Begin", "Asked", "Replied", "Told")}
    fields["Begin"]["rules"] = {"$ref": "#/$defs/AnyRules"}
    failed = next(each for name, each in components.items() if f"{Failed.__module__}.Failed".endswith(name))
    failed["properties"]["kind"] = {"enum": sorted(kind for kind in FaultKind if kind.can_be_reported)}
    del components[FaultKind.__name__]
    fields["Asked"]["view"] = {"$ref": "#/$defs/AnyView"}
    fields["Asked"]["changes"] = {"type": "object"}
    fields["Asked"]["legal"] = {"type": "array", "items": {"$ref": "#/$defs/AnyMove"}}
    fields["Replied"]["move"] = {"anyOf": [{"$ref": "#/$defs/AnyMove"}, {"type": ["boolean", "null"]}]}
    (fields["Told"]["view"],) = parts["finish"]
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A message of arena's wire protocol, version {PROTOCOL_VERSION}",
        **parts["message"][0],
        "$defs": components,
    }
    return json.dumps(schema, indent=2) + "\n"


def _any_schema(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """A schema for anything that fits one of ``schemas``, each of which is itself a choice."""
    choices = [choice for schema in schemas for choice in schema.get("anyOf", [schema])]
    return {"anyOf": [choice for place, choice in enumerate(choices) if choice not in choices[:place]]}
