"""What counts as a gift in each game, on tables written by hand."""

from __future__ import annotations

from typing import Any

from arena.games.board.cards import Card, Family
from arena.games.board.log import gifts as board_gifts
from arena.games.board.log import ledger_rows as board
from arena.games.cards.cards import Card as DealCard
from arena.games.cards.cards import Color
from arena.games.cards.log import gifts as card_gifts
from arena.games.cards.log import ledger_rows as cards
from arena.games.giving import Gift, MatchGifts, UsualAct


def deal(**changes: Any) -> board.DealRow:
    known = {
        "deal": 1,
        "turn": 1,
        "space": 0,
        "number": 1,
        "dividends": 4,
        "dividend": 3,
        "proceeds": 12,
        "opened_by": 0,
        "boss": 0,
        "new_bosses": 0,
        "ticks": 1,
        "outcome": board.Ending.CLOSED,
        "kept": 7,
    }
    return board.DealRow(**{**known, "paid": (0, 5, 0), **changes})


def payment(payer: int | None, payee: int, kind: board.PaymentKind, amount: int, sold: bool = False) -> Any:
    placards = (Family.RED,) if sold else ()
    agreement = None if payer is None else 1
    return board.PaymentRow(
        deal=1, payer=payer, payee=payee, kind=kind, amount=amount, agreement=agreement, placards=placards, clans=()
    )


OFFER = board.OfferRow(
    offer=1,
    deal=1,
    tick=1,
    boss=0,
    by=0,
    to=1,
    placards=(Family.RED,),
    clans=(),
    required=1,
    optional=0,
    price=5,
    dividends=5 / 3,
    share=5 / 12,
    answer=board.Answer.YES,
    outcome=board.OfferOutcome.AGREED,
)
AGREEMENT = board.AgreementRow(
    agreement=1,
    deal=1,
    tick=1,
    boss=0,
    partner=1,
    placards=(Family.RED,),
    clans=(),
    price=5,
    dividends=5 / 3,
    share=5 / 12,
    offer=1,
    outcome=board.AgreementOutcome.USED,
    paid=5,
)


def board_found(payments: list[Any], plays: list[Any]) -> MatchGifts:
    tables = {"deals": [deal()], "offers": [OFFER], "agreements": [AGREEMENT], "payments": payments, "plays": plays}
    return board_gifts.find_gifts(tables, 3)


def play(seat: int, kind: board.PlayKind, **more: Any) -> board.PlayRow:
    return board.PlayRow(deal=1, turn=1, tick=1, seat=seat, kind=kind, cards=(Card.BOSS,), **more)


def worth(seat: int, to: int, kind: str, sign: int) -> Gift:
    return Gift(seat, to, "plays", 0, sign * 12, (kind, 4))


def test_a_sale_is_money_from_the_boss_and_a_price_beside_the_usual_from_the_partner() -> None:
    proceeds = payment(None, 0, board.PaymentKind.PROCEEDS, 12)
    found = board_found([proceeds, payment(0, 1, board.PaymentKind.AGREEMENT, 5, sold=True)], [])
    price = ("price", 4, 1, 0)
    assert found.gifts == (Gift(0, 1, "paid", 5), Gift(1, 0, "cheaper", -5, 12, price))
    assert found.usual == (UsualAct(("kept", 4), 7, 12), UsualAct(price, 5, 12), UsualAct(("card", 4), 5, 12))


def test_a_side_promise_is_money_for_no_card() -> None:
    assert board_found([payment(0, 2, board.PaymentKind.SIDE_PROMISE, 4)], []).gifts == (Gift(0, 2, "paid", 4),)


def test_a_take_over_costs_the_boss_and_a_travel_card_the_owner() -> None:
    taken = play(2, board.PlayKind.BOSS, gained=0)
    travelled = play(1, board.PlayKind.TRAVEL, family=Family.RED, of=0)
    again = play(1, board.PlayKind.BOSS, gained=3)
    assert board_found([], [taken, travelled, again]).gifts == (
        worth(2, 0, "kept", -1),
        worth(1, 0, "card", -1),
        worth(1, 2, "kept", -1),  # who is Boss by now
    )


def test_a_stop_for_another_helps_it_and_hinders_who_played() -> None:
    stopped = play(2, board.PlayKind.BOSS, stopped_by=1)
    assert board_found([], [stopped]).gifts == (worth(1, 0, "kept", 1), worth(1, 2, "kept", -1))


def test_who_defends_itself_or_touches_its_own_or_nobodys_cards_gives_nothing() -> None:
    plays = [
        play(2, board.PlayKind.BOSS, stopped_by=0),
        play(1, board.PlayKind.TRAVEL, family=Family.RED, of=1),
        play(1, board.PlayKind.RECRUIT, family=Family.BLUE, of=None),
        play(1, board.PlayKind.LAY),
    ]
    assert board_found([], plays).gifts == ()


def share(seat: int, value: int, **more: int) -> cards.ShareRow:
    known = {"boss": False, "cousin": False, "potas": 0, "reverses": 0, "shares": 0, **more}
    due = known["shares"] * value * (-1 if known["reverses"] % 2 else 1)
    return cards.ShareRow(round=1, seat=seat, due=due, amount=due, **known)


def cards_found(shares: list[cards.ShareRow], actions: list[Any], bargains: list[Any], value: int) -> tuple[Gift, ...]:
    amounts = tuple(each.amount for each in shares)
    round = cards.RoundRow(
        round=1,
        boss=0,
        color=Color.RED,
        led=None,
        turns=3,
        tokens=0,
        total=4,
        multiplier=2,
        value=value,
        amounts=amounts,
    )
    tables = {"rounds": [round], "shares": shares, "bargains": bargains, "actions": actions}
    return card_gifts.find_gifts(tables, 3).gifts


def laid(seat: int, front: int, card: DealCard) -> cards.ActionRow:
    return cards.ActionRow(round=1, turn=1, seat=seat, kind=cards.ActionKind.PLAY, card=card, front=front)


def shifted(seat: int, source: int, front: int | None, card: DealCard) -> cards.ActionRow:
    return cards.ActionRow(
        round=1, turn=1, seat=seat, kind=cards.ActionKind.SHIFT, card=card, source=source, front=front
    )


def test_a_token_is_worth_what_it_brought() -> None:
    bargain = cards.BargainRow(
        bargain=1,
        round=1,
        turn=1,
        kind=cards.BargainKind.REQUEST,
        by=0,
        to=2,
        seat=2,
        want="gift",
        card=None,
        front=None,
        least=0,
        answer=cards.Answer.YES,
        token=40,
    )
    shares = [share(0, 40, shares=1), share(1, 40), share(2, 40, shares=1)]
    assert cards_found(shares, [], [bargain], 40) == (Gift(0, 2, "tokens", 40),)


def test_cards_laid_are_worth_what_they_changed_in_what_was_due() -> None:
    pota, reverse = laid(1, 0, DealCard.RED_POTA), laid(2, 0, DealCard.RED_REVERSE)
    shares = [share(0, 40, shares=2, potas=1, reverses=1), share(1, 40), share(2, 40)]
    assert cards_found(shares, [pota, reverse], [], 40) == (Gift(1, 0, "cards", -40), Gift(2, 0, "cards", -160))


def test_what_a_seat_lays_before_itself_is_no_gift_and_what_is_moved_comes_from_who_moved_it() -> None:
    own = laid(0, 0, DealCard.RED_POTA)
    moved = shifted(2, 0, 1, DealCard.RED_POTA)
    shares = [share(0, 40, shares=1), share(1, 40, shares=1, potas=1), share(2, 40)]
    assert cards_found(shares, [own, moved], [], 40) == (Gift(2, 0, "cards", -40), Gift(2, 1, "cards", 40))
