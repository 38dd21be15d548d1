"""What a drawing of the board game must know of the edition: the board, the deal cards, the families' names."""

from __future__ import annotations

import msgspec

from arena.games.board.cards import CARDS, FAMILIES, Card, Family
from arena.games.board.presenting.picture_steps import family_chips
from arena.games.board.rules import Rules, fair_shares
from arena.games.board.spaces import Choice, filled_needs


class FamilyShown(msgspec.Struct, frozen=True, gc=False):
    """A family: its ``name`` in the edition, and the ``letters`` that tell it from the others."""

    family: Family
    name: str
    letters: str


class SpaceShown(msgspec.Struct, frozen=True, gc=False):
    """A space: what it pays, whom it needs, and ``filled``: a digit for each set of families, by the set's mask (the
    first family is bit 0), how many needs it fills (:func:`arena.games.board.spaces.filled_needs`)."""

    dividends: int
    required: tuple[Family, ...]
    groups: tuple[Choice, ...]
    needs: int
    filled: str


class DealShown(msgspec.Struct, frozen=True, gc=False):
    """A deal card: its ``number``, what a dividend is worth in $M, and the faces that end the match (B7.3)."""

    number: int
    value: int
    ends: tuple[int, ...]


class BoardShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The edition as the table shows it. ``cards`` are all kinds, as discards are counted,
    ``families`` in the order of masks, ``spaces`` clockwise from 0, ``deals``
    those that are played, in order. The rest are the rules that change who is paid: ``fair_share`` (B9.1),
    ``pay_all`` standing agreements, and whether seats must be active (``active_to_be_paid``, B8); and whether a named
    closing is followed by a ``last_call`` (B4.6)."""

    edition: str
    players: int
    cards: tuple[Card, ...]
    families: tuple[FamilyShown, ...]
    spaces: tuple[SpaceShown, ...]
    deals: tuple[DealShown, ...]
    fair_share: bool
    pay_all: bool
    active_to_be_paid: bool
    last_call: bool


def shown_rules(rules: Rules, players: int) -> BoardShown:
    """What is shown of ``rules`` at a table of ``players``."""
    chips = family_chips(rules)
    played = (number for number in sorted(rules.deals) if number not in rules.skip_deals)
    return BoardShown(
        edition=rules.title,
        players=players,
        cards=CARDS,
        families=tuple(FamilyShown(family, rules.names[family], chips[family].text) for family in FAMILIES),
        spaces=tuple(
            SpaceShown(
                space.dividends, space.required, space.groups, space.needs, "".join(map(str, filled_needs(space)))
            )
            for space in rules.spaces
        ),
        deals=tuple(DealShown(number, rules.deals[number], rules.end_rolls.get(number, ())) for number in played),
        fair_share=fair_shares(rules, players),
        pay_all=rules.pay_all_agreements,
        active_to_be_paid=rules.active_to_be_paid,
        last_call=rules.last_call,
    )
