"""One round from the lead to the refilled hands, every card and every word of it, and how it is told.

Amy, Bill, Cora and Dan sit at the table, and Amy is the Boss. In this game hands have three cards between rounds.
"""

from __future__ import annotations

from arena.games.cards.events import Settled
from arena.games.cards.moves import PASS

from .scenario import Scenario, cards, drop, play

AMY, BILL, CORA, DAN = range(4)
DECK = "x, red +2, green pota, red -3, green +1, blue -2, green reverse, red +4"
NEW_DECK = (
    "x, red +1, blue +4, blue move 1, blue +3, blue +2, blue -5, blue reverse, blue reverse, blue reverse, blue pota, "
    "blue move 2, green +1, red pota, wild pota, wild pota"
)


def test_a_whole_round() -> None:
    table = Scenario(
        {
            AMY: "blue +4, blue pota, blue reverse, wild pota",
            BILL: "blue +3, blue move 2, blue reverse, red +1",
            CORA: "blue -5, blue pota, blue reverse, green +2",
            DAN: "blue +2, blue move 1, wild pota, red pota",
        },
        hand={4: 3},
        deck=DECK,
        shuffled={1: NEW_DECK},
    )
    table.leads("blue +4")

    # Bill would play +3 for a token. Amy does not want that, but a POTA, which he has not got.
    table.turn(BILL).proposes(play("blue +3")).says_no().requests("pota")
    assert len(table.legal()) == 1
    table.says_no().plays("blue reverse", AMY)

    # Cora offers to throw her reverse card away, and becomes a Cousin.
    table.turn(CORA).proposes(drop("blue reverse")).says_yes()

    # Dan offers nothing. Amy gives her last token for a positive card of at least +2.
    table.turn(DAN).requests("positive", 2).says_yes()
    assert table.legal() == (play("blue +2"),)
    table.plays("blue +2")

    # No bargaining on Amy's own turn, nor from now on: the tokens are gone.
    assert (table.turn(AMY).asked, table.view().tokens, table.view().cousins) == ("play", 0, (CORA, DAN))
    table.plays("wild pota", AMY)

    # Bill moves Amy's reverse card to Cora, and takes her POTA for himself.
    assert table.turn(BILL).asked == "play"
    table.plays("blue move 2").moves("blue reverse", AMY, CORA).moves("wild pota", AMY, BILL)

    # Cora would like the deal to turn negative now. Dan takes her card away again.
    table.turn(CORA).plays("blue -5")
    table.turn(DAN).plays("blue move 1").moves("blue -5")
    assert table.view().value == 2 * 5 * 6

    # The first passes; Amy draws an X and then another card.
    table.passes(AMY)
    assert (table.hand(AMY), table.view().multiplier) == (cards("blue pota, blue reverse, red +2"), 3)
    table.turn(BILL).plays("blue +3")
    table.passes_twice(CORA)
    table.turn(DAN).plays("wild pota", DAN)

    # Cora is out: Amy cannot lay her reverse card there, and lays it in front of Dan.
    assert table.turn(AMY).refused(play("blue reverse", CORA)) == "C3.4"
    table.plays("blue reverse", DAN)
    table.passes(BILL, DAN)
    table.turn(AMY).plays("blue pota", AMY)
    table.passes(BILL, DAN)

    # Amy alone is left, and might go on.
    assert table.turn(AMY).allows(PASS)
    assert table.centre == cards("blue +2, blue +3, blue +4")
    assert [table.front(seat) for seat in range(4)] == [
        cards("blue pota"),
        cards("wild pota"),
        cards("blue reverse"),
        cards("blue reverse, wild pota"),
    ]
    assert [table.state.shares(seat) for seat in range(4)] == [2, 1, 1, 2]
    table.passes(AMY)

    # 5 × 3 × (2 + 3 + 4) = 135 a share. The Cousins pay, for they have reverse cards, as far as their 50 goes.
    assert table.said(Settled) == [Settled(1, AMY, 135, (270, 135, -50, -50))]
    assert table.state.money == [320, 185, 0, 0]

    # Bill discards one card and Dan two. Bill refills first; while Dan draws, the deck runs out and the third X comes.
    assert [table.hand(seat) for seat in range(4)] == [
        cards("red +2"),
        cards("red +1, red -3"),
        cards("blue pota, green +2, green pota"),
        cards("green +1, red pota"),
    ]
    table.discards({BILL: "red +1", DAN: "green +1, red pota"})
    assert [table.hand(seat) for seat in range(4)] == [
        cards("red +2, blue move 1, blue +3"),
        cards("red -3, blue -2, green reverse"),
        cards("blue pota, green +2, green pota"),
        cards("red +4, red +1, blue +4"),
    ]
    assert (table.deck, table.discard_pile) == (tuple(NEW_DECK.split(", "))[5:], ())
    view = table.view()
    assert (table.asked, view.round, view.boss, view.multiplier, view.third_x) == ("lead", 2, BILL, 4, False)
    assert "\n".join(table.told) == TOLD.strip()


TOLD = """
Amy (0) leads blue +4.
  Bill (1) offers to play blue +3 for a Cousin token.
  Amy (0) says no.
  The Boss offers Bill (1) a Cousin token for a POTA in front of the Boss.
  Bill (1) says no.
Bill (1) plays blue reverse in front of Amy (0).
  Cora (2) offers to discard blue reverse for a Cousin token.
  Agreed: Cora (2) is a Cousin.
Cora (2) discards blue reverse without effect.
  The Boss offers Dan (3) a Cousin token for a positive card of at least +2.
  Agreed: Dan (3) is a Cousin.
Dan (3) plays blue +2.
Amy (0) plays wild pota in front of itself.
Bill (1) plays blue move 2.
  blue reverse from Amy (0) to Cora (2).
  wild pota from Amy (0) to Bill (1).
Cora (2) plays blue -5.
Dan (3) plays blue move 1.
  blue -5 from the centre to the discard pile.
Amy (0) passes.
Amy (0) draws an X: the multiplier is 3 now.
Amy (0) draws red +2.
Bill (1) plays blue +3.
Cora (2) passes and is out.
Cora (2) draws green pota.
Dan (3) plays wild pota in front of itself.
Amy (0) plays blue reverse in front of Dan (3).
Bill (1) passes.
Bill (1) draws red -3.
Dan (3) passes.
Dan (3) draws green +1.
Amy (0) plays blue pota in front of itself.
Bill (1) passes and is out.
Dan (3) passes and is out.
Amy (0) passes and is out.
Round 1 settles at $135 a share: Amy (0) $270, Bill (1) $135, Cora (2) -$50, Dan (3) -$50.
Bill (1) discards red +1.
Dan (3) discards green +1, red pota.
Bill (1) draws blue -2, green reverse.
The discard pile of 16 cards, with the third X, is the new deck.
Dan (3) draws an X: the multiplier is 4 now.
Dan (3) draws blue +4, red +1, red +4.
Amy (0) draws blue +3, blue move 1.

Round 2: Bill (1) is the Boss.
"""
