"""What a round may yet bring: the centre drifts, stakes are turned over, and whoever acts last has a hand to use."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.cards.cards import CARDS, Card
from arena.games.cards.strategy.outlooks import Outlook
from arena.games.cards.table import share_value, signed_stake

SPREAD = ((-1.3, 0.28), (0.0, 0.44), (1.3, 0.28))
"""How far the centre may yet drift, in standard deviations, and how likely."""
SURE = ((0.0, 1.0),)
"""The same, once no rival is in."""
SWAY, NOISE, FLIP = 0.8, 1.8, 0.05
"""What an unseen card adds to the centre: points the way its owner wants it, and a standard deviation; and the chance
that a seat still in can turn a stake over."""
EXTRA = 0.3
"""Cards that a rival may draw and play, besides those that it holds."""
POINTS_MOVED = 2.5
"""About how many points a move takes from the centre."""
POWERS = {card: (card.moves, card.worth, int(card.is_pota), int(card.is_reverse)) for card in CARDS}
"""What a card can do: how many moves, how many points, and whether it is a POTA or a reverse card."""


def forecast(
    found: Outlook,
    me: int,
    hand: Sequence[Card],
    money: list[int],
    weights: list[float],
    cards: list[float],
    hope: float,
) -> float:
    """What the round is expected to bring the seat ``me``, in $, less what the rivals' shares of it weigh.

    By seat: the ``money`` that each has, the ``weights`` of what each receives (0: none), and the ``cards`` that each
    may yet play. ``hand`` are the seat's own playable cards, with which it does the best it can at the end, if it acts
    last: ``hope`` is the chance of that while rivals are in.
    """
    passes, seats = found.passes, len(found.shares)
    stakes = [signed_stake(found.shares[seat], found.reverses[seat]) for seat in range(seats)]
    rivals, unseen, centre, mean = 0, 0.0, float(found.centre), sum(stakes) / seats
    for seat in range(seats):
        if passes[seat] < 2 and seat != me:
            rivals += 1
            unseen += cards[seat] + EXTRA
            wish = (stakes[seat] - mean) * seats / (seats - 1)
            centre += SWAY * (cards[seat] + EXTRA) * (-1.0 if wish < -1.0 else 1.0 if wish > 1.0 else wish)
    keep, inside = 1 - 2 * FLIP * rivals, passes[me] < 2
    keeps = [keep if turned < 2 else 1.0 for turned in passes]
    low = high = own = stakes[me]
    points: list[float] = []
    if inside and hand:
        low, high, points = _reach(found, me, hand)
    per_point, limit, least, total = found.per_point, found.limit, float(-money[me]), 0.0
    for deviations, chance in SPREAD if rivals else SURE:
        middle = centre + deviations * NOISE * unseen**0.5
        value = share_value(per_point, round(middle), limit)
        rest = _rest(value, stakes, keeps, weights, money)
        gain = value * own * keeps[me]
        plain = best = (gain if gain > least else least) - rest
        for by in points:
            if by != 0.0:
                value = share_value(per_point, round(middle + by), limit)
                rest = _rest(value, stakes, keeps, weights, money)
            gain = value * keep * (high if value > 0 else low)
            gain = (gain if gain > least else least) - rest
            if gain > best:
                best = gain
        total += chance * (plain + (hope if rivals else 1.0) * (best - plain))
    return total


def _reach(found: Outlook, me: int, hand: Sequence[Card]) -> tuple[int, int, list[float]]:
    """What a seat could make of the round alone: its lowest and highest stake, and points to add to the centre, the
    first of them 0."""
    moves = more = less = potas = reverses = 0
    for card in hand:
        move, worth, pota, reverse = POWERS[card]
        moves, potas, reverses = moves + move, potas + pota, reverses + reverse
        if worth > 0:
            more += worth
        else:
            less += worth
    up = more + POINTS_MOVED * (moves if found.centre < 0 else 0)
    down = less - POINTS_MOVED * (moves if found.centre > 0 else 0)
    most, stake = found.shares[me] + potas, found.stake(me)
    stakes = [stake, -most if found.reverses[me] % 2 else most]
    if reverses or (moves and found.reverses[me]):
        stakes += [-stakes[0], -stakes[1]]
    points = [0.0]
    if up != 0.0:
        points.append(up)
    if down != 0.0 and down != up:
        points.append(down)
    return min(stakes), max(stakes), points


def _rest(value: int, stakes: list[int], keeps: list[float], weights: list[float], money: list[int]) -> float:
    """What the others receive when a share is worth ``value``, each as its money weighs, in $."""
    total = 0.0
    for seat in range(len(stakes)):
        stake, weight = stakes[seat], weights[seat]
        if stake and weight != 0.0:
            gain, least = value * stake * keeps[seat], float(-money[seat])
            total += weight * (gain if gain > least else least)
    return total
