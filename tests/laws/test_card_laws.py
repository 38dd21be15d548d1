"""Laws of the card game alone: no card and no dollar is lost, views hide what is hidden, no legal move is missing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from arena.games.cards import events
from arena.games.cards.cards import (
    CARD_KINDS,
    CARDS,
    COLORS,
    Card,
    Color,
    X,
    centre_listed,
    count_cards,
    front_listed,
    list_cards,
)
from arena.games.cards.moves import (
    Discard,
    Drop,
    Enough,
    Lead,
    NameColor,
    NoBargain,
    Pass,
    Play,
    Propose,
    Request,
    Shift,
    Want,
)
from arena.games.contract import Chanced, Event, Move, No, Yes

from .cases import CALM, CASES, RASH, Case, Sample, Walk, edition_of, played, rules_of, samples, seed_of, seeds
from .try_laws import Laws

CARD_GAME = [case for case in CASES if edition_of(case).game == "cards"]
law = Laws(CARD_GAME)


# Cards and money


@law
def law_C1_no_card_is_ever_lost(case: Case) -> None:
    deck = rules_of(case).deck
    for state, _ in Walk(case, seed_of(case, RASH)):
        assert deck.x == state.exes + bytes(state.deck[state.drawn :]).count(X) + state.third_x
        assert sum(deck.counts()) == cards_in(state)


def cards_in(state: Any) -> int:
    """All cards but the X cards."""
    spread = state.spread
    lying = sum(spread.centre) + sum(map(sum, spread.fronts))
    left = [kind for kind in state.deck[state.drawn :] if kind != X]
    return sum(map(sum, state.hands)) + lying + sum(state.discards) + len(left)


def test_C1_there_are_96_deal_cards_6_wild_ones_and_3_x_cards() -> None:
    decks = {
        (sum(d.counts()), d.wild_pota, d.x) for d in (rules_of(case).deck for case in CARD_GAME if not case.settings)
    }
    assert decks == {(102, 6, 3)}


@law
def law_C5_3_money_changes_by_settlements_alone_and_never_falls_below_0(case: Case) -> None:
    for seed in seeds(case):
        log: list[Event] = []
        walk = Walk(case, seed, log)
        state: Any = walk.state
        money, read = [rules_of(case).start_money] * case.players, 0
        for _ in chain(walk, [None]):
            for event in log[read:]:
                if isinstance(event, events.Settled):
                    money = [have + amount for have, amount in zip(money, event.amounts, strict=True)]
            read = len(log)
            assert state.money == money
            assert min(money) >= 0
        assert state.outcome is not None
        assert list(state.outcome.money) == money


@law
def law_C5_1_the_multiplier_is_two_to_five_and_never_sinks(case: Case) -> None:
    before = 2
    for state, index in Walk(case, seed_of(case, RASH)):
        view: Any = state.view(index)
        assert before <= view.multiplier <= 5
        before = view.multiplier
        if (limit := rules_of(case).limit) is not None:
            assert abs(view.value) <= limit[case.players]


@law
def law_C4_1_no_more_tokens_than_there_are_and_none_for_the_boss(case: Case) -> None:
    for state, index in Walk(case, seed_of(case, CALM)):
        view: Any = state.view(index)
        if state.asks[index].hook != "discard":
            assert view.tokens + len(view.cousins) == rules_of(case).cousins[case.players]
            assert view.boss not in view.cousins


# What a view hides


@law
def law_C6_2_a_view_stays_the_same_when_what_it_hides_changes(case: Case) -> None:
    rng, changed = random.Random(8), 0
    for sample in samples(case):
        state: Any = sample.state.copy()
        before, legal = state.view(sample.index), state.legal(sample.index)
        looked, watched = state.look(sample.ask.seat), state.look()
        changed += scramble(state, sample.ask.seat, rng)
        state.money = [money + (seat != sample.ask.seat) * 7 for seat, money in enumerate(state.money)]
        for other in state.pending:
            if other != sample.index:
                state.answers[other] = rng.choice(state.legal(other))
        state = state.copy()  # a state shows what it has shown before in this phase; its copy looks again
        assert state.view(sample.index) == before
        assert (state.look(sample.ask.seat), state.look()) == (looked, watched)
        assert state.legal(sample.index) == legal == before.legal_moves(rules_of(case))
    assert changed > 3


def scramble(state: Any, seat: int, rng: random.Random) -> bool:
    """Deal all hidden cards anew: the other hands keep their sizes, so do the deck and what was discarded face down."""
    face_down = [now - seen for now, seen in zip(state.discards, state.known, strict=True)]
    deck = list(state.deck[state.drawn :])
    hidden = [kind for kind in deck if kind != X]
    for counts in (*(hand for other, hand in enumerate(state.hands) if other != seat), face_down):
        hidden += [kind for kind, count in enumerate(counts) for _ in range(count)]
    rng.shuffle(hidden)

    def deal(size: int) -> bytes:
        kinds = [hidden.pop() for _ in range(size)]
        return bytes(map(kinds.count, range(CARD_KINDS)))

    before = list(state.hands)
    state.hands = [hand if other == seat else deal(sum(hand)) for other, hand in enumerate(before)]
    state.discards = bytes(seen + new for seen, new in zip(state.known, deal(sum(face_down)), strict=True))
    rest = [*hidden, *[X] * deck.count(X)]
    rng.shuffle(rest)
    state.deck = state.deck[: state.drawn] + bytes(rest)
    return bool(before != state.hands)


@law
def law_C4_4_events_hide_cards_drawn_and_discarded_face_down_and_nothing_else(case: Case) -> None:
    for event in played(case)[0].log:
        for seat in range(case.players):
            seen = event.seen_by(seat)
            if isinstance(event, Chanced):
                assert seen is None
            elif isinstance(event, events.Drew | events.Discarded) and event.seat != seat:
                assert seen == type(event)(event.seat, event.count)
            else:
                assert seen == event


# Legal moves are complete: an oracle that knows the rules in its own words


@law
def law_legal_moves_are_all_the_rules_allow(case: Case) -> None:
    for sample in samples(case)[CARD_GAME.index(case) % 3 :: 3]:
        table, state = Table(sample), sample.state
        asked = list(dict.fromkeys(table.candidates()))
        allowed = {move for move in asked if table.allows(move)}
        legal = set(state.legal(sample.index))
        assert legal == allowed, (legal ^ allowed, sample.ask)
        for move in asked:
            refusal = state.refusal(sample.index, move)
            assert (refusal is None) == (move in allowed), (move, refusal)


@law
def law_a_play_a_move_and_a_request_are_one_object_wherever_they_are_listed(case: Case) -> None:
    known: dict[Move, Move] = {}
    for sample in samples(case):
        for move in sample.state.legal(sample.index):
            if isinstance(move, Play | Shift | Request):
                assert known.setdefault(move, move) is move


@law
def law_C4_2_proposals_of_several_moves_are_judged_as_the_rules_do(case: Case) -> None:
    """Sequences of moves, most of them possible or nearly so, wherever a seat could offer to use a move card."""
    rng, positions, long = random.Random(12), 0, 0
    for state, index in Walk(case, seed_of(case, RASH)):
        table = Table(Sample(case, state, index, {}))
        cards = [card for card in table.hand if "move" in card and card.startswith(table.color)]
        if table.hook != "offer" or table.seat == table.boss or positions == 12:
            continue
        if not {"2", "3"} & {card[-1] for card in cards} or table.movable() < 2:
            continue
        positions += 1
        everything = list(table.shifts())
        possible = [shift for shift in everything if table.can_shift([shift])]
        for _ in range(25):
            chosen: list[Shift] = []
            for _ in range(rng.randrange(1, 5)):
                more = [shift for shift in possible if table.can_shift([*chosen, shift])]
                back = [Shift(last.card, last.to, last.source) for last in chosen if last.to is not None]
                if pool := rng.choice([more, more, more, back, possible, everything]):
                    chosen.append(rng.choice(pool))
            move = Propose(Play(Card(rng.choice(cards)), None, tuple(chosen)))
            refusal = state.refusal(index, move)
            assert (refusal is None) == table.allows(move), (move, refusal)
            if refusal is None and len(chosen) > 1:
                long += 1
                agreed: Any = state.copy()
                agreed.apply(0, move)
                agreed.apply(0, Yes())
                assert cards_in(agreed) == cards_in(state)
    assert long or positions < 3


class Table:
    """What lies open and the asked seat's own hand, in words, and what the rules allow there."""

    def __init__(self, sample: Sample) -> None:
        state: Any = sample.state
        self.sample, self.rules, self.players = sample, rules_of(sample.case), sample.case.players
        self.seat, self.hook, self.topic = sample.ask
        self.boss, self.on_turn, self.bound = state.boss, state.on_turn, state.bound
        self.hand = [str(card) for card in list_cards(state.hands[self.seat])]
        self.color = "none" if state.color < 0 else str(COLORS[state.color])
        self.disks = list(state.passes)
        self.lying: dict[int | None, list[str]] = {None: [*map(str, centre_listed(state.color, state.spread.centre))]}
        for seat in range(self.players):
            self.lying[seat] = [*map(str, front_listed(state.color, state.spread.fronts[seat]))]
        self.left, self.moved = state.moves_left, state.moved
        self.using = CARDS[state.moving] if state.moves_left else None

    # everything one might try

    def candidates(self) -> Iterator[Move]:
        """Every move there could be for this question, with its cards in their order."""
        match self.hook:
            case "lead":
                yield from map(Lead, CARDS)
                yield from map(NameColor, COLORS)
            case "accept":
                yield from (Yes(), No())
            case "discard":
                kinds = list(dict.fromkeys(self.hand))
                strange = [card for card in CARDS if card not in kinds][:2]
                several = sorted([*self.hand, *kinds, *strange], key=[*CARDS].index)  # one more of each than there is
                sizes = range(min(self.rules.discards_between_rounds, 3) + 2)
                for size in sizes if len(several) < 22 else range(3):
                    yield from (Discard(tuple(map(Card, found))) for found in combinations(several, size))
                if self.rules.discards_between_rounds > 1 and len(several) >= 22:
                    size = self.rules.discards_between_rounds
                    yield from (
                        Discard(tuple(map(Card, c))) for n in range(3, size + 1) for c in combinations(self.hand, n)
                    )
            case "offer":
                yield NoBargain()
                yield from (Request(want, least) for want in Want for least in range(-2, 8))
                yield from map(Propose, self.actions())
            case _:
                yield Enough()
                yield from self.shifts()
                yield from self.actions()

    def actions(self) -> Iterator[Any]:
        """Everything a seat might do on its turn; move cards also with one move."""
        yield from (Pass(), Pass(double=True))
        yield from map(Drop, CARDS)
        yield from (Play(card, to) for card in CARDS for to in (None, *range(-1, self.players + 1)))
        others = [card for card in (Card.BLUE_MOVE_1, Card.GREEN_MOVE_3, Card.RED_PLUS_1) if card not in self.hand]
        for card in dict.fromkeys([*self.hand, *others]):
            if "move" in card or card in others:
                yield from (Play(Card(card), None, (shift,)) for shift in self.shifts())

    def shifts(self) -> Iterator[Shift]:
        """Moves of all cards that lie somewhere and of some that do not, from everywhere to everywhere."""
        there = {card for cards in self.lying.values() for card in cards}
        places = (None, *range(-1, self.players + 1))
        for card in [*sorted(there), "blue reverse", "red +1", "wild pota", "green move 1"]:
            yield from (Shift(Card(card), source, to) for source in places for to in places)

    # what of it the rules allow

    def allows(self, move: Move) -> bool:
        """The rules in other words than the engine's."""
        match move:
            case Lead(card):
                return card in self.hand and valued(card)
            case NameColor(color):
                return isinstance(color, Color) and not any(map(valued, self.hand))
            case NoBargain() | No():
                return True
            case Propose(action):
                return self.seat == self.on_turn != self.boss and self.proposable(action)
            case Request(want, least):
                return self.seat == self.boss and self.requestable(want, least)
            case Yes():
                offer = self.topic.offer
                return isinstance(offer, Propose) or any(self.keeps(offer, action) for action in self.actions())
            case Discard(cards):
                few = len(cards) <= self.rules.discards_between_rounds
                return few and all(cards.count(card) <= self.hand.count(card) for card in cards)
            case Enough():
                return self.using is not None and len(self.moved) > 0
            case Shift():
                return self.using is not None and self.can_shift([move])
            case _:
                return self.using is None and self.playable(move)

    def playable(self, action: Any) -> bool:
        """What a seat that is asked to play may do."""
        if isinstance(action, Play) and action.shifts:
            return False
        if self.bound is not None:
            return self.keeps(self.bound, action)
        return not isinstance(action, Drop) and self.possible(action)

    def possible(self, action: Any) -> bool:
        """What a seat is able to do, whether it is its free choice or not."""
        if isinstance(action, Pass):
            return self.disks[self.seat] + 1 + action.double <= 2
        card = str(action.card)
        if card not in self.hand or card.split()[0] not in (self.color, "wild"):
            return False
        if "move" in card and not any(self.can_shift([shift]) for shift in self.shifts()):
            return False
        if isinstance(action, Drop):
            return True
        if "pota" in card or "reverse" in card:
            return action.to is not None and self.is_in(action.to) and not action.shifts
        return action.to is None and ("move" in card or not action.shifts)

    def proposable(self, action: Any) -> bool:
        """What a seat may offer the Boss."""
        if not self.possible(action):
            return False
        if isinstance(action, Play) and "move" in action.card:
            return 1 <= len(action.shifts) <= int(action.card[-1]) and self.can_shift(action.shifts)
        return True

    def requestable(self, want: str, least: int) -> bool:
        """What the Boss may ask for."""
        deck = self.rules.deck
        if want == "positive":
            return deck.positive.get(least, 0) > 0
        if want == "negative":
            return deck.negative.get(least, 0) > 0
        return least == 0 and (want != "pota" or self.is_in(self.boss))

    def keeps(self, offer: Any, action: Any) -> bool:
        """Whether the seat is able to do this and it is what the Boss asked for."""
        if not self.possible(action) or getattr(action, "shifts", ()):
            return False
        card = str(getattr(action, "card", ""))
        is_play = isinstance(action, Play)
        return {
            "pass": card == "",
            "reverse": "reverse" in card and not is_play,
            "pota": is_play and "pota" in card and action.to == self.boss,
            "positive": is_play and "+" in card and int(card[-1]) >= offer.least,
            "negative": is_play and "-" in card and int(card[-1]) >= offer.least,
            "gift": True,
        }[offer.want]

    def is_in(self, seat: int) -> bool:
        """Whether there is such a seat and it is still in."""
        return seat in range(self.players) and self.disks[seat] < 2

    def movable(self) -> int:
        """How many cards lie where they can be taken away."""
        return sum(len(cards) for place, cards in self.lying.items() if place is None or self.is_in(place))

    def can_shift(self, shifts: Sequence[Shift]) -> bool:
        """Whether these moves can be made one after the other, with different cards. Every card on the table is taken
        by itself: where it lies, and whether it has been moved."""
        cards: list[tuple[str, int | None, bool]] = [
            (c, place, False) for place, all_ in self.lying.items() for c in all_
        ]
        for done in self.moved:
            if done.to is not None:
                cards.remove((str(done.card), done.to, False))
                cards.append((str(done.card), done.to, True))
        for shift in shifts:
            this = (str(shift.card), shift.source, False)
            if this not in cards or (shift.source == shift.to and shift.source is not None):
                return False
            if shift.source is None and shift.to is not None:
                return False
            if any(seat is not None and not self.is_in(seat) for seat in (shift.source, shift.to)):
                return False
            cards.remove(this)
            if shift.to is not None:
                cards.append((str(shift.card), shift.to, True))
        return True


def valued(card: str) -> bool:
    """Whether a card is positive or negative."""
    return "+" in card or "-" in card


def test_the_oracle_and_the_engine_read_the_same_hands() -> None:
    for sample in samples(CARD_GAME[0]):
        state: Any = sample.state
        assert count_cards(map(Card, Table(sample).hand)) == state.hands[sample.ask.seat]
