"""The standings of a ladder: a row for each shown version, and the facts on which all rows are based."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena.ladder.rating.settled_pairs import SettledCounts
from arena.ratings.match_ups import MatchUps
from arena.ratings.rate import Basis
from arena.tournament.inference.intervals import Estimate


class Unrated(StrEnum):
    """Why a version has no rating: no scale holds it together with the others."""

    AHEAD = "always ahead"
    """It never finished behind those on the scale, nor behind anybody who did."""

    BEHIND = "always behind"
    """The versions on the scale never finished behind it."""

    APART = "not connected"
    """No match connects it with the versions on the scale."""

    UNSOLVED = "no rating"
    """The matches determine nobody's rating."""


@dataclass(frozen=True, slots=True)
class StandingChange:
    """The earlier standing of a version: its ``value`` (None: unrated) and its ``place``; both None where those
    standings did not have it."""

    value: float | None
    place: int | None

    @property
    def is_new(self) -> bool:
        """Whether those standings did not have it."""
        return self.place is None


@dataclass(frozen=True, slots=True)
class VersionFaults:
    """The faults of a version: how many, and in how many matches they had it put out."""

    count: int = 0
    put_out: int = 0


@dataclass(frozen=True, slots=True)
class VersionStanding:
    """A version in the standings.

    ``place`` counts from 1. ``tier`` is the first group of the order, from 1, that cannot be told apart and in which
    the version stands; ``alike`` are the first and the last place of all such groups it is in (None: unrated).
    ``rating`` is in points or in money, relative to the anchor, without a mean where it is unrated; ``money`` is what
    it makes a match, in the game's unit, ``beaten`` the share of opponents it beats, equal ranks half. ``new``: it has
    played fewer tables than make a newcomer an ordinary version. ``state`` is how it stands in the ladder, ``anchor``
    its number among the anchors, from 1 (0: none), ``label`` what audits found of it. ``change`` is None where nothing
    is compared. ``blocks`` are tables.
    """

    place: int
    tier: int
    alike: tuple[int, int] | None
    version: str
    bot: str
    author: str
    state: str
    new: bool
    rating: Estimate
    unrated: Unrated | None
    money: Estimate
    beaten: Estimate
    matches: int
    blocks: int
    change: StandingChange | None
    faults: VersionFaults
    label: str
    anchor: int


@dataclass(frozen=True, slots=True)
class StandingsSince:
    """The earlier standings for comparison: those after this round, which was closed ``at`` this time."""

    round: int
    at: str


@dataclass(frozen=True, slots=True)
class StandingsBasis:
    """What standings rest on. ``seats`` are those of a table; ``matches``, ``voids`` (not among these), ``blocks``
    and ``rounds`` (closed ones) are what was counted; ``waiting`` matches of the open round are not. ``rated_by`` is
    ``order`` or ``money``, ``anchor`` the version that has 0 ("": 0 is the mean of the versions on the scale).
    ``not_shown`` versions are rated, and left out because they do not play any more; the ``unplayed`` have not played
    yet; matches of those ``without`` do not count. ``indifference`` is how far from one half a share may be of two
    versions that are as good as equal; ``newcomer`` is how many tables end being new. ``by_seat``: the ratings take
    the seats into account; ``match_ups``: whether pairs do what they say (None: not tested)."""

    ladder: str
    season: int
    ended: bool
    game: str
    edition: str
    unit: str
    seats: int
    rated_by: Basis
    anchor: str
    matches: int
    voids: int
    blocks: int
    rounds: int
    began: str
    waiting: int
    not_shown: int
    unplayed: tuple[str, ...]
    without: tuple[str, ...]
    newcomer: int
    indifference: float
    since: StandingsSince | None
    by_seat: bool
    notes: tuple[str, ...]
    match_ups: MatchUps | None = None


@dataclass(frozen=True, slots=True)
class LadderStandings:
    """The standings: ``rows``, the first place first, and the ``groups`` of versions that cannot be told apart, each as
    its first and its last place. ``pairs`` counts those of the versions that are shown; None where nothing was
    played."""

    whole: StandingsBasis
    rows: tuple[VersionStanding, ...]
    groups: tuple[tuple[int, int], ...]
    pairs: SettledCounts | None
