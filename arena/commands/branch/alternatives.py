"""The decisions of one seat in a recorded match, each with the alternatives to compare it with."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import NamedTuple

import msgspec

from arena.commands.branch.branches import BranchedMatch
from arena.commands.branch.inference.candidates import Candidate
from arena.finding.reference import BotRef
from arena.games import load_game
from arena.games.contract import Hook, Move
from arena.match.feeding.fed_bot import RepeatedAsk
from arena.match.walk.timeline import TimelineAsk
from arena.recorded.feeding import BotFeeder
from arena.replay.lines import Faulted, move_decoder

ASKED_SEEDS = 16
"""Number of other seeds with which the bot is asked again."""
MOST_OTHERS = 3
"""At most this number of answers given with other seeds is compared at one ask, the most frequent first: a bot that
draws one of many answers may give another each time."""

_encode = msgspec.json.encode


class ScannedDecision(NamedTuple):
    """A decision as recorded in the replay (``decided``), and as a ``candidate`` of a scan."""

    decided: TimelineAsk
    candidate: Candidate


class OtherAnswers(NamedTuple):
    """Other answers to the asks of a seat, which were put to bots again. ``answers`` counts by ask those that the bot
    itself gave with other seeds, without the recorded one; ``opinion`` has by ask the answer of the second opinion
    where it differs."""

    answers: dict[int, Counter[bytes]]
    opinion: dict[int, bytes]


def decisions_of(
    match: BranchedMatch, seat: int, few: int, again: BotFeeder, opinion: BotRef | None
) -> list[ScannedDecision]:
    """The asks of a seat that left a choice, in order, each with the answers to compare: all legal answers if these are
    at most ``few``, else the bot's own answers with other seeds, the answer of the second ``opinion``, and the default
    for a silent bot. Raises UserError if the match has no such seat."""
    elsewhere = ask_elsewhere(match, seat, again, opinion)
    seen = []
    for decided in match.timeline.asks_of(seat):
        if decided.out or len(decided.legal) < 2:
            continue
        unsure = elsewhere.answers.get(decided.number, Counter()).total() / ASKED_SEEDS
        differs = elsewhere.opinion.get(decided.number)
        others = _other_answers(match, decided, few, elsewhere)
        if others:
            legal = len(decided.legal)
            candidate = Candidate(
                decided.number, decided.ask.hook, legal, unsure, differs in others, legal <= few, others
            )
            seen.append(ScannedDecision(decided, candidate))
    return seen


def ask_elsewhere(match: BranchedMatch, seat: int, again: BotFeeder, opinion: BotRef | None) -> OtherAnswers:
    """Put the asks of the seat to its own bot with other seeds, and to the second opinion with the match's seed."""
    answers: dict[int, Counter[bytes]] = {}
    for number in range(ASKED_SEEDS):
        seed = sha256(f"{match.spec.seed}/branch/{seat}/seed/{number}".encode()).hexdigest()[:32]
        for asked in again.answers(match.timeline, seat, match.bots[seat], seed):
            if (move := _other_move(match, asked)) is not None:
                answers.setdefault(asked.number, Counter())[move] += 1
    found = () if opinion is None else again.answers(match.timeline, seat, opinion)
    told = {asked.number: move for asked in found if (move := _other_move(match, asked)) is not None}
    return OtherAnswers(answers, told)


def _other_move(match: BranchedMatch, asked: RepeatedAsk) -> bytes | None:
    """The answer, as JSON, if its move differs from the recorded one; None if not, and for faults."""
    if asked.same or asked.recorded.fault is not None or asked.answered.fault is not None:
        return None
    hook = load_game(match.spec.game).hooks[asked.hook]
    then, now = _encode_move(hook, asked.recorded.move), _encode_move(hook, asked.answered.move)
    return None if then == now else now


def _encode_move(hook: Hook, move: Move | None) -> bytes:
    return _encode(hook.idle if move is None else move)


def _other_answers(match: BranchedMatch, decided: TimelineAsk, few: int, elsewhere: OtherAnswers) -> tuple[bytes, ...]:
    """The answers, as JSON, that are compared with the recorded one, each once."""
    played = b"" if isinstance(decided.line, Faulted) else _encode(decided.played)
    if len(decided.legal) <= few:
        return tuple(move for each in decided.legal if (move := _encode(each)) != played)
    found = [] if (differs := elsewhere.opinion.get(decided.number)) is None else [differs]
    by_count = sorted(elsewhere.answers.get(decided.number, Counter()).items(), key=lambda each: (-each[1], each[0]))
    found += [move for move, _ in by_count[:MOST_OTHERS]]
    found.append(_encode(decided.default))
    return tuple(move for move in dict.fromkeys(found) if move != played and _is_legal(match, decided, move))


def _is_legal(match: BranchedMatch, decided: TimelineAsk, move: bytes) -> bool:
    """Whether the rules allow the move at this ask, as the match would judge it."""
    typed = move_decoder(match.spec.game, decided.ask.hook).decode(move)
    return decided.view.refusal(match.spec.rules, typed) is None
