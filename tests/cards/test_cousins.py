"""C4: bargains with the Boss for Cousin tokens."""

from __future__ import annotations

import pytest

from arena.games.cards.cards import Card
from arena.games.cards.events import CousinMade, Dropped, Passed, Played, Proposed, Refused, Requested, Shifted
from arena.games.cards.moves import (
    NO_BARGAIN,
    PASS,
    PASS_TWICE,
    Bargain,
    Drop,
    Propose,
    Request,
    Want,
)
from arena.games.contract import NO, YES, Move

from .scenario import Scenario, cards, drop, play, shift

TABLE = {"color": "blue", "centre": "blue +1, blue -4", "fronts": {0: "blue reverse", 2: "2 blue pota, wild pota"}}


# who bargains, and when


def test_C4_2_the_seat_offers_first_the_boss_answers_then_the_boss_may_offer() -> None:
    table = Scenario({1: "blue +4"}, color="blue")
    assert (table.asked, table.seats_asked) == ("propose", (1,))
    table.proposes(play("blue +4"))
    assert (table.asked, table.seats_asked) == ("answer", (0,))
    table.says_no()
    assert (table.asked, table.seats_asked) == ("request", (0,))
    table.requests("pass")
    assert (table.asked, table.seats_asked) == ("accept", (1,))
    table.says_no()
    assert (table.asked, table.seats_asked) == ("play", (1,))
    assert table.view().bound is None
    assert table.log == [
        Proposed(1, play("blue +4")),
        Refused(0),
        Requested(1, Want.PASS),
        Refused(1),
    ]


def test_C4_2_who_offers_nothing_may_still_be_offered_something() -> None:
    table = Scenario({}, color="blue").answer(NO_BARGAIN, "propose")
    assert (table.asked, table.seats_asked) == ("request", (0,))
    assert table.answer(NO_BARGAIN, "request").asked == "play"
    assert table.log == []


def test_C4_1_there_is_no_bargaining_on_the_boss_s_own_turn() -> None:
    assert Scenario({}, color="blue", on_turn=0).asked == "play"


def test_C4_1_nor_when_the_seat_has_a_token_already() -> None:
    table = Scenario({}, color="blue", cousins=(1,))
    assert (table.state.tokens, table.asked) == (1, "play")
    assert table.passes().asked == "propose"


def test_C4_1_nor_when_no_token_is_left() -> None:
    table = Scenario({}, color="blue", cousins=(1, 2), on_turn=3)
    assert (table.state.tokens, table.asked) == (0, "play")


def test_C4_1_nor_without_tokens_in_the_game() -> None:
    assert Scenario({}, "no-cousins", color="blue").asked == "play"


def test_C4_1_a_boss_who_is_out_still_bargains() -> None:
    table = Scenario({1: "blue +4"}, color="blue", passes={0: 2}).proposes(play("blue +4")).says_yes()
    assert table.view().cousins == (1,)
    table.requests("gift")
    assert table.seats_asked == (2,)


def test_C4_1_seats_who_are_out_are_not_bargained_with() -> None:
    assert Scenario({}, color="blue", passes={1: 2}, on_turn=0).passes().on_turn == 2


def test_C4_1_one_bargains_on_every_turn_until_there_is_a_token() -> None:
    table = Scenario({1: "blue +4"}, color="blue", passes={2: 2, 3: 2}, on_turn=1)
    table.proposes(PASS).says_no().passes(1).passes(0).turn(1)
    assert table.asked == "propose"


def test_C4_1_a_seat_only_proposes_and_the_boss_only_requests() -> None:
    table = Scenario({0: "blue +4", 1: "blue +4"}, color="blue")
    assert table.refused(Request(Want.GIFT)) == "C4.1"
    table.answer(NO_BARGAIN)
    assert table.refused(Propose(PASS)) == "C4.2"


def test_C4_1_the_tokens_of_the_number_of_players() -> None:
    assert [Scenario({}, players=n, color="blue").view().tokens for n in (3, 4, 5, 6)] == [1, 2, 2, 2]


# what a seat may offer


@pytest.mark.parametrize(
    "action",
    [
        PASS,
        PASS_TWICE,
        play("blue +4"),
        play("blue pota", 0),
        play("wild pota", 1),
        play("blue reverse", 3),
        play("blue move 2", None, shift("blue +1")),
        play("blue move 2", None, shift("blue reverse", 0, 3), shift("blue -4")),
        drop("blue reverse"),
        drop("blue +4"),
        drop("wild pota"),
        drop("blue move 2"),
    ],
)
def test_C4_2_a_seat_offers_one_exact_action(action: object) -> None:
    table = Scenario({1: "blue +4, blue pota, wild pota, blue reverse, blue move 2"}, **TABLE)  # type: ignore[arg-type]
    table.proposes(action)  # type: ignore[arg-type]
    assert table.view().bargain == Bargain(1, Propose(action))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (play("blue +3"), "C3.2"),
        (play("red +4"), "C3.2"),
        (drop("red +4"), "C3.2"),
        (drop("blue -5"), "C3.2"),
        (play("blue pota"), "C3.3"),
        (play("blue pota", 3), "C3.4"),
        (play("blue pota", 9), "C3.3"),
        (play("blue +4", 0), "C3.3"),
        (play("blue +4", None, shift("blue +1")), "C3.3"),
        (play("blue pota", 0, shift("blue +1")), "C3.3"),
        (play("blue move 2", 1), "C3.3"),
        (play("blue move 2"), "C4.2"),
        (play("blue move 2", None, shift("blue +1"), shift("blue -4"), shift("wild pota", 2)), "C4.2"),
        (play("blue move 2", None, shift("blue +1"), shift("blue +1")), "C3.3"),
        (play("blue move 2", None, shift("wild pota", 2, 0), shift("wild pota", 0, 2)), "C3.3"),
        (play("blue move 2", None, shift("blue +1"), shift("blue pota", 2, 3)), "C3.4"),
    ],
)
def test_C4_2_only_what_it_can_do(action: object, rule: str) -> None:
    table = Scenario({1: "blue +4, blue pota, red +4, blue move 2"}, passes={3: 2}, **TABLE)  # type: ignore[arg-type]
    assert table.refused(Propose(action)) == rule  # type: ignore[arg-type]


def test_C4_2_a_second_disk_is_offered_only_once() -> None:
    table = Scenario({}, color="blue", passes={1: 1})
    assert table.refused(Propose(PASS_TWICE)) == "C3.4"
    assert table.legal() == (NO_BARGAIN, Propose(PASS))


def test_C4_2_equal_cards_that_were_not_moved_can_be_in_a_proposal_too() -> None:
    table = Scenario({1: "blue move 3"}, color="blue", fronts={0: "blue pota", 2: "blue pota"})
    there_and_back = (shift("blue pota", 0, 2), shift("blue pota", 2, 0))
    assert table.allows(Propose(play("blue move 3", None, *there_and_back)))
    assert table.refused(Propose(play("blue move 3", None, *there_and_back, shift("blue pota", 2, 0)))) == "C3.3"


# what happens then


def test_C4_3_an_accepted_offer_is_carried_out_at_once_and_uses_up_the_turn() -> None:
    table = Scenario({1: "blue +4"}, color="blue").proposes(play("blue +4")).says_yes()
    assert (table.centre, table.hand(1), table.on_turn) == (cards("blue +4"), (), 2)
    assert table.log == [Proposed(1, play("blue +4")), CousinMade(1), Played(1, Card.BLUE_PLUS_4)]
    assert table.view().cousins == (1,)
    assert table.view().tokens == 1


def test_C4_3_a_move_card_makes_the_moves_that_were_offered_in_their_order() -> None:
    table = Scenario({1: "blue move 3"}, **TABLE)  # type: ignore[arg-type]
    table.proposes(play("blue move 3", None, shift("wild pota", 2, 1), shift("blue +1"))).says_yes()
    assert (table.front(1), table.centre) == (cards("wild pota"), cards("blue -4"))
    assert table.discard_pile == cards("blue move 3, blue +1")
    assert table.said(Shifted) == [Shifted(1, Card.WILD_POTA, 2, 1), Shifted(1, Card.BLUE_PLUS_1)]
    assert (table.asked, table.on_turn) == ("propose", 2)


def test_C4_3_the_next_move_card_may_move_them_again() -> None:
    table = Scenario({1: "blue move 1", 2: "blue move 1"}, **TABLE)  # type: ignore[arg-type]
    table.proposes(play("blue move 1", None, shift("wild pota", 2, 1))).says_yes()
    assert table.plays("blue move 1").moves("wild pota", 1, 2).on_turn == 3


def test_C4_3_a_pass_can_be_offered_and_draws_as_always() -> None:
    table = Scenario({}, color="blue", deck="red +4").proposes(PASS_TWICE).says_yes()
    assert (table.state.passes[1], table.hand(1)) == (2, cards("red +4"))
    assert table.said(Passed) == [Passed(1, 2)]


def test_C4_3_discarding_has_no_effect_but_the_card_is_gone() -> None:
    table = Scenario({1: "blue reverse"}, color="blue").proposes(drop("blue reverse")).says_yes()
    assert (table.hand(1), table.discard_pile) == ((), cards("blue reverse"))
    assert [table.front(seat) for seat in range(4)] == [()] * 4
    assert table.said(Dropped) == [Dropped(1, Card.BLUE_REVERSE)]


def test_C4_3_cards_are_not_discarded_in_any_other_way() -> None:
    table = Scenario({1: "blue reverse, blue +1"}, color="blue").no_bargain()
    assert table.refused(drop("blue reverse")) == "C4.3"
    assert not [move for move in table.legal() if isinstance(move, Drop)]
    gift = Scenario({1: "blue reverse"}, color="blue").requests("gift").says_yes()
    assert gift.refused(drop("blue reverse")) == "C4.3"
    for_value = Scenario({1: "blue reverse, blue +1"}, color="blue").requests("positive", 1).says_yes()
    assert for_value.refused(drop("blue +1")) == "C4.3"


def test_C4_3_a_move_card_is_not_even_discarded_with_nothing_to_move() -> None:
    table = Scenario({1: "blue move 1"}, color="blue")
    assert table.refused(Propose(drop("blue move 1"))) == "C3.3"


# what the Boss may ask for


def test_C4_2_the_boss_asks_for_kinds_of_actions() -> None:
    table = Scenario({}, color="blue").answer(NO_BARGAIN)
    assert table.legal() == (
        NO_BARGAIN,
        *(Request(Want.POSITIVE, least) for least in (1, 2, 3, 4)),
        *(Request(Want.NEGATIVE, least) for least in (2, 3, 4, 5)),
        Request(Want.POTA),
        Request(Want.REVERSE),
        Request(Want.PASS),
        Request(Want.GIFT),
    )


@pytest.mark.parametrize(
    "request_",
    [
        Request(Want.POSITIVE),
        Request(Want.POSITIVE, 5),
        Request(Want.POSITIVE, -1),
        Request(Want.NEGATIVE, 1),
        Request(Want.NEGATIVE, 6),
        Request(Want.NEGATIVE, -4),
        Request(Want.POTA, 1),
        Request(Want.GIFT, 10**30),
    ],
)
def test_C4_2_of_values_that_there_are(request_: Request) -> None:
    assert Scenario({}, color="blue").answer(NO_BARGAIN).refused(request_) == "C4.2"


def test_C4_2_a_deck_without_a_value_leaves_out_the_request() -> None:
    table = Scenario({}, color="blue", composition={"positive": {4: 0}}).answer(NO_BARGAIN)
    assert table.refused(Request(Want.POSITIVE, 4)) == "C4.2"
    assert Request(Want.POSITIVE, 4) not in table.legal()
    assert Request(Want.POSITIVE, 3) in table.legal()


def test_C4_2_a_deck_without_a_kind_of_card_leaves_out_the_request() -> None:
    table = Scenario({}, color="blue", composition={"reverse": 0, "pota": 0, "wild_pota": 0}).answer(NO_BARGAIN)
    for want in (Want.REVERSE, Want.POTA):
        assert table.refused(Request(want)) == "C4.2"
        assert Request(want) not in table.legal()


def test_C4_2_no_pota_for_a_boss_who_is_out() -> None:
    table = Scenario({1: "blue pota"}, color="blue", passes={0: 2}).answer(NO_BARGAIN)
    assert table.refused(Request(Want.POTA)) == "C3.4"
    assert Request(Want.POTA) not in table.legal()


@pytest.mark.parametrize(
    ("want", "least", "hand", "fits", "does_not"),
    [
        (
            "positive",
            3,
            "blue +2, blue +3, blue +4, red +4",
            [play("blue +3"), play("blue +4")],
            [play("blue +2"), PASS],
        ),
        ("negative", 4, "blue -3, blue -4, blue -5, blue +4", [play("blue -5"), play("blue -4")], [play("blue -3")]),
        ("pota", 0, "blue pota, wild pota", [play("blue pota", 0), play("wild pota", 0)], [play("blue pota", 1)]),
        ("reverse", 0, "blue reverse, blue +1", [drop("blue reverse")], [play("blue reverse", 1), PASS]),
        ("pass", 0, "blue +1", [PASS, PASS_TWICE], [play("blue +1")]),
    ],
)
def test_C4_2_the_action_then_must_match(
    want: str, least: int, hand: str, fits: list[Move], does_not: list[Move]
) -> None:
    table = Scenario({1: hand}, color="blue", centre="blue +1").requests(want, least)
    assert table.legal() == (NO, YES)
    table.says_yes()
    assert (table.asked, table.seats_asked) == ("play", (1,))
    assert table.view().bound == Request(Want(want), least)
    assert set(table.legal()) == set(fits)
    for move in does_not:
        assert table.refused(move) == "C4.2"
    assert table.state.default(0) == table.legal()[0]
    table.answer(fits[-1])
    assert (table.on_turn, table.view().cousins) == (2, (1,))
    assert table.said(CousinMade) == [CousinMade(1)]


@pytest.mark.parametrize(
    ("want", "least", "hand"),
    [
        ("positive", 3, "blue +2, red +4, blue -4"),
        ("negative", 4, "blue -3, red -4, blue +4"),
        ("pota", 0, "red pota, blue reverse"),
        ("reverse", 0, "red reverse, blue pota"),
    ],
)
def test_C4_2_a_seat_accepts_only_what_it_can_do(want: str, least: int, hand: str) -> None:
    table = Scenario({1: hand}, color="blue").requests(want, least)
    assert table.legal() == (NO,)
    assert table.refused(YES) == "C4.2"
    assert table.says_no().asked == "play"


def test_C4_2_after_a_gift_a_seat_acts_freely() -> None:
    table = Scenario({1: "blue -5, blue reverse"}, color="blue").requests("gift").says_yes()
    assert (table.view().bound, table.view().cousins) == (None, (1,))
    assert table.allows(PASS)
    assert table.plays("blue reverse", 0).front(0) == cards("blue reverse")


def test_C4_2_after_a_gift_a_move_card_is_used_as_always() -> None:
    table = Scenario({1: "blue move 1"}, **TABLE)  # type: ignore[arg-type]
    assert table.requests("gift").says_yes().plays("blue move 1").asked == "move"


def test_C4_2_a_promised_pass_covers_the_double_pass_and_the_second_disk() -> None:
    table = Scenario({}, color="blue", deck="red +1").requests("pass").says_yes().answer(PASS_TWICE)
    assert table.state.passes[1] == 2
    table = Scenario({}, color="blue", passes={1: 1}).requests("pass").says_yes()
    assert table.legal() == (PASS,)


def test_C4_2_a_bargain_is_about_this_turn_alone() -> None:
    table = Scenario({1: "2 blue +4", 2: "blue -5"}, color="blue", passes={0: 2, 3: 2})
    table.requests("positive", 4).says_yes().plays("blue +4")
    table.plays("blue -5").turn(1)
    assert table.view().bound is None
    assert table.allows(PASS)


# tokens


def test_C4_1_a_token_is_one_share_and_kept_by_the_boss_none() -> None:
    table = Scenario({}, color="blue", centre="blue +1", cousins=(2,))
    assert [table.state.shares(seat) for seat in range(4)] == [1, 0, 1, 0]


def test_C4_1_a_token_is_kept_to_the_end_of_the_round_and_comes_back_with_the_next_boss() -> None:
    table = Scenario({1: "blue +4"}, color="blue").proposes(play("blue +4")).says_yes().all_out()
    assert table.state.ledger[-1].amounts == (40, 40, 0, 0)
    table.discards()
    assert (table.view().boss, table.view().tokens, table.view().cousins) == (1, 2, ())


# what everybody sees


def test_C4_4_offers_refusals_and_tokens_are_public() -> None:
    table = Scenario({1: "blue +4", 2: "blue pota"}, color="blue")
    table.proposes(play("blue +4")).says_no().requests("gift").says_no().passes()
    table.requests("pota").says_yes().plays("blue pota", 0)
    for event in table.log:
        if isinstance(event, Proposed | Requested | Refused | CousinMade | Played):
            assert [event.seen_by(seat) for seat in range(4)] == [event] * 4
    assert table.said(Refused) == [Refused(0), Refused(1)]
    assert table.said(CousinMade) == [CousinMade(2)]


def test_C4_4_what_the_boss_may_ask_does_not_tell_what_a_seat_has() -> None:
    rich = Scenario({1: "blue +4, blue pota, blue reverse"}, color="blue", deck="").answer(NO_BARGAIN)
    poor = Scenario({1: "red +4, red pota, red reverse"}, color="blue", deck="").answer(NO_BARGAIN)
    assert rich.legal() == poor.legal()
    assert rich.view() == poor.view()
