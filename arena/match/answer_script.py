"""All decisions of a recorded match, read once: for who lets it go its way many times."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from arena.games.contract import Ask
from arena.match.verify import Verifier
from arena.players.player import TimedAnswer
from arena.players.reply_checks import EMPTY_ANSWER
from arena.replay.frame import unpack_replay
from arena.replay.lines import Header
from arena.replay.read import rules_of


class AnswerScript(NamedTuple):
    """What the bots of a match answered, as :class:`arena.match.following.RecordedAnswers` has it: its ``header`` and
    typed ``rules``, how each seat ``began``, and by ask who was asked (``seats``) and the ``answers``, None for a seat
    that was out."""

    header: Header
    rules: Any
    began: tuple[TimedAnswer, ...]
    seats: tuple[int, ...]
    answers: tuple[TimedAnswer | None, ...]

    def start(self, seat: int) -> TimedAnswer:
        """How a seat's bot took the start."""
        return self.began[seat]

    def answer(self, ask: Ask, number: int) -> TimedAnswer:
        """What was answered to the match's ask ``number``, from 1."""
        return self.answers[number - 1] or EMPTY_ANSWER


@lru_cache(maxsize=4)
def script_of(packed: bytes) -> AnswerScript:
    """The script of a replay that is packed (:func:`arena.replay.frame.pack_replay`). Raises Mismatch at a line that
    does not follow from the rules, and ReplayError for what is no replay."""
    verifier = Verifier(unpack_replay(packed))
    verifier.take_header()
    minutes = verifier.set_up()
    minutes.open()
    began, seats, answers = [], list[int](), list[TimedAnswer | None]()
    for seat in range(len(verifier.header.seats)):
        began.append(verifier.start(seat))
        minutes.start(seat, began[-1])
    while minutes.state.asks:
        seats += [ask.seat for ask in minutes.state.asks]
        answers += verifier.decide(minutes)
        minutes.end_phase()
        minutes.forget()
    verifier.go_on(minutes)
    return AnswerScript(verifier.header, rules_of(verifier.header), tuple(began), tuple(seats), tuple(answers))
