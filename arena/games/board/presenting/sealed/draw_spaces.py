"""Draws the spaces of a board: how many investors each needs, which families, and what it pays (B1.4, B4.2).

The families stay equally wanted, as on the boards of the editions: of any two, one is required by at most one space
more than the other. Those to choose from are always the families that could be chosen least so far.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.board.cards import FAMILIES, Family
from arena.games.board.spaces import Space
from arena.games.chance import Chance

FEWEST, MOST = 2, 5
"""A space needs two to five investors, as is reported of the printed board."""
MOST_REQUIRED = 3
"""At most so many of them are required families; the others are chosen."""
EXTRA_DIVIDENDS = (0, 1, 1, 1, 1, 2)
"""Dividends above the number of investors, each equally often; in all editions it is 1."""


def draw_spaces(spaces: Sequence[Space], chance: Chance) -> tuple[Space, ...]:
    """As many spaces as the given ones, which together need as many investors."""
    required, chosen = dict.fromkeys(FAMILIES, 0), dict.fromkeys(FAMILIES, 0)
    drawn = []
    for place, needs in enumerate(_draw_needs(spaces, chance)):
        number = 1 + chance.below(min(MOST_REQUIRED, needs), "required families", place)
        first = _least_used(required, number, (), chance, "required family", place)
        choose, offered = needs - number, 0
        if choose:
            offered = min(choose + 1 + chance.below(3, "families to choose from", place), len(FAMILIES) - number)
        group = _least_used(chosen, offered, first, chance, "family to choose", place)
        dividends = needs + EXTRA_DIVIDENDS[chance.below(len(EXTRA_DIVIDENDS), "dividends", place)]
        drawn.append(Space(dividends=dividends, required=first, choose=choose, optional=group))
    return tuple(drawn)


def _draw_needs(spaces: Sequence[Space], chance: Chance) -> list[int]:
    """How many investors each space needs: the numbers of the given spaces, shuffled, with an investor moved from one
    space to another, within the bounds, once for every four spaces."""
    needs = [spaces[place].needs for place in chance.permutation(len(spaces), "order of spaces")]
    for time in range(len(needs) // 4):
        giver, taker = chance.permutation(len(needs), "investor moved", time)[:2]
        if needs[giver] > FEWEST and needs[taker] < MOST:
            needs[giver], needs[taker] = needs[giver] - 1, needs[taker] + 1
    return needs


def _least_used(
    used: dict[Family, int], number: int, without: tuple[Family, ...], chance: Chance, name: str, place: int
) -> tuple[Family, ...]:
    """``number`` families that are ``used`` least, ties broken by chance, none of those ``without``; they are counted
    as used once more. In the order of B1.1."""
    order = chance.permutation(len(FAMILIES), name, place)
    free = [FAMILIES[index] for index in order if FAMILIES[index] not in without]
    taken = sorted(free, key=used.__getitem__)[:number]
    for family in taken:
        used[family] += 1
    return tuple(family for family in FAMILIES if family in taken)
