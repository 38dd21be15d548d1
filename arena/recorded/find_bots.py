"""Finds the bots with which a replay was played: by the run's configuration, by name, and by the same source."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from shlex import quote

import msgspec

from arena.config.botspec import COMMAND_PREFIX, parse_bot
from arena.config.tournament_yaml import load_tournament
from arena.errors import ArenaError, BotError, UserError
from arena.finding.reference import BotRef, bundled_bots, find_file, refer_file
from arena.replay.lines import Header, Seat
from arena.runs.planning.load_bots import refer_to_bot
from arena.storage.layout import CONFIG_FILE


def find_replay_bots(path: Path, header: Header, given: Mapping[str, str], option: str = "") -> tuple[BotRef, ...]:
    """The bots that played a replay: those ``given`` by entrant (with this ``option``, or --bot), else those of the
    run's configuration above the file, else by name beside the file, in the current folder, in ``bots/`` and among the
    bundled ones. Their source must be the same. Raises BotError, and UserError where the match has no such entrant."""
    for entrant in given:
        if entrant not in {seat.entrant for seat in header.seats}:
            names = ", ".join(seat.entrant for seat in header.seats)
            raise UserError(f"no entrant {entrant!r} in {path}; there are {names}")
    configured = _configured_bots(path)
    named = {seat.entrant: _how_named(seat, option) if option else "" for seat in header.seats}
    return tuple(find_bot(path, seat, given, configured, named[seat.entrant]) for seat in header.seats)


def _how_named(seat: Seat, option: str) -> str:
    """The name of a seat's bot for the command line; for a program the command is recorded."""
    return f"{option} {seat.entrant}={quote(seat.bot) if seat.bot.startswith(COMMAND_PREFIX) else 'BOT'}"


def _configured_bots(path: Path) -> dict[str, BotRef]:
    """The entrants of the run that the file belongs to."""
    for folder in path.resolve().parents:
        config = folder / CONFIG_FILE
        if config.is_file():
            found = {}
            for entrant in load_tournament(config, files=False).entrants:
                with contextlib.suppress(ArenaError):
                    found[entrant.name] = refer_to_bot(parse_bot(entrant.bot), entrant.options)
            return found
    return {}


def find_own_bot(path: Path, header: Header, seat: int, option: str) -> BotRef:
    """The bot that played one seat of a replay, found like those of :func:`find_replay_bots`; ``option`` is the
    command-line option that names another bot. Raises BotError."""
    return find_bot(path, header.seats[seat], {}, _configured_bots(path), option)


def find_bot(
    path: Path, seat: Seat, given: Mapping[str, str], configured: Mapping[str, BotRef], option: str = ""
) -> BotRef:
    if seat.entrant in given:
        found = refer_to_bot(parse_bot(given[seat.entrant]))
        return msgspec.structs.replace(found, name=seat.bot, options=seat.options)
    named = option or _how_named(seat, "--bot")
    if seat.human and option:
        raise BotError(f"{seat.entrant} was a human; name a bot to ask instead: {option}")
    if seat.human:
        raise BotError(
            f"{seat.entrant} was a human, so the match cannot be played again; check the replay with: arena verify "
            f"{path}"
        )
    candidates = list(_candidates(path, seat, configured))
    for ref in candidates:
        if ref.sha256 == seat.sha256:
            return msgspec.structs.replace(ref, options=seat.options)
    what = f"the bot of {seat.entrant} ({seat.bot})"
    if candidates:
        raise BotError(f"{what} has changed; name the old version with {named}")
    kept = " (in a ladder it is kept: arena ladder rerun DIR MATCH)" if ":" in seat.entrant else ""
    raise BotError(f"{what} was not found; name it with {named}{kept}")


def _candidates(path: Path, seat: Seat, configured: Mapping[str, BotRef]) -> Iterator[BotRef]:
    if seat.entrant in configured:
        yield configured[seat.entrant]
    with contextlib.suppress(ArenaError):
        spec = parse_bot(seat.bot)
        if spec.kind == "module":
            yield refer_to_bot(spec)
        elif spec.kind == "bundled":
            if spec.target in bundled_bots():
                yield find_file(spec.target)
        else:
            for folder in (path.parent, Path(), Path("bots")):
                with contextlib.suppress(BotError):  # what lies in a run's folder is nobody's bot
                    if (file := folder / os.path.basename(spec.target)).is_file():
                        yield refer_file(str(file), spec.cls)
