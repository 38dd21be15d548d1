"""The asks of a seat of a recorded match, cached from one refeeding to the next.

To find out which view a seat got at each ask, the match must be played again, which takes longer than a fast bot needs
for all its answers. But the same asks always have the same views: so they are determined once, and cached in the form
in which they would be sent to a bot, each view as its changes against the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Protocol

import msgspec

from arena import __version__
from arena.errors import ReplayError, UserError
from arena.foreign_files import DECODE_ERRORS
from arena.games import load_game
from arena.games.field_types import trust_move
from arena.match.match_spec import spec_from, start_of
from arena.match.walk.seat_asks import SeatAsk, SeatAsks
from arena.match.walk.timeline import Timeline
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.protocol.changes import Reader, Sender
from arena.protocol.messages import Asked
from arena.replay.frame import pack_replay, unpack_replay
from arena.replay.lines import Faulted, Header, move_decoder
from arena.replay.read import game_of, read_header, read_replay_line, rules_of, split_replay

NULL_JSON = b"null"
PAGE_FORMAT = 2
"""The format version of cached asks, to be raised when it changes."""


class AskCache(Protocol):
    """Stores bytes under keys of hexadecimal digits. Lost content is made again."""

    def get(self, key: str) -> bytes | None:
        """The content stored under this key, or None."""

    def store_asks(self, key: str, content: bytes) -> None:
        """Store the content under this key."""


class _RecordedAsk(msgspec.Struct, array_like=True, omit_defaults=True):
    """An ask of the seat: the line ``asked``, and the recorded ``move``, null where there is none; its words, or the
    fault."""

    number: int
    hook: str
    put: bool
    more: bool
    asked: msgspec.Raw
    move: msgspec.Raw
    say: str = ""
    note: str = ""
    fault: Fault | None = None
    gone: bool = False


class _Page(msgspec.Struct, array_like=True):
    """A cache entry, with the ``key`` under which it was stored: under any other key it is invalid."""

    key: str
    asks: list[_RecordedAsk]


class CachedSeatAsks:
    """Like :class:`arena.match.walk.seat_asks.SeatAsks`, but asks on the ``shelf`` are taken from there, without
    walking the match; others are put there. The asks on the shelf come from a replay with the same bytes, which was
    compared line by line then."""

    def __init__(self, timeline: Timeline, seat: int, shelf: AskCache) -> None:
        lines = split_replay(timeline.content)
        self.header = header = read_header(lines[0])
        game_of(header)
        if not 0 <= seat < len(header.seats):
            raise UserError(f"expected a seat from 0 to {len(header.seats) - 1}, got {seat}")
        self.seat, self.rules = seat, rules_of(header)
        self.start = start_of(spec_from(header, self.rules), msgspec.json.encode(self.rules), seat)
        self.was_missing = _was_missing(header, lines, seat)
        self._timeline, self._shelf = timeline, shelf

    def asks(self, hooks: frozenset[str]) -> Iterator[SeatAsk]:
        """Each ask, for a bot that has these ``hooks``."""
        game = self.header.game
        words = (
            PAGE_FORMAT,
            __version__,
            _fields_digest(game),
            sha256(self._timeline.content).hexdigest(),
            self.seat,
            sorted(hooks),
        )
        key = sha256(msgspec.json.encode(words)).hexdigest()
        kept = self._shelf.get(key)
        if kept is not None:
            try:
                return iter(_decode_page(game, key, kept))
            except (ReplayError, *DECODE_ERRORS, KeyError, TypeError):
                pass  # damaged, which is no more than lost
        found = list(SeatAsks(self._timeline, self.seat).asks(hooks))
        self._shelf.store_asks(key, _encode_page(game, key, found))
        return iter(found)


def _was_missing(header: Header, lines: Sequence[bytes], seat: int) -> bool:
    """Whether the seat's bot could not be started."""
    faults = (
        read_replay_line(header, line, at) for at, line in enumerate(lines, 1) if line.startswith(b'{"event":"fault"')
    )
    return any(isinstance(line, Faulted) and line.ask == 0 and line.seat == seat for line in faults)


@lru_cache
def _fields_digest(game: str) -> str:
    """A digest that changes when views or events of the game get other fields."""
    contract = load_game(game)
    kinds = (*(hook.view for hook in contract.hooks.values()), *contract.events)
    fields = [(kind.__name__, [(each.name, str(each.type)) for each in msgspec.structs.fields(kind)]) for kind in kinds]
    return sha256(repr((contract.rules_version, fields)).encode()).hexdigest()


def _encode_page(game: str, key: str, asks: Sequence[SeatAsk]) -> bytes:
    sender = Sender(game)
    return pack_replay(msgspec.json.encode(_Page(key, [_encode_ask(sender, each) for each in asks])))


def _encode_ask(sender: Sender, ask: SeatAsk) -> _RecordedAsk:
    line = None if ask.view is None else Asked(ask.number, ask.hook.name, changes=sender.changes(ask.view))
    asked, move = (msgspec.Raw(msgspec.json.encode(each)) for each in (line, ask.recorded.move))
    then = ask.recorded
    more = (then.say, then.note, then.fault, then.gone)
    return _RecordedAsk(ask.number, ask.hook.name, ask.put, ask.more, asked, move, *more)


def _decode_page(game: str, key: str, content: bytes) -> list[SeatAsk]:
    """The asks in a cache entry with this key. Raises ReplayError where the entry is damaged, or has another key."""
    page = msgspec.json.decode(unpack_replay(content), type=_Page)
    if page.key != key:
        raise ReplayError("it was kept under another key")
    hooks, reader, found = load_game(game).hooks, Reader(game), list[SeatAsk]()
    for each in page.asks:
        asked = bytes(each.asked)
        view = None if asked == NULL_JSON else reader.read(asked)[2]
        move: Any = None
        if bytes(each.move) != NULL_JSON:
            move = move_decoder(game, each.hook).decode(each.move)
            trust_move(move)
        recorded = TimedAnswer(move, each.fault, 0.0, each.say, each.note, each.gone)
        found.append(SeatAsk(each.number, hooks[each.hook], view, recorded, each.put, each.more))
    return found
