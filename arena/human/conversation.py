"""The dialogue about one ask, until the human has answered: reads lines, understands or refuses them, undoes, sends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import View
from arena.human.answer import HumanAnswer, Leaving, TerminalClosed
from arena.human.dialogue import Dialogue
from arena.human.general_commands import run_general_command
from arena.human.lexicon import Unclear, parse_money, split_words
from arena.human.question import GameWords, TypedAnswer, Verb
from arena.human.terminals.screen import Screen
from arena.human.terminals.text_columns import fold_text

INPUT_LENGTH = 2000
"""The greatest length of a typed line, in characters."""


class Conversation:
    """The dialogues with the human in one seat, one :meth:`ask` at a time. ``log`` has all sentences shown so far."""

    def __init__(self, screen: Screen, words: GameWords, rules: Any, log: Sequence[str]) -> None:
        self.screen, self.words, self.rules, self.log = screen, words, rules, log
        self.asks = 0

    def ask(self, view: View) -> HumanAnswer:
        """Talk with the human until it has answered the ask that ``view`` came with; return its answer."""
        self.asks += 1
        try:
            return AskConversation(self.screen, self.words, self.rules, self.log, view, self.asks).run()
        except TerminalClosed:
            return HumanAnswer(left=Leaving.HUNG_UP)


class AskConversation(Dialogue):
    """One ask, and the lines that the human types until one of them answers it."""

    def run(self) -> HumanAnswer:
        """Show the question and read lines until one is an answer; return that answer."""
        self.show_question()
        interrupted = False
        while True:
            try:
                line = self.screen.lines.read(self.prompt(), self.completion_words())
            except KeyboardInterrupt as stop:
                ctrl_c = type(stop) is KeyboardInterrupt  # another signal, such as that of kill, raises a subclass
                if interrupted or not ctrl_c or not self.screen.lines.is_terminal:
                    raise
                interrupted = True
                self.screen.show(
                    "Press Ctrl-C again to end the match at once, without a replay; quit leaves the "
                    "table and saves the replay."
                )
                continue
            except EOFError:
                if not self.screen.lines.is_terminal:
                    return HumanAnswer(left=Leaving.INPUT_ENDED)
                line = "quit"
            interrupted = False
            answer = self.take(line)
            if answer is not None:
                return answer

    def take(self, line: str) -> HumanAnswer | None:
        """Carry out one typed line; return the answer, or None if the dialogue goes on. A line that is not understood,
        or not legal, prints a warning and changes nothing."""
        try:
            if len(line) > INPUT_LENGTH:
                raise Unclear(f"a line of {len(line)} characters; at most {INPUT_LENGTH}")
            return self.read_line(line.strip())
        except Unclear as problem:
            self.refused = str(problem)
            warned = [self.screen.ink.warn(each) for each in fold_text(f"?  {problem}", self.screen.width, 3)]
            self.screen.say(warned)
            return None

    def read_line(self, line: str) -> HumanAnswer | None:
        """As :meth:`take`, but raises Unclear for a line that is not understood or not legal."""
        words = split_words(line)
        if not words:
            return self.send()
        if words == ["?"]:
            words = ["help"]
        if len(words) == 1 and (number := parse_money(words[0])) is not None:
            return self.read_line(self.number_line(number))
        verb = self.verb(words[0])
        if isinstance(verb, Verb):
            return self.read(verb.read(words[1:], self.drafts[-1]))
        rest = line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else ""
        return run_general_command(self, verb, words[1:], rest)

    def read(self, read: TypedAnswer) -> HumanAnswer | None:
        """Answer with the move that was typed, if it is legal; without a move store the new draft and show it."""
        if read.move is None:
            self.drafts.append(read.draft)
            self.show_draft(read.told)
            return None
        self.judge(read.move)
        if read.told:
            self.screen.say(fold_text(f"   {read.told}", self.screen.width, 3))
        return HumanAnswer(read.move, self.said, self.note)

    def send(self) -> HumanAnswer | None:
        """Answer an empty line: send the draft, or else the idle move. Raises Unclear if there is neither."""
        draft = self.drafts[-1]
        if draft is not None:
            move = self.asked.sent(draft)
            assert move is not None
            self.judge(move)
            return HumanAnswer(move, self.said, self.note)
        if self.asked.idle is None:
            raise Unclear("an answer is needed here: type the number of a choice, or help")
        return HumanAnswer(self.asked.idle, self.said, self.note)
