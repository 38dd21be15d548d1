"""What ratings say beside their numbers, in sentences: who cannot be told apart, who cannot be compared, and why."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from arena.ratings.connected import Components
from arena.ratings.match_ups import LEAST_BLOCKS_TESTED, MatchUps
from arena.ratings.order_columns import RatingMatches
from arena.ratings.scale import RatingScale
from arena.tournament.inference.intervals import LEAST_CLUSTERS
from arena.tournament.tables.rounded_figures import fixed_decimals, percent_text

MOST_SENTENCES = 12
"""The most sentences of one kind."""
NAMED_RATED = 12
"""The most names in a list."""


def name_list(names: Sequence[str]) -> str:
    """Names in a sentence: ``a, b and c``, or ``a, b, … and 7 more``."""
    if len(names) > NAMED_RATED:
        names = [*names[: NAMED_RATED - 1], f"{len(names) - NAMED_RATED + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def apart_in_words(scale: RatingScale) -> list[str]:
    """Sentences on which entrants the matches do not tell apart."""
    if len(scale.names) < 2:
        return []
    if not scale.has_intervals:
        return [f"No difference can be tested with fewer than {LEAST_CLUSTERS} blocks."]
    groups = scale.not_apart()
    if not groups:
        return ["Every two differ significantly: the 95 % interval of their difference excludes 0."]
    place = {scale.names[at]: number for number, at in enumerate(scale.order, 1)}
    told = [
        f"Not told apart: {name_list(group)}."
        if len(group) <= NAMED_RATED
        else f"Not told apart: places {place[group[0]]} to {place[group[-1]]}, {group[0]} to {group[-1]}."
        for group in groups
    ]
    if len(told) > MOST_SENTENCES:
        told = [
            *told[:MOST_SENTENCES],
            f"The same holds for {len(told) - MOST_SENTENCES} more groups; --json has them.",
        ]
    return told


def match_ups_in_words(fit: MatchUps | None, share: bool) -> str:
    """What pairs show beyond their ratings: by order of finish (``share``), or in money."""
    if fit is None:
        return (
            "Not tested whether one order explains who beats whom: for that, three entrants or more must each meet "
            f"each other in at least {LEAST_BLOCKS_TESTED} blocks (a block is a deal, or a table of a ladder)."
        )
    if not fit.shown:
        return f"The results of each pair agree with these ratings (p {percent_text(fit.chance)})."
    if share:
        found, expected = percent_text(fit.found), percent_text(fit.expected)
        pair = f"ranked before {fit.two} in {found} of cases, where they expect {expected}"
    else:
        pair = f"made {fixed_decimals(fit.found - fit.expected, 1)} more against {fit.two} than they expect"
    chance = "< 0.2 %" if fit.chance < 0.002 else percent_text(fit.chance)
    return (
        f"These ratings do not describe who beats whom (p {chance}): results depend on who meets whom, most clearly "
        f"where {fit.one} {pair}. They are then an average over those that met, and ± is too small: look at pairs too."
    )


def components_in_words(components: Components, matches: RatingMatches) -> list[str]:
    """Sentences on why not all entrants are on one scale, and what is known of those that are not."""
    if components.is_connected:
        return []
    names = [name_list([matches.names[at] for at in members]) for members in components.members]
    why = (
        "They do not share one scale, because some never finished behind others, directly or by steps: it is unknown "
        "how much better these are."
    )
    relations = []
    for one, two in zip(*(column.tolist() for column in numpy.nonzero(components.ahead)), strict=True):
        verb = "was" if len(components.members[one]) == 1 else "were"
        relations.append(f"{names[one]} {verb} ahead of {names[two]} in every match that had both.")
    if len(relations) > MOST_SENTENCES:
        relations = [
            *relations[:MOST_SENTENCES],
            f"There are {len(relations) - MOST_SENTENCES} more such pairs; --json has them.",
        ]
    return [why, *relations, *parts_in_words(components, matches)]


def parts_in_words(components: Components, matches: RatingMatches) -> list[str]:
    """Sentences on which entrants are not connected by any match."""
    parts = sorted(set(components.part))
    if len(parts) < 2:
        return []
    lists = [
        name_list(
            sorted(
                matches.names[at]
                for members, of in zip(components.members, components.part, strict=True)
                if of == part
                for at in members
            )
        )
        for part in parts
    ]
    told = [f"No matches connect {each} with the others, so they cannot be compared." for each in lists[1:]]
    return (
        told
        if len(told) <= MOST_SENTENCES
        else [*told[:MOST_SENTENCES], f"The same holds for {len(told) - MOST_SENTENCES} more; --json has them."]
    )
