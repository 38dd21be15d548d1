"""Money with luck taken out, beside the raw figures: sums by entrant and block, and the estimates from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.luck.gain import GainBlocks, variance_gain
from arena.luck.value import MONEY_UNITS
from arena.tournament.inference.intervals import Estimate, clustered_mean
from arena.tournament.records.match_record import MatchRecord


@dataclass(frozen=True, slots=True)
class CorrectedRow:
    """One entrant, in the game's unit of money: its mean ``money`` a match, its ``lead`` (money above the mean of its
    table), and both corrected (``corrected_money``, ``corrected_lead``), that is without what chance brought. ``luck``
    is the difference: what chance brought the entrant in a match."""

    entrant: str
    matches: int
    money: Estimate
    luck: Estimate
    corrected_money: Estimate
    lead: Estimate
    corrected_lead: Estimate


@dataclass(frozen=True, slots=True)
class Corrected:
    """An edition, or all editions of one game. ``matches`` are those that count: neither void nor without a replay.
    ``gain`` and ``lead_gain`` say how many times as many blocks raw figures would need to be as sure
    (:func:`arena.luck.gain.variance_gain`). ``rows`` are ordered by corrected money, most first."""

    edition: str
    game: str
    matches: int
    blocks: int
    gain: Estimate
    lead_gain: Estimate
    rows: tuple[CorrectedRow, ...]


@dataclass(slots=True)
class Cell:
    """An entrant's sums in a block, in millionths of the unit of money: exact, so that the order does not matter."""

    matches: int = 0
    sums: list[int] = field(default_factory=lambda: [0, 0, 0, 0])


MONEY_SUM, CORRECTED_MONEY_SUM, LEAD_SUM, CORRECTED_LEAD_SUM = range(4)
Cells = dict[str, dict[int, Cell]]
"""Sums by entrant and block."""


class Totals:
    """Adds up matches with their corrections. Over all editions of a game, blocks with the same number are one
    cluster."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str], Cells] = {}
        self.matches: dict[tuple[str, str], int] = {}

    def add(self, record: MatchRecord, corrections: Sequence[int]) -> None:
        """Add a match, with its corrections by seat in millionths; a void one counts for nothing."""
        if record.void:
            return
        key = (record.game, record.edition)
        self.matches[key] = self.matches.get(key, 0) + 1
        cells = self.cells.setdefault(key, {})
        players = len(record.seats)
        raw = [seat.money * MONEY_UNITS for seat in record.seats]
        corrected = [money - luck for money, luck in zip(raw, corrections, strict=True)]
        means = [round(sum(each) / players) for each in (raw, corrected)]
        for seat, one, two in zip(record.seats, raw, corrected, strict=True):
            cell = cells.setdefault(seat.entrant, {}).setdefault(record.block, Cell())
            cell.matches += 1
            for place, amount in enumerate((one, two, one - means[0], two - means[1])):
                cell.sums[place] += amount

    def corrected_editions(self, editions: Iterable[str] = ()) -> tuple[Corrected, ...]:
        """The results of each edition, in the order of ``editions`` (others follow by name), then of each game that has
        several."""
        order = list(editions)
        keys = sorted(self.cells, key=lambda key: (order.index(key[1]) if key[1] in order else len(order), key))
        made = [_correct_sums(edition, game, self.matches[game, edition], [self.cells[game, edition]])
                for game, edition in keys]  # fmt: skip
        for game in dict.fromkeys(game for game, _ in keys):
            own = [key for key in keys if key[0] == game]
            if len(own) > 1:
                matches = sum(self.matches[key] for key in own)
                made.append(_correct_sums(game, game, matches, [self.cells[key] for key in own]))
        return tuple(made)


def _correct_sums(edition: str, game: str, matches: int, parts: Sequence[Cells]) -> Corrected:
    cells = _merge_cells(parts)
    blocks = sorted({block for own in cells.values() for block in own})
    rows = sorted((_corrected_row(entrant, own) for entrant, own in cells.items()), key=_row_order)
    gains = (
        variance_gain(_gain_blocks(own, blocks, before) for _, own in sorted(cells.items()))
        for before in (MONEY_SUM, LEAD_SUM)
    )  # the corrected sums stand behind the raw ones
    return Corrected(edition, game, matches, len(blocks), next(gains), next(gains), tuple(rows))


def _merge_cells(parts: Sequence[Cells]) -> Cells:
    found: Cells = {}
    for part in parts:
        for entrant, own in part.items():
            for block, cell in own.items():
                into = found.setdefault(entrant, {}).setdefault(block, Cell())
                into.matches += cell.matches
                into.sums = [one + two for one, two in zip(into.sums, cell.sums, strict=True)]
    return found


def _corrected_row(entrant: str, own: Mapping[int, Cell]) -> CorrectedRow:
    def mean(place: int, less: int | None = None) -> Estimate:
        sums = ((cell.sums[place] - (0 if less is None else cell.sums[less]), cell.matches) for cell in own.values())
        return clustered_mean((total / MONEY_UNITS, matches) for total, matches in sums)

    return CorrectedRow(
        entrant=entrant,
        matches=sum(cell.matches for cell in own.values()),
        money=mean(MONEY_SUM),
        luck=mean(MONEY_SUM, CORRECTED_MONEY_SUM),
        corrected_money=mean(CORRECTED_MONEY_SUM),
        lead=mean(LEAD_SUM),
        corrected_lead=mean(CORRECTED_LEAD_SUM),
    )


def _row_order(row: CorrectedRow) -> tuple[float, str]:
    return -(row.corrected_money.mean or 0.0), row.entrant


def _gain_blocks(own: Mapping[int, Cell], blocks: Sequence[int], before: int) -> GainBlocks:
    cells = [own.get(block) or Cell() for block in blocks]
    return GainBlocks(
        [cell.sums[before] / MONEY_UNITS for cell in cells],
        [cell.sums[before + 1] / MONEY_UNITS for cell in cells],
        [cell.matches for cell in cells],
    )
