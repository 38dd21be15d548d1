"""A store keeps what it is given, whatever it keeps it in, and a run that goes on from it ends the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.config.ladder_config import LadderConfig
from arena.errors import UserError
from arena.executors.executor import Look, UnplayedMatch, no_look, play_each
from arena.executors.serial import Serial
from arena.finding.reference import find_file
from arena.isolation.worker.printed_at import PrintedText
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import OPERATOR, begin_ladder, find_ladder
from arena.ladder.database.rounds import open_round
from arena.ladder.entry.admission_rows import NewVersion, admit_version
from arena.ladder.entry.begin_ladder import by_value
from arena.ladder.play.round_store import RoundStore, SeasonFiles
from arena.ladder.rating.pairing import ChosenTable
from arena.match.work import SeatOutput, Work, WorkResult
from arena.runs import play_run as runs
from arena.runs.planning.make_plan import make_plan
from arena.runs.planning.plan import Plan
from arena.runs.planning.plan_facts import check_same_plan, facts_of
from arena.runs.run_options import RunOptions
from arena.storage.run_facts.facts import RunState
from arena.storage.run_folder import FolderStore
from arena.storage.store import MemoryStore, Store
from arena.tournament.schedule.roster import Roster
from arena.tournament.schedule.schedule import Schedule, ScheduledEdition
from tests.kept import replays_of

TOURNAMENT = """
name: tiny
seed: 5
entrants: [random-legal, greedy, silent]
editions: [{rules: eagle-gryphon, changes: {max_turns: 2}}]
seats: 2
blocks: 2
isolation: none
"""
OTHER_BOTS = {entrant: {"bot": "other", "sha256": "0"} for entrant in ("random-legal", "greedy", "silent")}
STORES: dict[str, Callable[[Path, Plan, ExitStack], Store]] = {
    "in memory": lambda folder, plan, opened: MemoryStore(),
    "in a folder": lambda folder, plan, opened: FolderStore(folder / "out"),
    "in a ladder": lambda folder, plan, opened: round_of_ladder(folder, plan, opened),
}


def round_of_ladder(folder: Path, plan: Plan, opened: ExitStack) -> Store:
    """A round of a ladder whose versions are the entrants of a plan."""
    place = LadderFolder(folder / "ladder")
    edition, seats = plan.tables[0]
    begin_ladder(place, LadderConfig(name="tiny", rules="eagle-gryphon"), edition, seats)
    database = open_database(place.database, place.shown, write=True)
    opened.callback(database.close)
    ladder, rows = find_ladder(database), {}
    for name in plan.names:
        rows[name] = admit_version(place, database, ladder, NewVersion(name, OPERATOR, by_value(find_file(name)))).id
    played = open_round(database, ladder, [ChosenTable(tuple(f"{name}:1" for name in plan.names[:seats]), "a test")])
    files = opened.enter_context(SeasonFiles(place, place.season("tiny", 1)))
    return RoundStore(files, played.id, plan.schedule, rows, edition.game, plan.seed)


@pytest.fixture(params=STORES)
def store(request: Any, tmp_path: Path, plan: Plan) -> Iterator[Store]:
    with ExitStack() as opened:
        yield STORES[request.param](tmp_path, plan, opened)


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    path = tmp_path / "tiny.yaml"
    path.write_text(TOURNAMENT)
    return make_plan(path)


class Backwards(Serial):
    """Gives results in another order than the work was submitted, and fails in the matches it is told."""

    room = 1000

    def __init__(self, *failing: str) -> None:
        super().__init__()
        self.failing = failing

    def completed(self, look: Look = no_look) -> Iterator[WorkResult | UnplayedMatch]:  # type: ignore[override]
        self._waiting.reverse()
        for result in super().completed(look):
            id = result.record.id if isinstance(result, WorkResult) else result.id
            yield UnplayedMatch(id, "no memory") if id in self.failing else result


class Interrupted(Serial):
    """Is stopped with Ctrl-C after some results."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def completed(self, look: Look = no_look) -> Iterator[WorkResult | UnplayedMatch]:  # type: ignore[override]
        for number, result in enumerate(super().completed(look)):
            if number == self.after:
                raise KeyboardInterrupt
            yield result


def ids(plan: Plan) -> list[str]:
    return [fixture.id for fixture in plan.schedule]


def kept(store: Store, plan: Plan) -> list[tuple[Any, bytes | None]]:
    """Records, but for where replays lie, and replays, as they stand."""
    return [(msgspec.structs.replace(each, replay=""), store.replay(each.id)) for each in store.records()]


@pytest.fixture
def unbroken(plan: Plan) -> list[tuple[Any, bytes | None]]:
    store = MemoryStore()
    with closing(Serial()) as executor:
        assert runs.start_run(plan, store, executor).state is RunState.COMPLETE
    return kept(store, plan)


def test_a_run_is_kept_with_its_replays_in_the_order_of_the_schedule(
    store: Store, plan: Plan, unbroken: list[Any]
) -> None:
    with closing(Backwards()) as executor:
        outcome = runs.start_run(plan, store, executor, RunOptions(command="arena run"))
    assert (outcome.state, outcome.finished) == (RunState.COMPLETE, len(plan.schedule))
    assert [record.id for record in store.records()] == ids(plan)
    assert kept(store, plan) == unbroken
    assert store.facts().command == "arena run"


def test_a_run_that_is_stopped_goes_on_to_the_same(
    store: Store, plan: Plan, unbroken: list[Any], default_sigint: None
) -> None:
    with closing(Interrupted(after=5)) as executor:
        outcome = runs.start_run(plan, store, executor)
    assert (outcome.state, outcome.finished, outcome.standings) == (RunState.STOPPED, 5, ())
    with store:
        whole = store.recover(plan.roster)
    assert ([number in whole.matches for number in range(6)], len(whole.matches)) == ([True] * 5 + [False], 5)
    assert whole.notes == []
    with closing(Backwards()) as executor:
        outcome = runs.resume_run(plan, store, executor)
    assert (outcome.state, outcome.finished) == (RunState.COMPLETE, len(plan.schedule))
    assert kept(store, plan) == unbroken


@pytest.fixture
def default_sigint() -> Iterator[None]:
    """Ctrl-C means again what it meant: a run that is stopped ignores a second one."""
    import signal

    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_what_could_not_be_played_is_no_record_and_is_tried_again(
    store: Store, plan: Plan, unbroken: list[Any]
) -> None:
    failing = ids(plan)[3]
    with closing(Backwards(failing)) as executor:
        outcome = runs.start_run(plan, store, executor)
    assert (outcome.state, outcome.finished) == (RunState.INCOMPLETE, len(plan.schedule) - 1)
    assert outcome.unplayed == [UnplayedMatch(failing, "no memory")]
    with store:
        assert 3 not in store.recover(plan.roster).matches
    with closing(Serial()) as executor:
        assert runs.resume_run(plan, store, executor).unplayed == []
    assert kept(store, plan) == unbroken


def test_a_match_of_another_run_is_refused(store: Store, plan: Plan) -> None:
    with closing(Serial()) as executor, store:
        store.add(played(executor, plan.work(plan.schedule[0])))
    other = Roster(Schedule(4, [ScheduledEdition("other-4p", 4)], 1), plan.names, plan.seed, plan.tournament.deals)
    with pytest.raises(UserError, match="is no match of this run"), store:
        store.recover(other)


def played(executor: Serial, work: Work) -> WorkResult:
    (done,) = play_each(executor, [work])
    return done


def test_facts_are_those_the_run_began_with(store: Store, plan: Plan) -> None:
    facts = facts_of(plan, "arena run tiny")
    store.begin(facts)
    store.go_on(msgspec.structs.replace(facts, command="arena run --resume"))
    assert store.facts().command == "arena run tiny"
    check_same_plan(store.facts(), facts)


CHANGES = {
    "isolation": ({"level": "sealed"}, "this run began with bots at isolation level none, here it is sealed"),
    "arena": ("9.9", "this run began with arena .*, this is 9.9; start a new run"),
    "editions": ({"outline": "0"}, "the rules of outline have changed"),
    "entrants": (OTHER_BOTS, r"the bot of random-legal \(other\) has changed"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_run_does_not_go_on_with_something_else(what: str, store: Store, plan: Plan) -> None:
    facts = facts_of(plan, "")
    store.begin(facts)
    changed, problem = CHANGES[what]
    with pytest.raises(UserError, match=problem):
        check_same_plan(store.facts(), msgspec.structs.replace(facts, **{what: changed}))


def test_nothing_that_has_not_begun_has_facts(store: Store) -> None:
    with pytest.raises(UserError):
        store.facts()


def test_a_replay_lies_there_whole_before_its_record_does(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, out, written = FolderStore(tmp_path / "out"), tmp_path / "out", []
    write = os.write

    def watched(file: int, content: bytes) -> int:
        written.append(Path(os.readlink(f"/proc/self/fd/{file}")).name)
        assert written[-1] != "matches.jsonl" or len(written) == 4
        assert (out / "matches.jsonl").read_bytes() == b""
        return write(file, content)

    with closing(Serial()) as executor, store:
        done = played(executor, plan.work(plan.schedule[0]))
        monkeypatch.setattr(os, "write", watched)
        store.add(done)
        monkeypatch.undo()
        (record,) = store.records()
        assert record.replay == f"replays/{record.id}.jsonl"
    assert written == ["0000.zst", "0000.index", "timings.jsonl", "matches.jsonl"], "each in one piece"
    assert replays_of(out) == {record.replay: done.replay}


def test_what_bots_print_is_kept_by_entrant(plan: Plan, tmp_path: Path) -> None:
    memory, folder = MemoryStore(), FolderStore(tmp_path / "out")
    with closing(Serial()) as executor, folder:
        done = played(executor, plan.work(plan.schedule[0]))
        done = msgspec.structs.replace(done, printed=(SeatOutput(0, (PrintedText(0, "start", b"hello\n"),), 7),))
        memory.add(done)
        folder.add(done)
    entrant = done.record.seats[0].entrant
    log = (tmp_path / "out" / "logs" / "bots" / f"{entrant}.log").read_text()
    assert log.startswith(f"== {entrant} printed in {done.record.id}, seat 0, replay {done.record.sha256[:12]}:\n")
    assert log.endswith(":\nask 0 start:\n  hello\n[7 bytes more]\n")
    assert memory.printed[done.record.id] == done.printed


def test_a_replay_is_given_packed_as_it_was_added_and_what_is_to_be_remembered_is(store: Store, plan: Plan) -> None:
    with closing(Serial()) as executor, store:
        store.begin(facts_of(plan, "arena run"))
        (done,) = play_each(executor, [plan.work(plan.schedule[0])])
        store.add(done)
        assert store.replay_frame(done.record.id) == done.packed
        assert store.replay_frame("no such match") is None
        store.remember({"reused": {"june": 3}})
        store.remember({"merged": []})
        assert store.manifest_data()["reused"] == {"june": 3}
        assert store.manifest_data()["merged"] == []
    assert store.facts().command == "arena run"
