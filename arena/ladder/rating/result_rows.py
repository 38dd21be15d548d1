"""The rows of the pages on versions, authors and seasons: what matches of closed rounds say of a version, and how
seasons ended."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from arena.games.summary import SummaryFigure
from arena.ledger.figure import LedgerFigure
from arena.tournament.inference.intervals import Estimate


class OpponentRecord(msgspec.Struct, frozen=True):
    """The matches of a version with one opponent: how many, in how many it finished ``ahead`` or with the same rank
    (``equal``), and by how much more money it made in the mean (``margin``). Void matches are not included."""

    opponent: str
    matches: int
    ahead: int
    equal: int
    margin: float


class VersionMatch(msgspec.Struct, frozen=True):
    """A match of a version: its number and round, the version's rank, money, faults and how it ended, and the other
    versions with their money, in the order of their seats."""

    number: int
    round: int
    rank: int
    money: int
    faults: int
    ended: str
    void: bool
    others: list[tuple[str, int]]


class RankedVersion(msgspec.Struct, frozen=True):
    """A version of a bot: its author, state, and place and rating after the last closed round (None: it has none)."""

    id: int
    name: str
    author: str
    state: str
    submitted: str
    anchor: int
    place: int | None
    value: float | None
    low: float | None
    high: float | None


class PriceRow(NamedTuple):
    """Prices in one role or kind of bargain, whose words are ``told``: estimates by the names of figures."""

    told: str
    cells: dict[str, Estimate]


class VersionPrices(NamedTuple):
    """The prices that a version asks and gets: a row for each role, from the replays of so many ``matches``."""

    matches: int
    figures: list[LedgerFigure]
    rows: list[PriceRow]


class VersionResults(msgspec.Struct, frozen=True):
    """The results of a version in a season: its record against each opponent, the values of the game's ``figures``
    over ``counted`` matches, its faults by kind, in how many matches it was ``put_out`` for them, its prices, its last
    matches, and the other versions of the bot."""

    records: list[OpponentRecord]
    figures: list[tuple[SummaryFigure, float | None]]
    counted: int
    faults: dict[str, int]
    put_out: int
    prices: VersionPrices
    matches: list[VersionMatch]
    siblings: list[RankedVersion]


class ListedSeason(msgspec.Struct, frozen=True):
    """A season in the list: its number, when it began and ended ("": it goes on), its matches in closed rounds, the
    commitment to its seed, the seed ("": not public), and its champions."""

    number: int
    began: str
    ended: str
    matches: int
    seed_sha256: str
    seed: str
    champions: list[str]
