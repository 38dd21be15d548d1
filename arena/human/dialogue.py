"""The state of the dialogue about one ask: the question, the choices, and the answer composed so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.contract import Move, View
from arena.human.help import GENERAL_WORDS
from arena.human.lexicon import Unclear, choose_meaning, either_words, find_meanings, quote_word, word_list_text
from arena.human.question import Draft, GameWords, HumanQuestion, Verb
from arena.human.terminals.screen import Screen
from arena.human.terminals.text_columns import fold_text

CHOICE_LETTERS = 32
"""The longest choice, in letters, that still leaves room beside it for its explanation."""
REMINDED_ASKS = 6
"""How many asks, from the first on, come with the reminder that there is ``help``."""


class Dialogue:
    """The dialogue about one ask, the seat's ask number ``asks`` (from 1). ``drafts`` are the successive states of the
    answer being composed, latest last; undo removes the last."""

    def __init__(self, screen: Screen, words: GameWords, rules: Any, log: Sequence[str], view: View, asks: int) -> None:
        self.screen, self.words, self.rules, self.log, self.view = screen, words, rules, log, view
        self.asked: HumanQuestion = words.asked(view)
        self.drafts: list[Draft] = [None]
        self.reminder = "help lists all commands." if asks <= REMINDED_ASKS else ""
        self.said = self.note = self.refused = ""
        self.pages = words.more_pages()
        self.verbs = self._verbs()

    def _verbs(self) -> dict[str, Verb | str]:
        """The words that may begin a line: the verbs of this ask, then the general commands and pages."""
        found: dict[str, Verb | str] = {}
        for verb in self.asked.verbs:
            found |= dict.fromkeys((verb.word, *verb.also), verb)
        for word in (*GENERAL_WORDS, *self.pages):
            found.setdefault(word, word)
        return found

    def prompt(self) -> str:
        """The prompt to show before the typed line."""
        return "offers> " if self.drafts[-1] is not None else "> "

    def completion_words(self) -> list[str]:
        """The words that completion offers."""
        return [*(word for word, verb in self.verbs.items() if not _is_hidden(verb)), *self.asked.words]

    def show_question(self) -> None:
        """Print the question and its choices."""
        screen, asked = self.screen, self.asked
        screen.show("")
        for line in asked.question:
            screen.say([screen.ink.bold_text(each) for each in fold_text(line, screen.width, 2)])
        self.show_choices()
        idle = f"Enter: {asked.idle_told}." if asked.idle is not None else ""
        last = " ".join(part for part in (idle, asked.more, self.reminder) if part)
        screen.say(fold_text(f"     {last}", screen.width, 5) if last else [])

    def show_choices(self) -> None:
        """Print the numbered choices, each with its explanation: beside it if the choice is short, else behind it."""
        choices, width = self.asked.choices, self.screen.width
        longest = max((len(choice.typed) for choice in choices if len(choice.typed) <= CHOICE_LETTERS), default=0)
        for number, choice in enumerate(choices, 1):
            told = "" if choice.told == choice.typed else choice.told
            if len(choice.typed) > CHOICE_LETTERS:
                self.screen.say(fold_text(f"{number:>3}  {choice.typed}{': ' if told else ''}{told}", width, 7))
            else:
                line = f"{number:>3}  {choice.typed:<{longest}}  {told}".rstrip()
                self.screen.say(fold_text(line, width, longest + 7))

    def number_line(self, number: int) -> str:
        """The line that a typed number is short for."""
        return f"{self.asked.number} {number}" if self.asked.number else self.choice_line(number)

    def choice_line(self, number: int) -> str:
        """The line that the choice of this number is short for. Raises Unclear if there is no such choice."""
        if not 1 <= number <= len(self.asked.choices):
            last = len(self.asked.choices)
            many = f"the last is {last}" if last else "there are no choices here; help lists the commands"
            raise Unclear(f"there is no choice {number}; {many}")
        return self.asked.choices[number - 1].typed

    def verb(self, word: str) -> Verb | str:
        """The meaning of a line's first word: a verb of this ask, else a general command. Raises Unclear."""
        own = {each: verb for each, verb in self.verbs.items() if isinstance(verb, Verb)}
        known = own if find_meanings(word, own) else self.verbs
        if not find_meanings(word, known) and len(found := find_meanings(word, self.words.elsewhere())) == 1:
            raise Unclear(
                f"{quote_word(word)} can be used {found[0]}; here you can use {word_list_text(self.answers())}"
            )
        if not find_meanings(word, known) and word in self.asked.words:
            uses = either_words([verb.usage for verb in self.asked.verbs if not verb.hidden])
            raise Unclear(f"{quote_word(word)} is not a command; begin with what you do: {uses}")
        return choose_meaning(word, known, "word that fits here")

    def answers(self) -> list[str]:
        """The verbs of this ask that are not hidden, as words."""
        return [verb.word for verb in self.asked.verbs if not verb.hidden]

    def judge(self, move: Move) -> None:
        """Raise Unclear if the rules refuse ``move``."""
        refusal = self.view.refusal(self.rules, move)
        if refusal is not None:
            raise Unclear(f"{refusal.reason} ({refusal.rule})")

    def show_draft(self, told: str = "") -> None:
        """Print the offers composed so far; ``told`` is a remark on the last line typed."""
        lines = self.asked.composed(self.drafts[-1])
        if lines:
            self.screen.say(["   Your open offers will be:", *(f"     {line}" for line in lines)])
        note = f"{told}; " if told else ""
        self.screen.show(f"   {note}Enter sends them, undo removes the last line.")


def _is_hidden(verb: Verb | str) -> bool:
    return isinstance(verb, Verb) and verb.hidden
