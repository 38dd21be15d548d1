"""The results of asks put to a bot again: the places where it answers otherwise, and counts over matches."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.match.feeding.answer_difference import ILLEGAL, AnswerComparison, Likeness
from arena.players.player import TimedAnswer
from arena.recorded.ask_detail import AskDetail
from arena.tournament.inference.intervals import Estimate, clustered_mean

START_HOOK = "start"
"""Stands for the hook where a bot failed before its first ask."""


class AnswerData(msgspec.Struct, frozen=True):
    """An answer: the ``move`` as JSON (null: nothing was done), the words said with it; or the kind of ``fault``, with
    its ``evidence`` and the ``rule`` that refused the move."""

    move: Any = None
    say: str = ""
    fault: str = ""
    rule: str = ""
    evidence: str = ""


class Place(msgspec.Struct, frozen=True):
    """An ask with a difference: its ``code``, the name of the ``match`` on the command line, the line of its answer in
    the replay (``event``; null if there is none), the number of the ``ask`` (0: the start), its ``hook``, the recorded
    answer (``then``) and the one given ``now``; ``seconds`` are those of a slow answer."""

    code: Likeness
    match: str
    event: int | None
    ask: int
    hook: str
    then: AnswerData
    now: AnswerData
    seconds: float | None = None


class RefeedFinding(msgspec.Struct, frozen=True):
    """The ask at which a bot was stopped: its ``place`` in the match of a ``game`` by these ``entrants``, by seat; what
    the bot has ``printed`` there, the ask as the replay tells it (null for the start), and what the bot answered in
    words (``told``). ``earlier`` are the first places before it, of so many: where a certain ask was wanted, the bot
    may have parted from the record."""

    place: Place
    entrants: list[str]
    printed: str
    one: AskDetail | None = None
    told: str = ""
    earlier: list[Place] = []
    earlier_places: int = 0
    game: str = ""


class HookCount(msgspec.Struct):
    """Counts of the asks of one hook: those with an answer that differs in its effect on the table (``other``), those
    answered too slowly (``slow``), and the number of each kind of answer (``codes``). ``not_put`` counts the asks that
    were not put to the bot, because it lacks the hook: its answer is the default."""

    asks: int = 0
    other: int = 0
    slow: int = 0
    codes: dict[Likeness, int] = {}
    not_put: int = 0

    def add(self, what: Likeness, other: bool, slow: bool, put: bool = True) -> None:
        """Count one more ask."""
        self.asks += 1
        self.other += other
        self.slow += slow
        self.not_put += not put
        self.codes[what] = self.codes.get(what, 0) + 1

    def merge(self, more: HookCount) -> None:
        """Add the counts of another hook count."""
        self.asks += more.asks
        self.other += more.other
        self.slow += more.slow
        self.not_put += more.not_put
        for what, number in more.codes.items():
            self.codes[what] = self.codes.get(what, 0) + number

    @property
    def faults(self) -> int:
        """The number of asks at which the bot failed, apart from illegal answers."""
        return sum(number for what, number in self.codes.items() if what.is_fault and what is not ILLEGAL)

    def count_asks(self, what: Likeness) -> int:
        """The number of asks answered in this way."""
        return self.codes.get(what, 0)


class RefeedCounts(msgspec.Struct):
    """Counts of the asks put to a bot, over ``matches`` matches. In ``differing`` matches it answered otherwise, in
    ``ended`` ones the bot had ended before the last ask. ``hooks`` has counts by hook, ``blocks`` the numbers of asks
    and of differing answers by block, ``places`` the first differences, or all. ``found`` is the ask at which the bot
    was stopped. ``voids`` and matches ``without_replay`` were left out."""

    matches: int = 0
    differing: int = 0
    ended: int = 0
    voids: int = 0
    without_replay: int = 0
    hooks: dict[str, HookCount] = {}
    blocks: dict[str, tuple[int, int]] = {}
    places: list[Place] = []
    found: RefeedFinding | None = None

    def reset_counts(self) -> None:
        """Start again, with one match."""
        self.matches, self.differing, self.ended = 1, 0, 0
        self.hooks, self.blocks, self.places, self.found = {}, {}, [], None

    def add(self, compared: AnswerComparison, block: str) -> None:
        """Count one more ask."""
        self.add_hook(compared.asked.hook, compared.what, compared.other, compared.slow, block, compared.asked.put)

    def add_hook(self, hook: str, what: Likeness, other: bool, slow: bool, block: str, put: bool = True) -> None:
        """Count one more ask of this hook."""
        self.hooks.setdefault(hook, HookCount()).add(what, other, slow, put)
        asks, others = self.blocks.get(block, (0, 0))
        self.blocks[block] = asks + 1, others + other

    def merge(self, more: RefeedCounts, keep: int | None) -> None:
        """Add the counts of later matches; keep at most ``keep`` places of each code (None: all)."""
        self.matches += more.matches
        self.differing += more.differing
        self.ended += more.ended
        self.voids += more.voids
        self.without_replay += more.without_replay
        for hook, count in more.hooks.items():
            self.hooks.setdefault(hook, HookCount()).merge(count)
        for block, (asks, other) in more.blocks.items():
            before = self.blocks.get(block, (0, 0))
            self.blocks[block] = before[0] + asks, before[1] + other
        for place in more.places:
            self.add_place(place, keep)
        self.found = self.found or more.found

    def add_place(self, place: Place, most: int | None) -> None:
        """Keep a place, if there are not so many of its code yet."""
        if most is None or sum(each.code is place.code for each in self.places) < most:
            self.places.append(place)

    @property
    def asks(self) -> int:
        """The number of all asks of the seat, including those of hooks that the bot lacks."""
        return sum(hook.asks for hook in self.hooks.values())

    @property
    def not_put(self) -> int:
        """The number of asks of hooks that the bot lacks."""
        return sum(hook.not_put for hook in self.hooks.values())

    @property
    def count_different(self) -> int:
        """The number of answers that differ in their effect on the table."""
        return sum(hook.other for hook in self.hooks.values())

    @property
    def count_slow(self) -> int:
        """The number of answers that were too slow."""
        return sum(hook.slow for hook in self.hooks.values())

    @property
    def codes(self) -> dict[Likeness, int]:
        """The number of asks for each kind of answer, in the order of the codes."""
        sums = HookCount()
        for hook in self.hooks.values():
            sums.merge(hook)
        return {what: sums.codes[what] for what in Likeness if what in sums.codes}

    @property
    def share(self) -> Estimate:
        """The share of asks answered otherwise, which is a distance between two bots, with its interval clustered by
        block."""
        return clustered_mean(((other, asks) for asks, other in self.blocks.values()), share=True)

    def same(self, ignore_words: bool) -> bool:
        """Whether all answers were as recorded, and in time; with ``ignore_words``, words may differ."""
        fine = {Likeness.SAME, Likeness.WORDS} if ignore_words else {Likeness.SAME}
        return not self.count_slow and set(self.codes) <= fine


def answer_data(answered: TimedAnswer, compared: AnswerComparison | None = None) -> AnswerData:
    """An answer as plain data; an illegal one with the reason why the rules refuse it."""
    move = None if answered.move is None else msgspec.json.decode(msgspec.json.encode(answered.move))
    if answered.fault is not None:
        fault = answered.fault
        return AnswerData(move, answered.say, fault.kind.value, fault.rule, fault.evidence)
    if compared is not None and compared.rule is not None:
        return AnswerData(move, answered.say, ILLEGAL.value, compared.rule.rule, compared.rule.reason)
    return AnswerData(move, answered.say)
