"""One ask, talked over until it is answered: lines are read, understood or refused, composed, undone, and sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import Move, View
from arena.human.always import general
from arena.human.answer import Answer, HungUp, Leaving
from arena.human.asked import Asked, Draft, GameWords, Read, Verb
from arena.human.columns import fold
from arena.human.help import GENERAL
from arena.human.lexicon import Unclear, choose, either, find, money, shown, some, words_of
from arena.human.screen import Screen

COLUMN = 32
"""Letters of a choice at most beside which there is room for what it does."""
REMINDED = 6
"""Asks at which it is said that there is help."""
INPUT_LENGTH = 2000
"""Characters of a typed line at most."""


class Conversation:
    """Asks of one seat, one :meth:`ask` at a time. ``log`` are the sentences told so far, oldest first."""

    def __init__(self, screen: Screen, words: GameWords, rules: Any, log: Sequence[str]) -> None:
        self.screen, self.words, self.rules, self.log = screen, words, rules, log
        self.asks = 0

    def ask(self, view: View) -> Answer:
        """Talk until the ask that ``view`` came with is answered."""
        self.asks += 1
        try:
            return Talk(self, view).run()
        except HungUp:
            return Answer(left=Leaving.HUNG_UP)


class Talk:
    """One ask. ``drafts`` are the answers composed so far, the latest last."""

    def __init__(self, of: Conversation, view: View) -> None:
        self.screen, self.words, self.rules, self.log, self.view = of.screen, of.words, of.rules, of.log, view
        self.asked: Asked = of.words.asked(view)
        self.drafts: list[Draft] = [None]
        self.reminder = "help lists all words." if of.asks <= REMINDED else ""
        self.said = self.note = self.refused = ""
        self.pages = of.words.more_pages()
        self.verbs = self._verbs()

    def _verbs(self) -> dict[str, Verb | str]:
        """What may begin a line: the ask's verbs, then words that are always understood."""
        found: dict[str, Verb | str] = {}
        for verb in self.asked.verbs:
            found |= dict.fromkeys((verb.word, *verb.also), verb)
        for word in (*GENERAL, *self.pages):
            found.setdefault(word, word)
        return found

    def run(self) -> Answer:
        """The answer."""
        self.show_question()
        interrupted = False
        while True:
            try:
                line = self.screen.lines.read(self.prompt(), self.completed())
            except KeyboardInterrupt as stop:
                ctrl_c = type(stop) is KeyboardInterrupt  # another signal, such as that of kill, raises a subclass
                if interrupted or not ctrl_c or not self.screen.lines.is_terminal:
                    raise
                interrupted = True
                self.screen.show("Ctrl-C once more ends the match at once, without a replay; quit leaves and saves it.")
                continue
            except EOFError:
                if not self.screen.lines.is_terminal:
                    return Answer(left=Leaving.INPUT_ENDED)
                line = "quit"
            interrupted = False
            answer = self.take(line)
            if answer is not None:
                return answer

    def prompt(self) -> str:
        """The prompt."""
        return "offers> " if self.drafts[-1] is not None else "> "

    def completed(self) -> list[str]:
        """Words for completion."""
        return [*(word for word, verb in self.verbs.items() if not _hidden(verb)), *self.asked.words]

    def show_question(self) -> None:
        """What is asked, and the choices."""
        screen, asked = self.screen, self.asked
        screen.show("")
        for line in asked.question:
            screen.say([screen.ink.strong(each) for each in fold(line, screen.width, 2)])
        self.show_choices()
        idle = f"Enter: {asked.idle_told}." if asked.idle is not None else ""
        last = " ".join(part for part in (idle, asked.more, self.reminder) if part)
        screen.say(fold(f"     {last}", screen.width, 5) if last else [])

    def show_choices(self) -> None:
        """The choices with their numbers, in two columns where they are short."""
        choices, width = self.asked.choices, self.screen.width
        longest = max((len(choice.typed) for choice in choices if len(choice.typed) <= COLUMN), default=0)
        for number, choice in enumerate(choices, 1):
            told = "" if choice.told == choice.typed else choice.told
            if len(choice.typed) > COLUMN:
                self.screen.say(fold(f"{number:>3}  {choice.typed}{': ' if told else ''}{told}", width, 7))
            else:
                line = f"{number:>3}  {choice.typed:<{longest}}  {told}".rstrip()
                self.screen.say(fold(line, width, longest + 7))

    def take(self, line: str) -> Answer | None:
        """Understand one line: the answer, or None where the talk goes on. A line that is not understood, or not legal,
        changes nothing."""
        try:
            if len(line) > INPUT_LENGTH:
                raise Unclear(f"a line of {len(line)} characters; at most {INPUT_LENGTH}")
            return self.understand(line.strip())
        except Unclear as problem:
            self.refused = str(problem)
            warned = [self.screen.ink.warn(each) for each in fold(f"?  {problem}", self.screen.width, 3)]
            self.screen.say(warned)
            return None

    def understand(self, line: str) -> Answer | None:
        """The same; raises Unclear."""
        words = words_of(line)
        if not words:
            return self.send()
        if words == ["?"]:
            words = ["help"]
        if len(words) == 1 and (number := money(words[0])) is not None:
            return self.understand(self.meant(number))
        verb = self.verb(words[0])
        if isinstance(verb, Verb):
            return self.read(verb.read(words[1:], self.drafts[-1]))
        rest = line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else ""
        return general(self, verb, words[1:], rest)

    def meant(self, number: int) -> str:
        """The line that a bare number stands for."""
        return f"{self.asked.number} {number}" if self.asked.number else self.chosen(number)

    def chosen(self, number: int) -> str:
        """The line that a choice stands for."""
        if not 1 <= number <= len(self.asked.choices):
            last = len(self.asked.choices)
            many = f"the last is {last}" if last else "there are none here; help lists the words"
            raise Unclear(f"there is no choice {number}; {many}")
        return self.asked.choices[number - 1].typed

    def verb(self, word: str) -> Verb | str:
        """What a first word means; words of the ask come before those that are always understood."""
        own = {each: verb for each, verb in self.verbs.items() if isinstance(verb, Verb)}
        known = own if find(word, own) else self.verbs
        if not find(word, known) and len(found := find(word, self.words.elsewhere())) == 1:
            raise Unclear(f"{shown(word)} is for another moment: {found[0]}; here there are {some(self.answers())}")
        if not find(word, known) and word in self.asked.words:
            uses = either([verb.usage for verb in self.asked.verbs if not verb.hidden])
            raise Unclear(f"{shown(word)} is what it is about; say first what you do: {uses}")
        return choose(word, known, "word that fits here")

    def answers(self) -> list[str]:
        """The words of this ask, but those that are hidden."""
        return [verb.word for verb in self.asked.verbs if not verb.hidden]

    def read(self, read: Read) -> Answer | None:
        """Send a move that is legal, or go on composing."""
        if read.move is None:
            self.drafts.append(read.draft)
            self.show_draft(read.told)
            return None
        self.judge(read.move)
        if read.told:
            self.screen.say(fold(f"   {read.told}", self.screen.width, 3))
        return Answer(read.move, self.said, self.note)

    def judge(self, move: Move) -> None:
        """Raise Unclear where the rules refuse a move."""
        refusal = self.view.refusal(self.rules, move)
        if refusal is not None:
            raise Unclear(f"{refusal.reason} ({refusal.rule})")

    def show_draft(self, told: str = "") -> None:
        """What has been composed."""
        lines = self.asked.composed(self.drafts[-1])
        if lines:
            self.screen.say(["   Your open offers will be:", *(f"     {line}" for line in lines)])
        note = f"{told}; " if told else ""
        self.screen.show(f"   {note}Enter sends them, undo takes the last line back.")

    def send(self) -> Answer | None:
        """An empty line: send what has been composed, or do nothing."""
        draft = self.drafts[-1]
        if draft is not None:
            move = self.asked.sent(draft)
            assert move is not None
            self.judge(move)
            return Answer(move, self.said, self.note)
        if self.asked.idle is None:
            raise Unclear("an answer is needed here: type the number of a choice, or help")
        return Answer(self.asked.idle, self.said, self.note)


def _hidden(verb: Verb | str) -> bool:
    return isinstance(verb, Verb) and verb.hidden
