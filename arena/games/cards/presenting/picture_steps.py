"""Turns the events of a round of the card game into the steps of a scene, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from arena.drawing.measure import NO_BREAK
from arena.drawing.scene import Arrow, Bond, CardColor, Chip, Item, Mark, MarkKind, ScenePart, Step, Token
from arena.drawing.spans import all_items, fault_mark, say_mark, seen_lines
from arena.games.cards import events
from arena.games.cards.cards import Card
from arena.games.cards.moves import Action, Drop, Pass, Play, Want
from arena.games.contract import Event
from arena.replay.lines import Answered, Faulted

WANT_WORDS = {
    Want.POTA: "a POTA",
    Want.REVERSE: "dropping a reverse",
    Want.PASS: "passing",
    Want.GIFT: "nothing",
}
"""What the Boss gives a token for, in words, for requests without a number."""


def card_chip(card: Card) -> Chip:
    """The drawn card: the letter of its colour, and its kind or value."""
    color = card.color
    if color is None:
        return Chip("wild POTA", CardColor.PLAIN)
    kind = card.value.removeprefix(f"{color} ").replace("-", "−").replace("pota", "POTA")
    return Chip(f"{color[0].upper()} {kind}", CardColor(color.value))


class CardsSteps:
    """Follows a round's lines and collects the items to draw: one step for each time that the turn goes round the
    table, beginning at the Boss's left neighbour. ``turns`` counts the turns."""

    def __init__(self, names: Sequence[str], seat: int | None, lines: Sequence[Event], boss: int) -> None:
        self.names, self.viewer, self.boss = names, seat, boss
        self.lines = seen_lines(lines, seat)
        self.steps: list[Step] = []
        self.moments: list[list[Item]] = []
        self.turns, self.first, self.place = 0, 1, 0
        self.said: dict[int, str] = {}

    def all_steps(self) -> tuple[Step, ...]:
        """All steps of the round."""
        for index in range(len(self.lines)):
            self.take_line(index)
        self._end_step()
        return tuple(self.steps)

    def items(self) -> list[Item]:
        """All items of the lines that were taken so far."""
        return [*all_items(self.steps), *(item for moment in self.moments for item in moment)]

    def take_line(self, index: int) -> None:
        """Collect the items of the line at ``index``, which comes after those that were taken before."""
        match line := self.lines[index]:
            case events.RoundBegan():
                return  # the lead says who is the Boss
            case events.Led(seat, card):
                self._lead(seat, ("leads", card_chip(card)))
            case events.ColorNamed(seat, color):
                self._lead(seat, (f"names {color}",))
            case Answered(seat=seat, say=said) if said and self.said.get(seat) != said:
                self.said[seat] = said
                self._then(seat, say_mark(line, self.names))
            case Faulted():
                self._then(line.seat, fault_mark(line, self.names))
            case events.Proposed(seat, action):
                token = Token(self._action(action), self._accepted(index))
                self._then(seat, Arrow(seat, self.boss, (token,), f"{self.names[seat]} offers an action"))
            case events.Requested(to, want, least):
                token = Token(_want_parts(want, least), self._accepted(index))
                self._then(to, Arrow(self.boss, to, (token,), f"the Boss asks {self.names[to]} for an action"))
            case events.CousinMade(seat):
                self._then(seat, Bond(seat, self.boss, (Token(("Cousin",), True),)))
            case _:
                self._act(line)

    def _lead(self, seat: int, parts: tuple[ScenePart, ...]) -> None:
        self.moments.append([Mark(seat, MarkKind.BOSS, parts, boss=True)])
        self.steps.append(Step("lead", tuple(map(tuple, self.moments))))
        self.moments = []

    def _act(self, line: Event | None) -> None:
        match line:
            case events.Played(seat, card, to):
                self._turn(seat, Mark(seat, MarkKind.PLAY, _play_parts(card, to)))
            case events.Dropped(seat, card):
                self._turn(seat, Mark(seat, MarkKind.PLAY, ("drops", card_chip(card))))
            case events.Passed(seat, disks):
                self._turn(seat, Mark(seat, MarkKind.LAY, ("out" if disks == 2 else "passes",)))
            case events.Shifted(seat, card, source, to):
                where = f"{_place_name(source)}{NO_BREAK}→{NO_BREAK}{'away' if to is None else _place_name(to)}"
                self._then(seat, Mark(seat, MarkKind.PLAY, ("moves", card_chip(card), where)))
            case events.XOpened(seat, multiplier):
                self._then(seat, Mark(seat, MarkKind.LAY, (f"draws an X: multiplier {multiplier}",)))

    # Time

    def _then(self, seat: int, item: Item) -> None:
        """Add an item to the turn of ``seat``: at the same height as the items of other seats before it if possible,
        else in a moment of its own."""
        place = (seat - self.boss - 1) % len(self.names)
        if place < self.place:
            self._end_step()
        self.place = place
        last = self.moments[-1] if self.moments else []
        beside = all(isinstance(each, Mark) and each.seat != seat for each in (*last, item) if each is not item)
        if last and beside and isinstance(item, Mark):
            last.append(item)
        else:
            self.moments.append([item])

    def _turn(self, seat: int, mark: Mark) -> None:
        place = (seat - self.boss - 1) % len(self.names)
        if place < self.place:
            self._end_step()
        self.turns += 1
        self._then(seat, mark)

    def _end_step(self) -> None:
        if self.moments:
            label = f"turn {self.first}" if self.first >= self.turns else f"turns {self.first}–{self.turns}"
            self.steps.append(Step(label, tuple(map(tuple, self.moments))))
        self.moments, self.first, self.place = [], self.turns + 1, 0

    # Bargains

    def _accepted(self, index: int) -> bool:
        """Whether the offer made at ``index`` was accepted."""
        for line in self.lines[index + 1 :]:
            if isinstance(line, events.CousinMade | events.Refused):
                return isinstance(line, events.CousinMade)
        return False

    def _action(self, action: Action) -> tuple[ScenePart, ...]:
        match action:
            case Pass(double):
                return ("pass twice" if double else "pass",)
            case Drop(card):
                return "drop", card_chip(card)
            case Play(card, to):
                return _play_parts(card, to)


def _play_parts(card: Card, to: int | None) -> tuple[ScenePart, ...]:
    return (card_chip(card),) if to is None else (card_chip(card), f"to{NO_BREAK}{_place_name(to)}")


def _want_parts(want: Want, least: int) -> tuple[ScenePart, ...]:
    if want is Want.POSITIVE:
        return (f"+{least} or more",)
    return (f"−{least} or less",) if want is Want.NEGATIVE else (WANT_WORDS[want],)


def _place_name(seat: int | None) -> str:
    """A place on the table in words: a seat's front, or the centre (None)."""
    return "centre" if seat is None else f"seat{NO_BREAK}{seat}"
