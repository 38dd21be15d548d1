"""A bot's own seed: fixed for ever, slow to compare with a guess, and all that a bot is told of the match's."""

from __future__ import annotations

import hashlib
import hmac
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Start
from arena.errors import UserError
from arena.finding.programs import refer_command
from arena.finding.reference import find_file
from arena.games.chance import Chance
from arena.isolation.wire.requests import BotRequest
from arena.isolation.worker.fork_server import server_environment
from arena.match.refereeing.referee import Referee
from arena.match.work import SeatOutput
from arena.players import own_seeds
from arena.players.own_seeds import BotSeeds, own_seed
from arena.players.scripted import ScriptedPlayer
from tests.conftest import play, spec_of

NEW, OLD = BotSeeds.SCRYPT_1, BotSeeds.SHA256_1


def test_the_seeds_are_what_they_always_were() -> None:
    assert own_seed(NEW, "7", 0) == "aca808a6b422c5998f435dadb3f03142"
    assert own_seed(NEW, "golden", 2) == "766ead551d1c000dbd9c4958f940f116"
    assert own_seed(NEW, "ünï", 5) == "8872961c2ed668baf08f8cfab89e3c37"
    assert own_seed(OLD, "golden", 2) == "65c989cbec61037b13c056d73a9ac51d"


@pytest.mark.parametrize("seat", [0, 3, 11])
def test_the_scheme_can_be_followed_by_hand(seat: int) -> None:
    key = hashlib.scrypt("é".encode(), salt=b"arena/bot", n=2**12, r=8, p=1, dklen=32)
    assert own_seed(NEW, "é", seat) == hmac.new(key, b"%d" % seat, hashlib.sha256).hexdigest()[:32]


def told(seed: str, **more: Any) -> list[str]:
    """The seeds that three bots are told at the start of a match."""
    players = [ScriptedPlayer({}) for _ in range(3)]
    Referee(spec_of([find_file("silent")] * 3, seed=seed, **more), players).play()
    starts = [player.told[0] for player in players]
    return [start.seed for start in starts if isinstance(start, Start)]


def test_a_bot_cannot_test_a_guess_of_the_match_s_seed_by_a_digest() -> None:
    assert told("42") == [own_seed(NEW, "42", seat) for seat in range(3)]
    assert not {Chance("42").derive("bot", seat) for seat in range(3)} & set(told("42"))


def test_a_match_of_0_1_0_that_is_played_again_tells_bots_the_seeds_of_then() -> None:
    assert told("42", bot_seeds=OLD) == [Chance("42").derive("bot", seat) for seat in range(3)]


def test_the_slow_key_is_computed_once_for_all_seats_and_matches_of_a_deal() -> None:
    before = own_seeds._slow_key.cache_info().misses
    for _ in range(4):
        told("one deal, many matches")
    assert own_seeds._slow_key.cache_info().misses == before + 1


def test_every_match_and_every_seat_has_its_own() -> None:
    assert len({own_seed(NEW, seed, seat) for seed in ("1", "11", "2") for seat in range(12)}) == 36


def test_a_python_without_scrypt_is_told_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hashlib, "scrypt")
    with pytest.raises(UserError, match=r"bots' seeds need scrypt, which this Python does not have .+ OpenSSL"):
        own_seed(NEW, "a seed that no other test has", 0)


MIRROR = """
import json, os, sys
print(json.dumps({"type": "hello", "protocol": 2, "games": ["board"], "hooks": ["turn"], "legal": True}), flush=True)
for count, line in enumerate(sys.stdin):
    message = json.loads(line)
    if count < 4:
        around = [open("/proc/self/cmdline").read(), os.getcwd(), os.listdir("/proc/self/fd"), dict(os.environ)]
        print(line, around, file=sys.stderr, flush=True)
    if message["type"] == "start":
        print(json.dumps({"type": "reply", "id": 0}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"type": "reply", "id": message["id"], "move": message["legal"][0]}), flush=True)
"""


def test_nothing_that_a_bot_is_sent_or_finds_tells_the_match_its_seed_or_its_tournament(tmp_path: Path) -> None:
    (tmp_path / "mirror.py").write_text(MIRROR)
    mirror = refer_command([sys.executable, str(tmp_path / "mirror.py")])
    seed, id = "5eed0f1ea90e1d8b", "the-id/of-the-match"
    refs, printed = (mirror, find_file("silent")), list[SeatOutput]()
    result = play(spec_of(refs, seed=seed, id=id), refs, printed=printed.append)
    assert [seat.faults for seat in result.seats] == [{}, {}]
    (log,) = (each.text.decode() for each in printed)
    assert own_seed(NEW, seed, 0) in log
    for secret in (
        seed,
        id,
        "of-the-match",
        '"test"',
        own_seed(NEW, seed, 1),
        own_seeds._slow_key(seed).hex(),
        "silent",
    ):
        assert secret not in log
    assert '"type":"ask"' in log


def test_a_python_bot_s_process_is_told_its_bot_before_the_match_and_nothing_else() -> None:
    assert BotRequest.__struct_fields__ == ("bot", "task", "game", "command")
    assert set(server_environment()) == {
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "OPENBLAS_NUM_THREADS",
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
    }
