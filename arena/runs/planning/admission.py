"""Which bots are admitted to a tournament: those that can be found and loaded."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Sequence

import msgspec

from arena.config.botspec import BotSpec, parse_bot
from arena.config.tournament_config import Tournament
from arena.errors import BotError, UserError
from arena.finding.reference import BotRef
from arena.runs.planning.config_blame import Complain
from arena.runs.planning.isolation_level import Isolation
from arena.runs.planning.load_bots import Plays, refer_to_bot, try_loading
from arena.tournament.formats.list_format import read_fixture_line
from arena.tournament.schedule.seat_orders import FEWEST_SEATS


def idle_in(tournament: Tournament, plays: Sequence[Plays], games: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The entrants, by game, whose bots play only other games. A bot without hooks, of no game, is left out: it is
    meant to do nothing."""
    found = {}
    for game in games:
        pairs = zip(tournament.entrants, plays, strict=True)
        if names := tuple(entrant.name for entrant, played in pairs if played and game not in played):
            found[game] = names
    return found


def find_entrants(
    tournament: Tournament, complain: Complain, isolation: Isolation, strangers: bool = False
) -> tuple[tuple[BotRef, ...], tuple[Plays, ...], dict[str, str]]:
    """Find all entrants' bots, and load each once in a process of its own to check it. Returns the bots, the games that
    each plays, and, where broken bots are to be skipped, the reason for each of these by its entrant's name. With
    ``strangers`` no bot can claim another's files as its own."""
    refs: dict[int, BotRef] = {}
    failures: dict[int, UserError] = {}
    own = [_own_paths(parse_bot(entrant.bot)) for entrant in tournament.entrants]
    for index, entrant in enumerate(tournament.entrants):
        key = f"entrants[{index}].bot"
        others = [path for paths in own if paths != own[index] for path in paths] if strangers else []
        try:
            refs[index] = refer_to_bot(parse_bot(entrant.bot), entrant.options, entrant.files, others)
        except BotError as problem:
            failures[index] = problem
            if not tournament.skip_broken:
                raise complain(key, problem) from None
    plays: list[Plays] = []
    for index, found in zip(refs, try_loading(list(refs.values()), isolation), strict=True):
        if not isinstance(found, BotError):
            plays.append(found)
            continue
        failures[index] = found
        if not tournament.skip_broken:
            raise complain(f"entrants[{index}].bot", found)
    admitted = tuple(ref for index, ref in refs.items() if index not in failures)
    skipped = {tournament.entrants[index].name: str(failures[index]) for index in sorted(failures)}
    if len(admitted) < FEWEST_SEATS:
        told = "; ".join(f"{name}: {why}" for name, why in skipped.items())
        raise complain("entrants", UserError(f"only {len(admitted)} of {len(own)} bots can be loaded ({told})"))
    return admitted, tuple(plays), skipped


def leave_out_entrants(tournament: Tournament, skipped: Container[str]) -> Tournament:
    """The tournament without the skipped entrants. From now on all others are required: a resumed run needs all of
    them."""
    admitted = tuple(entrant for entrant in tournament.entrants if entrant.name not in skipped)
    challengers = tuple(name for name in tournament.challengers if name not in skipped)
    fixtures = tuple(
        line
        for line in tournament.fixtures
        if isinstance(line, str) and not any(name in skipped for name in read_fixture_line(line)[1])
    )
    return msgspec.structs.replace(
        tournament, entrants=admitted, challengers=challengers, fixtures=fixtures, skip_broken=False
    )


def _own_paths(spec: BotSpec) -> list[str]:
    """The files and folders named in a bot's specification."""
    if spec.kind == "command":
        return [word for word in spec.words if os.path.isabs(word)]
    return [spec.target] if spec.kind == "file" else []
