"""What the laws are tested on: every bundled edition and number of players, every variant, and single settings; and
the same of the small game that the tests bring along.

Nothing but SETTINGS knows a game: a new rules file, or a new game, is under the laws as soon as it is bundled.
"""

from __future__ import annotations

import random
from ast import literal_eval
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Union

import msgspec

from arena.config.editions import Edition, bundled_rules, load_edition, load_source
from arena.games import load_game
from arena.games.chance import Chance
from arena.games.contract import Ask, Event, Game, Move, State

OWN_RULES = (str(Path(__file__).parents[1] / "thirdgame" / "pie.yaml"),)
"""Rules files beside those that are bundled."""
BOARDS = ("reported-board",)
"""Variants that are another board: tested with several numbers of players, and apart from the variants of the rules."""
CUT: dict[str, dict[str, Any]] = {"board": {"max_turns": 50}}
"""By game, what cuts the matches of three and more players that are not :func:`whole`. By then random play has asked
all there is to ask, and would go on for another hundred turns of the same until the die ends it."""
ENDS = {"late-hand-limit", "last-call", "no-last-call", "short-game"}
"""Variants that change how a match ends, or what it is like near its end."""


class Case(NamedTuple):
    """An edition with variants and single settings, and a number of players."""

    edition: str
    players: int
    variants: tuple[str, ...] = ()
    settings: str = ""

    def __str__(self) -> str:
        return "+".join(
            [f"{Path(self.edition).stem}-{self.players}p", *self.variants, *([self.settings] if self.settings else [])]
        )


SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "board": (
        {"pay_all_agreements": True, "fair_share": True},
        {"side_promises": False, "reopen_failed": False, "must_deal_with": 5},
        {"max_ticks": 1, "max_turns": 40, "last_call": True},
        {"active_to_be_paid": True, "fair_share": True, "last_call": True},
        {"deck": {"recruitment": 0, "boss": 2, "stop": 2, "travel": 1}, "hand_limit": 4},  # the piles run out
        {"late_limit_from": 2, "late_hand_limit": 4, "fair_share": True},
    ),
    "cards": (
        {"pass_bonus": "last", "limit": None, "discards_between_rounds": 4},
        {"discards_between_rounds": 0, "cousins": {4: 5}, "start_money": 0},
        {"cousins": {5: 5}, "pass_bonus": "none", "factor": 7, "rounds": {5: 3}},
        {"deck": {"reverse": 1, "pota": 1, "wild_pota": 0, "negative": {5: 0}}, "rounds": {6: 3}},  # it runs out often
        {"deck": {"x": 1, "move": {1: 12}}, "hand": {3: 2}, "limit": {3: 10}, "discards_between_rounds": 1},
    ),
}
"""Keys that no bundled variant sets, by game: combinations that reach corners of their own."""


def _cases() -> Iterator[Case]:
    """What is tried. A variant that several editions have is tried with the first, and with another one beside all of
    its variants."""
    settled: set[str] = set()
    tried: list[tuple[str, dict[str, Any]]] = []
    for name in (*bundled_rules(), *OWN_RULES):
        source = load_source(name)
        if source.abstract:
            continue
        edition = load_edition(name)
        seats = tuple(edition.seats)
        yield from (Case(name, players) for players in seats)
        for number, variant in enumerate(source.variants):
            allowed = tuple(load_edition(name, (variant,)).seats)
            difference = (edition.game, source.variants[variant])
            if difference in tried and variant not in BOARDS:
                continue
            tried.append(difference)
            tables = allowed[::2] if variant in BOARDS else (allowed[number % len(allowed)],)
            yield from (Case(name, players, (variant,)) for players in tables)
        compatible = [v for v in source.variants if not v.startswith("no-") and v not in BOARDS]
        if compatible:
            allowed = tuple(load_edition(name, compatible).seats)
            yield Case(name, allowed[-2:][0], tuple(compatible))
        if edition.game not in settled:
            settled.add(edition.game)
            for number, change in enumerate(SETTINGS.get(edition.game, ())):
                yield Case(name, seats[number % len(seats)], (), repr(change))


CASES: tuple[Case, ...] = tuple(_cases())
PLAIN: tuple[Case, ...] = tuple(case for case in CASES if not case.variants and not case.settings)


@cache
def edition_of(case: Case) -> Edition:
    """The resolved edition of a case."""
    edition = load_edition(case.edition, case.variants, literal_eval(case.settings or "{}"))
    return edition if whole(case) else load_edition(case.edition, case.variants, CUT.get(edition.game, {}))


def whole(case: Case) -> bool:
    """Whether its matches are played until the rules end them."""
    return case.players == 2 or bool(case.settings) or not ENDS.isdisjoint(case.variants)


def game_of(case: Case) -> Game:
    """The game of a case."""
    return load_game(edition_of(case).game)


def rules_of(case: Case) -> Any:
    """The typed rules of a case."""
    return edition_of(case).rules


def begin(case: Case, seed: str, log: list[Event] | None = None) -> State:
    """A match of this case, set up."""
    return game_of(case).start(rules_of(case), case.players, Chance(seed), log)


@cache
def moves_decoder(game: str, hook: str) -> msgspec.json.Decoder[Any]:
    """Reads any move that may answer ``hook``."""
    return msgspec.json.Decoder(Union[load_game(game).hooks[hook].moves])


class Chooser:
    """Chooses moves that are unusual: legal ones, changed here and there while they stay legal.

    Of three seeds one is rash, one middling, one calm: it mostly plays defaults, and so sees full hands.
    """

    def __init__(self, case: Case, seed: int, state: State) -> None:
        self.case, self.state, self.random = case, state, random.Random(seed)
        self.calm = (0.05, 0.3, 0.8)[seed % 3]

    def choose(self, index: int) -> Move:
        """A legal move: at times the default, else of any class, and some that :meth:`State.legal` does not list."""
        draw, legal = self.random, self.state.legal(index)
        if draw.random() < self.calm:
            return self.state.default(index)
        mood = draw.random()
        if mood < 0.4:
            return draw.choice(legal)
        kind = draw.choice(list(dict.fromkeys(map(type, legal))))
        move = draw.choice([each for each in legal if type(each) is kind])
        if mood < 0.75:
            game, hook = edition_of(self.case).game, self.state.asks[index].hook
            changed = mutant(game, hook, move, draw) if mood < 0.6 else crossing(game, hook, move, draw.choice(legal))
            if changed is not None and self.state.refusal(index, changed) is None:
                return changed
        return move

    def play(self, log: list[Event] | None = None) -> Iterator[Move]:
        """Play to the end; each move, before it is made."""
        while self.state.asks:
            for index in range(len(self.state.asks)):
                move = self.choose(index)
                yield move
                self.state.apply(index, move, log)


@lru_cache(maxsize=8)
def moves_of(case: Case, seed: int) -> tuple[Move, ...]:
    """The moves of a match that a :class:`Chooser` plays. Choosing is dear: it is done once for all laws."""
    return tuple(Chooser(case, seed, begin(case, str(seed))).play())


class Walk:
    """The match of a :class:`Chooser` once more, move by move. All laws walk the same ones, those of :data:`SEEDS`."""

    def __init__(self, case: Case, seed: int, log: list[Event] | None = None) -> None:
        self.case, self.log, self.moves = case, log, moves_of(case, seed)
        self.state = begin(case, str(seed), log)

    def __iter__(self) -> Iterator[tuple[State, int]]:
        """The state and the index of each ask, just before it is answered."""
        state, moves = self.state, iter(self.moves)
        while state.asks:
            for index in range(len(state.asks)):
                yield state, index
                move = next(moves)
                self.note(index, move)
                state.apply(index, move, self.log)

    def note(self, index: int, move: Move) -> None:
        """Note what is about to be answered, where somebody wants to."""


def mutant(game: str, hook: str, move: Move, rng: random.Random) -> Move | None:
    """A move of the same class that differs somewhere; None where the change made no move of it."""
    data = msgspec.to_builtins(move)
    changed = _changed(data, rng)
    try:
        result: Move = moves_decoder(game, hook).decode(msgspec.json.encode(changed))
    except msgspec.DecodeError:
        return None
    return result


def crossing(game: str, hook: str, one: Move, other: Move) -> Move | None:
    """A move with what both hold in it, such as one offer of two cards out of two offers; None where it is no move."""
    if type(one) is not type(other):
        return None
    try:
        both = _both(msgspec.to_builtins(one), msgspec.to_builtins(other))
        result: Move = moves_decoder(game, hook).decode(msgspec.json.encode(both))
    except msgspec.DecodeError:
        return None
    return result


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        shared = {key: _both(one[key], other[key]) for key in one if key in other}
        return {**one, **other, **shared}
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        if one and other and isinstance(one[0], dict):
            return [_both(one[0], other[0])]
        return [*one, *other]
    return one


def _changed(value: Any, rng: random.Random, key: str = "") -> Any:
    if isinstance(value, dict):
        keys = [name for name in value if name != "move"]
        if not keys:
            return value
        name = rng.choice(keys)
        return {**value, name: _changed(value[name], rng, name)}
    if isinstance(value, list | tuple):
        items = list(value)
        match rng.randrange(4):
            case 0 if items:
                items.pop(rng.randrange(len(items)))
            case 1 if items:
                items.append(_changed(rng.choice(items), rng))
            case 2:
                rng.shuffle(items)
            case _ if items:
                place = rng.randrange(len(items))
                items[place] = _changed(items[place], rng)
        return items
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2, 7, 100))
    if isinstance(value, str):
        return rng.choice(WORDS.get(_kind(value), (value,)))
    return value


def _kind(word: str) -> str:
    return next((kind for kind, words in WORDS.items() if word in words), "")


WORDS: dict[str, tuple[str, ...]] = {}
"""Words that may stand for each other in a move, gathered from the enums of the games."""


def _gather() -> None:
    for game in sorted({edition_of(case).game for case in PLAIN}):
        for hook in load_game(game).hooks.values():
            for kind in hook.moves:
                for node in _enums(msgspec.inspect.type_info(kind)):
                    WORDS[node.cls.__name__] = tuple(member.value for member in node.cls)


def _enums(node: Any, seen: frozenset[type] = frozenset()) -> Iterator[Any]:
    if isinstance(node, msgspec.inspect.EnumType):
        yield node
    elif isinstance(node, msgspec.inspect.StructType) and node.cls not in seen:
        for field in node.fields:
            yield from _enums(field.type, seen | {node.cls})
    else:
        for name in ("item_type", "types"):
            inner = getattr(node, name, ())
            for each in inner if isinstance(inner, tuple) else (inner,):
                yield from _enums(each, seen)


_gather()


class Sample(NamedTuple):
    """A position met in a match: the state, a copy of its own, and the index of the ask about to be answered."""

    case: Case
    state: State
    index: int
    held: dict[str, Any]
    """Everything in the state that was copied."""

    @property
    def ask(self) -> Ask:
        """The question."""
        return self.state.asks[self.index]


class Played(NamedTuple):
    """A whole random match: its log, and its state at the end."""

    log: tuple[Event, ...]
    state: State


SEEDS = (2, 3, 4)
"""One match of each temper: calm, rash, middling."""
CALM, RASH, MIDDLING = SEEDS


def seeds(case: Case) -> tuple[int, ...]:
    """The matches in which the laws of a case are tried: all at an edition's smallest table, all but the long calm one
    at its largest, and the middling one at those between them and where variants are played."""
    if case.edition in OWN_RULES:
        return SEEDS
    seats = edition_of(case).seats
    middle = case.variants or case.settings or min(seats) < case.players < max(seats)
    return (MIDDLING,) if middle else SEEDS if case.players == min(seats) else (RASH, MIDDLING)


def seed_of(case: Case, temper: int) -> int:
    """The match of this temper, where one is played."""
    return temper if temper in seeds(case) else MIDDLING


@lru_cache(maxsize=2)
def _played(case: Case) -> tuple[tuple[Sample, ...], tuple[Played, ...]]:
    found: dict[Any, Sample] = {}
    matches, count = [], 0
    unused = set(slots(begin(case, "unused")))
    for seed in seeds(case):
        log: list[Event] = []
        walk = Walk(case, seed, log)
        for state, index in walk:
            count += 1
            hook, topic = state.asks[index].hook, state.asks[index].topic is None
            if count % 97 == 0 or not {(hook, topic, many) for many in (False, True)} <= found.keys():
                kind = hook, topic, len(state.legal(index)) > 2
                if kind not in found or count % 97 == 0:
                    found[kind] = _sample(case, state, index)
            if used := {name for name in unused if getattr(state, name)}:
                unused -= used
                found[min(used)] = _sample(case, state, index)
        matches.append(Played(tuple(log), walk.state))
    return tuple(found.values()), tuple(matches)


def _sample(case: Case, state: State, index: int) -> Sample:
    return Sample(case, state.copy(), index, snapshot(state))


def samples(case: Case) -> tuple[Sample, ...]:
    """Positions met in these matches: of every kind of question the first or a later one, and one for everything a
    state holds in which it holds something there."""
    return _played(case)[0]


@lru_cache(maxsize=2)
def last_moves(case: Case) -> dict[str, Move]:
    """By hook, the last legal move in one of the :func:`samples`."""
    return {sample.ask.hook: sample.state.legal(sample.index)[-1] for sample in samples(case)}


def played(case: Case) -> tuple[Played, ...]:
    """The whole matches of :func:`seeds`."""
    return _played(case)[1]


FOLLOWING = {"shown", "listed", "listed_for"}
"""What follows from the rest of a state: kept so that it need not be found again."""


def slots(state: Any) -> tuple[str, ...]:
    """The names of everything a state holds, but what follows from the rest."""
    return tuple(name for name in (*_slots_of(type(state)), *getattr(state, "__dict__", ())) if name not in FOLLOWING)


@cache
def _slots_of(kind: type) -> tuple[str, ...]:
    return tuple(name for each in kind.__mro__ for name in getattr(each, "__slots__", ()))


def snapshot(state: Any) -> dict[str, Any]:
    """Everything a state holds, by value."""
    return {name: _frozen(getattr(state, name)) for name in slots(state)}


ATOMS = (int, bytes, bool, str, type(None))
"""Types of values that are their own snapshot."""


def _frozen(value: Any) -> Any:
    if type(value) in ATOMS:
        return value
    if isinstance(value, list):
        return ("list", *map(_frozen, value))
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return ("dict", *((key, _frozen(item)) for key, item in value.items()))
    if isinstance(value, set | bytearray):
        return (type(value).__name__, *sorted(value))
    return value
