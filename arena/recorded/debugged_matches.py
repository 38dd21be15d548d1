"""Matches and recorded asks played in this process, where a debugger opens in a bot at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.config.botspec import parse_bot
from arena.errors import UserError
from arena.match.refereeing.referee import Referee
from arena.match.work import record_of
from arena.players.debug_session import DebugSession, check_terminal
from arena.players.debugged_player import DebuggedPlayer
from arena.runs.single_match import ReadyMatch
from arena.tournament.records.match_record import MatchRecord


def check_bots(bots: Sequence[str], instead: str) -> None:
    """Raise UserError for a bot that cannot run in a Python process; ``instead`` says what can be done with it."""
    for bot in bots:
        if parse_bot(bot).kind == "command":
            raise UserError(f"--pdb debugs bots in Python, and {bot} is a program; {instead}")


def debug_match(bots: Sequence[str], set_up: Callable[[], ReadyMatch]) -> tuple[ReadyMatch, MatchRecord, bytes]:
    """Play the match that ``set_up`` makes of the ``bots`` in this process, and return it with its record and replay.
    The debugger opens at every exception of a bot, and at ``breakpoint()``; bots' output is shown in place.

    Raises UserError where there is no terminal, or a bot is a program; KeyboardInterrupt where the user quits the
    debugger for good: then there is no replay.
    """
    check_terminal()
    check_bots(bots, "play it with: arena match --logs FOLDER, which keeps what it writes to standard error")
    with DebugSession() as session:
        match = set_up()
        spec = match.spec
        names = [seat.entrant for seat in spec.seats]
        players = [DebuggedPlayer(ref, session, seat, names) for seat, ref in enumerate(match.bots)]
        with session.watch.watch_deadlines():
            result = Referee(spec, players).play()
    return match, record_of(spec, result), result.replay
