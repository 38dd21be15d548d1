"""Recorded asks that are put to a bot again: what each answer is, and what is counted over the matches of a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from arena.bot import Limits
from arena.commands.refeed import refeed_matches
from arena.commands.refeed.refeed import RefeedOptions, RefeedResult, refeed_match, refeed_run
from arena.errors import ArenaError, BotError, Mismatch, UserError
from arena.finding.reference import refer_file
from arena.match.feeding.answer_difference import FAULT_CODES, LATE, Likeness
from arena.match.walk.timeline import Timeline
from arena.penalties import FaultKind
from arena.recorded.feeding import BotFeeder
from arena.replay.lines import HUMAN_BOT, encode_line
from arena.replay.read import read_header, split_replay
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from arena.runs.single_match import MatchSetup, play_match, set_up_match
from arena.sandbox.demand import Demand
from arena.storage.run_folder import FolderStore
from arena.testing import Refeed, refeed
from arena.tournament.inference.intervals import clustered_mean
from tests.conftest import write_player
from tests.played_run import play_run

GOLDEN = Path(__file__).parents[1] / "golden"
PLAYER = "def turn(self, view):\n    return self.play_on(view)\n"
LATER = "def turn(self, view):\n    if view.turn > 3:\n        {}\n    return self.play_on(view)\n"
BODIES = {
    "same": PLAYER,
    "changed": LATER.format("return Open() if self.refusal(view, Open()) is None else self.play_on(view)"),
    "words": LATER.format("return Reply(self.play_on(view), say='aha')"),
    "noted": LATER.format("return Reply(self.play_on(view), note='to myself')"),
    "illegal": LATER.format("return Draw() if not view.rolled else Roll()"),
    "broken": LATER.format("raise ValueError('of a kind')"),
    "garbled": LATER.format("return 7"),
    "slow": LATER.format("time.sleep(0.06)"),
    "late": LATER.format("time.sleep(60)"),
    "missing": "def __init__(self):\n    super().__init__()\n    raise ValueError('no start')\n",
}
TOURNAMENT = """
name: several
seed: 5
entrants: [./same.py, greedy, {bot: greedy, name: second}]
editions: [{rules: eagle-gryphon, changes: {max_turns: 8}}, {rules: eagle-gryphon, changes: {max_turns: 6}}]
seats: 2
format: list
seat_orders: listed
fixtures: [[0, same, greedy], [1, same, second], [2, same, greedy], [2, greedy, second]]
isolation: none
"""
ENTRANT = "same"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bots, and ``match.jsonl``, in which ``same.py`` has seat 0."""
    folder = tmp_path_factory.mktemp("refeed")
    for name, body in BODIES.items():
        write_player(folder, body, name)
    record(folder, "same", folder / "match.jsonl")
    return folder


def record(folder: Path, bot: str, out: Path, limits: Limits | None = None) -> Path:
    words = (str(folder / f"{bot}.py"), "greedy", "hard")
    ready = set_up_match(words, MatchSetup(settings=["max_turns=14"], seed="7", limits=limits or Limits()), here=True)
    out.write_bytes(play_match(ready).replay)
    return out


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refed-run")
    for name in ("same", "changed"):
        write_player(folder, BODIES[name], name)
    return play_run(folder, TOURNAMENT)


Ask = Callable[..., Refeed]


@pytest.fixture
def put(here: Path) -> Ask:
    """Puts the asks of seat 0 to the bot of this name."""
    return lambda name, **more: refeed(str(here / f"{name}.py"), here / "match.jsonl", seat=0, **more)


def codes(found: Refeed) -> set[Likeness]:
    return {place.code for place in found.differences}


@pytest.mark.parametrize(("seat", "bot"), [(0, "same.py"), (1, "greedy"), (2, "hard")])
def test_a_bot_that_repeats_itself_answers_everything_as_it_is_recorded(here: Path, seat: int, bot: str) -> None:
    found = refeed(str(here / bot) if seat == 0 else bot, here / "match.jsonl", seat=seat)
    assert found.same, found
    assert found.asks > 20
    assert (found.differences, found.matches, found.share.mean) == ((), 1, 0.0)


@pytest.mark.parametrize("name", ["changed", "words", "illegal", "broken", "garbled"])
def test_what_is_answered_otherwise_is_found_with_its_code(put: Ask, name: str) -> None:
    found = put(name)
    assert not found.same
    assert codes(found) == {Likeness(name)}
    assert {place.hook for place in found.differences} == {"turn"}
    first = found.differences[0]
    assert first.event is None or f"#{first.event}, ask {first.ask}, turn" in str(found)
    assert first.now.fault == (name if Likeness(name) in FAULT_CODES else "")
    assert "differs" in repr(found) or name == "words"


def test_words_alone_are_no_other_answer_and_may_be_left_out_of_account(put: Ask) -> None:
    found = put("words")
    assert (found.same, found.share.mean) == (False, 0.0)
    assert found.differences[0].now.say == "aha"
    assert put("words", ignore_words=True).same
    assert put("noted").same, "notes are shown to nobody at the table"


def test_a_refused_answer_comes_with_its_rule(put: Ask) -> None:
    now = put("illegal").differences[0].now
    assert (now.move, now.rule, now.evidence) == ({"move": "draw"}, "B3.2", "cards are drawn after rolling")


def test_an_answer_is_slow_if_it_takes_longer_than_wanted(put: Ask) -> None:
    assert put("slow").same
    found = put("slow", slow=0.05)
    slow = [place for place in found.differences if place.hook == "turn"]
    assert (found.same, found.share.mean) == (False, 0.0)
    assert {place.code for place in slow} == {Likeness.SLOW}
    assert all(place.seconds is not None and place.seconds >= 0.05 for place in slow)  # rounded


def test_a_bot_that_never_answers_in_time_is_given_up_after_as_many_strikes_as_a_match_has(here: Path) -> None:
    replay = record(here, "same", here / "hurried.jsonl", Limits(ask=0.2, bank=0.0))
    found = refeed_match(replay, RefeedOptions(seat=0, bot=str(here / "late.py"), every=True, here=True))
    assert found.counted.codes[LATE] == 3
    assert found.counted.ended == 1


def test_a_bot_that_cannot_be_started_is_a_finding_at_the_start(here: Path, tmp_path: Path) -> None:
    with pytest.raises(BotError, match="no start"):
        refeed(str(here / "missing.py"), here / "match.jsonl", seat=0)
    unready = write_player(tmp_path, "def start(self, start): raise ValueError('not today')", "unready")
    found = refeed(str(unready), here / "match.jsonl", seat=0)
    assert [(place.code, place.ask, place.hook) for place in found.differences] == [("broken", 0, "start")]


def test_a_recorded_fault_may_be_made_again_or_be_mended(here: Path) -> None:
    for name in ("broken", "illegal"):
        replay = record(here, name, here / f"{name}.jsonl")
        again = refeed(str(here / f"{name}.py"), replay, seat=0)
        assert codes(again) == {Likeness(name)}, "a fault is found, whatever is recorded"
        assert again.share.mean == 0.0, "but it is no other answer"
        mended = refeed(str(here / "same.py"), replay, seat=0)
        assert codes(mended) == {Likeness.MENDED}
        assert {place.then.fault for place in mended.differences} == {name}


def test_every_kind_of_fault_has_a_code() -> None:
    assert {code.value for code in FAULT_CODES} == {kind.value for kind in FaultKind} - {"overtime"}


def test_a_bot_is_stopped_at_the_first_difference_or_at_the_ask_that_is_wanted(here: Path) -> None:
    def stop(bot: str, **more: int) -> RefeedResult:
        path = str(here / f"{bot}.py")
        return refeed_match(here / "match.jsonl", RefeedOptions(seat=0, bot=path, here=True, **more))

    every = refeed(str(here / "changed.py"), here / "match.jsonl", seat=0)
    first, later = every.differences[0], every.differences[2]
    found = stop("changed").counted.found
    assert found is not None
    assert found.one is not None
    assert (found.place, found.one.ask) == (first, first.ask)
    assert later.event is not None
    wanted = stop("changed", event=later.event).counted.found
    assert wanted is not None
    assert (wanted.place, wanted.earlier, wanted.earlier_places) == (later, list(every.differences[:2]), 2)
    assert stop("same").counted.found is None
    same = stop("same", ask=later.ask).counted.found
    assert same is not None
    assert same.place.code is Likeness.SAME


@pytest.mark.slow
def test_the_numbers_of_a_run_are_the_sums_of_those_of_its_matches(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = str(run.parent / "changed.py")
    wanted = RefeedOptions(entrant=ENTRANT, bot=bot, every=True, keep=None)
    trusted = msgspec.structs.replace(wanted, isolation=TRUSTED_ISOLATION)
    here = msgspec.structs.replace(trusted, here=True)
    whole = refeed_run(run, here)
    records = [each for each in FolderStore(run).records() if any(seat.entrant == ENTRANT for seat in each.seats)]
    sums, blocks, other = Counter[str](), dict[int, list[int]](), 0
    for record in records:
        found = refeed_match(run / record.replay, here)
        sums.update({hook: count.asks for hook, count in found.counted.hooks.items()})
        block = blocks.setdefault(record.block, [0, 0])
        block[0] += found.counted.count_different
        block[1] += found.counted.asks
        other += found.counted.count_different > 0
    assert {hook: count.asks for hook, count in whole.counted.hooks.items()} == sums
    assert (whole.counted.matches, whole.counted.differing) == (len(records), other)
    assert other > 0
    expected = clustered_mean(((each[0], each[1]) for each in blocks.values()), share=True)
    assert whole.counted.share == expected
    assert expected.low is not None
    monkeypatch.setattr(refeed_matches, "SINGLE_PROCESS_MATCHES", 0)
    told: list[int] = []
    assert refeed_run(run, wanted, 2, lambda done, all: told.append(done)) == whole, "in several processes, isolated"
    assert told[-1] == len(records)
    assert refeed_run(run, trusted, 2) == whole, "and inside of these"


@pytest.mark.slow
def test_a_trusted_bot_that_ends_the_process_it_shares_is_found_dead_and_all_matches_are_counted(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run.parent / "deadly.py").write_text(
        "import os\nfrom arena.games.board import BoardBot\nclass Deadly(BoardBot):\n"
        "    def turn(self, view):\n        if view.turn > 3: os._exit(0)\n        print('hello')\n"
    )
    wanted = RefeedOptions(entrant=ENTRANT, bot=str(run.parent / "deadly.py"), every=True, isolation=TRUSTED_ISOLATION)
    one_by_one = refeed_run(run, wanted).counted
    monkeypatch.setattr(refeed_matches, "SINGLE_PROCESS_MATCHES", 0)
    found = refeed_run(run, wanted, 2).counted
    assert found == one_by_one
    assert found.differing == found.matches > 1
    stopped = refeed_run(run, msgspec.structs.replace(wanted, every=False), 2).counted.found
    assert stopped is not None


@pytest.mark.slow
def test_copies_of_bots_are_found_by_the_same_counting(here: Path) -> None:
    replay = (here / "match.jsonl").read_bytes()
    with BotFeeder(Demand()) as again:
        for name in ("changed", "words", "broken"):
            bot = refer_file(str(here / f"{name}.py"), None)
            wanted = RefeedOptions(seat=0, bot=str(here / f"{name}.py"), every=True, here=True)
            found = refeed_match(here / "match.jsonl", wanted)
            counted = {hook: (count.asks, count.other) for hook, count in found.counted.hooks.items()}
            assert again.ask(Timeline(replay), 0, bot) == counted


@pytest.mark.slow
def test_a_run_is_stopped_where_its_first_difference_is(run: Path) -> None:
    found = refeed_run(run, RefeedOptions(entrant=ENTRANT, bot=str(run.parent / "changed.py"))).counted
    assert found.found is not None
    assert found.found.place.code is Likeness.CHANGED
    assert found.count_different == 1
    assert refeed_run(run, RefeedOptions(entrant=ENTRANT)).same, "by default its own bot is asked"


def test_replays_in_a_folder_are_a_run_without_blocks_of_their_own(here: Path, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.jsonl").write_bytes((here / "match.jsonl").read_bytes())
    found = refeed(str(here / "changed.py"), tmp_path, entrant="same")
    assert (found.matches, found.share.clusters) == (2, 2)
    with pytest.raises(UserError, match=r"no entrant 'sane' in .* \(did you mean 'same'\?\); there are same, greedy"):
        refeed("greedy", tmp_path, entrant="sane")


def test_who_is_stopped_is_told_what_was_counted_so_far(here: Path, tmp_path: Path) -> None:
    stops = write_player(tmp_path, LATER.format("raise KeyboardInterrupt"), "stops")
    found = refeed_match(here / "match.jsonl", RefeedOptions(seat=0, bot=str(stops), every=True, here=True))
    assert found.stopped == 130
    assert 0 < found.counted.asks < refeed(str(here / "same.py"), here / "match.jsonl", seat=0).asks
    with pytest.raises(KeyboardInterrupt):
        refeed(str(stops), here / "match.jsonl", seat=0)


@pytest.mark.parametrize("name", ["eagle-gryphon-4p.jsonl", "card-game-3p.jsonl"])
def test_replays_of_the_first_format_are_put_again(name: str) -> None:
    old, new = (refeed("silent", folder / name, seat=0) for folder in (GOLDEN / "0.1.0", GOLDEN))
    assert old.asks > 20
    assert new.asks > 20


def test_a_human_seat_is_put_to_a_bot_that_is_named(here: Path) -> None:
    content = (here / "match.jsonl").read_bytes()
    header = read_header(split_replay(content)[0])
    human = msgspec.structs.replace(header.seats[0], bot=HUMAN_BOT, sha256="")
    changed = msgspec.structs.replace(header, seats=(human, *header.seats[1:]))
    replay = here / "human.jsonl"
    body, _, last = (encode_line(changed) + content.partition(b"\n")[2]).removesuffix(b"\n").rpartition(b"\n")
    found = json.loads(last) | {"sha256": sha256(body + b"\n").hexdigest()}
    replay.write_bytes(body + b"\n" + json.dumps(found, separators=(",", ":")).encode() + b"\n")
    assert refeed(str(here / "same.py"), replay, seat=0).same
    with pytest.raises(BotError, match="same was a human; name a bot to ask instead: --bot BOT"):
        refeed_match(replay, RefeedOptions(seat=0))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (RefeedOptions(), "name the seat to re-ask with --seat or --entrant: 0 same, 1 greedy, 2 hard"),
        (RefeedOptions(seat=3), "there is no seat 3 in"),
        (RefeedOptions(entrant="gready"), "no entrant 'gready' in"),
        (RefeedOptions(entrant="greedy", seat=0), "greedy has seat 1, not 0"),
        (RefeedOptions(seat=0, bot="nobody"), "nobody"),
        (RefeedOptions(seat=0, ask=99999), "there is no ask 99999"),
    ],
)
def test_a_seat_bot_or_ask_that_is_not_there_is_refused(here: Path, wanted: RefeedOptions, said: str) -> None:
    with pytest.raises(ArenaError) as told:
        refeed_match(here / "match.jsonl", wanted)
    assert said in str(told.value)
    assert told.value.exit_code == 2


def test_a_replay_that_does_not_verify_is_named(here: Path, tmp_path: Path) -> None:
    lines = (here / "match.jsonl").read_bytes().split(b"\n")
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_bytes(b"\n".join([*lines[:9], *lines[10:]]))
    with pytest.raises(Mismatch, match=r"wrong\.jsonl: line 10"):
        refeed(str(here / "same.py"), wrong, seat=0)
