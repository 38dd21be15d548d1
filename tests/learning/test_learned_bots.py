"""Bots that are networks: they play as an agent with the same network, in a process of their own too, and refuse what
does not fit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gymnasium
import msgspec
import numpy
import pytest

from arena.coding.coding import coding_of
from arena.coding.network import Activation, FloatLayer, round_layers
from arena.config.botspec import parse_bot
from arena.config.editions import load_edition
from arena.environments import SeatEnv
from arena.errors import UserError
from arena.learning.export_bot import export_network
from arena.resources import bundled_folder
from arena.runs.planning.load_bots import refer_to_bot
from arena.sandbox.policy import SandboxPolicy
from arena.sandbox.probe import policy_here
from arena.testing import play as play_match
from tests.conftest import play, small, spec_of

GAMES = {"board": "eagle-gryphon", "cards": "card-game"}
ENVIRONMENTS = {"board": "arena/board-v0", "cards": "arena/cards-v0"}
SHORT = {"board": ("short-game",), "cards": ()}
both = pytest.mark.parametrize("game", list(GAMES))


def random_layers(game: str, hidden: int = 8) -> list[FloatLayer]:
    coding, rng = coding_of(game, load_edition(GAMES[game]).rules), numpy.random.default_rng(3)
    widths = ((coding.size, hidden), (hidden, len(coding.actions)))
    return [(rng.standard_normal(shape) / 4, rng.standard_normal(shape[1]) / 4) for shape in widths]


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(game: str, name: str = "learned") -> Path:
        export_network(random_layers(game), tmp_path / name, GAMES[game])
        return tmp_path / name

    return write


def decided(replay: bytes) -> list[bytes]:
    """The lines of a replay between the first, which names the bots, and the last."""
    return replay.splitlines()[1:-1]


@both
def test_the_bot_plays_as_an_agent_with_the_same_network(game: str, written: Any) -> None:
    """Observations, masks and moves are those of the environment."""
    others = ["fair", "random-legal"]
    env = gymnasium.make(ENVIRONMENTS[game], bots=others, seat=0, variants=SHORT[game]).unwrapped
    assert isinstance(env, SeatEnv)
    network, over, steps = round_layers(random_layers(game), Activation.RELU), False, 0
    observation, info = env.reset(options={"match_seed": "deal 4"})
    while not over:
        legal = numpy.flatnonzero(info["action_mask"]).tolist()
        observation, _, over, _, info = env.step(numpy.int64(network.choose(observation, legal)))
        steps += 1
    bot = play_match(str(written(game)), *others, rules=GAMES[game], variants=SHORT[game], seed="deal 4")
    assert steps > 10
    assert bot.seats[0].faults == {}
    assert decided(bot.replay) == decided(env.replay())


def readable_numpy(policy: SandboxPolicy) -> SandboxPolicy:
    """With NumPy where it lies: among an environment's packages all are readable, but tests may run on others'."""
    packages = os.path.realpath(Path(numpy.__file__).parents[1])
    return msgspec.structs.replace(policy, readable=(*policy.readable, packages))


def test_an_isolated_bot_plays_the_same_bytes(written: Any) -> None:
    refs = [refer_to_bot(parse_bot(name)) for name in (str(written("board")), "fair", "greedy")]
    spec = spec_of(refs, small())
    here, apart = play(spec, refs), play(spec, refs, policy=readable_numpy(policy_here(SandboxPolicy())))
    assert here.seats[0].faults == {}
    assert here.replay == apart.replay


def test_the_same_network_is_written_as_the_same_bytes(written: Any) -> None:
    first, second = written("board", "one"), written("board", "two")
    assert [(path.name, path.read_bytes()) for path in sorted(first.iterdir())] == [
        (path.name, path.read_bytes()) for path in sorted(second.iterdir())
    ]


def test_a_bot_is_written_over_an_earlier_one_but_over_nothing_else(written: Any, tmp_path: Path) -> None:
    assert written("board") == written("board")
    (tmp_path / "learned" / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"expected an empty folder .* got notes.txt"):
        written("board")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="Not a directory"):
        written("board", "file")


def test_what_does_not_fit_the_edition_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="485 observed numbers and 424 actions, and the network is for 216 and 479"):
        export_network(random_layers("cards"), tmp_path / "learned", "eagle-gryphon")
    with pytest.raises(UserError, match="expected relu or tanh, got 'gelu'"):
        export_network(random_layers("board"), tmp_path / "learned", "eagle-gryphon", activation="gelu")
    with pytest.raises(UserError, match="eagle"):
        export_network(random_layers("board"), tmp_path / "learned", "eagle-gryphn")
    assert not (tmp_path / "learned").exists()


def test_a_bot_whose_weights_are_of_another_coding_says_so_at_the_start(written: Any) -> None:
    folder, other = written("board"), written("cards", "other")
    (folder / "weights.npz").write_bytes((other / "weights.npz").read_bytes())
    result = play_match(str(folder), "fair", "greedy", variants=SHORT["board"], seed="1")
    (fault,) = [line for line in result.replay.splitlines() if b'"event":"fault"' in line]
    assert b"expected weights for board, got some for cards" in fault


def test_the_bot_of_the_page_earns_more_than_greedy_in_the_same_seat_of_the_same_deals() -> None:
    bots, gains = (str(bundled_folder("bots") / "learned"), "greedy"), list[int]()
    for deal in range(3):
        seats = [play_match(bot, "fair", "hard", "dealmaker", seed=f"new deal {deal}").seats[0] for bot in bots]
        assert seats[0].faults == {}
        gains.append(seats[0].money - seats[1].money)
    assert sum(gains) > 3 * 10  # $32M a match in the mean of 120
