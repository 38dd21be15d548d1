"""Figures of the board game's ledger, of matches so small that each is computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.board.cards import Card, Family
from arena.games.board.log.ledger_rows import AgreementOutcome, Answer, Ending, OfferOutcome, PaymentKind, PlayKind
from tests.ledger.by_hand import agreed, deal, ledger, match, means, offer, payment, play, rows, tables

ABC = ("ann", "bob", "cy")
YES = {"answer": Answer.YES, "outcome": OfferOutcome.AGREED}


def test_offers_are_counted_for_who_made_them_and_who_answered() -> None:
    offers = [
        offer(1, 1, 0, by=1, to=0, price=8, outcome=OfferOutcome.WITHDRAWN),
        offer(2, 1, 0, by=1, to=0, price=6, **YES),
        offer(3, 1, 0, by=2, to=0, price=4, outcome=OfferOutcome.UNDERCUT),
        offer(4, 1, 0, by=0, to=2, price=2, answer=Answer.DEFAULT),
        offer(5, 2, 1, by=0, to=1, price=2, outcome=OfferOutcome.LAPSED),
    ]
    found = ledger((match(*ABC), tables(deals=[deal(1, 0), deal(2, 1)], offers=offers)))
    bob = means(found, "offers", "bob", "partner")
    assert (bob["made"], bob["accepted"], bob["withdrawn"], bob["agreed"], bob["refused"]) == (2, 0.5, 0.5, 0.5, 0)
    assert (bob["put"], "says_yes" in bob) == (0, False)
    ann = means(found, "offers", "ann", "boss")
    assert (ann["made"], ann["refused"], ann["put"], ann["says_yes"]) == (1, 1, 3, pytest.approx(1 / 3))
    assert means(found, "offers", "ann", "partner")["lapsed"] == 1
    cy = means(found, "offers", "cy", "partner")
    assert (cy["undercut"], cy["put"], cy["says_yes"], cy["no_answer"]) == (1, 1, 0, 1)
    assert means(found, "offers", "cy", "boss") == {"made": 0, "put": 0}
    assert means(found, "offers", "partner", over=["entrant"])["made"] == pytest.approx(4 / 3)


def test_what_the_rules_alone_settle_has_no_interval_and_what_bots_do_has_one() -> None:
    offers = [
        offer(1, 1, 0, by=0, to=2, price=2),
        offer(2, 2, 1, by=0, to=1, price=2, outcome=OfferOutcome.LAPSED),
        offer(3, 2, 1, by=2, to=1, price=2, outcome=OfferOutcome.LAPSED),
    ]
    deals = [deal(1, 0, (0, 0, 0)), deal(2, 1, (4, 0, 0)), deal(3, 2, (0, 0, 0))]
    found = ledger(*((match(*ABC, block=block), tables(deals=deals, offers=offers)) for block in range(24)))

    def ends(table: str, figure: str, *keys: str | int, **how: Any) -> tuple[float | None, ...]:
        estimate = rows(found, table, *keys, **how)[figure].estimate
        return estimate.mean, estimate.low, estimate.high

    for figure in ("withdrawn", "lapsed"):
        assert ends("offers", figure, "ann", "boss") == (0, None, None)
        assert ends("offers", figure, "ann", "partner")[1] is not None
        assert ends("offers", figure, "ann", over=["role"])[1] is not None
    assert ends("offers", "refused", "ann", "boss")[1:] == (pytest.approx(0.85, abs=0.02), 1), "a bot's choice"
    assert ends("kept", "kept", 0, over=["entrant", "value"]) == (1, None, None)
    assert ends("kept", "kept", 1, over=["entrant", "value"])[1] is not None
    assert ends("boss", "kept", "ann")[2] == 1, "whether to pay nobody is a choice"


def test_the_boss_keeps_what_is_left_of_the_proceeds_and_partners_have_the_rest() -> None:
    deals = [deal(1, 0, (0, 6, 4)), deal(2, 0, (0, 10, 0)), deal(3, 1, opened_by=0), deal(4, 2, (0, 0, 0))]
    found = ledger((match(*ABC, money=(20, 16, 24)), tables(deals=deals)))
    ann = means(found, "boss", "ann")
    assert (ann["opened"], ann["lost"], ann["led"], ann["closed"]) == (3, pytest.approx(1 / 3), 2, 1)
    assert (ann["kept"], ann["kept_money"], ann["investors"], ann["earned"]) == (0.5, 10, 1.5, 20)
    bob = means(found, "partner", "bob")
    assert (bob["invested"], bob["got"], bob["got_money"]) == (pytest.approx(2 / 3), pytest.approx(0.4), 8)
    assert means(found, "kept", "ann", 1, 20)["kept"] == means(found, "kept", "ann", 2, 20)["kept"] == 0.5
    assert means(found, "kept", 0, over=["entrant", "value"])["kept"] == 1
    earned = {
        name: means(found, "boss", name)["earned"] + means(found, "partner", name)["earned"]  # type: ignore[operator]
        for name in ABC
    }
    assert earned == {"ann": 20, "bob": 16, "cy": 24}


def test_prices_are_told_by_card_family_and_need_for_both_sides() -> None:
    offers = [
        offer(1, 1, 0, by=1, to=0, price=8, **YES),
        offer(2, 1, 0, by=2, to=0, price=12, placards=(Family.BLUE,), clans=(Family.GREEN,), required=0, optional=2),
        offer(3, 1, 0, by=0, to=2, price=2, placards=(), required=0),
        offer(4, 1, 0, by=0, to=2, price=5, placards=(Family.RED, Family.BLUE), required=1, optional=1),
    ]
    found = ledger((match(*ABC), tables(deals=[deal(1, 0, (0, 8, 0))], offers=offers, agreements=[agreed(offers[0])])))
    sold = {"asked": 2, "asked_share": 0.4, "got": 2, "got_share": 0.4}
    assert means(found, "prices", "bob", "partner", "red", "required") == sold
    assert means(found, "prices", "ann", "boss", "red", "required") == {"got": 2, "got_share": 0.4}
    half = {"asked": 1.5, "asked_share": 0.3}
    for family in ("blue", "green"):
        assert means(found, "prices", "cy", "partner", family, "optional") == half
    assert means(found, "prices", "ann", "boss", "blue", "both") == {"asked": 0.625, "asked_share": 0.125}
    assert means(found, "prices", "partner", over=["entrant", "family", "need"])["asked"] == pytest.approx(5 / 3)


def test_a_concession_is_from_the_best_price_of_one_tick_to_that_of_the_next() -> None:
    offers = [
        offer(1, 1, 0, by=1, to=0, price=12),
        offer(2, 1, 0, by=1, to=0, price=10),
        offer(3, 1, 0, by=0, to=1, price=2),
        offer(4, 1, 0, by=1, to=0, price=6, tick=3, **YES),
        offer(5, 1, 0, by=0, to=1, price=4, tick=2),
        offer(6, 1, 0, by=0, to=1, price=3, tick=40),
        offer(7, 2, 0, by=1, to=0, price=2, tick=4),
    ]
    found = ledger((match(*ABC), tables(deals=[deal(1, 0), deal(2, 0)], offers=offers)))
    first = means(found, "ticks", "bob", "partner", 1)
    assert (first["offers"], first["price"], first["accepted"], "concession" in first) == (2, 2.75, 0, False)
    assert means(found, "ticks", "bob", "partner", 3) == {
        "offers": 1,
        "price": 1.5,
        "share": 0.3,
        "accepted": 1,
        "concession": 1,
    }
    assert means(found, "ticks", "ann", "boss", 2)["concession"] == 0.5
    assert means(found, "ticks", "ann", "boss", 20)["concession"] == -0.25
    assert "concession" not in means(found, "ticks", "bob", "partner", 4)


def test_who_pays_whom_is_told_by_kind_a_match_in_which_both_sat() -> None:
    paid = [
        payment(1, None, 0, 20),
        payment(1, 0, 1, 6, Family.RED),
        payment(1, 0, 1, 3, kind=PaymentKind.SIDE_PROMISE),
        payment(1, 0, 2, 4, Family.BLUE, kind=PaymentKind.FAIR_SHARE),
    ]
    found = ledger((match(*ABC), tables(payments=paid)), (match("bob", "ann"), tables()))
    told = rows(found, "payments", "ann", "bob")
    assert {name: row.estimate.mean for name, row in told.items()} == {
        "paid": 4.5,
        "by_agreement": 3,
        "side_promises": 1.5,
        "fair_shares": 0,
        "times": 1,
        "each": 4.5,
    }
    assert {row.matches for row in told.values()} == {2}
    assert means(found, "payments", "ann", "cy")["fair_shares"] == 4
    assert means(found, "payments", "cy", "ann")["paid"] == 0


def test_boss_cards_earn_what_their_player_keeps_and_stops_what_was_saved() -> None:
    plays = [
        play(1, 1, PlayKind.BOSS, Card.BOSS, gained=14),
        play(1, 2, PlayKind.BOSS, Card.BOSS, stopped_by=1),
        play(2, 1, PlayKind.BOSS, Card.BOSS, gained=0),
        play(2, 2, PlayKind.TRAVEL, Card.TRAVEL_WILD, family=Family.RED, of=0, stopped_by=0),
    ]
    deals = [deal(1, 1, (6, 0, 0), opened_by=0), deal(2, 1, opened_by=0)]
    found = ledger((match(*ABC), tables(deals=deals, plays=plays)))
    bob = means(found, "cards", "bob")
    assert (bob["boss"], bob["boss_stopped"], bob["boss_closed"], bob["boss_kept"]) == (2, 0, 0.5, 7)
    assert (bob["stop"], bob["stop_saved"]) == (1, 14)
    cy = means(found, "cards", "cy")
    assert (cy["boss_stopped"], cy["travel_stopped"], "boss_kept" in cy) == (1, 1, False)
    assert means(found, "cards", "ann")["stop_saved"] == 0


def test_travel_cards_block_deals_and_recruited_placards_and_clan_cards_are_paid() -> None:
    recruit = (Card.RECRUITMENT,) * 3
    plays = [
        play(1, 1, PlayKind.TRAVEL, Card.TRAVEL_WILD, family=Family.BLUE, of=2),
        play(1, 1, PlayKind.TRAVEL, Card.TRAVEL_WILD, family=Family.RED, of=1),
        play(2, 1, PlayKind.RECRUIT, *recruit, family=Family.RED, of=0),
        play(2, 2, PlayKind.LAY, Card.CLAN_GREEN, Card.CLAN_BLUE),
        play(4, 2, PlayKind.RECRUIT, *recruit, family=Family.RED, of=1),
    ]
    deals = [deal(1, 0), deal(2, 0, (0, 7, 3)), deal(3, 0, (0, 4, 0)), deal(4, 0, (0, 0, 5))]
    paid = [
        payment(1, 0, 1, 9, Family.RED),
        payment(2, 0, 1, 7, Family.RED),
        payment(2, 0, 2, 3, clans=(Family.GREEN,)),
        payment(3, 0, 1, 4, Family.RED, Family.BLUE),
        payment(4, 0, 2, 5, Family.RED),
    ]
    found = ledger((match(*ABC), tables(deals=deals, plays=plays, payments=paid)))
    bob = means(found, "cards", "bob")
    assert (bob["travel"], bob["travel_blocked"], bob["travel_worth"]) == (2, 1, 20)
    assert bob["recruit_earned"] == 9
    cy = means(found, "cards", "cy")
    assert (cy["recruit_earned"], cy["clan"], cy["clan_paid"], cy["clan_earned"]) == (5, 2, 0.5, 1.5)


def test_failed_deals_are_told_by_how_they_ended_and_what_they_lacked() -> None:
    offers = [offer(1, 2, 0, by=1, to=0, price=8), *(offer(each, each, 0, by=1, to=0, price=8) for each in (3, 4))]
    fell = agreed(offers[1], AgreementOutcome.FELL)
    stood = agreed(offers[2], AgreementOutcome.FAILED)
    endings = (Ending.GIVEN_UP, Ending.OUT_OF_TICKS, Ending.QUIET, Ending.QUIET)
    deals = [deal(number, 0, outcome=ending) for number, ending in enumerate(endings, 1)]
    found = ledger(
        (match(*ABC), tables(deals=[*deals, deal(5, 0, (0, 0, 0))], offers=offers, agreements=[fell, stood]))
    )
    ann = means(found, "failed", "ann")
    assert (ann["closed"], ann["given_up"], ann["out_of_ticks"], ann["quiet"]) == (0.2, 0.2, 0.2, 0.4)
    assert [ann[name] for name in ("no_offer", "no_agreement", "fell", "too_little")] == [0.25] * 4
    assert ann["worth"] == 20
