"""Reads a whole answer typed in one text, its lines separated by semicolons, without a conversation."""

from __future__ import annotations

from arena.games.contract import Move, View
from arena.human.lexicon import Unclear, choose_meaning, parse_money, quote_word, split_words
from arena.human.question import Draft, GameWords, HumanQuestion, TypedAnswer

LINE_SEPARATOR = ";"
"""The character between two typed lines."""


def typed_move(words: GameWords, view: View, text: str) -> Move:
    """The move that ``text`` means as an answer to the ask of ``view``; whether it is legal is not checked. Semicolons
    separate the lines of ``text``. Raises Unclear."""
    asked = words.asked(view)
    draft: Draft = None
    lines = [line.strip() for line in text.split(LINE_SEPARATOR)]
    for number, line in enumerate(lines, 1):
        read = _read_answer(asked, line, draft)
        if read.move is not None:
            if number < len(lines):
                raise Unclear(f"{quote_word(line)} is a complete answer; nothing may follow it")
            return read.move
        draft = read.draft
    found = asked.sent(draft) if draft is not None else None
    if found is None:
        raise Unclear(f"{quote_word(text)} is not a complete answer")
    return found


def _read_answer(asked: HumanQuestion, line: str, draft: Draft) -> TypedAnswer:
    """The meaning of one typed line, which may also be the number of a choice. Raises Unclear."""
    words = split_words(line)
    if not words:
        raise Unclear("expected an answer, got nothing")
    if len(words) == 1 and (number := parse_money(words[0])) is not None and not asked.number:
        if not 1 <= number <= len(asked.choices):
            raise Unclear(f"there is no choice {number}; choices are 1 to {len(asked.choices)}")
        words = split_words(asked.choices[number - 1].typed)
    elif len(words) == 1 and parse_money(words[0]) is not None:
        words = [asked.number, *words]
    known = {each: verb for verb in asked.verbs for each in (verb.word, *verb.also)}
    return choose_meaning(words[0], known, "answer to this ask").read(words[1:], draft)


def as_typed(words: GameWords, view: View, move: Move) -> str | None:
    """A line to type for ``move``, checked to mean exactly that move; None if there is no such line."""
    text = f"{LINE_SEPARATOR} ".join(words.typed(view, move))
    try:
        return text if typed_move(words, view, text) == move else None
    except Unclear:
        return None
