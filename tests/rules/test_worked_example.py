"""B11: the negotiation round that three rulebooks tell, move by move, in each of the three editions.

The story is the same, the names are each edition's own. Seats clockwise: the player who opens, the one who is Boss
in the end, the one who is robbed, the one who helps with a clan card.
"""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.board.cards import Family
from arena.games.board.events import Closed, EndRolled, NewBoss, Recruited, Stopped
from arena.games.board.moves import GO_ON, TAKE_OVER, Recruit

from .scenario import Scenario, agreed, cards, close, families, lay, offer, travel

EAGLE = ("David", "Larry", "Bill", "Amy")
DUTCH = ("Herman", "Marc", "Carl", "Anne")
TELLINGS = [("eagle-gryphon", EAGLE), ("face2face-2003", DUTCH), ("schmidt-1994", DUTCH)]
OPENER, RIVAL, ROBBED, ALLY = range(4)


def set_table(edition: str) -> Scenario:
    """Twelve deals are made, the thirteenth is on; everybody holds what the story shows."""
    return Scenario(
        edition,
        placards=("blue magenta", "red", "yellow green", "orange"),
        hands={
            OPENER: "clan yellow, clan green, stop, boss, 3 recruitment",
            RIVAL: "2 boss, clan orange, clan magenta",
            ROBBED: "travel blue",
            ALLY: "travel blue, clan blue",
        },
        deal=13,
        covered=range(3, 15),
        end={13: 5},
        initiative=lambda tick: (OPENER, RIVAL, ROBBED, ALLY),
    )


@pytest.mark.parametrize(("edition", "names"), TELLINGS, ids=[edition for edition, _ in TELLINGS])
def test_B11_the_worked_example(edition: str, names: tuple[str, ...]) -> None:
    table = set_table(edition)
    state: Any = table.state
    seat = {name: number for number, name in enumerate(names)}
    opener, rival, robbed, ally = (seat[name] for name in names)
    assert (state.dividend, state.proceeds) == (5, 30)

    # The opener resolves to make the deal, and lays the clan cards green and yellow.
    table.open("yellow green")
    assert (state.boss, table.laid(opener)) == (opener, families("yellow green"))

    # He offers one dividend for red: too little. The rival wants 8, and he gives in.
    table.offers({opener: [offer(rival, 5, "red")]}).accepts().plays().go_on()
    table.offers({rival: [offer(opener, 8, "red")]}).accepts(opener)
    assert state.agreements == (agreed(rival, 8, "red"),)

    # Blue is sent travelling: the first card is stopped, the second is not.
    table.plays({robbed: travel("blue"), ally: travel("blue")})
    assert [ask.topic[0] for ask in state.asks] == [robbed] * 3
    table.stops(opener)
    assert (table.said(Stopped)[-1].seat, table.travels("blue")) == (opener, False)
    assert [ask.topic[0] for ask in state.asks] == [ally] * 3
    table.stops()
    assert table.travels("blue")
    table.play(GO_ON)

    # The ally lays a clan card blue and wants 9 for it; while they talk, three boss cards follow one another.
    table.offers({ally: [offer(opener, 9, clans="blue")]})
    assert table.laid(ally) == families("blue")
    table.accepts().plays({rival: TAKE_OVER}).stops()
    table.offers().plays({opener: TAKE_OVER}).stops()
    table.offers().plays({rival: TAKE_OVER}).stops()
    assert [event.seat for event in table.said(NewBoss)] == [rival, opener, rival]
    assert (state.boss, state.agreements, state.offers) == (rival, (), ((),) * 4)
    assert table.travels("blue")
    assert table.laid(opener) == families("yellow green")

    # The new Boss lays orange and magenta. Red is his own; yellow and blue are missing.
    table.offers().plays({rival: lay("orange magenta")}).go_on()
    table.offers(
        {
            ally: [offer(rival, 10, clans="blue")],
            opener: [offer(rival, 10, clans="yellow")],
            robbed: [offer(rival, 8, "yellow")],
        }
    ).accepts()

    # The cheaper yellow is recruited away, and with it goes its offer.
    table.plays({opener: Recruit(Family.YELLOW)}).stops()
    assert table.said(Recruited)[-1].owner == robbed
    assert (table.owner("yellow"), table.open_offers(robbed)) == (opener, ())
    table.go_on()
    table.offers({opener: [offer(rival, 10, clans="yellow"), offer(rival, 10, "yellow")]}).accepts(rival)
    table.plays()

    # The Boss closes: red, orange and magenta of his own, blue of the ally, yellow of the opener's new placard.
    table.play(close("red", "orange magenta", agreed(opener, 10, "yellow"), agreed(ally, 10, clans="blue")))
    if table.rules.last_call:
        assert table.asked == "last call"
        table.plays()

    # The rival is the final Boss and keeps 10 of 30; opener and ally have 10 each.
    (closed,) = table.said(Closed)
    assert (closed.boss, closed.proceeds, closed.paid) == (rival, 30, (10, 0, 0, 10))
    assert state.money == [10, 10, 0, 10]

    # Used clan cards and everything played is discarded; the opener's yellow and green go back to his hand.
    played = "2 travel blue, stop, 3 boss, 3 recruitment"
    assert table.discards == cards(f"clan orange, clan magenta, clan blue, {played}")
    assert table.hand(opener) == cards("clan yellow, clan green")
    assert [table.hand(other) for other in (rival, robbed, ally)] == [(), (), ()]
    assert (table.owner("yellow"), table.travels("blue")) == (opener, False)

    # A 5 is rolled: the game goes on with the left neighbour of the final Boss, on the next free space.
    assert table.said(EndRolled) == [EndRolled(5, False)]
    assert state.covered & 1
    assert (table.asked, table.seats_asked) == ("turn", (robbed,))
    assert (state.layout.cards[state.deal], state.marker) == (14, 1)


@pytest.mark.parametrize("edition", [edition for edition, _ in TELLINGS])
def test_B11_any_lower_face_would_have_ended_the_game(edition: str) -> None:
    for face, goes_on in [(1, False), (2, False), (3, False), (4, False), (5, True), (6, True)]:
        table = Scenario(
            edition,
            placards=("red yellow blue magenta orange", "green"),
            deal=13,
            end={13: face},
            players=[2, 6],
            last_call=False,
        )
        table.open().offers().plays().play(close("red yellow blue magenta orange"))
        assert (table.asked == "turn") == goes_on
