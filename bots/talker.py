"""Lets a language model bargain and talk, in both games: what it offers, accepts and closes. All else is by rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.bot import Finish, Reply, Start, View
from arena.games import board, cards
from arena.games.board import BoardBot, OpenOffer
from arena.games.board.talking import LANGUAGES, BoardBrief, BoardQuestions
from arena.games.cards import talking as of_cards
from arena.games.contract import NO, YES
from arena.talking import ModelTalk, Objection, Phrasebook, RuleBot, bundled_bot_class, heard_line


class Talker(BoardBot, cards.CardsBot):
    """It consults the ``model`` of the tournament file (empty: its first) in ``language`` (``en``, ``nl``), for an
    answer of at most ``max_tokens``. The bundled bot ``plays`` (empty: ``dealmaker``, in the card game ``tycoon``)
    answers all other asks, and these where no model may be asked. At most ``attempts`` prices are tried for one card of
    one seat in a deal; in the card game it makes at most as many offers to a seat in a round."""

    rules: Any  # those of the game that is played

    def __init__(
        self, language: str = "en", plays: str = "", model: str = "", max_tokens: int = 1000, attempts: int = 3
    ) -> None:
        self.language, self.plays, self.model = str(language), str(plays), str(model)
        self.max_tokens, self.attempts = max_tokens, attempts
        Phrasebook(LANGUAGES, self.language)  # mistakes are told before the match
        if self.plays:
            bundled_bot_class(self.plays)

    def start(self, start: Start) -> None:
        on_board = start.game == "board"
        self.by_rule = RuleBot(self.plays or ("dealmaker" if on_board else "tycoon"), self, start)
        book = Phrasebook(LANGUAGES if on_board else of_cards.LANGUAGES, self.language)
        self.talk = ModelTalk(self.consult, book, self.model, self.max_tokens)
        self.brief: Any = BoardBrief(self.rules, book.phrase)
        self.questions: Any = BoardQuestions(self.brief, self.attempts)
        if not on_board:
            self.brief = of_cards.CardsBrief(self.rules, book.phrase)
            self.questions = of_cards.CardsQuestions(self.brief, self.attempts)
        self.system = self.brief.system_text(self.seat, self.players)
        self.phase: object = None  # of offers in the board game, whose answers are:
        self.answers: dict[OpenOffer, bool] | None = {}

    def table(self, view: View) -> str:
        """What is put to the model besides the question: the table, and what was said there."""
        heard = heard_line(self.seen_events)
        return "\n".join([self.brief.table_text(view), *([heard] if heard else [])])

    def choose(self, method: Callable[[Any], Any], view: View, choices: Sequence[tuple[Any, int | None]]) -> Any:
        """What the model chooses of moves with their gains; the answer of the rules where there is no choice."""
        if not choices:
            return self.by_rule.answer(method, view)
        question = self.questions.choice_question(view, choices)
        told = self.talk.ask_until(self.system, self.table(view), question, lambda data: (int(data["choice"]), None))
        return self.by_rule.answer(method, view) if told is None else Reply(choices[told[0]][0], told[1])

    def offer(self, view: board.OfferView | cards.OfferView) -> Any:
        if isinstance(view, cards.OfferView):
            reply = self.choose(self.offer, view, self.questions.offer_choices(view))
            self.questions.note_offer(view, reply.move if isinstance(reply, Reply) else reply)
            return reply
        ranges = self.questions.price_ranges(view)
        if not ranges:
            return self.by_rule.answer(self.offer, view)

        def read(data: dict[str, Any]) -> tuple[Any, Objection | None]:
            move, wrong = self.questions.read_offers(view, ranges, data)
            if move is not None and (refusal := self.refusal(view, move)) is not None:
                return move, Objection("refused", f"{refusal.rule}: {refusal.reason}")
            return move, Objection("price", wrong) if wrong else None

        question = self.questions.offer_question(view, ranges)
        told = self.talk.ask_until(self.system, self.table(view), question, read)
        if told is None or told[0] is None:
            return self.by_rule.answer(self.offer, view)
        return Reply(*told)

    def accept(self, view: board.AcceptView | cards.AcceptView) -> Any:
        if isinstance(view, cards.AcceptView):
            return self.choose(self.accept, view, self.questions.accept_choices(view))
        asked, say = OpenOffer(view.by, view.offer), ""
        phase = (view.turn, view.boss, view.tick, view.offered)
        if phase != self.phase or (self.answers is not None and asked not in self.answers):
            self.answers, say = self.answer_phase(view)
            self.phase = phase
        if self.answers is None:
            return self.by_rule.answer(self.accept, view)
        return Reply(YES if self.answers.pop(asked, False) else NO, say)

    def answer_phase(self, view: board.AcceptView) -> tuple[dict[OpenOffer, bool] | None, str]:
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
        return answers | {asked[int(number)]: True for number in told[0]}, told[1]

    def close(self, view: board.CloseView) -> Any:
        return self.choose(self.close, view, self.questions.closing_choices(view))

    def place_marker(self, view: board.MarkerView) -> board.MarkerAnswer:
        return self.by_rule.answer(self.place_marker, view)

    def turn(self, view: board.TurnView) -> board.TurnAnswer:
        return self.by_rule.answer(self.turn, view)

    def interrupt(self, view: board.InterruptView) -> board.InterruptAnswer:
        return self.by_rule.answer(self.interrupt, view)

    def lead(self, view: cards.LeadView) -> Any:
        return self.by_rule.answer(self.lead, view)

    def play(self, view: cards.PlayView) -> Any:
        return self.by_rule.answer(self.play, view)

    def discard(self, view: board.DiscardView | cards.DiscardView) -> Any:
        return self.by_rule.answer(self.discard, view)

    def finish(self, finish: Finish) -> None:
        self.by_rule.finish(finish)
