"""The laws of every game, edition and number of players, written against the contract alone."""

from __future__ import annotations

import random
from enum import Enum
from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import force_setattr

from arena.errors import IllegalMove
from arena.games import built_in_games
from arena.games.contract import ONLOOKER, Chanced, Event, Move, Outcome, Refusal, View
from arena.replay.lines import line_decoder
from arena.testing.imagining import play_random_moves

from .cases import (
    CASES,
    MIDDLING,
    RASH,
    Case,
    Chooser,
    Sample,
    begin,
    edition_of,
    game_of,
    last_moves,
    moves_decoder,
    moves_of,
    mutant,
    played,
    rules_of,
    samples,
    seeds,
)
from .cases import snapshot as everything
from .try_laws import Laws

law = Laws()
LISTED = 30
"""Of very long lists of moves only so many are tried out, evenly spread."""


def some(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    return moves[:: max(1, len(moves) // LISTED)]


def wrong_and_changed(sample: Sample, rng: random.Random) -> list[Move]:
    """Moves of the wrong class, and moves like the legal ones that differ somewhere."""
    game, hook = game_of(sample.case), sample.ask.hook
    found = [move for other, move in last_moves(sample.case).items() if other != hook]
    legal = sample.state.legal(sample.index)
    for _ in range(12):
        changed: Move | None = rng.choice(legal)
        for _ in range(rng.randrange(1, 4)):
            assert changed is not None
            changed = mutant(game.name, hook, changed, rng) or changed
        found.append(changed)  # type: ignore[arg-type]
    return found


@law
def law_every_legal_move_is_accepted_and_listed_once(case: Case) -> None:
    for sample in samples(case):
        legal = sample.state.legal(sample.index)
        assert legal
        assert len(set(legal)) == len(legal)
        assert {type(move) for move in legal} <= set(game_of(case).hooks[sample.ask.hook].moves)
        for move in some(legal):
            assert sample.state.refusal(sample.index, move) is None, (sample.ask, move)
            sample.state.copy().apply(sample.index, move)


@law
def law_a_refused_move_raises_and_changes_nothing(case: Case) -> None:
    rng, refused = random.Random(5), 0
    for sample in samples(case):
        state, index = sample.state, sample.index
        before, legal = everything(state), set(state.legal(index))
        for move in wrong_and_changed(sample, rng):
            refusal = state.refusal(index, move)
            if refusal is None:
                played = state.copy()
                played.apply(index, move)
                continue
            refused += 1
            assert move not in legal
            assert refusal.rule[0].isalpha()
            assert refusal.reason
            log: list[Event] = []
            with pytest.raises(IllegalMove) as raised:
                state.apply(index, move, log)
            assert (raised.value.rule, raised.value.reason) == refusal
            assert log == []
        assert everything(state) == before
    assert refused > len(samples(case))


@law
def law_an_ask_is_answered_once(case: Case) -> None:
    for sample in samples(case):
        state = sample.state.copy()
        if len(state.pending) < 2:
            continue
        move = state.legal(sample.index)[-1]
        state.apply(sample.index, move)
        before = everything(state)
        assert sample.index not in state.pending
        with pytest.raises(IllegalMove):
            state.apply(sample.index, move)
        assert everything(state) == before


@law
def law_a_move_listed_or_allowed_for_one_ask_is_judged_at_another(case: Case) -> None:
    for sample in samples(case):
        state = sample.state.copy()
        for other in state.pending:
            for move in some(state.legal(sample.index)):
                if state.refusal(other, move) is not None:
                    assert move in state.legal(sample.index)
                    with pytest.raises(IllegalMove):
                        state.apply(other, move)
                    assert state.refusal(sample.index, move) is None
                    with pytest.raises(IllegalMove):
                        state.apply(other, move)


@law
def law_a_copy_is_independent_and_continues_identically(case: Case) -> None:
    for number, sample in enumerate(samples(case)):
        state, twin = sample.state, sample.state.copy()
        before = everything(state)
        assert type(twin) is type(state)
        assert everything(twin) == before
        first = play_random_moves(twin, random.Random(number), 12)
        assert everything(state) == before
        again = state.copy()
        assert play_random_moves(again, random.Random(number), 12) == first
        assert everything(again) == everything(twin)
        assert again.outcome == twin.outcome


@law
def law_a_copy_holds_everything(case: Case) -> None:
    for sample in samples(case):
        assert everything(sample.state) == sample.held
    for match in played(case):
        assert everything(match.state.copy()) == everything(match.state)


@law
def law_the_order_of_answers_within_a_phase_does_not_matter(case: Case) -> None:
    rng, moves = random.Random(3), iter(moves_of(case, MIDDLING))
    forth_log: list[Event] = []
    forth = begin(case, str(MIDDLING), forth_log)
    mixed, mixed_log = forth.copy(), forth_log.copy()
    for _ in range(80):
        if not forth.asks:
            break
        assert mixed.asks == forth.asks
        chosen = list(islice(moves, len(forth.asks)))
        order = rng.sample(range(len(chosen)), len(chosen))
        for done, (index, other) in enumerate(zip(range(len(chosen)), order, strict=True)):
            assert forth.pending == tuple(range(done, len(chosen)))
            assert set(mixed.pending) == set(range(len(chosen))) - set(order[:done])
            forth.apply(index, chosen[index], forth_log)
            mixed.apply(other, chosen[other], mixed_log)
        assert everything(mixed) == everything(forth)
    assert mixed_log == forth_log


@law
def law_every_match_ends_with_an_outcome(case: Case) -> None:
    for match in played(case):
        check_outcome(match.state.outcome, case.players)
        assert match.state.asks == match.state.pending == ()
    assert {sample.state.outcome for sample in samples(case)} == {None}


def check_outcome(outcome: Outcome | None, players: int) -> None:
    assert outcome is not None
    assert len(outcome.money) == len(outcome.ranks) == players
    assert outcome.termination
    for money, rank in zip(outcome.money, outcome.ranks, strict=True):
        assert rank == 1 + sum(other > money for other in outcome.money)


@law
def law_defaults_are_legal_and_end_the_match(case: Case) -> None:
    for sample in samples(case):
        default = sample.state.default(sample.index)
        hook = game_of(case).hooks[sample.ask.hook]
        assert sample.state.refusal(sample.index, default) is None
        assert isinstance(default, hook.moves)
        assert hook.idle is None or default == hook.idle
    state = begin(case, "idle")
    while state.asks:
        index = state.pending[0]
        state.apply(index, state.default(index))
    check_outcome(state.outcome, case.players)


@law
def law_the_same_seed_gives_the_same_match(case: Case) -> None:
    """As far as it is chosen again; where the same moves lead to, the laws of folds look at up to the end."""
    again: list[Event] = []
    for _ in islice(Chooser(case, seeds(case)[0], begin(case, str(seeds(case)[0]), again)).play(again), 200):
        pass
    assert len(again) > 30 or tuple(again) == played(case)[0].log
    assert tuple(again) == played(case)[0].log[: len(again)]


@law
def law_chance_depends_on_the_event_not_on_what_was_drawn_before(case: Case) -> None:
    """Different play under one seed: an event of the same name and numbers still has the same value."""
    known: dict[tuple[str, tuple[int, ...]], Any] = {}
    compared = 0
    log: list[Event] = []
    log += play_random_moves(begin(case, str(MIDDLING), log), random.Random(RASH), 400)
    for other in (played(case)[-1].log, log):
        for event in other:
            if isinstance(event, Chanced) and not _names_cards(event):
                assert known.setdefault((event.name, event.index), event.value) == event.value
                compared += 1
    assert compared > len(known)


def _names_cards(event: Chanced) -> bool:
    """Which cards a later shuffle brings depends on what was shuffled; its order alone is chance."""
    return isinstance(event.value, tuple) and isinstance(event.value[0], str) and event.index not in ((), (0,))


@law
def law_moves_events_and_views_survive_json(case: Case) -> None:
    game = game_of(case)
    events = line_decoder(game.name)
    for event in played(case)[0].log:
        assert type(event) in game.events
        assert events.decode(msgspec.json.encode(event)) == event
    for sample in samples(case):
        hook = game.hooks[sample.ask.hook]
        moves = moves_decoder(game.name, hook.name)
        for move in (*some(sample.state.legal(sample.index)), sample.state.default(sample.index)):
            assert moves.decode(msgspec.json.encode(move)) == move
        view = sample.state.view(sample.index)
        assert type(view) is hook.view
        assert msgspec.json.decode(msgspec.json.encode(view), type=hook.view) == view


@law
def law_a_view_knows_the_same_moves_as_the_state(case: Case) -> None:
    rng, rules = random.Random(4), rules_of(case)
    for sample in samples(case)[CASES.index(case) % 2 :: 2]:
        state, index, ask = sample.state, sample.index, sample.ask
        view = state.view(index)
        assert (view.seat, view.players, view.news) == (ask.seat, case.players, ())
        sent = msgspec.json.decode(msgspec.json.encode(view), type=type(view))
        for seen in (view, sent):
            assert seen.legal_moves(rules) == state.legal(index)
        for move in (*some(state.legal(index)), *wrong_and_changed(sample, rng)):
            said: Refusal | None = state.refusal(index, move)
            assert view.refusal(rules, move) == said
            assert sent.refusal(rules, move) == said


@law
def law_a_view_is_plain_data(case: Case) -> None:
    """From a view one reaches frozen records, tuples, words and numbers: no state, no chance, nothing to change."""
    for sample in samples(case):
        log: list[Event] = []
        begin(case, "news", log)
        news = tuple(seen for event in log if (seen := event.seen_by(sample.ask.seat)) is not None)
        view = sample.state.view(sample.index, news)
        assert view.news == news
        check_plain(view)


def check_plain(value: Any) -> None:
    if isinstance(value, msgspec.Struct):
        assert value.__struct_config__.frozen, type(value)
        assert not hasattr(value, "__dict__")
        for name in value.__struct_fields__:
            check_plain(getattr(value, name))
    elif type(value) is tuple:
        for item in value:
            check_plain(item)
    else:
        assert value is None or isinstance(value, Enum) or type(value) in (int, str, bool), type(value)


@law
def law_a_view_does_not_change_while_others_answer(case: Case) -> None:
    for sample in samples(case):
        state = sample.state.copy()
        view = state.view(sample.index)
        for other in state.pending:
            if other != sample.index:
                state.apply(other, state.legal(other)[-1])
                assert state.view(sample.index) == view == state.copy().view(sample.index)


@law
def law_a_state_that_was_looked_at_before_shows_what_its_copy_shows(case: Case) -> None:
    """A state builds what everybody may know once a phase; a copy builds it anew."""
    state, rng = begin(case, "shown"), random.Random(2)
    for _ in range(60):
        for index, ask in enumerate(state.asks):
            for seat in (ask.seat, ONLOOKER) if rng.random() < 0.2 else ():
                assert state.look(seat) == state.copy().look(seat)
            assert state.view(index) == state.copy().view(index)
            state.apply(index, rng.choice(state.legal(index)))


@law
def law_what_a_bot_does_to_its_view_no_other_seat_sees(case: Case) -> None:
    for sample in samples(case)[::5]:
        state = sample.state
        before = [state.view(index) for index in state.pending]
        spoilt = state.view(sample.index)
        for name in spoilt.__struct_fields__:
            force_setattr(spoilt, name, "spoilt")
        assert [state.view(index) for index in state.pending] == before


@law
def law_events_are_seen_whole_less_or_not_at_all_and_can_be_told(case: Case) -> None:
    game, rules = game_of(case), rules_of(case)
    names = [f"bot{seat}" for seat in range(case.players)]
    say = game.tell(rules, names)
    for event in played(case)[0].log:
        for seat in range(case.players):
            seen = event.seen_by(seat)
            assert seen is None or type(seen) is type(event)
            assert not isinstance(event, Chanced) or seen is None
        said = say(event)
        assert said is None or said.strip()


@law
def law_questions_name_seats_and_known_hooks(case: Case) -> None:
    for sample in samples(case):
        for seat, hook, _ in sample.state.asks:
            assert 0 <= seat < case.players
            assert hook in game_of(case).hooks


def test_the_cases_cover_every_game_that_is_bundled_and_one_that_is_not() -> None:
    assert {edition_of(case).game for case in CASES} == {*built_in_games(), "tests.thirdgame.pie"}
    pies = [case for case in CASES if edition_of(case).game == "tests.thirdgame.pie"]
    assert {case.players for case in pies} == {2, 3}
    assert {variant for case in pies for variant in case.variants} == {"impatient", "two-only"}
    assert len(CASES) == len(set(map(str, CASES)))


@settings(derandomize=True, max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(case=st.sampled_from(CASES), seed=st.text("abc", max_size=3), picks=st.lists(st.integers(0, 5000), max_size=150))
def test_any_play_keeps_the_laws(case: Case, seed: str, picks: list[int]) -> None:
    """Hypothesis picks the moves by number; where it has no more numbers the defaults play on to the end."""
    state, rules = begin(case, seed), rules_of(case)
    for pick in picks:
        if not state.asks:
            break
        index = state.pending[pick % len(state.pending)]
        legal = state.legal(index)
        view: View = state.view(index)
        assert view.legal_moves(rules) == legal
        assert len(set(legal)) == len(legal)
        assert state.default(index) in legal or state.refusal(index, state.default(index)) is None
        twin = state.copy()
        state.apply(index, legal[pick % len(legal)])
        twin.apply(index, legal[pick % len(legal)])
        assert everything(twin) == everything(state)
    while state.asks:
        state.apply(state.pending[0], state.default(state.pending[0]))
    check_outcome(state.outcome, case.players)
