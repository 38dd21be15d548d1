"""A match with a human in one seat, and bots in the others."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from arena.config.botspec import parse_bot
from arena.errors import UserError, cut_text
from arena.finding.depot import BotCopies
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Event
from arena.human.answer import Leaving
from arena.human.game_words import words_for
from arena.human.human_player import HumanPlayer
from arena.human.terminals.ink import Ink
from arena.human.terminals.line_editor import TerminalLines
from arena.human.terminals.pipes import PipedLines
from arena.human.terminals.screen import Screen, TypedLines
from arena.isolation.worker.fork_server import ForkServers
from arena.match.isolated_match import bot_host, play_isolated_beside
from arena.match.match_spec import MatchSpec
from arena.match.work import SeatOutput, record_of
from arena.replay.lines import HUMAN_BOT, Answered, Faulted, Header, Result
from arena.replay.read import read_replay_lines
from arena.runs.planning.guessable_seed import draw_seed
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION, Isolation, for_games
from arena.runs.planning.load_bots import check_loading, refer_to_bot
from arena.runs.planning.make_spec import seats_of, spec_of
from arena.runs.single_match import DEFAULT_SETUP, SHOWN_OUTPUT_LINES, MatchSetup, number_names
from arena.storage.files.atomic_files import check_place
from arena.storage.logs.bot_logs import log_beginning
from arena.tournament.records.match_record import MatchRecord

HUMAN_NAME = "human"
"""What the human's entrant is called."""
NAME_LENGTH = 40


class HumanMatch(msgspec.Struct):
    """A match ready to be played: what the referee needs (``spec``), the bots by seat (with a placeholder in the
    human's ``seat``), and their isolation."""

    spec: MatchSpec
    bots: tuple[BotRef, ...]
    seat: int
    isolation: Isolation = TRUSTED_ISOLATION

    @property
    def opponents(self) -> list[BotRef]:
        """The bots that the human plays against."""
        return [bot for seat, bot in enumerate(self.bots) if seat != self.seat]

    @property
    def names(self) -> list[str]:
        """The entrants' names, by seat."""
        return [seat.entrant for seat in self.spec.seats]


class HumanMatchResult(msgspec.Struct):
    """A finished match: its record and replay, and why the human ``left`` before its end (None: did not)."""

    record: MatchRecord
    replay: bytes
    left: Leaving | None

    @property
    def cut_off(self) -> bool:
        """Whether the input ended before the match did."""
        return self.left is Leaving.INPUT_ENDED


def set_up_human_match(
    bots: Sequence[str], setup: MatchSetup = DEFAULT_SETUP, seat: int | None = None, name: str = HUMAN_NAME
) -> HumanMatch:
    """Set up a match of a human in ``seat`` (None: drawn from the seed) against the named bots, which take the other
    seats in their order. Raises UserError for a wrong name, number of players, seat or setting."""
    check_human_name(name)
    edition = setup.edition()
    allowed, players = edition.seats, len(bots) + 1
    if players not in allowed:
        few, many = allowed[0] - 1, allowed[-1] - 1
        raise UserError(f"{edition.label} needs {few} to {many} bots beside the human, got {len(bots)}")
    if seat is not None and not 0 <= seat < players:
        raise UserError(f"--seat: expected a seat from 0 to {players - 1}, got {seat}")
    isolation = for_games(setup.isolation, [edition.game])
    specs = [parse_bot(bot) for bot in bots]
    refs = [refer_to_bot(spec) for spec in specs]
    check_loading(refs, isolation)
    seed = draw_seed() if setup.seed is None else setup.seed
    place = seat if seat is not None else Chance(seed).below(players, "human seat")
    names = [spec.default_name for spec in specs]
    names.insert(place, name)
    refs.insert(place, BotRef(name=HUMAN_BOT, sha256=""))
    seats = seats_of(number_names(names), refs)
    spec = spec_of(edition, seats, id="play", tournament="play", seed=seed, conditions=setup.conditions)
    return HumanMatch(spec, tuple(refs), place, isolation)


def check_human_name(name: str) -> None:
    """Raise UserError for a name that cannot be shown in a table."""
    if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
        raise UserError(f"--name: expected up to {NAME_LENGTH} printable characters, got {cut_text(ascii(name))}")


def default_place(seed: str, folder: Path = Path()) -> Path:
    """The default path of the replay: a file in this folder with the seed in its name that does not exist yet."""
    return free_place(folder / f"play-{re.sub(r'[^A-Za-z0-9._-]', '-', seed)[:16]}.jsonl")


def free_place(path: Path) -> Path:
    """The path, or if it exists, the first free path with a number after its name: a file that was made while the match
    was played is not overwritten."""
    number, free = 1, path
    while free.exists() and not free.is_char_device():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def check_new(path: Path) -> None:
    """Raise UserError where a replay cannot be written at ``path``, or something is there."""
    if path.exists() and not path.is_char_device():
        raise UserError(f"--out {cut_text(str(path))}: it exists already and is not overwritten; choose another name")
    check_place(path, "--out")


def play_human_match(table: HumanMatch, screen: Screen) -> HumanMatchResult:
    """Play the match, talking with the human on ``screen``. What the bots print is shown at the end, on standard
    error. Raises KeyboardInterrupt where the human ends it at once."""
    game = load_game(table.spec.game)
    words = words_for(game, table.spec.rules, table.names)
    human = HumanPlayer(game, words, table.spec.rules, table.names, screen)
    printed: list[SeatOutput] = []
    with BotCopies() as depot, closing(ForkServers()) as servers:
        bots = tuple(depot.place(bot) for bot in table.bots)
        host = bot_host((bot for seat, bot in enumerate(bots) if seat != table.seat), servers, table.isolation.demand)
        result = play_isolated_beside(table.spec, bots, {table.seat: human}, host, printed.append)
    record = record_of(table.spec, result)
    if human.left is None:
        human.tell(unseen_events(result.replay, table.seat, human.seen))
    for each in printed:
        sys.stderr.write(log_beginning(record, each, SHOWN_OUTPUT_LINES, rest=""))
    return HumanMatchResult(record, result.replay, human.left)


def unseen_events(replay: bytes, seat: int, seen: int) -> list[Event]:
    """The events of the replay after the first ``seen`` ones, as the seat may see them: those after its last ask."""
    events = [
        line for line in read_replay_lines(replay)[1] if not isinstance(line, Header | Answered | Faulted | Result)
    ]
    return [known for event in events if (known := event.seen_by(seat)) is not None][seen:]


def screen_for(source: TextIO, show: Callable[[str], None], width: Callable[[], int], color: bool) -> Screen:
    """The human's screen: a full terminal if ``source`` is one, else plain lines through pipes."""
    at_terminal = source.isatty() and sys.stdout.isatty()
    lines: TypedLines = TerminalLines(history_file()) if at_terminal else PipedLines(source, show)
    return Screen(lines, show, width, Ink(color))


def history_file() -> str:
    """The file for the history of typed lines, in the user's state folder (XDG); empty if none can be written."""
    base = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state"
    path = folder / "arena" / "play-history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("ab").close()
    except OSError:
        return ""
    return str(path)
