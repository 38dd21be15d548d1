"""The matches of a run, and the single deals in them, that cost one entrant most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec

from arena.drawing.deal_pictures import DealPictures
from arena.errors import unknown_entrant
from arena.games import load_game
from arena.games.presenting import checked_part
from arena.recorded.replay_files import load_replay
from arena.recorded.replay_names import name_of
from arena.recorded.seat_numbers import TableFollower, table_money
from arena.replay.read import rules_of
from arena.storage.layout import read_records
from arena.storage.run_folder import FolderStore
from arena.tournament.records.match_record import MatchRecord

HeldSeat = tuple[str, str, int]
"""A seat in a deal: edition, match seed, seat."""


class MatchLoss(msgspec.Struct, frozen=True):
    """A match of an entrant in a ``seat``: its ``money``, and its ``cost``: by how much more (below 0: less) those had
    in the mean who held the same seat in the same deal (``compared`` is how many), or where nobody else did
    (``compared`` is 0) the entrant itself in all matches of this edition."""

    game: str
    match: str
    seat: int
    money: int
    cost: float
    compared: int
    has_replay: bool


class DealLoss(msgspec.Struct, frozen=True):
    """A deal (in the card game a round) of a match: its ``number`` in the match, the line of the replay with which it
    begins (``event``) and how it went; what the entrant in the ``seat`` ``gained``, and its ``cost``: how much more
    the seat gained that gained most."""

    match: str
    seat: int
    number: int
    event: int
    summary: str
    gained: int
    cost: int


class _SeatSums(NamedTuple):
    """The money of all who held seats, and of one entrant: sums and counts by seat."""

    all: dict[HeldSeat, tuple[int, int]]
    own: dict[HeldSeat, tuple[int, int]]


def losses_of(folder: Path, entrant: str) -> list[MatchLoss]:
    """The entrant's matches in a run that count, by game, the one that cost most first. Raises UserError for a run
    without this entrant."""
    known = FolderStore(folder).facts().entrants
    if entrant not in known:
        raise unknown_entrant(entrant, known, str(folder))
    sums, own = _SeatSums({}, {}), list[tuple[MatchRecord, int]]()
    for record in read_records(folder):
        if record.void:
            continue
        for seat, held in enumerate(record.seats):
            place = record.edition, record.seed, seat
            _count_money(sums.all, place, held.money)
            if held.entrant == entrant:
                _count_money(sums.own, place, held.money)
                own.append((record, seat))
    means = {
        edition: fmean(record.seats[seat].money for record, seat in own if record.edition == edition)
        for edition in {record.edition for record, _ in own}
    }
    found = [_match_loss(record, seat, sums, means[record.edition]) for record, seat in own]
    return sorted(found, key=lambda each: (each.game, -each.cost, each.match, each.seat))


def _count_money(sums: dict[HeldSeat, tuple[int, int]], place: HeldSeat, money: int) -> None:
    total, count = sums.get(place, (0, 0))
    sums[place] = total + money, count + 1


def _match_loss(record: MatchRecord, seat: int, sums: _SeatSums, mean: float) -> MatchLoss:
    place, money = (record.edition, record.seed, seat), record.seats[seat].money
    (total, count), (own_total, own_count) = sums.all[place], sums.own[place]
    others = count - own_count
    expected = (total - own_total) / others if others else mean
    return MatchLoss(record.game, record.id, seat, money, expected - money, others, bool(record.replay))


def deal_losses(folder: Path, matches: Iterable[MatchLoss]) -> list[DealLoss]:
    """The deals of these matches of a run by which another gained on the entrant, the one that cost most first; none in
    a game that does not define its deals (tell_deals), or whose table has no money."""
    found = [loss for match in matches if match.has_replay for loss in _losses_in(folder, match)]
    return sorted(found, key=lambda each: (-each.cost, each.match, each.number))


def _losses_in(folder: Path, match: MatchLoss) -> Iterator[DealLoss]:
    pictures = load_game(match.game).presenting.pictures
    if pictures is None:
        return
    header, lines = load_replay(name_of(folder, match.match))
    names = [each.entrant for each in header.seats]
    follower = TableFollower(header, rules_of(header), None)
    money = [table_money(follower.table)]
    for line in lines:
        follower.follow(line)
        money.append(table_money(follower.table))
    for span in checked_part(match.game, pictures(), DealPictures).find(lines, names):
        before, after = money[span.first], money[span.last]
        if len(before) != len(names) or len(after) != len(names):
            continue
        gains = [after[seat] - before[seat] for seat in range(len(names))]
        cost = max(gains) - gains[match.seat]
        if cost > 0:
            yield DealLoss(match.match, match.seat, span.number, span.first + 1, span.summary, gains[match.seat], cost)
