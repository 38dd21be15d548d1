"""Bots are handed views and nothing behind them; what is said is heard; a phase is asked on the same information."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import msgspec
import pytest

from arena.bot import Limits, Start
from arena.games.board.events import Drew, Fizzled, Hidden
from arena.games.board.position import Position
from arena.games.board.rules import Layout, Rules
from arena.games.chance import Chance
from arena.games.contract import Chanced, Hook, View
from arena.match.refereeing.referee import Referee
from arena.match.walk.verify import verify_replay
from arena.penalties import FaultKind
from arena.players.faults import Fault
from arena.players.player import TimedAnswer
from arena.players.scripted import ScriptedPlayer

CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
HOOKS = ("place_marker", "turn", "offer", "accept", "interrupt", "close", "discard")
SECRET = "a-seed-nobody-may-see"


def anyhow(rules: Rules, seed: int, quiet: float = 0.3) -> dict[str, Any]:
    """A script: any legal move at every ask."""
    pick = random.Random(seed)

    def choose(view: View) -> Any:
        return pick.choice(view.legal_moves(rules))

    return {hook: [choose] for hook in HOOKS}


def players(edition: Any, count: int = 3) -> list[ScriptedPlayer]:
    return [ScriptedPlayer(anyhow(edition.rules, seat)) for seat in range(count)]


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """Every object that can be come to from ``roots`` through data: not through code."""
    seen: set[int] = set()
    heap = list(roots)
    while heap:
        at = heap.pop()
        if id(at) in seen or isinstance(at, CODE):
            continue
        seen.add(id(at))
        yield at
        heap += gc.get_referents(at)
        if isinstance(at, msgspec.Struct):
            heap += [getattr(at, name) for name in at.__struct_fields__]


@pytest.fixture
def edition() -> Any:
    from arena.config.editions import load_edition

    return load_edition("eagle-gryphon", changes={"max_turns": 25})


def test_nothing_that_a_bot_is_handed_leads_to_the_state_the_chance_or_the_seed(edition: Any, refereed: Any) -> None:
    table = players(edition)
    refereed(*table, edition=edition, seed=SECRET)
    found: set[type] = set()
    for player in table:
        handed = [*player.told, *(view for _, view in player.asked)]
        assert len(handed) > 50
        for at in reachable(handed):
            found.add(type(at))
            assert not isinstance(at, Position | Chance | Layout | Referee | ScriptedPlayer | Hidden | Chanced)
            assert not isinstance(at, bytes | bytearray | random.Random), "hands and the draw pile are bytes"
            if isinstance(at, str):
                assert SECRET not in at
    assert Drew in found


def test_a_seat_sees_no_cards_but_its_own(edition: Any, refereed: Any) -> None:
    table = players(edition)
    refereed(*table, edition=edition)
    hidden = shown = 0
    for seat, player in enumerate(table):
        for _, view in player.asked:
            assert view.seat == seat
            for event in view.news:
                if isinstance(event, Drew) and event.seat != seat:
                    assert event.cards == ()
                    hidden += 1
                elif isinstance(event, Drew):
                    assert len(event.cards) == event.count
                    shown += 1
                assert not isinstance(event, Fizzled | Chanced)
    assert hidden
    assert shown


def test_views_hold_nothing_that_can_be_changed(edition: Any, refereed: Any) -> None:
    table = players(edition)
    refereed(*table, edition=edition)
    for player in table:
        for at in reachable(view for _, view in player.asked):
            if isinstance(at, list | set | bytearray):
                pytest.fail(f"{at!r} can be changed")


def test_every_seat_has_rules_of_its_own_and_a_seed_of_its_own(edition: Any, refereed: Any) -> None:
    table = players(edition)
    refereed(*table, edition=edition, seed=SECRET)
    starts = [player.told[0] for player in table]
    assert all(isinstance(start, Start) and start.rules == edition.rules for start in starts)
    dicts = [id(start.rules.deals) for start in starts if isinstance(start, Start)]
    assert len({*dicts, id(edition.rules.deals)}) == 4
    assert len({start.seed for start in starts if isinstance(start, Start)}) == 3
    assert [start.seat for start in starts if isinstance(start, Start)] == [0, 1, 2]


TALKER = """
def turn(self, view):
    return Reply(self.play_on(view), say=f"I am seat {view.seat} in turn {view.turn}", note=f"a secret of {view.seat}")
"""
LISTENER = """
def turn(self, view):
    heard = [f"{event.seat}: {event.text}" for event in view.news if isinstance(event, Said)]
    return Reply(self.play_on(view), note=" | ".join(heard))
"""


def answers(replay: bytes) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, replay.splitlines()) if line["event"] == "answer"]


def test_what_is_said_is_heard_by_the_others_and_kept_and_notes_are_only_kept(write_bot: Any, contest: Any) -> None:
    result = contest(write_bot(TALKER, "talker"), "silent", write_bot(LISTENER, "listener"))
    verify_replay(result.replay)
    lines = answers(result.replay)
    said = [line["say"] for line in lines if line.get("say")]
    heard = " | ".join(line["note"] for line in lines if line["seat"] == 2 and line.get("note"))
    assert len(said) > 5
    assert heard.split(" | ") == [f"0: {text}" for text in said][: heard.count("|") + 1]
    assert "secret" not in heard
    assert any(line.get("note") == "a secret of 0" for line in lines)


def test_a_bot_hears_all_that_happened_since_it_was_asked_itself_whatever_others_were_asked(
    edition: Any, refereed: Any
) -> None:
    """A bot with one hook only is told of everything, and once: hooks it has not are no asks of it."""
    lone = ScriptedPlayer({"turn": anyhow(edition.rules, 1)["turn"]})
    full = ScriptedPlayer(anyhow(edition.rules, 2))
    refereed(lone, full, ScriptedPlayer(anyhow(edition.rules, 3)), edition=edition)
    for player in (lone, full):
        news = [event for _, view in player.asked for event in view.news]
        turns = [event.turn for event in news if type(event).__name__ == "TurnBegan"]
        assert turns == list(range(1, turns[-1] + 1))
    ticks = [event for _, view in lone.asked for event in view.news if type(event).__name__ == "TickBegan"]
    assert ticks, "negotiations went on while it was not asked"


class Watched(ScriptedPlayer):
    """Notes in a common list what it is asked and when it answers."""

    def __init__(self, script: Any, log: list[tuple[str, int, Any]]) -> None:
        super().__init__(script)
        self.log = log
        self.limits: list[float] = []

    def post(self, hook: Hook, view: View, limit: float, number: int = 0) -> None:
        self.log.append(("post", view.seat, view))
        super().post(hook, view, limit, number)

    def take(self, limit: float) -> TimedAnswer:
        self.limits.append(limit)
        self.log.append(("take", self._posted[0][1].seat, None))
        return super().take(limit)


def test_all_views_of_a_phase_are_made_before_any_answer_is_taken(edition: Any, refereed: Any) -> None:
    log: list[tuple[str, int, Any]] = []
    refereed(*(Watched(anyhow(edition.rules, seat), log) for seat in range(4)), edition=edition)
    together = 0
    posted: list[Any] = []
    waiting = 0
    for what, _, view in log:
        if what == "post":
            assert waiting == len(posted), "an ask went out after an answer of its phase was taken"
            posted.append(view)
            waiting += 1
            continue
        waiting -= 1
        if not waiting:
            public = {(each.turn, each.tick, each.marker, each.hand_sizes, each.offers, each.laid) for each in posted}
            assert len(public) == 1, "views of one phase tell of different tables"
            together += len(posted) > 1
            posted = []
    assert together > 20


def test_slow_answers_are_paid_from_the_bank_until_it_is_empty(edition: Any, refereed: Any) -> None:
    """The limit of an ask is its own and what is left in the bank."""
    log: list[tuple[str, int, Any]] = []
    slow = Watched({"turn": anyhow(edition.rules, 0)["turn"]}, log)
    slow.seconds = 1.25
    quick = Watched({"turn": anyhow(edition.rules, 0)["turn"]}, log)
    quick.seconds = 0.75
    refereed(slow, quick, ScriptedPlayer({}), edition=edition, limits=Limits(1.0, 1.0, 1.0))
    assert slow.limits[:7] == [2.0, 1.75, 1.5, 1.25, 1.0, 1.0, 1.0]
    assert set(quick.limits) == {2.0}


def test_a_bot_that_goes_out_in_a_phase_is_out_for_the_rest_of_it(edition: Any, refereed: Any) -> None:
    """A boss asked about several offers at once: what it answers after its last fault counts for nothing."""
    script = anyhow(edition.rules, 0)
    pick = random.Random(0)

    def offer(view: View) -> Any:
        return pick.choice(view.legal_moves(edition.rules)[1:] or [None])

    fault = Fault(FaultKind.GARBLED, "nonsense")
    seen = 0
    for seed in range(8):
        bad = ScriptedPlayer({**script, "accept": [fault, lambda view: view.legal_moves(edition.rules)[0]]})
        others = [ScriptedPlayer({**anyhow(edition.rules, seat), "offer": [offer]}) for seat in (1, 2, 3)]
        result = refereed(bad, *others, edition=edition, policy="forfeit", seed=f"phase{seed}")
        verify_replay(result.replay)
        seen += sum(hook == "accept" for hook, _ in bad.asked) > 1
    assert seen
