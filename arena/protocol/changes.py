"""Views sent as changes, for bots that ask for them: the sender's side and the reader's.

Both keep the fields last sent, by name, whatever hook they were sent for. A field of a view is sent when it differs
from the one kept; fields that a hook's view does not have stay as they are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

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
        for name in view.__struct_fields__:
            value = getattr(view, name)
            before = kept.get(name, UNSET)
            if value is not before and value != before:
                found[name] = kept[name] = value
        return found


class Reader:
    """Makes the views of one bot from changes."""

    def __init__(self, game: str) -> None:
        self._decoders = decoders(game)
        self._kept: dict[str, Any] = {}

    def view(self, hook: str, changes: bytes | msgspec.Raw) -> View:
        """The view that the changes make."""
        decode, make, names = self._decoders[hook]
        found, kept = decode(changes), self._kept
        for name in names:
            value = getattr(found, name)
            if value is not UNSET:
                kept[name] = value
        view: View = make(**{name: kept[name] for name in names})
        return view


@lru_cache
def decoders(game: str) -> dict[str, tuple[Any, type[View], tuple[str, ...]]]:
    """For each hook of the game: what decodes changes, the class of views, and its fields' names."""
    contract = load_game(game)
    happened: Any = Union[(*contract.events, Said)]
    news: Any = tuple[happened, ...]
    found = {}
    for hook in contract.hooks.values():
        kinds = {field.name: field.type for field in msgspec.structs.fields(hook.view)} | {"news": news}
        changes = msgspec.defstruct(
            f"{hook.view.__name__}Changes", [(name, kind | UnsetType, UNSET) for name, kind in kinds.items()], gc=False
        )
        found[hook.name] = (msgspec.json.Decoder(changes).decode, hook.view, hook.view.__struct_fields__)
    return found
