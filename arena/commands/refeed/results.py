"""What came of asks that were put again: each place where a bot answers otherwise, and their numbers over matches."""

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
    """An ask at which something was found: its ``code``, the ``match`` as it is named on the command line, the line of
    its answer in the replay (``event``; null where nothing was done), the number of the ``ask`` (0: the start), its
    ``hook``, what is recorded (``then``) and what was answered ``now``; ``seconds`` are told where they matter."""

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
    """The asks of a hook: how many were answered otherwise for the table (``other``), how many later than wanted
    (``slow``), and how many in which way (``codes``). ``not_put`` of them the bot was not asked, as it has not got the
    hook: its answer is the default."""

    asks: int = 0
    other: int = 0
    slow: int = 0
    codes: dict[Likeness, int] = {}
    not_put: int = 0

    def add(self, what: Likeness, other: bool, slow: bool, put: bool = True) -> None:
        """One more ask."""
        self.asks += 1
        self.other += other
        self.slow += slow
        self.not_put += not put
        self.codes[what] = self.codes.get(what, 0) + 1

    def merge(self, more: HookCount) -> None:
        """Those that another has counted."""
        self.asks += more.asks
        self.other += more.other
        self.slow += more.slow
        self.not_put += more.not_put
        for what, number in more.codes.items():
            self.codes[what] = self.codes.get(what, 0) + number

    @property
    def faults(self) -> int:
        """Asks at which the bot failed, but for illegal answers."""
        return sum(number for what, number in self.codes.items() if what.is_fault and what is not ILLEGAL)

    def of(self, what: Likeness) -> int:
        """The asks answered this way."""
        return self.codes.get(what, 0)


class RefeedCounts(msgspec.Struct):
    """Asks of so many ``matches`` that were put to a bot. In ``differing`` of them it answered otherwise, in ``ended``
    there was no bot any more before the last ask. ``hooks`` is by hook, ``blocks`` has asks and other answers by block,
    ``places`` the first places, or all. ``found`` is where it was stopped. Left out were ``voids`` and matches
    ``without_replay``."""

    matches: int = 0
    differing: int = 0
    ended: int = 0
    voids: int = 0
    without_replay: int = 0
    hooks: dict[str, HookCount] = {}
    blocks: dict[str, tuple[int, int]] = {}
    places: list[Place] = []
    found: RefeedFinding | None = None

    def clear(self) -> None:
        """Begin anew, with one match."""
        self.matches, self.differing, self.ended = 1, 0, 0
        self.hooks, self.blocks, self.places, self.found = {}, {}, [], None

    def add(self, compared: AnswerComparison, block: str) -> None:
        """One more ask."""
        self.add_hook(compared.asked.hook, compared.what, compared.other, compared.slow, block, compared.asked.put)

    def add_hook(self, hook: str, what: Likeness, other: bool, slow: bool, block: str, put: bool = True) -> None:
        """One more ask of this hook."""
        self.hooks.setdefault(hook, HookCount()).add(what, other, slow, put)
        asks, others = self.blocks.get(block, (0, 0))
        self.blocks[block] = asks + 1, others + other

    def merge(self, more: RefeedCounts, keep: int | None) -> None:
        """What another has counted, in matches that come later; of its places so many of each code are kept."""
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
            self.keep(place, keep)
        self.found = self.found or more.found

    def keep(self, place: Place, most: int | None) -> None:
        """Keep a place, if there are not so many of its code yet."""
        if most is None or sum(each.code is place.code for each in self.places) < most:
            self.places.append(place)

    @property
    def asks(self) -> int:
        """All asks of the seat, those of hooks that the bot has not got among them."""
        return sum(hook.asks for hook in self.hooks.values())

    @property
    def not_put(self) -> int:
        """Those of hooks that the bot has not got."""
        return sum(hook.not_put for hook in self.hooks.values())

    @property
    def other(self) -> int:
        """Those answered otherwise for the table."""
        return sum(hook.other for hook in self.hooks.values())

    @property
    def slow(self) -> int:
        """Those answered later than wanted."""
        return sum(hook.slow for hook in self.hooks.values())

    @property
    def codes(self) -> dict[Likeness, int]:
        """How many asks were answered in which way, in the order of the codes."""
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
        """Whether everything was answered as it is recorded, and in time; words may be left out of account."""
        fine = {Likeness.SAME, Likeness.WORDS} if ignore_words else {Likeness.SAME}
        return not self.slow and set(self.codes) <= fine


def answer_data(answered: TimedAnswer, compared: AnswerComparison | None = None) -> AnswerData:
    """An answer as plain data; of an illegal one with why the rules refuse it."""
    move = None if answered.move is None else msgspec.json.decode(msgspec.json.encode(answered.move))
    if answered.fault is not None:
        fault = answered.fault
        return AnswerData(move, answered.say, fault.kind.value, fault.rule, fault.evidence)
    if compared is not None and compared.rule is not None:
        return AnswerData(move, answered.say, ILLEGAL.value, compared.rule.rule, compared.rule.reason)
    return AnswerData(move, answered.say)
