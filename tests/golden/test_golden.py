"""Whole matches as they were played once: a change of the rules, of chance or of the format cannot go unseen."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena import __version__
from arena.errors import ArenaError
from arena.finding.reference import BotRef, find_file, refer_file
from arena.games.contract import Chanced, Event
from arena.match.match_spec import spec_from
from arena.match.runner import play_here
from arena.match.walk.verify import verify_replay
from arena.penalties import FaultKind
from arena.players.own_seeds import BotSeeds
from arena.replay.formats import encode_as_written
from arena.replay.lines import Faulted
from arena.replay.read import read_replay_lines, rules_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.jsonl"))
RELEASED = sorted(HERE.glob("*.*.*/*.jsonl"))
"""Replays by the released version of arena that wrote them, in a folder each."""
OLDEST = [path for path in RELEASED if path.parent.name == "0.1.0"]
LATEST = [path for path in RELEASED if path.parent.name == __version__]
KINDS_OF_0_1_0 = [*map(FaultKind, ("late", "dead", "broken", "garbled", "illegal", "missing", "refused"))]
"""Kinds of faults that there were then; kinds that are new since need not stand in old replays."""
KINDS_OF_0_2_0 = [kind for kind in FaultKind if kind not in (FaultKind.UNUSABLE, FaultKind.UNREACHABLE)]
"""Kinds of faults that no model is needed for."""


def name(path: Path) -> str:
    return path.relative_to(HERE).with_suffix("").as_posix()


def bot_of_then(name: str, folder: Path) -> BotRef:
    """The bot that plays as it did then: of those that play otherwise by now, a copy is kept in ``folder``."""
    kept = folder / f"{name}.py"
    return replace(refer_file(str(kept), None), name=name) if kept.is_file() else find_file(name)


def spoken(lines: list[Event]) -> dict[tuple[str, tuple[int, ...]], Any]:
    """What chance said, but for reshuffles: what lies in the pile then is the bots' doing."""
    found = {(line.name, line.index): line.value for line in lines if isinstance(line, Chanced)}
    return {event: value for event, value in found.items() if event[0] != "deck" or event[1] == (0,)}


def test_every_golden_replay_still_verifies() -> None:
    wrong = dict[str, str]()
    for path in (*FILES, *RELEASED):
        try:
            verify_replay(path.read_bytes())
        except ArenaError as error:
            wrong[name(path)] = str(error)
    assert wrong == {}


def test_a_replay_of_a_released_version_is_read_and_written_again_in_the_same_bytes() -> None:
    for path in RELEASED:
        header, lines = read_replay_lines(path.read_bytes())
        assert encode_as_written(lines, header) == path.read_bytes(), name(path)


@pytest.mark.parametrize("path", [path for path in OLDEST if (HERE / path.name).is_file()], ids=name)
def test_a_match_of_format_1_is_played_now_as_it_was_then_under_the_bots_seeds_of_then(path: Path) -> None:
    old, _ = read_replay_lines(path.read_bytes())
    bots = tuple(bot_of_then(seat.bot, path.parent / "bots") for seat in old.seats)
    new, lines = read_replay_lines(play_here(spec_from(old, rules_of(old)), bots).replay)
    assert (old.format, new.format) == ("arena-replay/1", "arena-replay/2")
    assert (old.bot_seeds, new.bot_seeds) == (BotSeeds.SHA256_1, BotSeeds.SHA256_1)
    assert encode_as_written(lines, old) == path.read_bytes()


@pytest.mark.parametrize("path", [path for path in OLDEST if (HERE / path.name).is_file()], ids=name)
def test_chance_is_still_that_of_0_1_0_though_bots_have_other_seeds(path: Path) -> None:
    old, before = read_replay_lines(path.read_bytes())
    new, now = read_replay_lines((HERE / path.name).read_bytes())
    assert (old.seed, old.chance, new.bot_seeds) == (new.seed, new.chance, BotSeeds.SCRYPT_1)
    drawn, again = spoken(before), spoken(now)
    both = drawn.keys() & again.keys()
    assert both
    assert {key: drawn[key] for key in both} == {key: again[key] for key in both}


@pytest.mark.parametrize("path", [path for path in LATEST if (HERE / path.name).is_file()], ids=name)
def test_a_match_of_this_version_is_played_as_when_it_was_released(path: Path) -> None:
    header, _ = read_replay_lines(path.read_bytes())
    bots = tuple(bot_of_then(seat.bot, path.parent / "bots") for seat in header.seats)
    assert play_here(spec_from(header, rules_of(header)), bots).replay == path.read_bytes()


@pytest.mark.parametrize(
    ("version", "kinds"), [("0.1.0", KINDS_OF_0_1_0), ("0.2.0", KINDS_OF_0_2_0)], ids=["0.1.0", "0.2.0"]
)
def test_replays_of_a_release_show_every_fault_under_every_policy(version: str, kinds: list[FaultKind]) -> None:
    seen: Counter[tuple[str, Any]] = Counter()
    for path in (HERE / version).glob("fault-*.jsonl"):
        header, lines = read_replay_lines(path.read_bytes())
        for line in lines:
            if isinstance(line, Faulted):
                seen.update([("kind", line.kind), ("policy", header.fault_policy), ("gone", (line.kind, line.gone))])
                seen.update([("start", line.kind)] * (line.ask == 0))
    wanted: list[tuple[str, Any]] = [("kind", kind) for kind in kinds]
    wanted += [("policy", policy) for policy in ("substitute", "forfeit", "void")]
    wanted += [("start", kind) for kind in (FaultKind.BROKEN, FaultKind.DEAD, FaultKind.LATE, FaultKind.MISSING)]
    wanted += [("gone", (kind, True)) for kind in kinds if kind.may_be_gone]
    assert set(wanted) <= set(seen)


AGAIN = ["isolated-dead", "isolated-endless", "isolated-start-dead", "isolated-illegal-forfeit", "trusted-dead-void"]


@pytest.mark.parametrize("match", AGAIN)
def test_a_match_of_0_1_0_is_played_again_identically(match: str, arena: Any, request: pytest.FixtureRequest) -> None:
    path, trusted = HERE / "0.1.0" / f"fault-{match}.jsonl", match.startswith("trusted")
    if trusted:
        request.getfixturevalue("pool")  # its bot takes down the process in which it plays
    ran = arena("rerun", path, *["--trust"] * trusted)
    assert (ran.code, ran.out) == (0, f"{path}: identical\n")


def test_a_match_of_0_1_0_is_told_in_sentences(arena: Any) -> None:
    ran = arena("show", HERE / "0.1.0" / "fault-isolated-dead.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert "faulty#0 (0) turn: dead: the process ended while the bot was thinking, and is out." in ran.out


def test_every_edition_has_a_golden_replay() -> None:
    editions = {read_replay_lines(path.read_bytes())[0].edition.partition("+")[0] for path in FILES}
    assert editions == {"eagle-gryphon", "face2face-2003", "outline", "schmidt-1994", "card-game"}


def test_together_they_show_every_kind_of_event_and_move() -> None:
    seen = {type(line).__name__ for path in FILES for line in read_replay_lines(path.read_bytes())[1]}
    rare = {"Fizzled", "Stopped", "Travelled", "Recruited", "NewBoss", "AgreementFell", "Reshuffled", "EndRolled"}
    rare |= {"XOpened", "Requested", "CousinMade", "Shifted", "Dropped", "Settled"}  # the card game's
    assert rare <= seen
