"""Puts recorded asks to a bot in this process, and opens a debugger in the bot at one of them, on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arena.commands.refeed.refeed import RefeedOptions, RefeedResult, refeed_match
from arena.errors import UserError
from arena.finding.reference import BotRef
from arena.match.walk.timeline import Timeline
from arena.players.consult_desk import NO_MODELS, ConsultDesk
from arena.players.debug_session import DebugSession, check_terminal
from arena.players.debugged_player import DebuggedPlayer
from arena.recorded.debugged_matches import check_bots
from arena.recorded.event_address import events_of_asks
from arena.recorded.feeding import AskFeeder, BotFeeder
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.read import read_header, split_replay
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from arena.sandbox.demand import Demand

DEBUGGER_HINT = "without --pdb, --at EVENT prints its view and its answer there"
"""The hint for bots that are programs, which cannot be debugged."""


def debug_refeed(
    path: Path, wanted: RefeedOptions, ready: Callable[[], object] = lambda: None
) -> tuple[RefeedResult, bool]:
    """Like :func:`arena.commands.refeed.refeed.refeed_match`, but opens the debugger in the bot at the wanted event or
    ask. If none is wanted, it opens at the first difference: the bot is then asked twice, the first time silently.
    Returns the result, and whether the debugger was opened: it is not if there was no difference, or if the bot lacks
    the hook.

    Raises the same errors, and UserError if there is no terminal, or if the bot is a program."""
    check_terminal()
    check_bots(() if wanted.bot is None else (wanted.bot,), DEBUGGER_HINT)
    wanted = msgspec.structs.replace(wanted, isolation=TRUSTED_ISOLATION, here=True)
    asking: list[_AskingInDebugger] = []

    def begin(number: int | None) -> BotFeeder:
        asking.append(_AskingInDebugger(session, number, wanted.own))
        return asking[-1]

    with DebugSession() as session:
        if wanted.event is None and wanted.ask is None:
            ready()
            with session.silence():
                first = refeed_match(path, wanted)
            if first.counted.found is None or first.stopped:
                return first, False
            wanted = msgspec.structs.replace(wanted, ask=first.counted.found.place.ask or None)
            return refeed_match(path, wanted, begin=begin), any(each.opened for each in asking)
        refed = refeed_match(path, wanted, begin=begin, ready=ready)
    return refed, any(each.opened for each in asking)


class _AskingInDebugger(BotFeeder):
    """Asks a bot in this process again, up to the ask ``number`` (None: the start, at which it fails); asks are told
    by the ``own`` count of the seat, or by that of the match."""

    def __init__(self, session: DebugSession, number: int | None, own: bool) -> None:
        super().__init__(Demand())
        self.session, self.number, self.own = session, number, own
        self.opened = False

    @contextmanager
    def open_feeder(
        self, timeline: Timeline, seat: int, bot: BotRef, slow: float | None = None, desk: ConsultDesk = NO_MODELS
    ) -> Iterator[AskFeeder]:
        """Context manager: puts the asks of this seat to the bot one by one."""
        if bot.command:
            raise UserError(f"--pdb debugs bots in Python, and {bot.name} is a program; {DEBUGGER_HINT}")
        names = [each.entrant for each in read_header(split_replay(timeline.content)[0]).seats]
        own = seat_numbers_in(timeline, seat).asks if self.own else ()
        events = {} if self.own else events_of_asks(timeline.content)
        player = DebuggedPlayer(bot, self.session, seat, names, self.number, events, own)
        player.desk = desk
        with self.session.watch.watch_deadlines():
            try:
                yield AskFeeder(timeline, seat, player, slow=slow)
            finally:
                self.opened = player.opened
                player.close()
