"""What a drawing of the card game must know of the edition: what a share is reckoned from, and how long it goes on."""

from __future__ import annotations

import msgspec

from arena.games.cards.cards import CARDS, Card
from arena.games.cards.rules import Layout, Rules


class CardsShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The edition as the table shows it: the ``factor`` of a share's value and its ``limit`` in $ (None: none) (C5.1),
    how many ``rounds`` a match has and Cousin tokens (``cousins``) a round at a table of ``players`` (C2.1); ``cards``
    are all kinds, as discards are counted."""

    edition: str
    players: int
    factor: int
    limit: int | None
    rounds: int
    cousins: int
    cards: tuple[Card, ...]


def shown_rules(rules: Rules, players: int) -> CardsShown:
    """What is shown of ``rules`` at a table of ``players``."""
    layout = Layout(rules, players)
    return CardsShown(
        edition=rules.title,
        players=players,
        factor=rules.factor,
        limit=layout.limit,
        rounds=layout.rounds,
        cousins=layout.cousins,
        cards=CARDS,
    )
