"""Which plays of travel cards break a deal (B5.2)."""

from __future__ import annotations

from arena.games.board.cards import TRAVEL_CARDS, Card, Family
from arena.games.board.moves import Travel
from arena.games.board.strategy.needs import fillable, on_table
from arena.games.board.views import BoardView


def travel_card(view: BoardView, family: Family) -> bool | None:
    """How the viewer can send ``family`` travelling: False with the family's own card, True with a wild one (the value
    of :class:`Travel`'s ``wild``), None not at all."""
    if TRAVEL_CARDS[family] in view.hand:
        return False
    return True if Card.TRAVEL_WILD in view.hand else None


def spoilers(view: BoardView) -> list[Travel]:
    """The viewer's travel plays after which the cards on the table no longer suffice for the deal, ordinary cards
    first. Only a clan card from somebody's hand could then save it. Empty if the cards on the table do not suffice
    already."""
    seen = on_table(view)
    if not fillable(view.space, seen):
        return []
    plays = []
    for placard in view.placards:
        family = placard.family
        if family not in seen:
            continue
        wild = travel_card(view, family)
        if wild is None or fillable(view.space, seen - {family}):
            continue
        owners = [seat for seat, laid in enumerate(view.laid) for clan in laid if clan is family]
        if placard.owner is not None and not placard.travelling:
            if not owners and placard.owner != view.seat:
                plays.append(Travel(family, wild=wild))
        elif len(owners) == 1 and owners[0] != view.seat:
            plays.append(Travel(family, owners[0], wild))
    return sorted(plays, key=lambda play: play.wild)
