"""What a game tells of chance, in every edition and with every number of players: all outcomes, and what came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any

from arena.games.board import events as board
from arena.games.cards import events as cards
from arena.games.chance import Chance, ScriptedChance
from arena.games.chances import ChanceEvent
from arena.games.contract import Chanced, Event, State
from arena.luck.excess import add_excess
from tests.laws.cases import CASES, PLAIN, RASH, Case, Walk, game_of, rules_of, seed_of
from tests.laws.try_laws import Laws

TOLD = [case for case in CASES if game_of(case).chances is not None]
"""Everything but games that tell nothing of chance."""
PLAYED = list(dict.fromkeys([*TOLD[::6], *{(game_of(case).name, case.players): case for case in TOLD}.values()]))
"""Those of which a match is played: every edition and number of players, and many a variant."""
SEED = "chances"
law = Laws(PLAYED)
card_law = Laws([case for case in PLAIN if case in TOLD][::5])
roll_law = Laws([case for case in PLAIN if game_of(case).name == "board"][::3])


def told(case: Case, log: Sequence[Event]) -> list[list[ChanceEvent]]:
    """The random events that each line of the log decides."""
    chances = game_of(case).chances
    assert chances is not None
    following = chances(rules_of(case), case.players)
    return [list(following.follow(event)) for event in log]


@cache
def followed(case: Case) -> tuple[tuple[Event, ...], tuple[ChanceEvent, ...]]:
    """The log of a whole random match, and the random events in it."""
    log: list[Event] = []
    for _ in Walk(case, seed_of(case, RASH), log):
        pass
    return tuple(log), tuple(event for line in told(case, log) for event in line)


def test_every_edition_and_number_of_players_is_among_the_matches_played() -> None:
    assert {case.edition for case in PLAYED} == {case.edition for case in TOLD}
    assert {(game_of(case).name, case.players) for case in PLAYED} == {
        (game_of(case).name, case.players) for case in TOLD
    }


@law
def law_what_came_is_one_of_the_outcomes_and_their_odds_add_up(case: Case) -> None:
    features = len(game_of(case).chances.features)  # type: ignore[union-attr]
    for event in followed(case)[1]:
        assert len(event.ways) == len(event.gains)
        assert min(event.ways) >= 0
        assert event.ways[event.came] > 0
        assert sum(Fraction(ways, sum(event.ways)) for ways in event.ways) == 1
        for seat, feature, amount in (gain for gains in event.gains for gain in gains):
            assert 0 <= seat < case.players
            assert 0 <= feature < features
            assert isfinite(amount)


@law
def law_on_average_over_its_outcomes_an_event_brings_exactly_nothing(case: Case) -> None:
    events = followed(case)[1]
    for event in events[:: max(1, len(events) // 8)]:
        excesses = [[[Fraction(0)] * 99 for _ in range(case.players)] for _ in event.ways]
        exact = [[gain._replace(amount=Fraction(gain.amount)) for gain in gains] for gains in event.gains]  # type: ignore[arg-type]
        for outcome, excess in enumerate(excesses):
            add_excess(excess, event._replace(gains=exact, came=outcome), Fraction)  # type: ignore[arg-type]
        for seat in range(case.players):
            for feature in {gain.feature for gains in event.gains for gain in gains}:
                assert not sum(ways * each[seat][feature] for ways, each in zip(event.ways, excesses, strict=True))


@law
def law_every_card_drawn_and_every_roll_is_told(case: Case) -> None:
    log, events = followed(case)
    names = Counter(event.name for event in events)
    chanced = Counter(event.name for event in log if isinstance(event, Chanced))
    drawn = sum(event.count for event in log if isinstance(event, board.Drew | cards.Drew))
    assert names["card"] == drawn + sum(isinstance(event, cards.XOpened) for event in log)
    assert (names["die"], names["end"]) == (chanced["die"], chanced["end"])
    assert names["first seat"] + names["first Boss"] == 1


class Watched(ScriptedChance):
    """Chance that notes which events were asked for, and how many outcomes they had."""

    __slots__ = ("asked",)

    def __init__(self, seed: str, script: dict[Any, Any]) -> None:
        super().__init__(seed, script)
        self.asked: dict[tuple[str | int, ...], int] = {}

    def below(self, n: int, name: str, *index: int) -> int:
        self.asked[(name, *index)] = n
        return super().below(n, name, *index)


def defaults(state: State, log: list[Event], choose: Callable[[State, int], Any], stop: Callable[[], bool]) -> None:
    """Play on until ``stop``."""
    while state.asks and not stop():
        for index in range(len(state.asks)):
            state.apply(index, choose(state, index), log)


def rolling(state: State, index: int) -> Any:
    """Roll whenever that is possible, else what is played by default."""
    legal = state.legal(index)
    return next((move for move in legal if type(move).__name__ == "Roll"), state.default(index))


@roll_law
def law_the_odds_of_a_roll_do_not_depend_on_what_came(case: Case) -> None:
    found = []
    for face in range(6):
        log: list[Event] = []
        chance = Watched(SEED, {("die", 2): face})
        state = game_of(case).start(rules_of(case), case.players, chance, log)
        defaults(state, log, rolling, lambda asked=chance.asked: ("die", 2) in asked)  # type: ignore[misc]
        found.append([event for line in told(case, log) for event in line if event.name == "die"][-1])
    assert [event.came for event in found] == list(range(6))
    assert all((event.ways, event.gains) == (found[0].ways, found[0].gains) for event in found)
    assert found[0].ways == (1,) * 6


@card_law
def law_the_odds_of_a_card_are_those_of_what_is_left_in_the_pile(case: Case) -> None:
    """The same cards before, another one next: the same odds; and over all cards that could come next, each kind comes
    as often as the odds say."""
    log: list[Event] = []
    game_of(case).start(rules_of(case), case.players, Chance(SEED), log)
    (size,) = {len(event.value) for event in log if isinstance(event, Chanced) and event.name == "deck"}  # type: ignore[arg-type]
    exes = min(2, getattr(rules_of(case).deck, "x", 0))
    order = list(Chance(SEED).permutation(size - exes, "deck", 0))
    at = 7  # in the second hand
    came: Counter[int] = Counter()
    odds = set()
    for other in range(at, len(order)):
        swapped = order.copy()
        swapped[at], swapped[other] = swapped[other], swapped[at]
        log = []
        script = {("deck", 0): tuple(swapped)}
        game_of(case).start(rules_of(case), case.players, ScriptedChance(SEED, script), log)
        card = [event for line in told(case, log) for event in line if event.name == "card"][at]
        came[card.came] += 1
        odds.add((tuple(card.ways), str(card.gains)))
    assert len(odds) == 1
    ways = next(iter(odds))[0]
    assert [Fraction(came[outcome], came.total()) for outcome in range(len(ways))] == [
        Fraction(each, sum(ways)) for each in ways
    ]
