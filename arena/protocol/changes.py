"""Views sent as changes, for bots that ask for them: encoder and decoder.

Both keep the fields last sent, by name, for all hooks together. A field is sent if it differs from the kept value;
fields that a hook's view does not have stay as they are. Fields that all views of a game have (mostly the table) are
kept separately from fields that only some have, because every ask compares all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import compress, takewhile
from operator import is_not
from typing import Any, NamedTuple, TypedDict, Union

import msgspec
from msgspec import UNSET
from msgspec.structs import astuple

from arena.bot import Said
from arena.games import load_game
from arena.games.contract import View


class Sender:
    """Finds what changed since the views last sent to one bot."""

    def __init__(self, game: str) -> None:
        self._common = _wire_form(game).common
        self._places = range(len(self._common))
        self._before: tuple[Any, ...] = (UNSET,) * len(self._common)
        self._own: dict[str, Any] = {}

    def changes(self, view: View) -> dict[str, Any]:
        """The fields of the view that must be sent."""
        common, before, values = self._common, self._before, astuple(view)
        others = compress(self._places, map(is_not, values, before))  # most fields are the very objects last sent
        found = {common[place]: value for place in others if (value := values[place]) != before[place]}
        self._before = values
        shared = len(common)
        if len(values) > shared:
            own = self._own
            for name, value in zip(view.__struct_fields__[shared:], values[shared:], strict=True):
                if own.get(name, UNSET) != value:
                    found[name] = own[name] = value
        return found


class Reader:
    """Decodes the asks of one bot, and restores their views from the changes."""

    def __init__(self, game: str) -> None:
        wire = _wire_form(game)
        self._decode, self._asks = wire.decode, wire.asks
        self._common: dict[str, Any] = {}
        self._own: dict[str, Any] = {}

    def read(self, line: bytes) -> tuple[int, str, View]:
        """The id, hook and view of an ask."""
        asked = self._decode(line)
        changes: dict[str, Any] = asked.changes
        hook, view, fields = self._asks[type(asked)]
        common, own = self._common, self._own
        common.update(changes)
        for name in fields:
            if name in changes:
                own[name] = changes[name]
            else:
                common[name] = own[name]
        made = view(**common)
        for name in fields:
            del common[name]
        return asked.id, hook, made


class _Wire(NamedTuple):
    """How a game's views are sent: the fields ``common`` to all views, which come first in each; the decoder of asks;
    and for each class of ask that it returns, the hook, the hook's view, and the fields that not all views have."""

    common: tuple[str, ...]
    decode: Callable[[bytes], Any]
    asks: dict[type, tuple[str, type[View], tuple[str, ...]]]


@lru_cache
def _wire_form(game: str) -> _Wire:
    contract = load_game(game)
    happened: Any = Union[(*contract.events, Said)]
    in_order = zip(*(hook.view.__struct_fields__ for hook in contract.hooks.values()), strict=False)
    common = tuple(names[0] for names in takewhile(lambda names: len(set(names)) == 1, in_order))
    asks: dict[type, tuple[str, type[View], tuple[str, ...]]] = {}
    for hook in contract.hooks.values():
        kinds = {field.name: field.type for field in msgspec.structs.fields(hook.view)}
        kinds["news"] = tuple[happened, ...]
        changes = TypedDict(f"{hook.view.__name__}Changes", kinds, total=False)  # type: ignore[misc]
        fields = [("type", str), ("id", int), ("changes", changes)]
        ask = msgspec.defstruct(f"Ask {hook.name}", fields, tag_field="hook", tag=hook.name, gc=False)
        asks[ask] = hook.name, hook.view, hook.view.__struct_fields__[len(common) :]
    return _Wire(common, msgspec.json.Decoder(Union[tuple(asks)]).decode, asks)
