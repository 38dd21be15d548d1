"""A human in a seat: to the referee a player like any other, but without a time limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from arena.bot import Finish, Said, Start
from arena.games.contract import Event, Game, Hook, View
from arena.human.answer import HumanAnswer, Leaving
from arena.human.conversation import Conversation
from arena.human.question import GameWords
from arena.human.terminals.screen import Screen
from arena.human.terminals.text_columns import fold_text
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.printable import printable_text

LEFT_FAULT = Fault(FaultKind.DEAD, "the human left the table")
LEAVING_TEXT = (
    "You leave the table. Your seat's defaults are played for the rest, which takes a few seconds, or longer with "
    "slow bots; Ctrl-C ends it at once, without a replay."
)


class HumanPlayer:
    """Implements :class:`arena.players.player.Player`. ``names`` are the entrants' names by seat; ``told`` has the
    sentences shown so far; ``seen`` counts the game's events shown so far, which does not include what bots said;
    ``left`` says why the human left before the end (None: it has not left)."""

    def __init__(self, game: Game, words: GameWords, rules: Any, names: Sequence[str], screen: Screen) -> None:
        self.game, self.words, self.rules, self.names, self.screen = game, words, rules, names, screen
        self.hooks = frozenset(game.hooks)
        self._say = game.tell(rules, names)
        self.told: list[str] = []
        self.seen = 0
        self.left: Leaving | None = None
        self._glossed: set[str] = set()
        self._posted: deque[tuple[View, bool]] = deque()
        self._conversation = Conversation(screen, words, rules, self.told)
        self._moment: tuple[object, ...] | None = None
        self._skipped: tuple[object, ...] | None = None

    def start(self, start: Start) -> TimedAnswer:
        """Do nothing: a human needs no loading."""
        return TimedAnswer(None, None, 0.0)

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        """Queue the ask until :meth:`take`. All asks of a phase carry the same news, so only the first shows it."""
        self._posted.append((view, not self._posted))

    def take(self, limit: float) -> TimedAnswer:
        """Put the oldest queued ask to the human and return the answer."""
        view, first = self._posted.popleft()
        if self.left is not None:  # before the other asks of the same phase
            return TimedAnswer(None, LEFT_FAULT, 0.0, gone=True)
        if first:
            self.tell(view.news)
        answer = self._answer(view)
        if answer.left is not None:
            self.left = answer.left
            if answer.left is not Leaving.HUNG_UP:
                self.screen.say(["", *fold_text(LEAVING_TEXT, self.screen.width)])
            return TimedAnswer(None, LEFT_FAULT, 0.0, gone=True)
        if answer.skip:
            self._skipped = self.words.stretch(view)
        return TimedAnswer(answer.move, None, 0.0, answer.say, answer.note)

    def _answer(self, view: View) -> HumanAnswer:
        """Answer an ask: the only legal move, the idle move while the human skips, or what the human types."""
        forced = self.words.forced(view)
        if forced is not None:
            return HumanAnswer(forced)
        asked = self.words.asked(view)
        if self._skipped is not None:
            if self._skipped == self.words.stretch(view) and asked.idle is not None:
                if not self.words.must_answer(view):
                    return HumanAnswer(asked.idle)
            else:
                self._skipped = None
        self.draw(view)
        return self._conversation.ask(view)

    def draw(self, view: View) -> None:
        """Print the whole table if the game's moment has changed since it was last drawn, else only the brief lines."""
        moment, screen = self.words.moment(view), self.screen
        drawn = self.words.brief if moment == self._moment else self.words.table
        self._moment = moment
        lines = drawn(view, screen.width, screen.ink)
        if lines:
            screen.say(["", *lines])
        word, meaning = self.words.gloss(view)
        if word and word not in self._glossed:
            self._glossed.add(word)
            screen.say(["", *(screen.ink.dim_text(line) for line in fold_text(f"({meaning})", screen.width, 1))])

    def tell(self, events: Sequence[Event]) -> None:
        """Print what happened since the last ask, event by event."""
        for event in events:
            if isinstance(event, Said):
                self.sentence(f'  {self.names[event.seat]} ({event.seat}) says: "{event.text}"')
                continue
            self.seen += 1
            text = self._say(event)
            if text:
                self.sentence(text)

    def sentence(self, text: str) -> None:
        """Print a sentence and append it to the log."""
        plain = printable_text(text.removeprefix("\n"))
        self.told.append(plain)
        if text.startswith("\n"):
            self.screen.show("")
        indent = len(plain) - len(plain.lstrip()) + 2
        self.screen.say(fold_text(plain, self.screen.width, indent))

    def finish(self, finish: Finish) -> None:
        """Do nothing: the command that runs the match prints the result."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
