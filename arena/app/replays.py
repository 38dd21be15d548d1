"""Verify replays, and play them again with their bots."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from shlex import quote

import msgspec

from arena.app.isolation import Isolation, for_games
from arena.app.loading import check_loading, refer
from arena.app.match import Match, play_apart
from arena.app.naming import is_run, named, read_named
from arena.app.packs.kept import REPLAYS, KeptReplays, replay_path
from arena.app.packs.pack import packs_in
from arena.app.runfiles import CONFIG
from arena.config.botspec import COMMAND, parse_bot
from arena.config.tournament_file import load_tournament
from arena.errors import ArenaError, BotError, Mismatch, ReplayError, UserError
from arena.executors.executor import Executor
from arena.finding.reference import BotRef, bundled_bots, find_file, refer_file
from arena.games.contract import Event
from arena.match.spec import spec_from
from arena.match.verify import verify
from arena.replay.formats import as_written
from arena.replay.lines import Answered, Faulted, Header, Seat
from arena.replay.read import read_lines, rules_of


def replay_names(paths: Sequence[Path]) -> Iterator[Path]:
    """What the replays are called that are named, are of a named run, or lie below another named folder, in order.
    Raises UserError, before anything else, for a folder that has none, but for that of a run."""
    for path in paths:
        if path.is_dir() and not is_run(path) and next(_names_below(path), None) is None:
            raise UserError(f"no replays (*.jsonl) below {path}")
    for path in paths:
        yield from _names_below(path) if path.is_dir() else (path,)


def _names_below(folder: Path) -> Iterator[Path]:
    if not is_run(folder) and folder.name == REPLAYS and packs_in(folder):
        folder = folder.parent
    if is_run(folder) or (folder / REPLAYS).is_dir():
        return (folder / replay_path(id) for id in KeptReplays(folder).ids())
    return (path for path in sorted(folder.rglob("*.jsonl")) if not path.name.startswith("."))


class Checked(msgspec.Struct):
    """What verification says of one file: whether it ``verified``, the ``problem`` and the exit code if it did not, and
    else the fields of its header that were ``unchecked``: nothing in the match depends on them."""

    file: str
    verified: bool
    problem: str = ""
    exit_code: int = 0
    unchecked: tuple[str, ...] = ()


def verify_file(path: Path) -> Checked:
    """Verify one file."""
    try:
        return Checked(str(path), True, unchecked=verify(read_named(path)).unchecked)
    except Mismatch as problem:
        return Checked(str(path), False, f"{path}: {problem}", problem.exit_code)
    except ReplayError as problem:
        return Checked(str(path), False, str(named(path, problem)), problem.exit_code)


def load(path: Path) -> tuple[Header, list[Event]]:
    """A replay's header and lines. Raises ReplayError, naming the file."""
    try:
        return read_lines(read_named(path))
    except ReplayError as problem:
        raise named(path, problem) from None


def find_bots(path: Path, header: Header, given: Mapping[str, str], option: str = "") -> tuple[BotRef, ...]:
    """The bots a replay was played with: those ``given`` by entrant (with this ``option``, or --bot), else by the run's
    configuration above the file, else by name beside the file, here, in ``bots/`` and among the bundled ones. Their
    source must be the same. Raises BotError, and UserError where the match has no such entrant."""
    for entrant in given:
        if entrant not in {seat.entrant for seat in header.seats}:
            names = ", ".join(seat.entrant for seat in header.seats)
            raise UserError(f"no entrant {entrant!r} in {path}; there are {names}")
    configured = _configured(path)
    named = {seat.entrant: _how_named(seat, option) if option else "" for seat in header.seats}
    return tuple(find_bot(path, seat, given, configured, named[seat.entrant]) for seat in header.seats)


def _how_named(seat: Seat, option: str) -> str:
    """How the bot of a seat is named on the command line; of a program the command is recorded."""
    return f"{option} {seat.entrant}={quote(seat.bot) if seat.bot.startswith(COMMAND) else 'BOT'}"


def _configured(path: Path) -> dict[str, BotRef]:
    """The entrants of the run that the file belongs to."""
    for folder in path.resolve().parents:
        config = folder / CONFIG
        if config.is_file():
            found = {}
            for entrant in load_tournament(config, files=False).entrants:
                with contextlib.suppress(ArenaError):
                    found[entrant.name] = refer(parse_bot(entrant.bot), entrant.options)
            return found
    return {}


def find_own_bot(path: Path, header: Header, seat: int, option: str) -> BotRef:
    """The bot that one seat of a replay was played with, as :func:`find_bots` finds it; ``option`` is how another is
    named on the command line. Raises BotError."""
    return find_bot(path, header.seats[seat], {}, _configured(path), option)


def find_bot(
    path: Path, seat: Seat, given: Mapping[str, str], configured: Mapping[str, BotRef], option: str = ""
) -> BotRef:
    if seat.entrant in given:
        found = refer(parse_bot(given[seat.entrant]))
        return msgspec.structs.replace(found, name=seat.bot, options=seat.options)
    named = option or _how_named(seat, "--bot")
    if seat.human and option:
        raise BotError(f"{seat.entrant} was a human; name the bot that is asked in this place: {option}")
    if seat.human:
        raise BotError(
            f"{seat.entrant} was a human, who cannot be played again; check the replay with: arena verify {path}"
        )
    candidates = list(_candidates(path, seat, configured))
    for ref in candidates:
        if ref.sha256 == seat.sha256:
            return msgspec.structs.replace(ref, options=seat.options)
    what = f"the bot of {seat.entrant} ({seat.bot})"
    if candidates:
        raise BotError(f"{what} has changed since; name the old version with {named}")
    kept = " (in a ladder it is kept: arena ladder rerun DIR MATCH)" if ":" in seat.entrant else ""
    raise BotError(f"{what} was not found; name it with {named}{kept}")


def _candidates(path: Path, seat: Seat, configured: Mapping[str, BotRef]) -> Iterator[BotRef]:
    if seat.entrant in configured:
        yield configured[seat.entrant]
    with contextlib.suppress(ArenaError):
        spec = parse_bot(seat.bot)
        if spec.kind == "module":
            yield refer(spec)
        elif spec.kind == "bundled":
            if spec.target in bundled_bots():
                yield find_file(spec.target)
        else:
            for folder in (path.parent, Path(), Path("bots")):
                if (file := folder / os.path.basename(spec.target)).is_file():
                    yield refer_file(str(file), spec.cls)


class Difference(msgspec.Struct):
    """Where two plays of a match part: the first decision that differs, as it was ``then`` and is ``now`` (None in the
    play that has no such decision), and the ``seat`` and the ``ask`` at which they part. That is the earlier of both,
    where one play has a decision at an ask at which nothing was done in the other. All are None where every decision is
    the same, but other lines differ."""

    then: str | None = None
    now: str | None = None
    seat: int | None = None
    ask: int | None = None


def rerun(path: Path, given: Mapping[str, str], isolation: Isolation, executor: Executor) -> Difference | None:
    """Play the match again with its bots from its seed: None when it is identical, else where it differs. Raises
    ReplayError or BotError where it cannot be played."""
    content = read_named(path)
    header, lines = load(path)
    bots = find_bots(path, header, given)
    isolation = for_games(isolation, [header.game])
    check_loading([bot for seat, bot in zip(header.seats, bots, strict=True) if seat.entrant in given], isolation)
    _, replay = play_apart(Match(spec_from(header, rules_of(header)), bots, isolation), executor)
    again = read_lines(replay)[1]
    return None if as_written(again, header) == content else _parting(lines, again)


class FaultCount(msgspec.Struct):
    """Faults of one seat that are alike: how many, and the evidence and ask of the first."""

    seat: int
    kind: str
    rule: str
    hook: str
    evidence: str
    ask: int
    count: int = 1


def count_faults(lines: Iterable[Event]) -> list[FaultCount]:
    """The faults in a replay's lines, alike ones counted together, in order."""
    found: dict[tuple[int, str, str, str], FaultCount] = {}
    for line in lines:
        if isinstance(line, Faulted):
            key = (line.seat, line.kind, line.rule, line.hook)
            if key in found:
                found[key].count += 1
            else:
                found[key] = FaultCount(*key, line.evidence, line.ask)
    return list(found.values())


def first_difference(before: bytes, after: bytes) -> Difference:
    """The first decision that differs between the replays of two plays of a match."""
    return _parting(read_lines(before)[1], read_lines(after)[1])


def _parting(before: Sequence[Event], after: Sequence[Event]) -> Difference:
    """The first decision that differs between two plays."""
    then = [line for line in before if isinstance(line, Answered | Faulted)]
    now = [line for line in after if isinstance(line, Answered | Faulted)]
    for old, new in zip_longest(then, now):
        if old != new:
            told = [None if line is None else _decision(line) for line in (old, new)]
            first = min((line for line in (old, new) if line is not None), key=lambda line: line.ask)
            return Difference(told[0], told[1], first.seat, first.ask)
    return Difference()


def _decision(line: Answered | Faulted) -> str:
    if isinstance(line, Faulted):
        return f"ask {line.ask}: seat {line.seat}, {line.hook}: fault: {line.kind} {line.rule} {line.evidence}"
    said = f", saying {line.say!r}" if line.say else ""
    return f"ask {line.ask}: seat {line.seat}, {line.hook}: {bytes(line.move).decode()}{said}"
