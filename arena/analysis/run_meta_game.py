"""The game of many seats of the bots of one run, or of several together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy

from arena.analysis.run_ratings import choose_rated_matches
from arena.errors import UserError
from arena.games import load_game
from arena.metagame.meta_findings import MetaFindings
from arena.metagame.meta_game import MixtureMatches, fold_meta_game
from arena.metagame.payoff import Payoff, seat_payoffs
from arena.ratings.order_columns import RatingMatches
from arena.storage.run_folder import FolderStore
from arena.storage.tables.rated_columns import read_columns


def meta_games_of(
    folders: Sequence[Path],
    payoff: Payoff = Payoff.LEAD,
    editions: Sequence[str] = (),
    without: Sequence[str] = (),
) -> tuple[MetaFindings, ...]:
    """The game of many seats of each edition of these runs: from matches of the ``editions`` with these labels (empty:
    all), without any entrant of ``without``. Entrants with the same bot and options are copies of one bot.

    Raises UserError for an unknown label or entrant, for runs that cannot be looked at together
    (:func:`arena.storage.tables.rated_columns.read_columns`), and where no match or only one bot is left.
    """
    matches = choose_rated_matches(read_columns(folders), editions, without)
    if not matches.matches:
        raise UserError("no match to look at: none is finished, or none is in the chosen editions")
    bots = _same_bots(folders)
    return tuple(_game_of_group(matches.in_groups([group]), bots, payoff) for group in matches.groups)


def _same_bots(folders: Sequence[Path]) -> Mapping[str, bytes]:
    """For each entrant's name what tells its bot from others."""
    found: dict[str, bytes] = {}
    for folder in folders:
        for name, entrant in FolderStore(folder).facts().entrants.items():
            found.setdefault(name, _identity(entrant))
    return found


def _identity(entrant: Mapping[str, Any]) -> bytes:
    told = [entrant.get("bot"), entrant.get("sha256"), entrant.get("options", {})]
    return msgspec.json.encode(told, order="sorted")


def _game_of_group(matches: RatingMatches, bots: Mapping[str, bytes], payoff: Payoff) -> MetaFindings:
    """The game of the matches of one edition."""
    (tables,), (group,) = matches.tables, matches.groups
    copies: dict[bytes, list[str]] = {}
    for name in matches.names:
        copies.setdefault(bots[name], []).append(name)
    named = sorted(tuple(sorted(each, key=lambda name: (len(name), name))) for each in copies.values())
    if len(named) < 2:
        raise UserError(f"{group.edition}: only one bot played, {named[0][0]}; a game needs two")
    bot_of = {name: number for number, names in enumerate(named) for name in names}
    numbers = numpy.array([bot_of[name] for name in matches.names])
    payoffs = seat_payoffs(payoff, tables.money, tables.ranks)
    played = MixtureMatches(numbers[tables.entrants], payoffs, tables.block, matches.blocks)
    game = fold_meta_game([names[0] for names in named], payoff, played)
    return MetaFindings(group.edition, load_game(group.game).unit, game, tuple(named))
