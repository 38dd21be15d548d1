"""Views sent as changes, for bots that ask for them: the sender's side and the reader's.

Both keep the fields last sent, by name, whatever hook they were sent for. A field of a view is sent when it differs
from the one kept; fields that a hook's view does not have stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypedDict, Union

import msgspec
from msgspec import UNSET
from msgspec.structs import astuple

from arena.bot import Said
from arena.games import load_game
from arena.games.contract import View


class Sender:
    """What one bot was sent so far."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}

    def changes(self, view: View) -> dict[str, Any]:
        """The fields to send."""
        kept, found = self._kept, {}
        for name, value in zip(view.__struct_fields__, astuple(view), strict=True):
            before = kept.get(name, UNSET)
            if value is not before and value != before:
                found[name] = kept[name] = value
        return found


class Reader:
    """Reads the asks of one bot, and makes views from their changes."""

    def __init__(self, game: str) -> None:
        self._decode = decoder(game)
        views = {hook.name: hook.view for hook in load_game(game).hooks.values()}
        self._views = {
            name: (view, view.__struct_fields__, itemgetter(*view.__struct_fields__)) for name, view in views.items()
        }
        self._kept: dict[str, Any] = {}

    def read(self, line: bytes) -> tuple[int, str, View]:
        """Id, hook and view of an ask."""
        asked = self._decode(line)
        name: str = type(asked).__struct_config__.tag
        kept = self._kept
        kept.update(asked.changes)
        make, fields, values = self._views[name]
        view: View = make(**dict(zip(fields, values(kept), strict=True)))
        return asked.id, name, view


@lru_cache
def decoder(game: str) -> Callable[[bytes], Any]:
    """What decodes an ask of any hook of the game, its changes as a mapping of typed fields."""
    contract = load_game(game)
    happened: Any = Union[(*contract.events, Said)]
    asks = []
    for hook in contract.hooks.values():
        kinds = {field.name: field.type for field in msgspec.structs.fields(hook.view)}
        kinds["news"] = tuple[happened, ...]
        changes = TypedDict(f"{hook.view.__name__}Changes", kinds, total=False)  # type: ignore[misc]
        fields = [("type", str), ("id", int), ("changes", changes)]
        asks.append(msgspec.defstruct(f"Ask {hook.name}", fields, tag_field="hook", tag=hook.name, gc=False))
    return msgspec.json.Decoder(Union[tuple(asks)]).decode
