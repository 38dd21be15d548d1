"""What one seat of a recorded match was asked, with the views that it was handed, news and all.

The match is played again from its replay, line by line as :mod:`arena.match.verify` does it: without any bot, and
whatever a bot may answer now, it goes as it was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.errors import UserError
from arena.games.contract import Event, Hook, View
from arena.match.match_spec import spec_from, start_of
from arena.match.verify import Verifier
from arena.players.player import TimedAnswer
from arena.replay.read import rules_of


class SeatAsk(NamedTuple):
    """The ask ``number`` of a match, from 1: its ``hook``, its ``view``, and what was ``recorded`` (where the rules
    refused the recorded reply, that reply). ``put`` says whether the bot has the hook: else it is not asked, the view
    has no news, and is None where nothing was done in the match either. ``more``: another ask of its phase follows."""

    number: int
    hook: Hook
    view: View | None
    recorded: TimedAnswer
    put: bool
    more: bool


class SeatAsks:
    """The asks of ``seat`` in ``replay``, for a bot that is told the ``start`` before them. ``was_missing`` says that
    the seat's bot could not be started in the match, and was asked nothing.

    Raises Mismatch at a line that does not follow from the rules, ReplayError for what is no replay, and UserError
    where the match has no such seat."""

    def __init__(self, replay: bytes, seat: int) -> None:
        self._verifier = verifier = Verifier(replay)
        verifier.take_header()
        self._minutes = verifier.set_up()
        self.header = header = verifier.header
        if not 0 <= seat < len(header.seats):
            raise UserError(f"expected a seat from 0 to {len(header.seats) - 1}, got {seat}")
        self.seat, self.rules = seat, rules_of(header)
        self.start = start_of(spec_from(header, self.rules), msgspec.json.encode(self.rules), seat)
        verifier.begin(self._minutes)
        self.was_missing = self._minutes.conduct.out[seat]

    def asks(self, hooks: frozenset[str]) -> Iterator[SeatAsk]:
        """Each ask, for a bot that has these ``hooks``, up to where the seat's bot was put out of the match, or to its
        end. News come with the next ask that the bot is put. After the last, what is left of the replay is compared
        too."""
        minutes, verifier, seat = self._minutes, self._verifier, self.seat
        state, out, of = minutes.state, minutes.conduct.out, minutes.game.hooks
        news: list[Event] = []
        while state.asks and not out[seat]:
            news += [seen for each in minutes.events if (seen := each.seen_by(seat)) is not None]
            minutes.forget()
            asks, first = state.asks, minutes.asks + 1
            mine = [index for index, ask in enumerate(asks) if ask.seat == seat]
            handed = tuple(news) if any(asks[index].hook in hooks for index in mine) else ()
            views = {index: state.view(index, handed) for index in mine if asks[index].hook in hooks}
            if views:
                news.clear()
            found: list[SeatAsk] = []
            for index, ask in enumerate(asks):
                recorded = None if out[ask.seat] else verifier.answer(ask, minutes.asks + 1)
                if ask.seat == seat and recorded is not None:
                    view, hook = views.get(index), of[ask.hook]
                    if view is None and (recorded.move is not None or recorded.fault is not None or recorded.say):
                        view = state.view(index)
                    found.append(SeatAsk(first + index, hook, view, recorded, index in views, True))
                minutes.decide(index, recorded)
            minutes.end_phase()
            if found:
                found[-1] = found[-1]._replace(more=False)
            yield from found
        verifier.go_on(minutes)
