"""Laws of the board game alone: no card and no dollar is lost, views hide what B5.6 hides, no legal move is missing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, combinations, permutations, product
from typing import Any

from arena.games.board import events
from arena.games.board.answers import legal
from arena.games.board.cards import CARDS, FAMILIES, Card, Family, clans_listed, list_cards
from arena.games.board.moves import (
    Agreement,
    Close,
    Discard,
    Draw,
    GiveUp,
    GoOn,
    Lay,
    Open,
    Pass,
    PlaceMarker,
    Recruit,
    Roll,
    Stop,
    TakeOver,
    Travel,
)
from arena.games.board.spaces import Choice, Space
from arena.games.contract import Move, No, Yes

from .cases import CASES, Case, Sample, edition_of, played, rules_of, samples
from .try_laws import Laws

BOARD = [case for case in CASES if edition_of(case).game == "board"]
law = Laws(BOARD)


@law
def law_B1_2_no_card_is_ever_lost(case: Case) -> None:
    """A card that is lost stays lost: it is missing at the end."""
    total = sum(rules_of(case).deck.counts())
    for either in (*samples(case), *played(case)):
        assert total == cards_in(either.state)


def cards_in(state: Any) -> int:
    held = sum(map(sum, state.hands)) + sum(map(sum, state.laid)) + sum(state.discards)
    on_placards = sum(card > 0 for card in state.travel_cards)
    assert on_placards == state.travelling.bit_count()
    return held + on_placards + len(state.pile) - state.drawn


def test_B1_2_the_editions_have_98_cards() -> None:
    assert {sum(rules_of(case).deck.counts()) for case in BOARD if not case.settings} == {98}


@law
def law_B7_1_money_comes_from_proceeds_alone(case: Case) -> None:
    for log, state in played(case):
        outcome = state.outcome
        assert outcome is not None
        closed = [event for event in log if isinstance(event, events.Closed)]
        assert sum(outcome.money) == sum(deal.proceeds for deal in closed)
        money = [0] * case.players
        for deal in closed:
            assert deal.paid[deal.boss] == 0
            assert sum(deal.paid) <= deal.proceeds
            money[deal.boss] += deal.proceeds - sum(deal.paid)
            money = [have + got for have, got in zip(money, deal.paid, strict=True)]
        assert tuple(money) == outcome.money


# What a view hides


@law
def law_B5_6_a_view_stays_the_same_when_what_it_hides_changes(case: Case) -> None:
    rng, changed = random.Random(8), 0
    for sample in samples(case):
        state: Any = sample.state.copy()
        before, looked, watched = state.view(sample.index), state.look(sample.ask.seat), state.look()
        if scramble(state, sample.ask.seat, rng):
            changed += 1
        state.initiative = tuple(reversed(state.initiative))
        state.money = [money + (seat != sample.ask.seat) * 7 for seat, money in enumerate(state.money)]
        for other in state.pending:
            if other != sample.index:
                state.answers[other] = rng.choice(state.legal(other))
        if state.queue:
            state.queue = state.queue[1:]
        state = state.copy()  # a state shows what it has shown before in this phase; its copy looks again
        assert state.view(sample.index) == before
        assert (state.look(sample.ask.seat), state.look()) == (looked, watched)
        assert state.legal(sample.index) == before.legal_moves(rules_of(case))
    assert changed > 5


def scramble(state: Any, seat: int, rng: random.Random) -> bool:
    """Deal all hidden cards anew: the other hands keep their sizes, the pile its length."""
    hidden = list(state.pile[state.drawn :])
    for other, hand in enumerate(state.hands):
        if other != seat:
            hidden += [CARDS.index(card) for card in list_cards(hand)]
    dealt = rng.sample(hidden, len(hidden))
    before = list(state.hands)
    for other, hand in enumerate(state.hands):
        if other != seat:
            kinds = [dealt.pop() for _ in range(sum(hand))]
            state.hands[other] = bytes(kinds.count(kind) for kind in range(16))
    state.pile = state.pile[: state.drawn] + bytes(dealt)
    return bool(before != state.hands)


@law
def law_B4_5_events_hide_cards_fizzles_and_chance(case: Case) -> None:
    for event in played(case)[0].log:
        for seat in range(case.players):
            seen = event.seen_by(seat)
            if isinstance(event, events.Fizzled):
                assert seen is None
            elif isinstance(event, events.Drew) and event.seat != seat:
                assert seen == events.Drew(event.seat, event.count)


@law
def law_prices_thin_out_the_legal_moves(case: Case) -> None:
    for sample in samples(case):
        state: Any = sample.state
        view: Any = state.view(sample.index)
        for prices in ((), (1,), (2, 3, 4), (0, 5, 5, 1000)):
            listed = state.legal(sample.index, prices)
            assert view.legal_moves(rules_of(case), prices) == listed
            assert len(set(listed)) == len(listed) > 0
            assert all(state.refusal(sample.index, move) is None for move in listed[:: max(1, len(listed) // 60)])


def test_the_same_offer_is_one_object_in_the_lists_of_different_hands() -> None:
    prices = (97, 98)
    found = legal.seat_offers(0, 0b0011, 0b0100, prices, True), legal.seat_offers(0, 0b0110, 0b1100, prices, True)
    known = {move: move for move in found[0]}
    both = [move for move in found[1] if move in known]
    assert len(both) == 2 + 2 + 2 + 2, "unchanged, none; side promises; one placard and one clan card"
    assert all(known[move] is move for move in both)


# Legal moves are complete: an oracle that knows the rules in its own words


@law
def law_legal_moves_are_all_the_rules_allow(case: Case) -> None:
    for sample in samples(case):
        hook, state = sample.ask.hook, sample.state
        if hook == "offer":
            continue
        allowed = {move for move in candidates(sample) if is_allowed(sample, move)}
        legal = set(state.legal(sample.index))
        assert legal == allowed, (legal ^ allowed, sample.ask)
        for move in candidates(sample):
            assert (state.refusal(sample.index, move) is None) == (move in allowed), move


def candidates(sample: Sample) -> list[Move]:
    """Every move there could be for this question, with its cards in their order."""
    state: Any = sample.state
    seat, hook, _ = sample.ask
    hand = state.hands[seat]
    if hook == "place_marker":
        return [PlaceMarker(space) for space in range(-2, 20)]
    if hook == "turn":
        return [Roll(), Draw(), *(Open(clans) for clans in clan_choices(hand))]
    if hook == "accept":
        return [Yes(), No()]
    if hook == "interrupt":
        travels = [Travel(f, at, wild) for f in FAMILIES for at in (None, *range(7)) for wild in (False, True)]
        return [
            Pass(),
            Stop(),
            TakeOver(),
            *map(Lay, clan_choices(hand)),
            *travels,
            *map(Recruit, FAMILIES),
        ]
    if hook == "discard":
        kinds = [card for card in Card if hand[CARDS.index(card)]]
        excess = state.excess[seat]
        sizes = range(max(0, excess - 1), excess + 1)
        several = [*list_cards(hand), *kinds]  # one more of each than there is
        found = {tuple(sorted(c, key=CARDS.index)) for size in sizes for c in combinations(several, size)}
        return [*map(Discard, found), *map(Recruit, FAMILIES)]
    return [GoOn(), GiveUp(), *close_candidates(state)]


def clan_choices(hand: bytes) -> list[tuple[Family, ...]]:
    """Selections of clan cards, some of more than the hand holds."""
    ranges = [range(count + 1 if count else 1 + (index % 2)) for index, count in enumerate(hand[:6])]
    return [tuple(f for f, n in zip(FAMILIES, counts, strict=True) for _ in range(n)) for counts in product(*ranges)]


def is_allowed(sample: Sample, move: Move) -> bool:
    """The rules in other words than the engine's."""
    state: Any = sample.state
    rules = rules_of(sample.case)
    seat, _, topic = sample.ask
    hand = list(list_cards(state.hands[seat]))
    match move:
        case PlaceMarker(space):
            return 0 <= space < 16
        case Roll():
            return not state.rolled
        case Draw():
            return state.rolled and not state.must_deal
        case Open(lay):
            barred = state.failed_here and not rules.reopen_failed
            return len(hand) >= rules.min_cards_to_deal and not barred and holds(hand, lay)
        case No() | Pass() | GoOn():
            return True
        case Yes():
            by, offer = topic
            if by != state.boss:
                return True
            return all(unpromised(state, seat, family, with_hand=True) for family in offer.clans)
        case Stop():
            return topic is not None and "stop" in hand
        case Lay(clans):
            return topic is None and bool(clans) and holds(hand, clans)
        case TakeOver():
            return topic is None and "boss" in hand and seat != state.boss
        case Travel(family, clan_of, wild):
            if topic is not None or ("travel wild" if wild else f"travel {family}") not in hand:
                return False
            if clan_of is None:
                return family not in travelling(state)
            return clan_of < sample.case.players and family in clans_listed(state.laid[clan_of])
        case Recruit(placard):
            if hand.count(Card.RECRUITMENT) < 3 or topic is not None:
                return False
            if sample.ask.hook == "discard" and (rules.triple_at_limit == "no" or state.cards_only):
                return False
            owner = owner_of(state, placard)
            return owner is None if None in [owner_of(state, f) for f in FAMILIES] else owner != seat
        case Discard(cards):
            return len(cards) == state.excess[seat] and all(cards.count(card) <= hand.count(card) for card in cards)
        case GiveUp():
            return not any(
                can_close(state, rules, close) and not uses_hand_or_offers(state, close)
                for close in (close_candidates(state) if fair(sample.case) else ())
            )
        case Close():
            return can_close(state, rules, move)
        case _:
            raise AssertionError(move)


def holds(hand: list[Card], clans: tuple[Family, ...]) -> bool:
    return all(hand.count(Card(f"clan {family}")) >= clans.count(family) for family in clans)


def owner_of(state: Any, family: Family) -> int | None:
    owner = state.owners[FAMILIES.index(family)]
    return None if owner == 255 else int(owner)


def travelling(state: Any) -> list[Family]:
    return [family for index, family in enumerate(FAMILIES) if state.travelling & 2**index]


def fair(case: Case) -> bool:
    return case.players == 2 or bool(rules_of(case).fair_share)


def unpromised(state: Any, seat: int, family: Family, with_hand: bool) -> int:
    have = clans_listed(state.laid[seat]).count(family)
    if with_hand:
        have += list_cards(state.hands[seat]).count(Card(f"clan {family}"))
    return int(have - sum(family in a.clans for a in state.agreements if a.partner == seat))


def fair_terms(state: Any) -> list[Agreement]:
    """Single cards of others that may be used unasked, at the fair share."""
    space = state.layout.rules.spaces[state.marker]
    price = state.proceeds // len(needs_of(space))
    found = []
    promised = {family for agreement in state.agreements for family in agreement.placards}
    for family in FAMILIES:
        owner = owner_of(state, family)
        if owner not in (None, state.boss) and family not in travelling(state) and family not in promised:
            assert owner is not None
            found.append(Agreement(owner, price, (family,)))
        for seat in range(state.layout.players):
            if seat != state.boss and unpromised(state, seat, family, with_hand=False) > 0:
                found.append(Agreement(seat, price, (), (family,)))
    return found


def others(state: Any) -> tuple[list[Agreement], list[Agreement], list[Agreement]]:
    """Agreements, open offers to the Boss and fair shares, with cards."""
    offers = [Agreement(s, o.price, o.placards, o.clans) for s in range(len(state.offers)) for o in state.offers[s]]
    shares = fair_terms(state) if state.layout.players == 2 or state.layout.rules.fair_share else []
    return (
        [a for a in state.agreements if a.placards or a.clans],
        [o for o in offers if o.partner != state.boss and (o.placards or o.clans)],
        shares,
    )


def close_candidates(state: Any) -> list[Close]:
    """Every choice of at most as many pieces as there are needs, fitting or not, out of all there could be."""
    space = state.layout.rules.spaces[state.marker]
    needs = len(needs_of(space))
    wanted = set().union(*needs_of(space))
    pieces: list[tuple[str, Any, tuple[Family, ...]]] = []
    own = [*list_cards(state.hands[state.boss]), *(f"clan {f}" for f in clans_listed(state.laid[state.boss]))]
    pieces += [("placard", f, (f,)) for f in FAMILIES if owner_of(state, f) == state.boss]
    pieces += [("clan", f, (f,)) for f in FAMILIES if f"clan {f}" in own]
    pieces += [("terms", t, (*t.placards, *t.clans)) for t in dict.fromkeys(chain(*others(state)))]
    pieces = [piece for piece in pieces if set(piece[2]) <= wanted]
    found = []
    for size in range(1, needs + 1):
        for chosen in combinations(pieces, size):
            if sum(len(piece[2]) for piece in chosen) == needs:
                found.append(
                    Close(
                        tuple(what for kind, what, _ in chosen if kind == "placard"),
                        tuple(what for kind, what, _ in chosen if kind == "clan"),
                        tuple(sorted((what for kind, what, _ in chosen if kind == "terms"), key=terms_key)),
                    )
                )
    return list(dict.fromkeys(found))


def terms_key(terms: Agreement) -> tuple[Any, ...]:
    return terms.partner, terms.price, terms.placards, terms.clans


def can_close(state: Any, rules: Any, close: Close) -> bool:
    space = rules.spaces[state.marker]
    agreed, offered, shares = others(state)
    if any(family in travelling(state) for family in close.placards):
        return False
    used = [*close.placards, *close.clans]
    paid = 0
    may_earn = {s for s in range(6) if not rules.active_to_be_paid or state.active & 2**s}
    for terms in close.partners:
        used += [*terms.placards, *terms.clans]
        if terms not in shares and (terms not in (*agreed, *offered) or terms.partner not in may_earn):
            return False
        paid += terms.price
    for agreement in state.agreements:
        due = not (agreement.placards or agreement.clans) or rules.pay_all_agreements
        if due and agreement.partner in may_earn and agreement not in close.partners:
            paid += agreement.price
    return fills(space, used) and paid <= state.proceeds


def needs_of(space: Space) -> list[set[Family]]:
    """For each investor that the space needs the families it may be of."""
    groups = space.choices or ([Choice(space.choose, space.optional)] if space.choose else [])
    chosen = [set(group.families) for group in groups for _ in range(group.choose)]
    return [*({family} for family in space.required), *chosen]


def fills(space: Space, families: Sequence[Family]) -> bool:
    """Whether these families, each once, can be handed out so that every need has one and none is left (B4.2)."""
    needs = needs_of(space)
    if not len(needs) == len(families) == len(set(families)):
        return False
    return any(all(f in need for f, need in zip(order, needs, strict=True)) for order in permutations(families))


def uses_hand_or_offers(state: Any, close: Close) -> bool:
    agreed, _, shares = others(state)
    own = clans_listed(state.laid[state.boss])
    return not set(close.clans) <= set(own) or any(t not in (*agreed, *shares) for t in close.partners)
