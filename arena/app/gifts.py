"""What the entrants of a run gave each other, from its replays, by game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.app.compare import check_result
from arena.app.export import look_through
from arena.app.folder import FolderStore
from arena.app.in_parts import FEW, in_parts
from arena.app.inorder import records_in_order
from arena.app.naming import kept_replay
from arena.app.packs.kept import replays_of
from arena.collusion.sums import GiftSums
from arena.errors import ReplayError, UserError
from arena.games import load_game
from arena.games.giving import Given
from arena.replay.ledger import tables_in
from arena.tournament.records import MatchRecord


class Gathered(NamedTuple):
    """Gifts by game, and how many matches were left out: ``voids``, and those ``without_replay``."""

    sums: dict[str, GiftSums]
    voids: int
    without_replay: int


class Part(NamedTuple):
    """The same of some matches, which are so many."""

    gathered: Gathered
    matches: int


def gifts_in(replay: bytes, game: str, seats: int) -> Given:
    """The gifts of a match, from its replay. Raises ReplayError where it is damaged."""
    giving = load_game(game).giving
    return Given(()) if giving is None else giving.find(tables_in(replay), seats)


def gather_gifts(folder: Path, jobs: int = 1, tell: Callable[[int], object] = lambda matches: None) -> Gathered:
    """The gifts of a run, finished or not, read by so many processes. ``tell`` is called with the number of matches
    whenever some are done.

    Raises UserError for a folder without a run, without matches, without replays, or of games in which gifts are not
    defined; ReplayError for a damaged replay.
    """
    FolderStore(folder).facts()
    matches, kept = look_through(folder)
    if not matches:
        raise UserError(f"{folder} has no finished matches")
    games = [game for game in kept if load_game(game).giving is not None]
    if not games:
        raise UserError(f"what a gift is, is not defined in: {', '.join(kept)}; it is in board, cards")
    if not any(kept[game] for game in games):
        raise UserError(f"{folder} has no replays, from which gifts are found; play with `replays: all`")
    found = Gathered({game: _empty(game) for game in games}, 0, 0)
    records = records_in_order(folder)
    for part in in_parts(_some, folder.absolute(), records, jobs if matches > FEW else 1, tuple(kept)):
        for game, sums in part.gathered.sums.items():
            found.sums[game].merge(sums)
        found = found._replace(
            voids=found.voids + part.gathered.voids,
            without_replay=found.without_replay + part.gathered.without_replay,
        )
        tell(part.matches)
    return found


def _empty(game: str) -> GiftSums:
    giving = load_game(game).giving
    return GiftSums([kind.name for kind in giving.kinds] if giving is not None else [])


def _some(folder: Path, matches: Sequence[MatchRecord]) -> Part:
    """The gifts of some matches."""
    sums: dict[str, GiftSums] = {}
    voids = without = 0
    for record in matches:
        if record.void:
            voids += 1
        elif not record.replay:
            without += 1
        elif load_game(record.game).giving is not None:
            names = [seat.entrant for seat in record.seats]
            money = [seat.money for seat in record.seats]
            given = _given(folder, record)
            sums.setdefault(record.game, _empty(record.game)).add(record.edition, record.block, names, money, given)
    return Part(Gathered(sums, voids, without), len(matches))


def _given(folder: Path, record: MatchRecord) -> Given:
    where = str(folder / record.replay)
    try:
        replay = kept_replay(replays_of(folder).get, folder, record)
        check_result(record, replay, where)
        return gifts_in(replay, record.game, len(record.seats))
    except ReplayError as problem:
        raise problem if str(problem).startswith(where) else ReplayError(f"{where}: {problem}") from None
