"""The recorded asks of a seat, put to a bot again: those of one match, or of all matches of an entrant in a run."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.commands.refeed.ask_cache import users_shelf
from arena.commands.refeed.refeed_match import RefeedMatch, RefeedOrder, put_again
from arena.commands.refeed.refeed_matches import RefeedParts, matches_of, put_all_again
from arena.commands.refeed.results import RefeedCounts
from arena.config.botspec import parse_bot
from arena.errors import UserError, nearest_hint
from arena.executors.interrupt import exit_code
from arena.finding.reference import BotRef
from arena.match.walk.timeline import Timeline
from arena.recorded.event_address import AskMeant, ask_meant
from arena.recorded.feeding import BotFeeder
from arena.recorded.find_bots import find_own_bot
from arena.recorded.replay_files import read_match
from arena.recorded.replay_names import command_line_names
from arena.recorded.seat_numbers import seat_numbers_in
from arena.replay.lines import Header
from arena.runs.models.live_desks import LiveDesks
from arena.runs.planning.isolation_level import Isolation, for_games
from arena.runs.planning.load_bots import other_game, plays_here, plays_of, refer_to_bot
from arena.sandbox.demand import Demand


class RefeedOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done: which ``seat`` or ``entrant`` is asked again, and which ``bot`` (None: its own) under which
    ``isolation``. ``every``: all asks are counted; else the bot is stopped where something is found, or at the
    ``event`` or ``ask``. An answer is slow if it takes more than ``slow`` seconds; ``ignore_words``: other words alone
    are none. Of each code so many places are kept, or all. ``here``: a trusted bot is loaded in this process. ``own``:
    the event, the ask and all that is found of one match have numbers by the seat's own count. At ``live`` desks, if
    there are any, models are asked what no recording answers."""

    seat: int | None = None
    entrant: str | None = None
    bot: str | None = None
    isolation: Isolation = Isolation()
    every: bool = False
    event: int | None = None
    ask: int | None = None
    slow: float | None = None
    ignore_words: bool = False
    keep: int | None = 3
    here: bool = False
    own: bool = False
    live: LiveDesks | None = None


class RefeedResult(msgspec.Struct, frozen=True):
    """The answers of ``bot`` compared with the recorded ones of ``entrant``. ``wanted`` is the number of the ask at
    which the bot should stop. ``options`` are those of the entrant that ``bot`` was not given, if that may explain a
    difference. ``stopped`` is the exit code of the signal that stopped the comparison, else 0. ``instead`` says in one
    line that the wanted event was not an answer, and which ask was used instead."""

    bot: str
    sha256: str
    entrant: str
    counted: RefeedCounts
    ignore_words: bool = False
    wanted: int | None = None
    options: dict[str, str | int | float | bool] = {}
    stopped: int = 0
    instead: str = ""

    @property
    def same(self) -> bool:
        """Whether all was answered as it is recorded, and in time."""
        return self.counted.same(self.ignore_words)


class _RefedBot(NamedTuple):
    """The bot to ask: its reference, its name, and those options of the seat's bot that it was not given."""

    ref: BotRef
    name: str
    options: dict[str, str | int | float | bool]


def refeed_match(
    path: Path,
    wanted: RefeedOptions,
    content: bytes | None = None,
    begin: Callable[[int | None], BotFeeder] | None = None,
    ready: Callable[[], object] = lambda: None,
) -> RefeedResult:
    """Put the asks of one seat of the match at ``path`` to a bot. If ``content`` is given, it is the replay, and the
    path is only its name. ``begin``, if given, makes the feeder that asks the bot, from the number of the last ask;
    ``ready`` is called before the bot is loaded.

    Raises UserError for a seat, entrant, event or ask that the match does not have, BotError for a bot that is not
    found or cannot be loaded, ReplayError for a file that is not a replay, and Mismatch if it does not verify."""
    header, content = read_match(path, content)
    timeline = Timeline(content)
    seat, meant = _seat_and_ask(path, header, timeline, wanted)
    number = None if meant is None else meant.number
    numbers = seat_numbers_in(timeline, seat) if wanted.own else None
    asked = _asked_bot(path, header, seat, wanted)
    ready()
    demand = _check_bot(asked.ref, [header.game], wanted)
    counted, stopped = RefeedCounts(), 0
    with BotFeeder(demand, users_shelf(), wanted.here) if begin is None else begin(number) as again:
        try:
            put_again(
                again,
                _refeed_order(asked.ref, wanted, number),
                RefeedMatch(path, seat, timeline=timeline, numbers=numbers),
                counted,
                wanted.live,
            )
        except KeyboardInterrupt as stop:
            stopped = exit_code(stop)
    called, instead = (None, "") if meant is None else (meant.called, meant.instead)
    refed = _refeed_result(asked, header.seats[seat].entrant, counted, wanted, called, stopped)
    return msgspec.structs.replace(refed, instead=instead)


def refeed_run(
    folder: Path,
    wanted: RefeedOptions,
    jobs: int = 1,
    tell: Callable[[int, int], object] = lambda done, all: None,
    ready: Callable[[], object] = lambda: None,
) -> RefeedResult:
    """Like :func:`refeed_match`, for all matches of an entrant in the run in ``folder``, in the schedule's order, or in
    the replay files below any other folder, by name; in ``jobs`` processes. ``tell`` is called with the number of
    matches done, and of all.

    Raises the errors of :func:`refeed_match`, and UserError for a folder without replays or without this entrant."""
    if wanted.entrant is None:
        raise UserError(f"{folder} is a folder of matches: name the entrant with --entrant NAME")
    if wanted.event is not None or wanted.ask is not None:
        raise UserError("an event or ask belongs to one match: name the match after the folder")
    found = RefeedCounts()
    matches, games = matches_of(folder, wanted.entrant, found)
    header, _ = read_match(matches[0].path)
    asked = _asked_bot(matches[0].path, header, matches[0].seat, wanted)
    ready()
    demand = _check_bot(asked.ref, games, wanted)
    if (shelf := users_shelf()) is not None:
        shelf.forget_unused()
    order = _refeed_order(asked.ref, wanted, None)
    parts = put_all_again(RefeedParts(order, demand, wanted.here, jobs, games), matches, wanted.live)
    stopped = _sum_parts(parts, found, wanted, lambda done: tell(done, len(matches)))
    return _refeed_result(asked, wanted.entrant, found, wanted, None, stopped)


def _sum_parts(
    parts: Iterator[RefeedCounts], found: RefeedCounts, wanted: RefeedOptions, tell: Callable[[int], object]
) -> int:
    """Add up the parts until the bot is stopped; returns the exit code of a signal that stopped the work, or 0."""
    with closing(parts) as each_part:  # type: ignore[type-var]
        try:
            for part in each_part:
                found.merge(part, wanted.keep)
                tell(found.matches)
                if found.found is not None:
                    break
        except KeyboardInterrupt as stop:
            return exit_code(stop)
    return 0


def _seat_and_ask(path: Path, header: Header, timeline: Timeline, wanted: RefeedOptions) -> tuple[int, AskMeant | None]:
    """The seat that is asked again, and the ask that is wanted; where no seat is named, that of the ask."""
    named, at = shlex.join(command_line_names(path)), wanted.event is not None or wanted.ask is not None
    if at and wanted.seat is None and wanted.entrant is None:
        meant = ask_meant(timeline, wanted.event, wanted.ask, None, named)
        found = timeline.ask(meant.number)
        assert found is not None
        return found.ask.seat, meant
    seat = _chosen_seat(path, header, wanted)
    if not at:
        return seat, None
    return seat, ask_meant(timeline, wanted.event, wanted.ask, seat, named, wanted.own)


def _chosen_seat(path: Path, header: Header, wanted: RefeedOptions) -> int:
    """The seat whose asks are put again. Raises UserError if the options name none, or a wrong one."""
    names = [seat.entrant for seat in header.seats]
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    if wanted.entrant is not None:
        if wanted.entrant not in names:
            raise UserError(
                f"no entrant {wanted.entrant!r} in {path}{nearest_hint(wanted.entrant, names)}; it has {seats}"
            )
        seat = names.index(wanted.entrant)
        if wanted.seat not in (None, seat):
            raise UserError(f"{wanted.entrant} has seat {seat}, not {wanted.seat}; give --seat or --entrant")
        return seat
    if wanted.seat is None:
        raise UserError(f"name the seat to re-ask with --seat or --entrant: {seats}")
    if not 0 <= wanted.seat < len(names):
        raise UserError(f"there is no seat {wanted.seat} in {path}; it has {seats}")
    return wanted.seat


def _asked_bot(path: Path, header: Header, seat: int, wanted: RefeedOptions) -> _RefedBot:
    """The bot that is asked: the one that was named, or the seat's own."""
    recorded = header.seats[seat]
    if wanted.bot is None:
        return _RefedBot(find_own_bot(path, header, seat, "--bot BOT"), recorded.entrant, {})
    spec = parse_bot(wanted.bot)
    ref = refer_to_bot(spec)
    name = spec.default_name if spec.default_name != recorded.entrant else spec.text
    missed = {} if ref.options else dict(recorded.options)
    return _RefedBot(ref, name if name != recorded.entrant else f"the new {name}", missed)


def _check_bot(bot: BotRef, games: Sequence[str], wanted: RefeedOptions) -> Demand:
    """Check that the bot can be loaded; returns its isolation. Raises BotError also for a named bot that plays none of
    these games. The entrant's own bot may play none: the match may have been played with a bot that does nothing."""
    isolation = for_games(wanted.isolation, games)
    plays = plays_here(bot) if wanted.here and not bot.command else plays_of(bot, isolation)
    if wanted.bot is not None and plays and not set(plays).intersection(games):
        raise other_game(bot, plays, " or ".join(games))
    return isolation.demand


def _refeed_order(bot: BotRef, wanted: RefeedOptions, number: int | None) -> RefeedOrder:
    return RefeedOrder(bot, wanted.every, number, wanted.slow, wanted.ignore_words, wanted.keep)


def _refeed_result(
    asked: _RefedBot, entrant: str, counted: RefeedCounts, wanted: RefeedOptions, number: int | None, stopped: int
) -> RefeedResult:
    return RefeedResult(
        asked.name, asked.ref.sha256, entrant, counted, wanted.ignore_words, number, asked.options, stopped
    )
