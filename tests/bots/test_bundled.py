"""The bundled bots: no faults at any table, the same match from the same seed, short enough to read."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import cycle
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.bot import Limits
from arena.config.editions import Edition, load_edition
from arena.finding.reference import CONSULTING_BOTS, SEARCHING_BOTS, UNSEATED_BOTS, BotRef, find_file
from arena.games import built_in_games
from arena.games.game_bot import SAY_LENGTH
from arena.match.match_spec import MatchSpec
from arena.match.refereeing.match_result import MatchResult
from arena.match.refereeing.referee import Referee
from arena.players.inprocess import InProcessPlayer
from arena.players.watch import Watch
from arena.replay.lines import Answered, Seat
from arena.replay.read import read_replay_lines
from arena.runs.bundled_bots import bundled_for
from arena.runs.planning.edition_list import list_editions

BOTS = Path(__file__).parents[2] / "bots"
TEXTS = {path.stem.replace("_", "-"): path.read_text(encoding="utf-8") for path in BOTS.glob("*.py")}
PLAYING = {
    game: sorted(name for name, text in TEXTS.items() if f"arena.games.{game}" in text or "arena.games." not in text)
    for game in built_in_games()
}
"""The bots of each game: those that import nothing of a game play them all."""
EDITIONS = tuple(each.name for each in list_editions())
VARIANTS = (
    "eagle-gryphon+last-call+must-deal+cards-to-deal",
    "face2face-2003+active-to-be-paid+late-hand-limit",
    "eagle-gryphon+less-cutthroat+draw-by-placards",
    "face2face-2003+short-game+fixed-turn-order",
)


def test_each_bundled_bot_plays_the_games_of_which_it_imports_something() -> None:
    quick = {game: [name for name in names if name not in UNSEATED_BOTS] for game, names in PLAYING.items()}
    assert {game: sorted(bundled_for(game)) for game in built_in_games()} == quick


def test_the_bots_that_search_are_known_and_sit_at_no_table_unasked() -> None:
    assert sorted(name for name, text in TEXTS.items() if "arena.rollouts" in text) == sorted(SEARCHING_BOTS)


def test_the_bots_that_consult_models_are_known_and_sit_at_no_table_unasked() -> None:
    assert sorted(name for name, text in TEXTS.items() if "arena.talking" in text) == sorted(CONSULTING_BOTS)


def test_the_injector_moves_as_hard_does_and_says_all_that_it_can() -> None:
    said: set[str] = set()
    for seed in "abc":
        silent, loud = (
            play("eagle-gryphon", [find_file(n) for n in (name, "fair", "greedy")], seed)
            for name in ("hard", "injector")
        )
        moves = []
        for result in (silent, loud):
            answers = [line for line in read_replay_lines(result.replay)[1] if isinstance(line, Answered)]
            moves.append(
                [(line.seat, line.hook, bytes(line.move)) for line in answers if b'"unchanged"' not in bytes(line.move)]
            )
            said |= {line.say for line in answers if line.seat == 0 and line.say}
        assert moves[0] == moves[1]
        assert [seat.money for seat in silent.seats] == [seat.money for seat in loud.seats]
    assert len(said) == 6
    assert max(map(len, said)) <= SAY_LENGTH


@lru_cache
def edition(label: str, turns: int = 0) -> Edition:
    """The edition; where ``turns`` are not 0, so many turns of the board game are played, or one round of cards."""
    name, *variants = label.split("+")
    found = load_edition(name, variants)
    cut = {"max_turns": turns} if found.game == "board" else {"rounds": dict.fromkeys(found.seats, 1)}
    return load_edition(name, variants, cut) if turns else found


FIRST = {edition(label).game: label for label in reversed(EDITIONS)}
"""An edition of each game."""


def play(label: str, refs: list[BotRef], seed: str, turns: int = 0) -> MatchResult:
    chosen: Edition = edition(label, turns)
    spec = MatchSpec(
        id=seed,
        tournament="bundled",
        block=0,
        game=chosen.game,
        edition=chosen.label,
        rules=chosen.rules,
        rules_data=chosen.data,
        rules_sha256=chosen.digest,
        seats=tuple(Seat(ref.name, ref.name, ref.sha256, ref.options) for ref in refs),
        seed=seed,
        limits=Limits(30, 30, 300),
    )
    watch = Watch()
    return Referee(spec, [InProcessPlayer(ref, watch) for ref in refs]).play()


def tables(label: str, sizes: Sequence[int], first: int = 0) -> Iterator[list[BotRef]]:
    """Tables of these sizes, again and again, until every bot of the game has sat at one and every size has come, the
    bots in their order from the ``first``; the last table is filled up with bots that sit down unasked."""
    names = PLAYING[edition(label).game]
    waiting = [*names[first:], *names[:first]]
    others = [name for name in names if name not in UNSEATED_BOTS]
    for number, players in enumerate(cycle(sizes)):
        if not waiting and number >= len(sizes):
            break
        chosen, waiting = [*waiting, *others][:players], waiting[players:]
        yield [frugal(find_file(name)) for name in chosen]


def frugal(ref: BotRef) -> BotRef:
    """The bot; one that searches makes few playouts."""
    return replace(ref, options={"playouts": 2}) if ref.name in SEARCHING_BOTS else ref


def faulty(result: MatchResult, refs: list[BotRef]) -> list[str]:
    """The bots that made a fault."""
    return [ref.name for seat, ref in zip(result.seats, refs, strict=True) if any(seat.faults.values())]


@pytest.mark.parametrize("label", EDITIONS)
def test_no_bundled_bot_makes_a_fault_in_any_edition(label: str) -> None:
    """Every bot at a table of some size, in every edition with others and at another size. Those that search play their
    whole matches against themselves."""
    for refs in tables(label, edition(label).seats, 3 * EDITIONS.index(label)):
        turns = 15 if any(ref.name in SEARCHING_BOTS for ref in refs) else 0
        assert faulty(play(label, refs, f"{label}/{len(refs)}", turns), refs) == []


@pytest.mark.parametrize("label", VARIANTS)
def test_no_bundled_bot_makes_a_fault_where_variants_bend_the_rules(label: str) -> None:
    for refs in tables(label, (2, 4, 6)):
        assert faulty(play(label, refs, f"{label}/{len(refs)}", 25), refs) == []


def digests(times: int) -> list[str]:
    """Of a match at each of the tables of six: that of the replay, as often as it is played, as long as it is the same,
    and who has played."""
    return [
        str(({play(label, bots, "hashes", 6).sha256 for _ in range(times)}, [bot.name for bot in bots]))
        for label in FIRST.values()
        for bots in tables(label, (6,))
    ]


@pytest.mark.slow
def test_bundled_bots_repeat_themselves_from_the_seed_and_do_not_depend_on_the_order_of_sets() -> None:
    """Twice in this process, and in another once more."""
    code = "import runpy, sys; print(*runpy.run_path(sys.argv[1])['digests'](1), sep='\\n')"
    seed = "12" if os.environ.get("PYTHONHASHSEED") != "12" else "3"
    other = subprocess.run(
        [sys.executable, "-c", code, __file__],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    )
    assert digests(2) == other.stdout.splitlines()


@pytest.mark.parametrize("label", ["eagle-gryphon+short-game", "card-game"])
def test_a_bundled_bot_plays_against_itself(label: str) -> None:
    """At a table of two, or of three where two may not play."""
    for name in PLAYING[edition(label).game]:
        refs = [frugal(find_file(name))] * min(edition(label).seats)
        result = play(label, refs, "mirror")
        assert faulty(result, refs) == []
        assert result.termination != "max turns" or name in ("silent", "saboteur"), name


def test_a_bundled_bot_fits_on_a_few_screens() -> None:
    assert {name for name, text in TEXTS.items() if len(text.splitlines()) > 150} == set()


def test_the_dealmaker_beats_the_rest() -> None:
    """A smoke test on fixed seeds; how strong the bots are is measured by tournaments."""
    others = ["greedy", "fair", "hard", "saboteur"]
    wins = 0.0
    for match in range(10):
        names = ["dealmaker", *(name for name in others if name != others[match % 4])]
        refs = [find_file(names[(seat + match) % 4]) for seat in range(4)]
        ranks = [seat.rank for seat in play("eagle-gryphon", refs, f"strength/{match}").seats]
        own = next(seat for seat in range(4) if refs[seat].name == "dealmaker")
        wins += (ranks[own] == 1) / ranks.count(1)
    assert wins > 5  # 2.5 would be its share
