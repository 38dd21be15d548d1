"""The decision at which a recorded match is branched: the seat, the question, the answer, and the other legal answers,
as moves, in words, and as typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

import msgspec

from arena.commands.branch.branches import BranchedMatch, Variant
from arena.config.botspec import parse_bot
from arena.errors import UserError, cut_text
from arena.foreign_files import DECODE_ERRORS
from arena.games import load_game
from arena.games.contract import Game, Move
from arena.human.game_words import words_for
from arena.human.lexicon import Unclear
from arena.human.question import GameWords
from arena.human.typed_move import as_typed, typed_move
from arena.match.following.branch import BranchAnswer
from arena.match.walk.timeline import TimelineAsk
from arena.printable import printable_text
from arena.recorded.replay_names import command_line_names
from arena.replay.lines import Faulted, move_decoder
from arena.replay.replay_sentences import fault_told
from arena.runs.planning.load_bots import check_plays, plays_of, refer_to_bot

TRIED_ANSWERS = 6
"""Without named answers, all other legal answers are tried if there are at most this many."""
NAMED_ANSWERS = 12
"""An error message lists at most this number of legal answers."""


class Decision(NamedTuple):
    """The ask ``number`` (from 1) of a match. ``line`` is the line of the file with the answer or the fault, None if
    the bot did nothing; ``question`` is the question as a human would read it, ``answered`` the answer in words.
    ``others`` are the legal answers that were not given, or a selection if they are too many to list. ``unasked``: the
    bot lacks the hook, and a default was played."""

    match: BranchedMatch
    number: int
    seat: int
    hook: str
    line: int | None
    question: tuple[str, ...]
    answered: str
    others: tuple[Move, ...]
    found: TimelineAsk
    words: GameWords
    unasked: bool = False

    @property
    def entrant(self) -> str:
        """Who was asked."""
        return self.match.entrants[self.seat]

    @property
    def game(self) -> Game:
        """The game of the match."""
        return load_game(self.match.spec.game)

    def move_text(self, move: Move) -> str:
        """A move in the game's words."""
        return printable_text(self.game.tell_move(move, self.found.view, self.match.spec.rules, self.match.entrants))

    def typed_move(self, move: Move) -> str:
        """A move as ``--move`` understands it: in the game's words if these mean this move and no other, else as
        JSON."""
        worded = self.game.presenting.words is not None
        typed = as_typed(self.words, self.found.view, move) if worded else None
        return _move_json(move) if typed is None else typed

    def parse_move(self, text: str) -> Move:
        """Parse a move that the user typed: as JSON, in the words that ``arena play`` understands, or by the name of a
        move without parameters. Raises UserError for text that is no move, and for a move that the rules refuse at this
        ask."""
        move = self._read(text)
        refusal = self.found.view.refusal(self.match.spec.rules, move)
        if refusal is not None:
            raise UserError(f"--move {cut_text(text)}: {refusal.reason} ({refusal.rule}); {self._legal()}")
        return move

    def _read(self, given: str) -> Move:
        text, why = given.strip(), ""
        decoder = move_decoder(self.match.spec.game, self.hook)
        if not text.startswith("{"):
            try:
                return typed_move(self.words, self.found.view, text)
            except Unclear as unclear:
                why = str(unclear)
                text = json.dumps({"move": text.casefold()})
        try:
            return decoder.decode(text)  # type: ignore[no-any-return]
        except DECODE_ERRORS as problem:
            why = why or printable_text(str(problem))
        except UnicodeEncodeError:  # an argument may hold bytes that are no text
            why = why or "it is not valid UTF-8"
        raise UserError(
            f"--move {cut_text(given)}: not an answer to {self.hook}: {cut_text(why, 300)}; {self._legal()}"
        )

    def _legal(self) -> str:
        """The legal answers, worded for an error message."""
        legal = self.found.legal
        more = f" and {len(legal) - NAMED_ANSWERS} more" if len(legal) > NAMED_ANSWERS else ""
        named = ", ".join(quote(self.typed_move(move)) for move in legal[:NAMED_ANSWERS])
        return f"legal at ask {self.number}: {named}{more}"


def decision_at(match: BranchedMatch, number: int) -> Decision:
    """The decision at ask ``number``, which the match must have. Raises UserError if its seat was out of the match by
    then."""
    found = match.timeline.ask(number)
    assert found is not None
    seat, entrants = found.ask.seat, match.entrants
    if found.out:
        raise UserError(f"{entrants[seat]} (seat {seat}) was out at ask {number}, so it had nothing to decide")
    game, rules = load_game(match.spec.game), match.spec.rules
    words = words_for(game, rules, entrants)
    question = tuple(map(printable_text, words.asked(found.view).question))
    bare = Decision(match, number, seat, found.ask.hook, found.at, question, "", (), found, words)
    fault = isinstance(found.line, Faulted)
    others = tuple(move for move in found.legal if fault or move != found.played)
    return bare._replace(answered=_answer_text(bare), others=others)


def _answer_text(decision: Decision) -> str:
    """What was answered, in words."""
    found, played = decision.found, decision.move_text(decision.found.played)
    if isinstance(found.line, Faulted):
        return f"{printable_text(fault_told(found.line, decision.match.entrants))} Instead: {played}"
    return f"{played} (or nothing at all, which has the same effect)" if found.line is None else played


def told_unasked(decision: Decision) -> Decision:
    """The decision with ``unasked`` filled in. Raises BotError for a bot that cannot be loaded."""
    if decision.line is not None:
        return decision
    match = decision.match
    hooks = plays_of(match.bots[decision.seat], match.isolation).get(match.spec.game, frozenset())
    return decision._replace(unasked=decision.hook not in hooks)


def given_moves(decision: Decision, texts: Sequence[str]) -> dict[str, Variant]:
    """The variants in which the seat makes other moves, by the moves in words: the moves in ``texts``, or without any
    all other legal moves, if these are few. Raises UserError for text that is no legal move, or for too many moves."""
    if not texts:
        return {decision.move_text(move): _move_variant(decision, move) for move in _other_moves(decision)}
    found = {}
    for text in texts:
        move = decision.parse_move(text)
        if move == decision.found.played and not isinstance(decision.found.line, Faulted):
            raise UserError(
                f"--move {cut_text(text)}: that is what {decision.entrant} answered; {_suggest_answers(decision)}"
            )
        found[decision.move_text(move)] = _move_variant(decision, move)
    return found


def _move_variant(decision: Decision, move: Move) -> Variant:
    return Variant(decision.number, BranchAnswer.GIVEN, msgspec.json.encode(move))


def _other_moves(decision: Decision) -> tuple[Move, ...]:
    """All other legal moves. Raises UserError where there is none, or many."""
    others, who = decision.others, f"{decision.entrant} at ask {decision.number} ({decision.hook})"
    if not others:
        raise UserError(f"{who} had no other legal answer; let another bot take over from there with --bot BOT")
    if len(others) > TRIED_ANSWERS:
        raise UserError(f"{who} had more than {TRIED_ANSWERS} other legal answers; {_suggest_answers(decision)}")
    return others


def _suggest_answers(decision: Decision) -> str:
    """Examples of answers that the user could name."""
    some = [f"--move {quote(decision.typed_move(move))}" for move in decision.others[:3]]
    if not some:
        return "it had no other"
    named = shlex.join(command_line_names(decision.match.path))
    return f"name one, such as {', '.join(some)}; list all with: arena show {named} --at ask{decision.number}"


def takeover_variants(decision: Decision, text: str) -> dict[str, Variant]:
    """The variant in which the bot named in ``text`` takes over the seat from this ask on, by its description. Raises
    UserError and BotError."""
    bot = refer_to_bot(parse_bot(text))
    check_plays([bot], decision.match.spec.game, decision.match.isolation)
    return {f"{text} takes over": Variant(decision.number, BranchAnswer.OWN, bot=bot)}


def _move_json(move: Move) -> str:
    return msgspec.json.encode(move).decode()
