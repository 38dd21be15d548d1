"""What most bots want to know about a board-game view, ready to import; the views hold everything else.

Every function reads a view (and the rules where editions differ), keeps nothing and changes nothing. A *family* is
what fills a need (B4.2); a seat stands for it with its placard or with a clan card. Money is whole $M::

    from arena.games.board.strategy import best_closing, bids, goods, mine, missing, no_deal, within_reach
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from arena.games.board import legal
from arena.games.board.cards import (
    CARD_ID,
    CLAN_CARDS,
    FAMILIES,
    FAMILY_ID,
    TRAVEL_CARDS,
    Card,
    Family,
    counted,
    mask_of,
)
from arena.games.board.closing import Source, can_fill, fixed_costs, sources
from arena.games.board.judge import refuse_opening
from arena.games.board.moves import Close, Discard, Draw, Offer, Open, Recruit, Roll, Travel
from arena.games.board.rules import Rules, fair_shares
from arena.games.board.seat import owners_of, table_of
from arena.games.board.spaces import Space, filled
from arena.games.board.views import BoardView, CloseView, DiscardView, TurnView


class Missing(NamedTuple):
    """What a space still needs: every one of ``required``, and ``choose`` different ones of ``optional``.

    Each of ``optional`` helps by itself. Where a space has several choice groups, not any ``choose`` of them need do
    together: add the family to what one has and ask :func:`missing` again.
    """

    required: tuple[Family, ...]
    choose: int
    optional: tuple[Family, ...]

    @property
    def number(self) -> int:
        """How many investors are still missing."""
        return len(self.required) + self.choose

    def wants(self, family: Family) -> bool:
        """Whether one more member of ``family`` would help."""
        return family in self.required or family in self.optional


class Deal(NamedTuple):
    """A closing the Boss could name now: what it pays the others, and what is left for the Boss, in $M."""

    close: Close
    cost: int
    profit: int


def missing(space: Space, have: Collection[Family]) -> Missing:
    """What ``space`` still needs from somebody who has the families ``have`` (B4.2)."""
    return _missing(space, mask_of(have))


@lru_cache(maxsize=2048)
def _missing(space: Space, have: int) -> Missing:
    table = filled(space)
    helpful = [family for family in space.families if table[have | 1 << FAMILY_ID[family]] > table[have]]
    required = tuple(family for family in helpful if family in space.required)
    optional = tuple(family for family in helpful if family not in space.required)
    return Missing(required, space.needs - table[have] - len(required), optional)


def fillable(space: Space, have: Collection[Family]) -> bool:
    """Whether the families ``have`` suffice for ``space``."""
    return filled(space)[mask_of(have)] == space.needs


def may_open(view: TurnView, rules: Rules) -> bool:
    """Whether a deal may be opened now (B4.9, B8)."""
    return refuse_opening(rules, len(view.hand), view.failed_here) is None


def no_deal(view: TurnView) -> Roll | Draw | Open:
    """The answer to ``turn`` of a seat that wants no deal: roll, then draw, or open where a variant forbids that."""
    return legal.no_deal(view.rolled, view.must_deal)


def wealth(view: BoardView) -> list[int]:
    """Everybody's money by seat, counted from the closed deals (B5.6)."""
    money = [0] * view.players
    for deal in view.ledger:
        money[deal.boss] += deal.proceeds
        for seat, amount in enumerate(deal.paid):
            money[seat] += amount
            money[deal.boss] -= amount
    return money


def placards_of(view: BoardView, seat: int) -> tuple[Family, ...]:
    """The placards of ``seat`` that do not travel."""
    return tuple(p.family for p in view.placards if p.owner == seat and not p.travelling)


def clans_in_hand(view: BoardView) -> tuple[Family, ...]:
    """The families of which the viewer holds a clan card in hand, each once, in family order."""
    return tuple(dict.fromkeys(FAMILIES[CARD_ID[card]] for card in view.hand if CARD_ID[card] < len(FAMILIES)))


def mine(view: BoardView) -> set[Family]:
    """The families the viewer can stand for: placards that do not travel, clan cards laid and in hand."""
    return {*placards_of(view, view.seat), *view.laid[view.seat], *clans_in_hand(view)}


def on_table(view: BoardView) -> set[Family]:
    """The families some seat visibly stands for, by a placard that does not travel or a laid clan card."""
    found = {p.family for p in view.placards if p.owner is not None and not p.travelling}
    for laid in view.laid:
        found.update(laid)
    return found


def boss_has(view: BoardView, rules: Rules) -> set[Family]:
    """The families the Boss could openly name now: own placards and laid clan cards, agreements, offers to the Boss,
    and every card on the table where fair shares hold (B9). What is in the Boss's hand comes on top."""
    if view.boss is None:
        return set()
    if fair_shares(rules, view.players):
        return on_table(view)
    found = {*placards_of(view, view.boss), *view.laid[view.boss]}
    for terms in view.agreements:
        found.update(terms.placards, terms.clans)
    for entry in view.offers:
        if entry.offer.to == view.boss:
            found.update(entry.offer.placards, entry.offer.clans)
    return found


def my_income(view: BoardView) -> int:
    """What the viewer's agreements and open offers would bring if the Boss used them all, in $M."""
    agreed = sum(terms.price for terms in view.agreements if terms.partner == view.seat)
    return agreed + sum(entry.offer.price for entry in view.offers if entry.by == view.seat != view.boss)


def legal_price(view: BoardView, rules: Rules, price: float) -> int:
    """The legal price nearest below ``price``, but at least the least there is (B4.4)."""
    step = view.dividend if rules.prices == "dividends" else 1
    return min(max(int(price // step), 1) * step, view.proceeds)


def can_give(view: BoardView, clans: Iterable[Family]) -> bool:
    """Whether the viewer has an unpromised clan card of each of these families, laid or in hand."""
    for family in clans:
        promised = sum(family in terms.clans for terms in view.agreements if terms.partner == view.seat)
        if view.laid[view.seat].count(family) + view.hand.count(CLAN_CARDS[family]) <= promised:
            return False
    return True


def goods(view: BoardView, rules: Rules, price: float) -> tuple[Offer, ...]:
    """Offers to the Boss: each card of the viewer's that the Boss may still need, for ``price`` apiece.

    Left out is what is promised already and what the Boss has on the table. A clan card stands in only for a family
    whose placard the viewer cannot offer. Offering a clan card lays it (B4.5).
    """
    assert view.boss is not None
    promised = {family for terms in view.agreements for family in (*terms.placards, *terms.clans)}
    have = {*placards_of(view, view.boss), *view.laid[view.boss], *promised}
    needed = missing(view.space, have)
    own, clans = placards_of(view, view.seat), {*clans_in_hand(view), *view.laid[view.seat]}
    price = legal_price(view, rules, price)
    offers = [Offer(view.boss, price, placards=(family,)) for family in own if needed.wants(family)]
    offers += [Offer(view.boss, price, clans=(f,)) for f in clans if f not in own and needed.wants(f)]
    return tuple(sorted(offers, key=lambda offer: (offer.placards, offer.clans))[: rules.max_offers])


def bids(view: BoardView, rules: Rules, prices: Iterable[float], have: Collection[Family]) -> tuple[Offer, ...]:
    """Offers of the Boss, who has the families ``have``: every placard of the others that is still missing, at each
    of ``prices``; and where too few placards lie on the table, clan cards of everybody who holds cards.

    The cheapest come first: of several offers for one card the first one accepted counts (B4.5).
    """
    needed = missing(view.space, have)
    owner = {p.family: p.owner for p in view.placards if p.owner not in (None, view.seat) and not p.travelling}
    promised = {family for terms in view.agreements for family in (*terms.placards, *terms.clans)}
    wanted = [f for f in (*needed.required, *needed.optional) if f not in promised]
    cards: list[tuple[int, tuple[Family, ...], tuple[Family, ...]]] = []
    for family in wanted:
        holder = owner.get(family)
        if holder is not None:
            cards.append((holder, (family,), ()))
    scarce = missing(view.space, {*have, *owner})
    others = [s for s in range(view.players) if s != view.seat and (view.hand_sizes[s] or view.laid[s])]
    cards += [(seat, (), (family,)) for family in wanted if scarce.wants(family) for seat in others]
    legal = sorted({legal_price(view, rules, price) for price in prices})
    offers = (Offer(to, price, own, clans) for price in legal for to, own, clans in cards)
    return tuple(offers)[: rules.max_offers]


def best_closing(view: CloseView, rules: Rules) -> Deal | None:
    """The legal closing that costs the Boss least, or None while there is none.

    It counts own cards (in hand too), agreements, offers to the Boss still open and fair shares; of equally cheap
    ones it takes the one with the fewest clan cards.
    """
    table, hand = table_of(view, rules), counted(view.hand)
    if not can_fill(table, hand):
        return None
    singles: dict[int, Source] = {}
    several = []
    for source in sources(table, hand, with_offers=True):
        if source.mask.bit_count() > 1:
            several.append(source)
        elif source.mask not in singles or _rank(source) < _rank(singles[source.mask]):
            singles[source.mask] = source
    filling, needs = table.layout.filled[view.marker], table.layout.needs[view.marker]
    fixed = fixed_costs(table)
    ways: dict[int, tuple[int, tuple[Source, ...]]] = {0: (0, ())}
    for source in (*several, *singles.values()):
        for mask, (rank, used) in list(ways.items()):
            union, total = mask | source.mask, rank + _rank(source)
            if mask & source.mask or filling[union] < union.bit_count():
                continue
            if union not in ways or total < ways[union][0]:
                ways[union] = (total, (*used, source))
    full = [way for mask, way in ways.items() if filling[mask] == needs]
    _, best = min(full, key=lambda way: way[0], default=(0, ()))
    cost = fixed + sum(source.cost for source in best)
    if not best or cost > view.proceeds:
        return None
    close = Close(
        tuple(source.placard for source in best if source.placard is not None),
        tuple(source.clan for source in best if source.clan is not None),
        tuple(source.partner for source in best if source.partner is not None),
    )
    return Deal(close, cost, view.proceeds - cost)


def _rank(source: Source) -> int:
    """Cost first, then clan cards spent."""
    return source.cost * 16 + (source.clan is not None)


def demand(view: BoardView, rules: Rules, family: Family) -> float:
    """How much the uncovered spaces want ``family``: the dividends of those that require it, and the fitting share
    of those that may choose it, in each of their groups."""
    total = 0.0
    for index in view.uncovered:  # not sum(): from Python 3.12 on it rounds otherwise than before
        total += _wants(rules.spaces[index]).get(family, 0.0)
    return total


@lru_cache(maxsize=1024)
def _wants(space: Space) -> dict[Family, float]:
    """How much ``space`` wants each family, in dividends."""
    wants = dict.fromkeys(space.required, float(space.dividends))
    for group in space.groups:
        for family in group.families:
            wants[family] = wants.get(family, 0.0) + space.dividends * group.choose / len(group.families) / 2
    return wants


def recruitable(view: BoardView) -> tuple[Family, ...]:
    """The placards a recruitment triple may take: those aside while there are any, else the others' (B5.4)."""
    return legal.takeable(view.seat, owners_of(view))


def can_recruit(view: BoardView) -> bool:
    """Whether the viewer holds a triple and there is a placard to take."""
    return view.hand.count(Card.RECRUITMENT) >= 3 and bool(recruitable(view))


def best_recruit(view: BoardView, rules: Rules, needed: Missing | None = None) -> Recruit:
    """The play of a triple for the placard most in :func:`demand`, one that ``needed`` wants if there is one.
    Ask :func:`can_recruit` first."""
    takeable = recruitable(view)
    wanted = [family for family in takeable if needed is not None and needed.wants(family)]
    return Recruit(max(wanted or takeable, key=lambda family: demand(view, rules, family)))


def travel_card(view: BoardView, family: Family) -> bool | None:
    """How the viewer can send ``family`` travelling: False with the family's own card, True with a wild one (which
    is :class:`Travel`'s ``wild``), None not at all."""
    if TRAVEL_CARDS[family] in view.hand:
        return False
    return True if Card.TRAVEL_WILD in view.hand else None


def spoilers(view: BoardView) -> list[Travel]:
    """The viewer's travel plays after which the cards on the table no longer suffice for the deal, ordinary cards
    first. Only a clan card out of somebody's hand could then save it. Empty where they do not suffice already."""
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


def within_reach(view: BoardView) -> bool:
    """Whether the viewer's cards and those on the table can fill the space, or could with the placard that a
    recruitment triple in hand would take from those aside."""
    needed = missing(view.space, mine(view) | on_table(view))
    if needed.number == 0:
        return True
    aside = any(placard.owner is None and needed.wants(placard.family) for placard in view.placards)
    return needed.number == 1 and aside and can_recruit(view)


def fit_hand(view: DiscardView, rules: Rules, worth: Callable[[Card], float]) -> Discard | Recruit:
    """An answer to ``discard``: a recruitment triple for the placard most in demand where the edition allows it,
    else the cards of least ``worth``. The third and each further card of a kind counts half."""
    if can_recruit(view) and legal.triple_fits(rules, view.cards_only):
        return best_recruit(view, rules)
    valued, seen = [], dict.fromkeys(view.hand, 0)
    for card in view.hand:
        seen[card] += 1
        valued.append((worth(card) / (1 if seen[card] < 3 or card is Card.RECRUITMENT else 2), CARD_ID[card], card))
    valued.sort()
    return Discard(tuple(card for _, _, card in valued[: view.excess]))
