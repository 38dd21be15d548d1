"""Standings from ratings: places, groups of versions that cannot be told apart, and changes since earlier standings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from arena.ladder.rating.block_sums import means_by_block
from arena.ladder.rating.season_fit import SeasonRating
from arena.ladder.rating.settled_pairs import count_settled_pairs
from arena.ladder.rating.standing import LadderStandings, StandingChange, StandingsBasis, VersionFaults, VersionStanding
from arena.ratings.order_columns import RatingMatches
from arena.ratings.rate import Basis
from arena.ratings.scale import RatingScale


@dataclass(frozen=True, slots=True)
class VersionFacts:
    """Facts of a version that do not come from its matches; see :class:`arena.ladder.rating.standing.VersionStanding`.
    ``new`` is None where the counted matches tell it."""

    bot: str
    author: str
    state: str
    anchor: int = 0
    label: str = ""
    new: bool | None = None


@dataclass(frozen=True, slots=True)
class VersionPlace:
    """The place and the tier of a version, and the places of those whom it does not differ significantly from."""

    place: int
    tier: int
    alike: tuple[int, int] | None


Group = tuple[int, int]
"""The first and the last place of a group of versions that cannot be told apart."""


def order_of(rated: SeasonRating, shown: Collection[str]) -> list[str]:
    """Return the ``shown`` versions, the best first."""
    return [name for name in rated.order if name in shown]


def part_of(rated: SeasonRating, shown: Collection[str]) -> RatingScale | None:
    """Return the part of the scale with the ``shown`` versions; None where it has none of them."""
    scale = rated.scale
    if scale is None:
        return None
    members = [at for at, name in enumerate(scale.names) if name in shown]
    return scale.scale_of(members) if members else None


def place_versions(
    order: Sequence[str], rated: SeasonRating, part: RatingScale | None
) -> tuple[dict[str, VersionPlace], tuple[Group, ...]]:
    """Return the places of the versions in ``order``, and the groups of the rated ones, which ``part`` holds."""
    place = {name: number for number, name in enumerate(order, 1)}
    groups = [] if part is None else [(place[group[0]], place[group[-1]]) for group in part.not_apart()]
    tiers = sorted(
        {*groups, *((number, number) for number in range(1, len(order) + 1) if not _in_group(groups, number))}
    )
    found = {}
    for name, number in place.items():
        mine = [at for at, (first, last) in enumerate(tiers) if first <= number <= last]
        alike = None if name in rated.unrated else (tiers[mine[0]][0], tiers[mine[-1]][1])
        found[name] = VersionPlace(number, mine[0] + 1, alike)
    return found, tuple(groups)


def _in_group(groups: Sequence[Group], place: int) -> bool:
    return any(first <= place <= last for first, last in groups)


def standings_of(
    matches: RatingMatches,
    rated: SeasonRating,
    shown: Collection[str],
    whole: StandingsBasis,
    known: Mapping[str, VersionFacts],
    faults: Mapping[str, VersionFaults],
    before: Mapping[str, StandingChange] | None,
) -> LadderStandings:
    """Return the standings of the rated versions that are ``shown``. ``known`` and ``faults`` are by name. ``before``
    has their earlier standings by name, without versions that were not in those; None: nothing is compared."""
    order, part = order_of(rated, shown), part_of(rated, shown)
    places, groups = place_versions(order, rated, part)
    means = means_by_block(matches, set(order))

    def row(name: str) -> VersionStanding:
        facts, mean = known[name], means[name]
        return VersionStanding(
            place=places[name].place,
            tier=places[name].tier,
            alike=places[name].alike,
            version=name,
            bot=facts.bot,
            author=facts.author,
            state=facts.state,
            new=mean.blocks < whole.newcomer if facts.new is None else facts.new,
            rating=rated.rating(name),
            unrated=rated.unrated.get(name),
            money=mean.money,
            beaten=mean.beaten,
            matches=mean.matches,
            blocks=mean.blocks,
            change=None if before is None else before.get(name, StandingChange(None, None)),
            faults=faults.get(name, VersionFaults()),
            label=facts.label,
            anchor=facts.anchor,
        )

    zone = whole.indifference if whole.rated_by is Basis.ORDER else 0.0  # money has none
    pairs = count_settled_pairs([] if rated.scale is None else [rated.scale], order, zone)
    return LadderStandings(whole, tuple(map(row, order)), groups, pairs)
