"""One ask talked over: what is understood, what is refused, and that a bad line changes nothing."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from arena.config.editions import load_edition
from arena.games import load_game
from arena.games.board import Offer, Offers
from arena.games.board.cards import Card
from arena.games.board.moves import DRAW, GO_ON, PASS, ROLL, UNCHANGED, Agreement, Open, Travel
from arena.games.board.presenting.human.missing_needs import missing_needs_text
from arena.games.board.presenting.human.primer import MOMENTS
from arena.games.board.sentences.tell import Teller
from arena.games.board.views import AcceptView, BoardView, CloseView, InterruptView, OfferView, TurnView
from arena.games.contract import NO, YES, View
from arena.human.answer import HumanAnswer, Leaving, MatchStopped
from arena.human.conversation import Conversation
from arena.human.game_words import words_for
from arena.human.help import GENERAL_WORDS
from tests.human.scripted import Script, scripted
from tests.human.typing import asks

NONSENSE = [
    "red",
    "b",
    "@",
    "red@2",
    "clan",
    ",",
    "from",
    "1",
    "9",
    "$5m",
    "for",
    "-2",
    "with",
    "all",
    "also",
    "é",
    "²",
    "(",
]
NAMES = ["ann", "bob", "bea", "human"]


@cache
def edition() -> Any:
    return load_edition("face2face-2003")


@cache
def views() -> tuple[View, ...]:
    return tuple(view for _, _, view in asks(edition(), 4, "talk", 400))


def first(kind: type[View], **wanted: Any) -> Any:
    """The first view of a kind in which these fields are so."""
    found = (view for view in views() if isinstance(view, kind))
    return next(view for view in found if all(getattr(view, name) == value for name, value in wanted.items()))


def talk(view: View, *lines: str | type[BaseException], is_terminal: bool = True) -> tuple[HumanAnswer, str]:
    """The answer, and all that was shown."""
    screen, shown = scripted(lines, is_terminal=is_terminal)
    words = words_for(load_game("board"), edition().rules, NAMES)
    answer = Conversation(screen, words, edition().rules, ["It began."]).ask(view)
    return answer, "\n".join(shown)


def sale(price: int) -> tuple[Any, str, Offer]:
    """A view in which a seat may sell its own placard, the words of the family, and the offer."""
    for view in views():
        if isinstance(view, OfferView) and view.seat != view.boss and view.proceeds >= price:
            for placard in view.placards:
                offer = Offer(view.boss or 0, price, (placard.family,))
                if placard.owner == view.seat and view.refusal(edition().rules, Offers((offer,))) is None:
                    return view, edition().rules.names[placard.family].lower(), offer
    raise LookupError


def test_an_empty_line_does_nothing_where_that_is_possible() -> None:
    assert talk(first(OfferView), "")[0].move == UNCHANGED
    assert talk(first(AcceptView), "")[0].move == NO
    assert talk(first(InterruptView, can_stop=None), "")[0].move == PASS
    assert talk(first(CloseView), "")[0].move == GO_ON


def test_where_something_must_be_done_an_empty_line_is_no_answer() -> None:
    answer, shown = talk(first(TurnView, rolled=False, must_deal=False), "", "roll")
    assert answer.move == ROLL
    assert "an answer is needed here" in shown


def test_a_number_stands_for_a_choice_and_the_beginning_of_a_word_for_the_word() -> None:
    view = first(TurnView, rolled=False, failed_here=False)
    assert talk(view, "1")[0].move == ROLL
    assert talk(view, "2")[0].move == Open()
    assert talk(view, "ro")[0].move == ROLL
    assert talk(view, "OPEN")[0].move == Open()


def test_a_line_that_is_not_understood_says_what_would_be_right_and_costs_nothing() -> None:
    for line, told in (
        ("rol l", "'l' is too much"),
        ("rool", "'rool' is no word that fits here (did you mean 'roll'?)"),
        ("99", "there is no choice 99; the last is"),
        ("draw", "cards are drawn after rolling (B3.2)"),
        ("close", "'close' can be used at the end of a tick, while you are the Boss; here you can use roll"),
        ("open nobody", "'nobody' is no family"),
        ("open zz", "there are red, yellow, blue"),
        ("say", "expected text: say TEXT"),
        ("say " + "x" * 201, "at most 200 printable characters"),
        ("log many", "expected a number of lines"),
        ("undo", "nothing has been typed here"),
        ("skip", "an answer is needed here"),
        ("why table", "'table' is not a move"),
        ("x" * 3000, "a line of 3000 characters"),
        ("\x1b[31m ; \x00", "is no word that fits here"),
    ):
        answer, shown = talk(first(TurnView, rolled=False, must_deal=False), line, "roll")
        assert answer == HumanAnswer(ROLL), line
        assert told in " ".join(shown.split()), line
        assert "\x1b" not in shown, line


def test_offers_are_composed_line_by_line_undone_and_sent() -> None:
    view, family, offer = sale(4)
    dearer = Offer(offer.to, 3, offer.placards)
    assert talk(view, f"offer {family} 4", "")[0].move == Offers((offer,))
    assert talk(view, f"offer {family} $4M", f"offer {family} 3", "done")[0].move == Offers((dearer,))
    answer, shown = talk(view, f"offer {family} 4", "undo", "")
    assert answer.move == UNCHANGED
    assert "Taken back." in shown
    assert talk(view, f"offer {family} 4", f"offer {family} 3", "undo", "")[0].move == Offers((offer,))
    assert talk(view, f"offer {family} 4", "withdraw 1", "")[0].move == Offers(())


def test_a_refused_line_leaves_what_has_been_composed() -> None:
    view, family, offer = sale(4)
    answer, shown = talk(view, f"offer {family} 4", f"offer {family} 9999", "offer", "why", "")
    assert answer.move == Offers((offer,))
    assert shown.count("exceeds the proceeds") == 1
    assert shown.count("expected a family: offer FAMILY... PRICE, such as: offer blue 5") == 2  # told, and asked why


def test_the_boss_asks_the_owner_of_a_placard_without_naming_it() -> None:
    view = next(v for v in views() if isinstance(v, OfferView) and v.boss == v.seat and not v.agreements)
    placard = next(p for p in view.placards if p.owner not in (None, view.seat) and not p.travelling)
    family = edition().rules.names[placard.family].lower()
    wanted = Offers((Offer(placard.owner or 0, 2, (placard.family,)),))
    for line in (
        f"ask {family} 2",
        f"ask {family} from {NAMES[placard.owner or 0]} for $2M",
        f"ask {family}@{placard.owner} 2",
        f"ask {family} 2 {NAMES[placard.owner or 0]}",
    ):
        assert talk(view, line, "")[0].move == wanted, line
    partner = (view.seat + 1) % 4
    for line in (f"pay {partner} 1", f"pay {NAMES[partner]} 1", f"pay 1 to {partner}"):
        assert talk(view, line, "")[0].move == Offers((Offer(partner, 1),)), line
    assert "could be bob, bea or boss" in talk(view, f"ask {family} from b for 2", "")[1]
    assert "there is no seat '7'" in talk(view, "pay 7 1", "")[1]
    told = " ".join(talk(view, f"ask {family} -3", f"{family} 3", "ask nobody 3", f"ask {family} 2", "")[1].split())
    assert "'-3' is not a price and not a family; prices are whole $M from 0: ask FAMILY... from SEAT for PRICE" in told
    assert f"'{family}' is not a command; begin with what you do: ask FAMILY from SEAT for PRICE" in told
    assert "'nobody' is no family; there are red" in told
    assert f"you offer {NAMES[placard.owner or 0]} ({placard.owner}) $2M for its {family.title()}" in told


def test_close_alone_is_the_cheapest_closing_and_says_what_it_is() -> None:
    closable = [v for v in views() if isinstance(v, CloseView) and len(v.legal_moves(edition().rules)) > 2]
    for view in closable[:5]:
        answer, shown = talk(view, "close")
        assert view.refusal(edition().rules, answer.move) is None
        assert "you keep $" in shown
    barred = next(v for v in views() if isinstance(v, CloseView) and len(v.legal_moves(edition().rules)) == 2)
    answer, shown = talk(barred, "close", "go on")
    assert answer.move == GO_ON
    assert shown.count("he deal cannot be closed yet") == 2  # in the question, and in the answer to close
    assert "Missing: " in shown


def test_the_boss_is_told_what_a_deal_lacks_and_what_a_yes_leaves_it() -> None:
    rules, teller = edition().rules, Teller(edition().rules, NAMES)
    lacks, gains = set(), set()
    for view in views():
        if isinstance(view, CloseView):
            lack = missing_needs_text(view, rules, teller)
            assert bool(lack) == (len(view.legal_moves(rules)) == 2), (lack, view)
            lacks.add(lack.partition(":")[0])
        if isinstance(view, AcceptView):
            asked = words_for(load_game("board"), rules, NAMES).asked(view)
            gains.add(asked.question[1].partition(" $")[0])
    assert "Missing" in lacks
    assert {"You get", "You could close with it and keep"} <= gains


def test_cards_that_cost_more_than_the_deal_pays_are_told_with_their_sum() -> None:
    able = next(v for v in views() if isinstance(v, CloseView) and len(v.legal_moves(edition().rules)) > 2)
    partner = (able.seat + 1) % 4
    poor = replace(able, agreements=(*able.agreements, Agreement(partner, able.proceeds + 1, (), ())))
    told = missing_needs_text(poor, edition().rules, Teller(edition().rules, NAMES))
    assert re.fullmatch(r"Filling all needs would cost \$\d+M or more; the deal pays only \$\d+M\.", told)


def test_why_tells_the_rule_and_changes_nothing() -> None:
    view = first(TurnView, rolled=False, must_deal=False)
    answer, shown = talk(view, "why draw", "why roll", "why 1", "roll")
    assert answer.move == ROLL
    assert "cards are drawn after rolling (B3.2)" in shown
    assert shown.count("That move is legal here.") == 2


def test_a_travel_card_that_is_missing_is_replaced_by_a_wild_one() -> None:
    placard = next(placard for placard in first(InterruptView, can_stop=None).placards if not placard.travelling)
    view = replace(first(InterruptView, can_stop=None), hand=(Card.TRAVEL_WILD,))
    answer, shown = talk(view, f"travel {placard.family}")
    assert answer.move == Travel(placard.family, None, True)
    assert "with your wild travel card" in shown


def test_words_are_said_with_the_answer_and_undo_takes_them_back() -> None:
    view = first(TurnView, rolled=False, must_deal=False)
    assert talk(view, "say Hello,  World!", "note mine", "roll")[0] == HumanAnswer(ROLL, "Hello,  World!", "mine")
    assert talk(view, "say Hello", "undo", "roll")[0] == HumanAnswer(ROLL)


def test_pages_are_shown_and_the_ask_goes_on() -> None:
    view = first(TurnView, rolled=True, must_deal=False)
    answer, shown = talk(view, "table", "hand", "ring", "ledger", "log", "?", "help game", "help roll", "again", "draw")
    assert answer.move == DRAW
    for told in ("Your hand", "Ring", "3 dividends", "It began.", "Six families", "remove the last line"):
        assert told in shown
    assert max(map(len, shown.splitlines())) <= 80
    primer = shown[shown.index("Six families") : shown.index("On your turn")].splitlines()[:-1]
    assert min(map(len, primer[:-1])) > 65  # folded once, to the width


def test_completion_offers_the_words_that_fit() -> None:
    script = Script(["roll"])
    screen, _ = scripted([])
    screen.lines = script
    words = words_for(load_game("board"), edition().rules, NAMES)
    Conversation(screen, words, edition().rules, []).ask(first(TurnView, rolled=False, must_deal=False))
    assert {"roll", "open", "help", "cashman", "red", "bob", "ledger"} <= set(script.offered)
    assert "stop" in script.offered


def test_ctrl_c_once_asks_and_twice_ends_the_match() -> None:
    view = first(TurnView, rolled=False, must_deal=False)
    answer, shown = talk(view, KeyboardInterrupt, "roll")
    assert answer.move == ROLL
    assert "Press Ctrl-C again to end the match at once, without a replay" in shown
    with pytest.raises(KeyboardInterrupt):
        talk(view, KeyboardInterrupt, KeyboardInterrupt)
    with pytest.raises(MatchStopped):
        talk(view, MatchStopped, "roll")  # a signal that ends the program, such as that of kill, asks nothing


def test_quitting_is_asked_about_once_more() -> None:
    view = first(TurnView, rolled=False, must_deal=False)
    assert talk(view, "quit", "no", "roll")[0].move == ROLL
    assert talk(view, "quit", "yes")[0].left is Leaving.QUIT
    assert talk(view, EOFError, "y")[0].left is Leaving.QUIT
    assert talk(view, "quit", is_terminal=False)[0].left is Leaving.QUIT
    assert talk(view, is_terminal=False)[0].left is Leaving.INPUT_ENDED
    with pytest.raises(MatchStopped):
        talk(view, "quit now")


def test_yes_and_no_have_other_words() -> None:
    view = next(v for v in views() if isinstance(v, AcceptView) and v.refusal(edition().rules, YES) is None)
    assert talk(view, "y")[0].move == YES
    assert talk(view, "accept")[0].move == YES
    assert talk(view, "n")[0].move == NO
    assert isinstance(view, BoardView)


def test_any_words_are_an_answer_that_is_legal_or_cost_nothing() -> None:
    """Whatever is typed: a whole conversation of nonsense ends with a legal answer, and nothing else is raised."""
    dice, answered = random.Random(3), 0
    every = [
        *MOMENTS,
        *GENERAL_WORDS,
        *NONSENSE,
    ]
    for view in views()[::5]:
        verbs = [verb.word for verb in words_for(load_game("board"), edition().rules, NAMES).asked(view).verbs]
        lines = [" ".join([dice.choice(verbs), *dice.choices(every, k=dice.randrange(5))]) for _ in range(12)]
        answer, _ = talk(view, *lines, is_terminal=False)
        if answer.move is not None:
            answered += 1
            assert view.refusal(edition().rules, answer.move) is None
    assert answered > 50
