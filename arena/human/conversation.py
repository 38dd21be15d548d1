"""One ask, talked over until it is answered: lines are read, understood or refused, composed, undone, and sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from arena.bot import NOTE_LENGTH, SAY_LENGTH
from arena.games.contract import Move, View
from arena.human.asked import Asked, Draft, GameWords, Read, Verb
from arena.human.columns import fold
from arena.human.help import GENERAL, general_help, help_on
from arena.human.lexicon import Unclear, choose, find, money, shown, some, words_of
from arena.human.screen import Screen

LOGGED = 20
"""Lines that ``log`` shows unless it is told how many."""
COLUMN = 32
"""Letters of a choice at most beside which there is room for what it does."""
REMINDED = 6
"""Asks at which it is said that there is help."""
INPUT_LENGTH = 2000
"""Characters of a typed line at most."""


class Leaving(StrEnum):
    """Why a human leaves the table before the end."""

    QUIT = "quit"
    INPUT_ENDED = "the input ended"


class Answer(NamedTuple):
    """What the human answers: a ``move`` with words; or why it leaves the table (``left``); ``skip``: nothing more
    until the negotiation, or round, is over."""

    move: Move | None = None
    say: str = ""
    note: str = ""
    left: Leaving | None = None
    skip: bool = False


class Stopped(KeyboardInterrupt):
    """The human ends the match at once, without a replay."""


class Conversation:
    """Asks of one seat, one :meth:`ask` at a time. ``log`` are the sentences told so far, oldest first."""

    def __init__(self, screen: Screen, words: GameWords, rules: Any, log: Sequence[str]) -> None:
        self.screen, self.words, self.rules, self.log = screen, words, rules, log
        self.asks = 0

    def ask(self, view: View) -> Answer:
        """Talk until the ask that ``view`` came with is answered."""
        self.asks += 1
        return _Talk(self, view).run()


class _Talk:
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
            except KeyboardInterrupt:
                if interrupted or not self.screen.lines.is_terminal:
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
        if len(words) == 1 and (number := money(words[0])) is not None:
            return self.understand(self.meant(number))
        verb = self.verb(words[0])
        if isinstance(verb, Verb):
            return self.read(verb.read(words[1:], self.drafts[-1]))
        rest = line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else ""
        return self.general(verb, words[1:], rest)

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

    def general(self, word: str, words: Sequence[str], rest: str) -> Answer | None:
        """A word that is always understood."""
        match word:
            case "say" | "note":
                self.speak(word, rest)
            case "undo":
                self.undo()
            case "why":
                self.why(rest)
            case "help":
                self.help(words)
            case "table":
                self.page(self.words.table)
            case "log":
                self.show_log(words)
            case "skip":
                return self.skip()
            case "quit":
                return self.quit(words)
            case "again":
                self.show_question()
            case _:
                self.page(self.pages[word])
        return None

    def speak(self, word: str, rest: str) -> None:
        """Keep words for the answer."""
        most = SAY_LENGTH if word == "say" else NOTE_LENGTH
        if not rest:
            raise Unclear(f"expected text: {word} TEXT")
        if len(rest) > most or not rest.isprintable():
            raise Unclear(f"expected at most {most} printable characters, got {len(rest)}")
        if word == "say":
            self.said = rest
        else:
            self.note = rest
        self.screen.show(f"   {'said' if word == 'say' else 'noted'} with your answer; undo takes it back")

    def undo(self) -> None:
        """Take back the last composed line, or the words."""
        if len(self.drafts) > 1:
            self.drafts.pop()
            self.screen.show("   Taken back.")
            if self.drafts[-1] is not None:
                self.show_draft()
        elif self.said or self.note:
            self.said = self.note = ""
            self.screen.show("   You will say nothing.")
        else:
            raise Unclear("nothing has been composed here; an answer that was sent stays")

    def why(self, rest: str) -> None:
        """Why a move is not legal, or the last line was refused."""
        if not rest:
            self.screen.say(fold(f"   {self.refused or 'nothing has been refused here'}", self.screen.width, 3))
            return
        words = words_of(rest)
        number = money(words[0]) if len(words) == 1 else None
        words = words_of(self.meant(number)) if number is not None else words
        verb = self.verb(words[0])
        if not isinstance(verb, Verb):
            raise Unclear(f"{shown(words[0])} is no move; why asks about one, such as: why {self.asked.verbs[0].usage}")
        read = verb.read(words[1:], self.drafts[-1])
        if read.move is not None:
            self.judge(read.move)
        self.screen.show("   That is legal here.")

    def help(self, words: Sequence[str]) -> None:
        """The words of this ask, or more on one of them."""
        if words and "game".startswith(words[0]):
            self.screen.say(
                [line for each in self.words.primer().splitlines() for line in fold(each, self.screen.width)]
            )
            return
        lines = help_on(self.asked.verbs) if not words else self.help_word(words[0])
        self.screen.say([line for each in lines for line in fold(each, self.screen.width, 5)])
        if not words:
            self.screen.say([line for each in general_help(self.pages) for line in fold(each, self.screen.width, 5)])

    def help_word(self, word: str) -> list[str]:
        """More on one word."""
        verb = self.verb(word)
        return help_on((verb,)) if isinstance(verb, Verb) else [f"     {verb}: {GENERAL.get(verb, 'show it')}"]

    def page(self, draw: Callable[[Any, int, Any], list[str]]) -> None:
        """Show something drawn from the view."""
        self.screen.say(draw(self.view, self.screen.width, self.screen.ink))

    def show_log(self, words: Sequence[str]) -> None:
        """The last sentences told."""
        number = money(words[0]) if words else LOGGED
        if number is None or len(words) > 1:
            raise Unclear("expected a number of lines: log, or log 50")
        told = list(self.log)[-number:] if number else []
        self.screen.say([line for each in told for line in fold(each, self.screen.width, 4)] or ["   Nothing yet."])

    def skip(self) -> Answer:
        """Do nothing until something has to be decided."""
        if self.asked.idle is None:
            raise Unclear("an answer is needed here; skip works where Enter does")
        return Answer(self.asked.idle, self.said, self.note, skip=True)

    def quit(self, words: Sequence[str]) -> Answer | None:
        """Leave, if that is meant."""
        if words and "now".startswith(words[0]):
            raise Stopped
        if not self.screen.lines.is_terminal:
            return Answer(left=Leaving.QUIT)
        told = "Leave the table? The rest is played with your seat's defaults, and the replay is saved."
        self.screen.say(fold(f"{told} (quit now ends the match at once, without a replay.)", self.screen.width, 3))
        try:
            line = self.screen.lines.read("yes/no> ", ["yes", "no"])
        except EOFError:
            line = "yes"
        word = words_of(line)[:1]
        if word and "yes".startswith(word[0]):
            return Answer(left=Leaving.QUIT)
        if line.split()[:2] == ["quit", "now"] or word == ["now"]:
            raise Stopped
        self.screen.show("   You stay.")
        return None


def _hidden(verb: Verb | str) -> bool:
    return isinstance(verb, Verb) and verb.hidden
