"""What seats of the card game gave each other: Cousin tokens, and cards laid in front of others. Each is worth the
change it made to what its receiver was due at the end of the round (C5.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.games.cards.cards import Card
from arena.games.cards.log.ledger_rows import ActionKind, ActionRow, Answer, ShareRow
from arena.games.giving import Gift, GiftKind, Giving, MatchGifts

TOKEN_GIFT = GiftKind("tokens", "what the Cousin tokens that it gave as Boss brought the other")
CARDS_LAID = GiftKind(
    "cards",
    "what the POTA and reverse cards that it laid there, or removed, brought the other",
)

Lying = dict[int, list[tuple[Card, int]]]
"""For each seat, the cards in front of it, each with the seat that put it there."""


def find_gifts(tables: Mapping[str, Sequence[Any]], players: int) -> MatchGifts:
    """The gifts of a match, from its tables."""
    gifts: list[Gift] = []
    actions: dict[int, list[ActionRow]] = {}
    for action in tables["actions"]:
        actions.setdefault(action.round, []).append(action)
    bosses = {row.round: row.boss for row in tables["rounds"]}
    values = {row.round: row.value for row in tables["rounds"]}
    for bargain in tables["bargains"]:
        if bargain.answer is Answer.YES and bargain.round in bosses:
            gifts.append(Gift(bosses[bargain.round], bargain.seat, TOKEN_GIFT.name, bargain.token))
    shares: dict[int, list[ShareRow]] = {}
    for share in tables["shares"]:
        shares.setdefault(share.round, []).append(share)
    for number, value in values.items():
        moved = _net_laid(actions.get(number, ()), players)
        for share in shares.get(number, ()):
            gifts += _laid_gifts(share, moved, value)
    return MatchGifts(tuple(gifts))


def _net_laid(actions: Sequence[ActionRow], players: int) -> dict[tuple[int, int], tuple[int, int]]:
    """For each pair (giver, receiver): how many POTA and reverse cards the giver put in front of the receiver and are
    still there, less the cards of others that the giver took away from there."""
    lying: Lying = {seat: [] for seat in range(players)}
    moved: dict[tuple[int, int], tuple[int, int]] = {}

    def count(giver: int, receiver: int, card: Card, change: int) -> None:
        if giver != receiver:
            potas, reverses = moved.get((giver, receiver), (0, 0))
            moved[giver, receiver] = (potas + change * card.is_pota, reverses + change * card.is_reverse)

    for action in actions:
        card = action.card
        if card is None or action.kind not in (ActionKind.PLAY, ActionKind.SHIFT):
            continue
        if action.kind is ActionKind.SHIFT and action.source is not None:
            by = next((by for each, by in lying[action.source] if each == card), action.source)
            with_it = (card, by)
            if with_it in lying[action.source]:
                lying[action.source].remove(with_it)
            count(by, action.source, card, -1)
            if by != action.seat:
                count(action.seat, action.source, card, -1)
        if action.front is not None:
            lying[action.front].append((card, action.seat))
            count(action.seat, action.front, card, 1)
    return moved


def _laid_gifts(share: ShareRow, moved: Mapping[tuple[int, int], tuple[int, int]], value: int) -> Iterator[Gift]:
    """What each giver's cards changed in what this seat was due: with all cards, less without the giver's."""
    for (giver, receiver), (potas, reverses) in moved.items():
        if receiver == share.seat:
            without = (share.shares - potas) * value * (-1 if (share.reverses - reverses) % 2 else 1)
            if share.due != without:
                yield Gift(giver, receiver, CARDS_LAID.name, share.due - without)


GIVING = Giving((TOKEN_GIFT, CARDS_LAID), find_gifts)
