"""The texts that ``help`` shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.human.question import Verb

GENERAL_WORDS = {
    "say": "say TEXT to everybody with your answer",
    "note": "note TEXT for yourself; it stays in the replay",
    "undo": "remove the last line of an answer that is not sent yet",
    "why": "why MOVE says why it is not legal; why alone: why the last line was refused",
    "table": "draw the table",
    "log": "show the last 20 lines of events; log 50 shows more",
    "skip": "press Enter at every question, until this deal (this round) is over",
    "again": "show the question again",
    "help": "this list; help WORD explains one command, help game the game",
    "quit": "leave the table; the match goes on without you and is saved",
}
"""The commands understood at every ask, each with its explanation."""
PAGE_WORDS = {
    "hand": "your cards and money",
    "ring": "all spaces",
    "ledger": "the deals so far",
    "moves": "all legal moves",
}


def help_on(verbs: Sequence[Verb]) -> list[str]:
    """Lines that explain how to use these verbs."""
    listed = [verb for verb in verbs if not verb.hidden] or list(verbs)
    width = max(len(verb.usage) for verb in listed)
    return [f"     {verb.usage:<{width}}  {verb.meaning}" for verb in listed]


def general_help(pages: Iterable[str], named: str) -> list[str]:
    """Lines that explain the words understood at every ask: commands and ``pages``. ``named`` says which things can be
    typed by name, such as "seats"."""
    every = {**{page: PAGE_WORDS.get(page, "show it") for page in pages}, **GENERAL_WORDS}
    lines = ["", "     Always:"]
    lines += [f"     {word:<7} {meaning}" for word, meaning in every.items()]
    tail = "A number stands for a choice. The beginning of a word is enough if it is clear;"
    return [*lines, "", f"     {tail} {named} are understood by name."]


def split_paragraphs(text: str) -> list[str]:
    """The paragraphs of ``text``, each joined into one line, with an empty line between them; the caller folds them to
    the width of the screen."""
    return "\n\n".join(each.replace("\n", " ") for each in text.strip().split("\n\n")).split("\n")
