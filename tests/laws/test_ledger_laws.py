"""The tables of a match: in every edition, at every number of players, and in every golden replay they agree with what
the game itself says was asked, answered, agreed and paid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ReplayError, UserError
from arena.games import load_game
from arena.games.board import Yes
from arena.games.board.log.deal_chances import THOUSANDTHS
from arena.games.board.log.ledger import BoardLedger
from arena.games.board.log.ledger_rows import (
    AgreementOutcome,
    Answer,
    DealRow,
    Ending,
    OfferOutcome,
    OfferRow,
    PaymentKind,
)
from arena.games.board.moves import Offer
from arena.games.cards.log.ledger_rows import Answer as CardsAnswer
from arena.games.contract import Event, Ledger, Move, no_ledger
from arena.replay.ledger_events import tables_in
from arena.replay.lines import Faulted, Result
from arena.replay.read import read_replay_lines

from .cases import CASES, Case, Walk, game_of, rules_of, seeds
from .try_laws import Laws

Rows = Mapping[str, Sequence[Any]]
HERE = Path(__file__).parents[1] / "golden"
GOLDEN = [*sorted(HERE.glob("*.jsonl")), *sorted(HERE.glob("*.*.*/*.jsonl"))[::8]]
WITH_TABLES = [case for case in CASES if game_of(case).tables]
law = Laws(WITH_TABLES)
every_golden = pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")


class Heard(Walk):
    """A random match that a ledger follows as it follows a replay: the answers of a phase but for idle ones, then its
    events. ``questions`` are the topics of all asks to accept, with what was answered."""

    def __init__(self, case: Case, seed: int) -> None:
        self.events: list[Event] = []
        super().__init__(case, seed, self.events)
        self.ledger: Ledger = game_of(case).ledger(rules_of(case), case.players)
        self.questions: list[tuple[Any, bool]] = []
        self.asks = 0
        self.answers: list[tuple[int, int, str, Move]] = []

    def note(self, index: int, move: Move) -> None:
        self.asks += 1
        seat, hook, topic = self.state.asks[index]
        if hook == "accept":
            self.questions.append((topic, type(move) is Yes))
        if game_of(self.case).hooks[hook].idle != move:
            self.answers.append((self.asks, seat, hook, move))

    def play(self) -> Rows:
        """The tables at the end."""
        for state, index in self:
            if not index:
                self.tell()
                if isinstance(self.ledger, BoardLedger):
                    check_terms(self.ledger, state)
        self.tell()
        return self.ledger.tables()

    def tell(self) -> None:
        for answer in self.answers:
            if answer[2] in self.ledger.hears:
                self.ledger.answer(*answer)
        for event in self.events:
            self.ledger.follow(event)
        self.answers.clear()
        self.events.clear()


def check_terms(ledger: BoardLedger, state: Any) -> None:
    """What is open and what stands is what the state says."""
    if state.boss < 0:
        return
    for seat, offers in enumerate(state.offers):
        assert seat == state.boss or set(ledger.offers.open[seat]) == set(offers)
    standing = [ledger.deals.agreements[place] for place in ledger.deals.standing]
    found = [(a.partner, a.price, a.placards, a.clans) for a in standing]
    assert sorted(found) == sorted((a.partner, a.price, a.placards, a.clans) for a in state.agreements)


def money_in(game: str, players: int, rows: Rows) -> list[int]:
    """What each seat has won and lost, by the tables alone."""
    paid = [0] * players
    if game == "cards":
        for share in rows["shares"]:
            paid[share.seat] += share.amount
        return paid
    for payment in rows["payments"]:
        paid[payment.payee] += payment.amount
        if payment.payer is not None:
            paid[payment.payer] -= payment.amount
    return paid


@law
def law_the_rows_of_a_random_match_say_what_was_asked_answered_agreed_and_paid(case: Case) -> None:
    walk, game = Heard(case, seeds(case)[-1]), game_of(case)
    rows = walk.play()
    assert {name: {type(row) for row in each} - {game.tables[name]} for name, each in rows.items()} == {
        name: set() for name in game.tables
    }
    assert walk.state.outcome is not None
    start = getattr(rules_of(case), "start_money", 0)
    paid = money_in(game.name, case.players, rows)
    assert tuple(start + amount for amount in paid) == walk.state.outcome.money
    if game.name == "board":
        check_offers(rows, walk.questions)
    else:
        answered = [(row.by, row.answer is CardsAnswer.YES) for row in rows["bargains"]]
        assert answered == [(bargain.by, yes) for bargain, yes in walk.questions]


def check_offers(rows: Rows, questions: list[tuple[Any, bool]]) -> None:
    """Every offer was asked about once, and is answered as it was."""
    offers: Sequence[OfferRow] = rows["offers"]
    told = [((row.by, terms(row)), row.answer is Answer.YES) for row in offers]
    assert sorted(told, key=repr) == sorted(questions, key=repr)
    assert [row.offer for row in offers] == list(range(1, len(offers) + 1))
    for row in offers:
        assert not (row.answer is Answer.YES and row.outcome not in (OfferOutcome.AGREED, OfferOutcome.UNDERCUT))
        assert row.boss in (row.by, row.to)
        assert row.outcome is not OfferOutcome.WITHDRAWN or row.by != row.boss
    for agreement in rows["agreements"]:
        assert offers[agreement.offer - 1].outcome is OfferOutcome.AGREED
    for deal in rows["deals"]:
        assert deal.kept + sum(deal.paid) == (deal.proceeds if deal.outcome is Ending.CLOSED else 0)
        check_chances(deal)


def check_chances(deal: DealRow) -> None:
    """What closed could be closed, and Shapley values divide what it paid."""
    closed = deal.outcome is Ending.CLOSED
    assert deal.closable or not (closed or deal.missed), "closed, or missed, with cards that nobody had"
    assert not (closed and deal.missed)
    assert abs(sum(deal.shapley) - THOUSANDTHS * deal.proceeds * closed) <= len(deal.shapley)


def terms(row: OfferRow) -> Offer:
    return Offer(row.to, row.price, row.placards, row.clans)


@every_golden
def test_a_golden_replay_pays_what_it_ends_with_for_agreements_and_deals_alone(path: Path) -> None:
    content = path.read_bytes()
    header, lines = read_replay_lines(content)
    assert isinstance(lines[-1], Result)
    rows = tables_in(content)
    check_agreements(rows)
    failed = {line.seat for line in lines if isinstance(line, Faulted)}
    for row in (*rows.get("offers", ()), *rows.get("bargains", ())):
        assert row.answer.value != "default" or row.to in failed
    paid = money_in(header.game, len(header.seats), rows)
    start = header.rules.get("start_money", 0)
    assert [start + amount for amount in paid] == [seat.money for seat in lines[-1].seats]


def check_agreements(rows: Rows) -> None:
    """What is paid for an agreement is its price, and only closed deals pay."""
    payments = {each.agreement: each for each in rows.get("payments", ()) if each.agreement}
    for made in rows.get("agreements", ()):
        payment = payments.get(made.agreement)
        assert made.usable <= (made.outcome in (AgreementOutcome.USED, AgreementOutcome.UNUSED))
        assert (payment is not None) == (made.outcome is AgreementOutcome.USED)
        if payment is not None:
            assert (payment.payer, payment.payee, payment.amount) == (made.boss, made.partner, made.price)
            assert (payment.kind is PaymentKind.SIDE_PROMISE) == (not made.placards and not made.clans)


def test_a_line_that_does_not_follow_from_those_before_it_is_named() -> None:
    content = (Path(__file__).parents[1] / "golden" / "eagle-gryphon-4p.jsonl").read_bytes()
    lines = content.splitlines(keepends=True)
    number = next(place for place, line in enumerate(lines) if line.startswith(b'{"event":"agreed"'))
    lines[number] = lines[number].replace(b'"price":', b'"price":9')
    with pytest.raises(ReplayError, match=rf"^line {number + 1}: nobody has offered what was agreed"):
        tables_in(b"".join(lines))


@pytest.mark.parametrize(
    ("begin", "field"),
    [('{"event":"answer"', "seat"), ('{"event":"offered"', "seat"), ('{"event":"closed"', "space")],
)
def test_a_seat_or_space_below_0_is_refused_and_not_counted_from_the_end(begin: str, field: str) -> None:
    content = (Path(__file__).parents[1] / "golden" / "eagle-gryphon-4p.jsonl").read_text()
    lines = content.splitlines(keepends=True)
    number = next(place for place, line in enumerate(lines) if line.startswith(begin))
    lines[number] = re.sub(rf'"{field}":\d+', f'"{field}":-1', lines[number], count=1)
    with pytest.raises(ReplayError, match=rf"^line {number + 1}: Expected `int` >= 0 - at `\$.{field}`"):
        tables_in("".join(lines).encode())


def test_a_game_without_a_ledger_has_no_tables() -> None:
    pie = load_game("tests.thirdgame.pie")
    assert not pie.tables
    with pytest.raises(UserError, match="does not define tables of its matches"):
        no_ledger(None, 2)
