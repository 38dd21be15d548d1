"""Lets a language model bargain and talk: what it offers, accepts and closes. All else is played by rules."""

from __future__ import annotations

from typing import Any

from arena.bot import Finish, Reply, Start
from arena.games.board import (
    AcceptAnswer,
    AcceptView,
    BoardBot,
    BoardView,
    CloseAnswer,
    CloseView,
    DiscardAnswer,
    DiscardView,
    InterruptAnswer,
    InterruptView,
    MarkerAnswer,
    MarkerView,
    OfferAnswer,
    OfferView,
    OpenOffer,
    TurnAnswer,
    TurnView,
)
from arena.games.board.moves import OfferMove
from arena.games.board.talking import BoardBrief, BoardQuestions, Phrasebook
from arena.games.contract import NO, YES
from arena.talking import ModelTalk, Objection, RuleBot, heard_line


class Talker(BoardBot):
    """It consults the ``model`` of the tournament file (empty: its first) in ``language`` (``en``, ``nl``), for an
    answer of at most ``max_tokens``. The bundled bot ``plays`` answers all other asks, and these where no model may be
    asked. At most ``attempts`` prices are tried for one card of one seat in a deal."""

    def __init__(
        self,
        language: str = "en",
        plays: str = "dealmaker",
        model: str = "",
        max_tokens: int = 1000,
        attempts: int = 3,
    ) -> None:
        self.book, self.plays, self.attempts = Phrasebook(language), plays, attempts
        self.talk = ModelTalk(lambda consult: self.consult(consult), self.book, model, max_tokens)

    def start(self, start: Start) -> None:
        self.by_rule = RuleBot(self.plays, self, start)
        self.brief = BoardBrief(self.rules, self.book)
        self.questions = BoardQuestions(self.brief, self.attempts)
        self.system = self.brief.system_text(self.seat, self.players)
        self.phase: object = None  # of offers, whose answers are:
        self.answers: dict[OpenOffer, bool] | None = {}

    def table(self, view: BoardView) -> str:
        """What is put to the model besides the question: the table, and what was said there."""
        heard = heard_line(self.seen_events)
        return f"{self.brief.table_text(view)}\n{heard}" if heard else self.brief.table_text(view)

    def offer(self, view: OfferView) -> OfferAnswer:
        ranges = self.questions.price_ranges(view)
        if not ranges:
            return self.by_rule.answer(self.offer, view)

        def read(data: dict[str, Any]) -> tuple[OfferMove | None, Objection | None]:
            move, wrong = self.questions.read_offers(view, ranges, data)
            if move is not None and (refusal := self.refusal(view, move)) is not None:
                return move, Objection("refused", f"{refusal.rule}: {refusal.reason}")
            return move, Objection("price", wrong) if wrong else None

        question = self.questions.offer_question(view, ranges)
        told = self.talk.ask_until(self.system, self.table(view), question, read)
        if told is None or told[0] is None:
            return self.by_rule.answer(self.offer, view)
        return Reply(*told)

    def accept(self, view: AcceptView) -> AcceptAnswer:
        asked, say = OpenOffer(view.by, view.offer), ""
        phase = (view.turn, view.boss, view.tick, view.offered)
        if phase != self.phase or (self.answers is not None and asked not in self.answers):
            self.answers, say = self.answer_phase(view)
            self.phase = phase
        if self.answers is None:
            return self.by_rule.answer(self.accept, view)
        return Reply(YES if self.answers.pop(asked, False) else NO, say)

    def answer_phase(self, view: AcceptView) -> tuple[dict[OpenOffer, bool] | None, str]:
        """The answers to all offers that this seat is asked about now, None for those of the rules, and what is said
        with the first of them."""
        answers = {each: False for each in view.offered[-view.asked :] if each.offer.to == self.seat}
        asked = self.questions.asked_offers(view)
        if not asked:
            return answers, ""
        question = self.questions.accept_question(view, asked)
        told = self.talk.ask_until(self.system, self.table(view), question, lambda data: (data["yes"], None))
        if told is None:
            return None, ""
        yes, say = told
        return answers | {asked[int(number)]: True for number in yes}, say

    def close(self, view: CloseView) -> CloseAnswer:
        choices = self.questions.closing_choices(view)
        if not choices:
            return self.by_rule.answer(self.close, view)
        question = self.questions.close_question(view, choices)
        told = self.talk.ask_until(self.system, self.table(view), question, lambda data: (data["choice"], None))
        return self.by_rule.answer(self.close, view) if told is None else Reply(choices[int(told[0])][0], told[1])

    def place_marker(self, view: MarkerView) -> MarkerAnswer:
        return self.by_rule.answer(self.place_marker, view)

    def turn(self, view: TurnView) -> TurnAnswer:
        return self.by_rule.answer(self.turn, view)

    def interrupt(self, view: InterruptView) -> InterruptAnswer:
        return self.by_rule.answer(self.interrupt, view)

    def discard(self, view: DiscardView) -> DiscardAnswer:
        return self.by_rule.answer(self.discard, view)

    def finish(self, finish: Finish) -> None:
        self.by_rule.finish(finish)
