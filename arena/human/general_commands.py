"""The commands that a human may type at every ask, such as ``undo``, ``help`` and ``quit``, carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena.bot import NOTE_LENGTH, SAY_LENGTH
from arena.human.answer import HumanAnswer, Leaving, MatchStopped
from arena.human.dialogue import Dialogue
from arena.human.help import GENERAL_WORDS, general_help, help_on, split_paragraphs
from arena.human.lexicon import Unclear, parse_money, quote_word, split_words
from arena.human.question import Verb
from arena.human.terminals.text_columns import fold_text

LOG_LINES = 20
"""How many lines ``log`` shows if no number is typed."""


def run_general_command(talk: Dialogue, word: str, words: Sequence[str], rest: str) -> HumanAnswer | None:
    """Carry out a command that a human may type at every ask, such as ``say``. Returns an answer if the command gives
    one (``skip``, ``quit``), else None. ``rest`` is the text after the command as typed, ``words`` the same text
    split."""
    match word:
        case "say" | "note":
            _speak(talk, word, rest)
        case "undo":
            _undo(talk)
        case "why":
            _explain_refusal(talk, rest)
        case "help":
            _help(talk, words)
        case "table":
            _show_page(talk, talk.words.table)
        case "log":
            _show_log(talk, words)
        case "skip":
            return _skip(talk)
        case "quit":
            return _quit(talk, words)
        case "again":
            talk.show_question()
        case _:
            _show_page(talk, talk.pages[word])
    return None


def _speak(talk: Dialogue, word: str, rest: str) -> None:
    """``say`` or ``note``: store the text, to be sent with the answer."""
    most = SAY_LENGTH if word == "say" else NOTE_LENGTH
    if not rest:
        raise Unclear(f"expected text: {word} TEXT")
    if len(rest) > most or not rest.isprintable():
        raise Unclear(f"expected at most {most} printable characters, got {len(rest)}")
    if word == "say":
        talk.said = rest
    else:
        talk.note = rest
    talk.screen.show(f"   {'said' if word == 'say' else 'noted'} with your answer; undo removes it")


def _undo(talk: Dialogue) -> None:
    """``undo``: remove the last line of the draft, or else the stored words."""
    if len(talk.drafts) > 1:
        talk.drafts.pop()
        talk.screen.show("   Taken back.")
        if talk.drafts[-1] is not None:
            talk.show_draft()
    elif talk.said or talk.note:
        talk.said = talk.note = ""
        talk.screen.show("   You will say nothing.")
    else:
        raise Unclear("nothing has been typed here; an answer that was sent cannot be undone")


def _explain_refusal(talk: Dialogue, rest: str) -> None:
    """``why``: explain why the move in ``rest`` is illegal, or without one why the last line was refused."""
    if not rest:
        talk.screen.say(fold_text(f"   {talk.refused or 'nothing has been refused here'}", talk.screen.width, 3))
        return
    words = split_words(rest)
    number = parse_money(words[0]) if len(words) == 1 else None
    words = split_words(talk.number_line(number)) if number is not None else words
    verb = talk.verb(words[0])
    if not isinstance(verb, Verb):
        raise Unclear(
            f"{quote_word(words[0])} is not a move; why needs a move, such as: why {talk.asked.verbs[0].usage}"
        )
    read = verb.read(words[1:], talk.drafts[-1])
    if read.move is not None:
        talk.judge(read.move)
    talk.screen.show("   That move is legal here.")


def _help(talk: Dialogue, words: Sequence[str]) -> None:
    """``help``: print how the words of this ask are used, or how one word is, or the rules of the game in brief."""
    if words and "game".startswith(words[0]):
        talk.screen.say(
            [line for each in split_paragraphs(talk.words.primer()) for line in fold_text(each, talk.screen.width)]
        )
        return
    lines = help_on(talk.asked.verbs) if not words else _help_word(talk, words[0])
    talk.screen.say([line for each in lines for line in fold_text(each, talk.screen.width, 5)])
    if not words:
        always = general_help(talk.pages, talk.words.named())
        talk.screen.say([line for each in always for line in fold_text(each, talk.screen.width, 5)])


def _help_word(talk: Dialogue, word: str) -> list[str]:
    """The lines of help on one word."""
    verb = talk.verb(word)
    return help_on((verb,)) if isinstance(verb, Verb) else [f"     {verb}: {GENERAL_WORDS.get(verb, 'show it')}"]


def _show_page(talk: Dialogue, draw: Callable[[Any, int, Any], list[str]]) -> None:
    """Print a page that ``draw`` makes of the view."""
    talk.screen.say(draw(talk.view, talk.screen.width, talk.screen.ink))


def _show_log(talk: Dialogue, words: Sequence[str]) -> None:
    """``log``: print the last sentences of the log."""
    number = parse_money(words[0]) if words else LOG_LINES
    if number is None or len(words) > 1:
        raise Unclear("expected a number of lines: log, or log 50")
    told = list(talk.log)[-number:] if number else []
    talk.screen.say([line for each in told for line in fold_text(each, talk.screen.width, 4)] or ["   Nothing yet."])


def _skip(talk: Dialogue) -> HumanAnswer:
    """``skip``: answer with the idle move, and let the asks that follow be answered so too."""
    if talk.asked.idle is None:
        raise Unclear("an answer is needed here; skip works only where Enter would do nothing")
    talk.screen.say(fold_text("   Skipping: Enter is pressed for you until this deal is over.", talk.screen.width, 3))
    return HumanAnswer(talk.asked.idle, talk.said, talk.note, skip=True)


def _quit(talk: Dialogue, words: Sequence[str]) -> HumanAnswer | None:
    """``quit``: ask for confirmation and leave the table. Raises MatchStopped for ``quit now``."""
    if words and "now".startswith(words[0]):
        raise MatchStopped
    if not talk.screen.lines.is_terminal:
        return HumanAnswer(left=Leaving.QUIT)
    told = "Leave the table? Your seat's defaults are played for the rest, and the replay is saved."
    talk.screen.say(fold_text(f"{told} (quit now ends the match at once, without a replay.)", talk.screen.width, 3))
    try:
        line = talk.screen.lines.read("yes/no> ", ["yes", "no"])
    except EOFError:
        line = "yes"
    word = split_words(line)[:1]
    if word and "yes".startswith(word[0]):
        return HumanAnswer(left=Leaving.QUIT)
    if line.split()[:2] == ["quit", "now"] or word == ["now"]:
        raise MatchStopped
    talk.screen.show("   You stay.")
    return None
