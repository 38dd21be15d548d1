"""What became of an offer, an agreement and a play, as the tables of a match say it; each told in a few events."""

from __future__ import annotations

from typing import Any

import pytest

from arena.config.editions import load_edition
from arena.games.board import Close, Offer, Offers, Recruit, TakeOver, Travel, Yes, events
from arena.games.board.log.deal_chances import shapley_values
from arena.games.board.log.ledger import BoardLedger, board_ledger
from arena.games.board.log.ledger_rows import AgreementOutcome, Answer, Ending, OfferOutcome, PaymentKind, PlayKind
from arena.games.board.moves import Agreement
from arena.games.contract import Chanced, Event

FAMILIES = ("red", "yellow", "blue", "magenta", "orange", "green")
BOSS, ANN, BEN, CAT = 0, 1, 2, 3
PROCEEDS = 6


class Told:
    """A negotiation at a table of four under seat 0, told event by event. Seat 1 has the red placard, seat 2 the
    yellow, seat 3 the blue; all others lie aside. Every tick has asks from ``1 + 20 * tick`` on."""

    def __init__(self, rules: Any = None) -> None:
        self.ledger: BoardLedger = board_ledger(rules or load_edition("eagle-gryphon").rules, 4)
        self.ticks = 0
        for place, family in enumerate(FAMILIES):
            self.tell(events.PlacardDealt(family, place + 1 if place < 3 else None))
        hands = ("boss", "boss"), ("travel red", "boss"), ("clan red", "clan red"), ("recruitment",) * 3
        for seat, cards in enumerate(hands):
            self.tell(events.Drew(seat, len(cards), cards))
        self.tell(events.MarkerMoved(2), events.TurnBegan(1, BOSS), events.Opened(BOSS, 2, PROCEEDS))

    def tell(self, *happened: Event) -> None:
        for event in happened:
            self.ledger.follow(event)

    def tick(self, offers: dict[int, list[Offer]], yes: tuple[int, ...] = (), initiative: Any = (0, 1, 2, 3)) -> None:
        """A tick in which these seats send these lists, and the asks to accept of these numbers, from 0, are answered
        yes."""
        self.ticks += 1
        first = 1 + 20 * self.ticks
        self.tell(Chanced("initiative", (1, self.ticks), initiative), events.TickBegan(self.ticks))
        for seat, sent in offers.items():
            self.ledger.answer(first + seat, seat, "offer", Offers(tuple(sent)))
        for seat, sent in offers.items():
            self.tell(events.Offered(seat, tuple(sent)))
        for place in yes:
            self.ledger.answer(first + 4 + place, BOSS, "accept", Yes())

    def outcomes(self) -> list[tuple[str, str]]:
        return [(row.answer.value, row.outcome.value) for row in self.ledger.offers.rows]

    def agreements(self) -> list[str]:
        return [row.outcome.value for row in self.ledger.deals.agreements]


RED, YELLOW = Offer(BOSS, 3, ("red",)), Offer(BOSS, 2, ("yellow",))


def test_a_yes_makes_an_agreement_and_a_no_leaves_the_offer_open() -> None:
    told = Told()
    told.tick({ANN: [RED], BEN: [YELLOW]}, yes=(1,))
    told.tell(events.Agreed(Agreement(BEN, 2, ("yellow",))), events.Failed(BOSS, True))
    assert told.outcomes() == [("no", "refused"), ("yes", "agreed")]
    assert told.agreements() == [AgreementOutcome.FAILED]
    (deal,) = told.ledger.deals.rows
    assert (deal.outcome, deal.proceeds, deal.kept, deal.paid) == (Ending.GIVEN_UP, PROCEEDS, 0, (0, 0, 0, 0))


def test_an_offer_says_what_it_names_and_what_it_costs() -> None:
    told = Told()
    told.tick({BOSS: [Offer(BEN, 6, ("yellow",), ("red",)), Offer(ANN, 1)]})
    two, side = told.ledger.offers.rows
    space = load_edition("eagle-gryphon").rules.spaces[2]
    assert two.required == sum(family in space.required for family in ("red", "yellow"))
    assert two.optional == sum(family in group.families for group in space.groups for family in ("red", "yellow"))
    assert (two.by, two.to, two.price, two.dividends, two.share) == (BOSS, BEN, 6, 3.0, 1.0)
    assert (side.placards, side.clans, side.required, side.optional) == ((), (), 0, 0)


def test_the_bosss_offers_are_over_with_the_no_and_sent_again_they_are_no_new_ones() -> None:
    told = Told()
    told.tick({BOSS: [Offer(ANN, 3, ("red",))]})
    told.tick({BOSS: [Offer(ANN, 3, ("red",)), Offer(ANN, 4, ("red",))]}, yes=())
    told.tell(events.Failed(BOSS))
    assert told.outcomes() == [("no", "refused")] * 2
    assert [row.tick for row in told.ledger.offers.rows] == [1, 2]


def test_an_offer_that_is_taken_back_is_withdrawn_and_one_that_is_sent_again_is_the_same() -> None:
    told = Told()
    told.tick({ANN: [RED], BEN: [YELLOW]})
    told.tick({ANN: [], BEN: []})
    assert told.outcomes() == [("no", "withdrawn")] * 2
    told.tick({ANN: [RED]})
    told.tell(events.Failed(BOSS))
    assert told.outcomes() == [("no", "refused"), ("no", "withdrawn")]


def test_an_offer_whose_card_is_promised_at_another_price_is_undercut() -> None:
    told = Told()
    told.tick({ANN: [RED, Offer(BOSS, 2, ("red",))]}, yes=(1,))
    told.tell(events.Agreed(Agreement(ANN, 2, ("red",))))
    assert told.outcomes() == [("no", "undercut"), ("yes", "agreed")]


def test_a_yes_that_another_yes_has_made_impossible_is_undercut() -> None:
    told = Told()
    told.tick({ANN: [RED, Offer(BOSS, 2, ("red",))]}, yes=(0, 1))
    told.tell(events.Agreed(Agreement(ANN, 3, ("red",))), events.Fizzled(BOSS, "B4.5"))
    assert told.outcomes() == [("yes", "agreed"), ("yes", "undercut")]


@pytest.mark.parametrize(("initiative", "agreed"), [((0, 1, 2, 3), 1), ((1, 0, 2, 3), 0)])
def test_of_two_equal_yeses_the_first_in_initiative_order_is_the_agreement(
    initiative: tuple[int, ...], agreed: int
) -> None:
    told = Told()
    told.tick({BOSS: [Offer(ANN, 3, ("red",))], ANN: [RED]}, yes=(0, 1), initiative=initiative)
    told.tell(events.Agreed(Agreement(ANN, 3, ("red",))), events.Fizzled(agreed, "B4.5"))
    outcomes = told.outcomes()
    # The offers stand by seats: the Boss's, to which Ann says yes, and Ann's, to which the Boss does.
    assert outcomes[agreed] == ("yes", "agreed")
    assert outcomes[1 - agreed] == ("yes", "undercut")


def test_side_promises_above_the_proceeds_are_undercut() -> None:
    told = Told()
    told.tick({ANN: [Offer(BOSS, 4)], BEN: [Offer(BOSS, 3)], CAT: [Offer(BOSS, 2)]}, yes=(0, 1, 2))
    told.tell(events.Agreed(Agreement(ANN, 4)), events.Agreed(Agreement(CAT, 2)), events.Fizzled(BOSS, "B4.5"))
    told.tell(events.Named(BOSS), events.Closed(1, 2, BOSS, PROCEEDS, (0, 4, 0, 2)))
    assert told.outcomes() == [("yes", "agreed"), ("yes", "undercut"), ("yes", "agreed")]
    kinds = [(each.kind, each.payer, each.payee, each.amount) for each in told.ledger.deals.payments]
    assert kinds == [
        (PaymentKind.PROCEEDS, None, BOSS, PROCEEDS),
        (PaymentKind.SIDE_PROMISE, BOSS, ANN, 4),
        (PaymentKind.SIDE_PROMISE, BOSS, CAT, 2),
    ]


def test_a_card_that_travels_ends_offers_and_agreements_and_a_stopped_play_does_not() -> None:
    told = Told()
    told.tick({ANN: [RED], BEN: [YELLOW]}, yes=(1,))
    told.tell(events.Agreed(Agreement(BEN, 2, ("yellow",))))
    told.tell(events.Played(ANN, Travel("red")), events.Travelled("red"))
    told.tell(events.Played(CAT, Recruit("yellow")), events.Recruited(CAT, "yellow", BEN))
    told.tell(events.AgreementFell(Agreement(BEN, 2, ("yellow",))))
    told.tell(events.Failed(BOSS))
    assert told.outcomes() == [("no", "lapsed"), ("yes", "agreed")]
    assert told.agreements() == [AgreementOutcome.FELL]
    travel, recruit = told.ledger.plays
    assert (travel.kind, travel.family, travel.of, travel.clan, travel.cards) == (
        PlayKind.TRAVEL,
        "red",
        ANN,
        False,
        ("travel red",),
    )
    assert (recruit.kind, recruit.of, recruit.cards) == (PlayKind.RECRUIT, BEN, ("recruitment",) * 3)
    assert (travel.gained, recruit.gained) == (None, None)


def test_a_new_boss_ends_everything_and_what_the_boss_card_gained_is_told() -> None:
    told = Told()
    told.tick({ANN: [RED], BEN: [YELLOW]}, yes=(1,))
    told.tell(events.Agreed(Agreement(BEN, 2, ("yellow",))))
    told.tell(events.Played(ANN, TakeOver()), events.NewBoss(ANN))
    told.tick({BEN: [Offer(ANN, 2, ("yellow",))]})
    told.tell(events.Played(BOSS, TakeOver()), events.NewBoss(BOSS))
    told.tick({})
    told.tell(events.Named(BOSS))
    told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 0, 0, 0)))
    assert told.outcomes() == [("no", "lapsed"), ("yes", "agreed"), ("no", "lapsed")]
    assert told.agreements() == [AgreementOutcome.OUSTED]
    assert [(play.seat, play.gained) for play in told.ledger.plays] == [(ANN, 0), (BOSS, PROCEEDS)]
    (deal,) = told.ledger.deals.rows
    assert (deal.opened_by, deal.boss, deal.new_bosses, deal.ticks) == (BOSS, BOSS, 2, 3)


def test_an_offer_the_boss_said_no_to_may_still_be_used_in_the_closing() -> None:
    told = Told()
    told.tick({ANN: [RED], BEN: [YELLOW]}, yes=(1,))
    told.tell(events.Agreed(Agreement(BEN, 2, ("yellow",))))
    closing = Close((), (), (Agreement(ANN, 3, ("red",)),))
    told.tell(events.Named(BOSS, partners=closing.partners), events.Agreed(Agreement(ANN, 3, ("red",))))
    told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 3, 0, 0)))
    assert told.outcomes() == [("no", "agreed"), ("yes", "agreed")]
    assert told.agreements() == [AgreementOutcome.UNUSED, AgreementOutcome.USED]
    assert [(row.offer, row.paid) for row in told.ledger.deals.agreements] == [(2, 0), (1, 3)]
    assert told.ledger.deals.rows[0].kept == 3


def test_a_card_at_its_fair_share_is_paid_without_an_agreement() -> None:
    told = Told(load_edition("eagle-gryphon", ("less-cutthroat",)).rules)
    told.tick({})
    told.tell(events.Named(BOSS, partners=(Agreement(ANN, 1, ("red",)),)))
    told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 1, 0, 0)))
    _, fair = told.ledger.deals.payments
    assert (fair.kind, fair.payee, fair.amount, fair.agreement) == (PaymentKind.FAIR_SHARE, ANN, 1, None)
    assert fair.placards == ("red",)


def test_where_every_agreement_is_paid_the_unused_ones_are_paid_too() -> None:
    rules = load_edition("eagle-gryphon", (), {"pay_all_agreements": True}).rules
    told = Told(rules)
    told.tick({ANN: [RED], BEN: [YELLOW]}, yes=(0, 1))
    made = Agreement(ANN, 3, ("red",)), Agreement(BEN, 2, ("yellow",))
    told.tell(*map(events.Agreed, made), events.Named(BOSS, partners=made[:1]))
    told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 3, 2, 0)))
    assert [(row.outcome.value, row.paid) for row in told.ledger.deals.agreements] == [("used", 3), ("unused", 2)]


def test_a_no_by_default_is_told_from_one_that_a_bot_gave() -> None:
    told = Told()
    told.tick({BOSS: [Offer(ANN, 3, ("red",)), Offer(BEN, 2, ("yellow",)), Offer(CAT, 1, ("blue",))]})
    told.ledger.fail(1 + 20 + 4 + 1, BEN, "accept", True)
    told.tick({BOSS: [Offer(ANN, 4, ("red",)), Offer(BEN, 4, ("yellow",))]})
    told.tell(events.Failed(BOSS))
    assert [(row.to, row.answer) for row in told.ledger.offers.rows] == [
        (ANN, Answer.NO),
        (BEN, Answer.DEFAULT),
        (CAT, Answer.NO),
        (ANN, Answer.NO),
        (BEN, Answer.DEFAULT),
    ]
    assert {row.outcome for row in told.ledger.offers.rows} == {OfferOutcome.REFUSED}


def test_time_runs_out_of_quiet_or_of_ticks() -> None:
    rules = load_edition("eagle-gryphon", (), {"quiet_ticks": 2, "max_ticks": 3}).rules
    told = Told(rules)
    told.tick({ANN: [RED]})
    told.tick({})
    told.tick({})
    told.tell(events.Failed(BOSS))
    assert told.ledger.deals.rows[0].outcome is Ending.QUIET
    told = Told(rules)
    for price in (1, 2, 3):
        told.tick({ANN: [Offer(BOSS, price, ("red",))]})
    told.tell(events.Failed(BOSS))
    assert told.ledger.deals.rows[0].outcome is Ending.OUT_OF_TICKS


def test_payments_that_do_not_follow_from_the_closing_are_refused() -> None:
    told = Told()
    told.tick({})
    told.tell(events.Named(BOSS))
    with pytest.raises(ValueError, match=r"paid are \(0, 1, 0, 0\), and due \(0, 0, 0, 0\)"):
        told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 1, 0, 0)))


def test_a_deal_could_be_closed_once_the_seats_have_the_cards_that_its_space_needs() -> None:
    told = Told()
    told.tell(events.Failed(BOSS, True), events.TurnBegan(2, ANN), events.MarkerMoved(8), events.Opened(ANN, 8, 8))
    first, second = told.ledger.deals.rows
    assert (first.closable, second.closable) == (True, False), "the magenta placard lies aside"
    told.tell(events.Played(CAT, Recruit("magenta")), events.Recruited(CAT, "magenta", None))
    assert told.ledger.deals.rows[1].closable


@pytest.mark.parametrize(
    ("bids", "red", "yellow", "missed"),
    [
        ((3, 2), 3, 2, True),
        ((3, 1), 3, 2, False),
        ((4, 3), 3, 2, True),
        ((4, 3), 4, 3, False),
        ((), 3, 2, False),
    ],
    ids=["covered", "one bid too low", "bid more than asked", "more than the proceeds", "no bid"],
)
def test_a_failed_deal_was_missed_if_bids_covered_asks_that_suffice(
    bids: tuple[int, ...], red: int, yellow: int, missed: bool
) -> None:
    told = Told()
    made = [Offer(to, price, (family,)) for to, family, price in zip((ANN, BEN), ("red", "yellow"), bids, strict=False)]
    told.tick({BOSS: made})
    told.tick({ANN: [Offer(BOSS, 6, ("red",))]})
    told.tick({ANN: [Offer(BOSS, red, ("red",))], BEN: [Offer(BOSS, yellow, ("yellow",))]})
    told.tell(events.Failed(BOSS))
    assert told.ledger.deals.rows[0].missed is missed


def test_agreements_count_among_what_was_missed_and_cards_that_travel_do_not() -> None:
    for travels in (False, True):
        told = Told()
        told.tick({BOSS: [Offer(ANN, 3, ("red",))], ANN: [RED], BEN: [YELLOW]}, yes=(1,))
        told.tell(events.Agreed(Agreement(BEN, 2, ("yellow",))))
        if travels:
            told.tell(events.Played(ANN, Travel("red", None, False)), events.Travelled("red", None))
        told.tell(events.Failed(BOSS))
        assert told.ledger.deals.rows[0].missed is not travels


def test_a_closing_could_use_the_standing_agreements_for_cards_that_its_space_names() -> None:
    told = Told()
    side = Offer(BOSS, 1)
    told.tick({ANN: [RED], BEN: [YELLOW, side]}, yes=(0, 1, 2))
    told.tell(*(events.Agreed(Agreement(*each)) for each in ((ANN, 3, ("red",)), (BEN, 2, ("yellow",)), (BEN, 1))))
    told.tell(events.Named(BOSS, partners=(Agreement(ANN, 3, ("red",)),)))
    told.tell(events.Closed(1, 2, BOSS, PROCEEDS, (0, 3, 1, 0)))
    assert [(row.usable, row.outcome.value) for row in told.ledger.deals.agreements] == [
        (True, "used"),
        (True, "unused"),
        (False, "used"),
    ]
    assert told.ledger.deals.rows[0].shapley == (3000, 0, 3000, 0), "seat 2 has both families, red as clan cards"


def test_the_shapley_value_is_the_mean_of_what_a_seat_adds_over_all_orders() -> None:
    space = load_edition("eagle-gryphon").rules.spaces[2]
    red, yellow, blue = 1, 2, 4
    assert shapley_values(space, 12, 0, (0, red, yellow, blue)) == (5000, 1000, 5000, 1000)
    assert shapley_values(space, 12, 0, (yellow | red, 0)) == (12000, 0), "who has everything needs nobody"
    assert shapley_values(space, 12, 0, (red, blue)) == (0, 0), "nobody has the yellow family"
