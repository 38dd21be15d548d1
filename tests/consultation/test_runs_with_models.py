"""Runs whose bots consult models: recorded, interrupted, resumed, within their budgets, verified."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.consultation.backend import ModelUnreachable
from arena.consultation.backends import Backends
from arena.consultation.endpoint import chat_endpoints
from arena.errors import ReplayError
from arena.runs.models import live_desks, model_access
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, OPEN_CALLS_FOLDER, KeptReplays
from arena.storage.run_folder import FolderStore
from tests.conftest import Arena
from tests.consultation import fake_endpoint
from tests.consultation.asking import FakeModel, write_asker

CONFIG = """\
name: talk
seed: "7"
blocks: 1
seats: 3
limits: {{ask: 30, bank: 0, match: null}}
models:
  fast: {{url: "{url}", total: 20, gap: 10, price: {{prompt: 1000, completion: 1000}}}}
entrants:
  - {{bot: asker.py, name: a, models: fast}}
  - {{bot: asker.py, name: b, models: fast}}
  - greedy
editions: [{{rules: eagle-gryphon, changes: {{max_turns: 4}}}}]
"""
Models = Callable[[FakeModel], FakeModel]


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Models:
    """Puts a fake in the place of all models, and writes ``talk.yaml`` and its bot."""
    write_asker(tmp_path)
    (tmp_path / "talk.yaml").write_text(CONFIG.format(url="scripted"))

    def answer_by(model: FakeModel) -> FakeModel:
        for user in (model_access, live_desks):
            monkeypatch.setattr(user, "Backends", lambda: model)
        return model

    return answer_by


def run(arena: Arena, out: str, *words: object, code: int = 0) -> str:
    """Plays ``talk.yaml`` into a folder; returns what is printed on standard error."""
    ran = arena("run", "talk.yaml", "--out", out, "-q", *words)
    assert ran.code == code, ran.err
    return ran.err


def root(folder: Path) -> str:
    """The root digest of a complete run."""
    return str(json.loads((folder / "manifest.json").read_text())["root"])


def test_a_run_with_models_verifies_with_its_cassettes_and_is_the_same_in_any_number_of_slots(
    arena: Arena, models: Models, other_interpreter: None, tmp_path: Path
) -> None:
    said = [run(arena, str(slots), "--slots", slots) for slots in (1, 5) if models(FakeModel())]
    assert "5 slots in one process" in said[1]
    assert root(tmp_path / "1") == root(tmp_path / "5")
    assert not (tmp_path / "1" / OPEN_CALLS_FOLDER).exists()
    assert arena("verify", "1", "-q").code == 0
    model = models(FakeModel())
    audit = arena("audit", "1", "--sample", "1", "--each", "0", "-q")
    assert audit.code == 0, audit.out + audit.err
    assert "identical." in audit.out
    assert model.asked == []
    other = sorted((tmp_path / "1" / CASSETTES_FOLDER).iterdir())
    for path in other:
        path.unlink()
    broken = arena("verify", "1")
    assert broken.code == 3
    assert "no cassette has its" in broken.out + broken.err


def test_an_audit_counts_matches_whose_recorded_answers_are_gone_and_goes_on(
    arena: Arena, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    models(FakeModel())
    run(arena, "out", "--set", "seat_orders=rotations")
    kept, (lost, damaged, *_) = FolderStore.cassette, sorted(KeptReplays(Path("out"), CASSETTES_FOLDER).ids())

    def cassette(store: FolderStore, id: str) -> bytes | None:
        if id == damaged:
            raise ReplayError("the pack is damaged")
        return None if id == lost else kept(store, id)

    monkeypatch.setattr(FolderStore, "cassette", cassette)
    audit = arena("audit", "out", "--sample", "3", "--each", "0", "-q", "--json", "-j", 1)
    assert audit.code == 3, audit.err
    found = json.loads(audit.out)
    assert (found["played"], found["identical"], [each["id"] for each in found["others"]]) == (3, 1, [lost, damaged])
    missed, broken = found["others"]
    assert "the request is in no cassette: nothing of seat" in missed["problem"]
    assert (missed["entrant"] in ("a", "b"), missed["ask"] > 0) == (True, True)
    assert broken["problem"] == "what models answered in it cannot be read: the pack is damaged"


def test_a_bot_that_asks_by_chance_explains_that_its_model_has_no_answer(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    asker = tmp_path / "asker.py"
    asker.write_text(asker.read_text().replace("what now?", "what now? {__import__('random').random()}"))
    models(FakeModel())
    run(arena, "out", "--set", "seat_orders=rotations")
    audit = arena("audit", "out", "--sample", "1", "--each", "0", "-q", "--json", "-j", 1)
    assert audit.code == 0, audit.err
    (missed,) = json.loads(audit.out)["others"]
    assert (missed["came"], missed["entrant"] in ("a", "b"), missed["problem"]) == ("not repeatable", True, "")


def test_a_run_whose_model_goes_away_is_resumed_at_the_same_ask(arena: Arena, models: Models, tmp_path: Path) -> None:
    models(FakeModel())
    run(arena, "whole")
    left = [12]

    def answer(text: str) -> str | Exception:
        left[0] -= 1
        return '{"n": 1}' if left[0] >= 0 else ModelUnreachable("HTTP 503", lasting=True)

    model = models(FakeModel(answer))
    told = run(arena, "broken", "--slots", 2, code=1)
    assert "suspended: the model fast is out of reach: HTTP 503" in told
    assert "arena run --resume broken" in told
    assert list((tmp_path / "broken" / OPEN_CALLS_FOLDER).iterdir())
    answered = 12
    assert len(model.asked) >= answered
    total = len(models_asked(arena, models, tmp_path, "broken"))
    assert total == len_of_calls(tmp_path / "whole") - answered
    assert root(tmp_path / "broken") == root(tmp_path / "whole")
    assert not (tmp_path / "broken" / OPEN_CALLS_FOLDER).exists()


def models_asked(arena: Arena, models: Models, folder: Path, name: str) -> list[object]:
    """What is asked when the run is resumed."""
    model = models(FakeModel())
    resumed = arena("run", "--resume", name, "-q")
    assert resumed.code == 0, resumed.err
    return list(model.asked)


def len_of_calls(folder: Path) -> int:
    """How many calls the finished matches of a run have made."""
    timings = [json.loads(line) for line in (folder / "timings.jsonl").read_text().splitlines()]
    return sum(seat["models"].get("fast", {}).get("calls", 0) for timing in timings for seat in timing["seats"])


def test_a_run_within_a_budget_stops_and_goes_on_with_more(arena: Arena, models: Models, tmp_path: Path) -> None:
    model = models(FakeModel())
    told = run(arena, "poor", "--money", 4, "--slots", 1, code=1)
    assert re.search(r"the budget of the run is used up: money: \$.*; --money DOLLARS allows more$", told, re.MULTILINE)
    spent = len(model.asked) * 0.11
    assert 2 < spent <= 4
    models(FakeModel())
    again = arena("run", "--resume", "poor", "-q")  # the folder knows the budget
    assert (again.code, "the budget of the run is used up: money: $" in again.err) == (1, True)
    richer = models(FakeModel())
    assert arena("run", "--resume", "poor", "-q", "--money", 1000).code == 0
    assert richer.asked
    models(FakeModel())
    run(arena, "rich")
    assert root(tmp_path / "poor") == root(tmp_path / "rich")


def test_matches_that_are_given_up_are_void_and_the_run_ends(arena: Arena, models: Models, tmp_path: Path) -> None:
    models(FakeModel(lambda text: ModelUnreachable("hangs")))
    run(arena, "void", "--give-up")
    standings = json.loads((tmp_path / "void" / "standings.json").read_text())
    assert "unreachable" in (tmp_path / "void" / "matches.jsonl").read_text()
    assert arena("verify", "void", "-q").code == 0
    assert standings
    model = models(FakeModel())
    again = arena("run", "--resume", "void", "--retry-void", "-q")
    assert again.code == 0, again.err
    assert model.asked
    assert "unreachable" not in (tmp_path / "void" / "matches.jsonl").read_text()


def test_a_folder_cannot_have_keys_sent_to_its_own_addresses(arena: Arena, models: Models, tmp_path: Path) -> None:
    greeting = '{"greeting": "Hi.", "sentences": 1, "ready": true}'

    def off(text: str) -> str | Exception:
        return greeting if "Greet" in text else ModelUnreachable("off", lasting=True)

    models(FakeModel(off))
    (tmp_path / "talk.yaml").write_text(
        CONFIG.format(url="http://evil.example/v1").replace("total:", "key_env: MY_KEY, total:")
    )
    told = run(arena, "theirs", "--slots", 1, code=1)
    assert "arena run --resume theirs --allow-models" in told
    model = models(FakeModel())
    for words in (("--resume", "theirs"), ("theirs/config.resolved.yaml", "--out", "mine")):
        ran = arena("run", *words, "-q")
        assert ran.code == 2
        assert "asks the model fast at http://evil.example/v1, with the key in MY_KEY" in ran.err
        assert "--allow-models" in ran.err
    assert model.asked == []
    models(FakeModel(lambda text: greeting if "Greet" in text else '{"n": 1}'))
    assert arena("run", "--resume", "theirs", "-q", "--allow-models").code == 0
    models(FakeModel(lambda text: ModelUnreachable("HTTP 500")))
    refused = arena("run", "talk.yaml", "--out", "other", "-q")
    assert refused.code == 2
    assert "the model fast fails: HTTP 500" in refused.err
    assert not (tmp_path / "other").exists()


def test_replaying_a_run_asks_nothing_and_says_what_is_missing(arena: Arena, models: Models, tmp_path: Path) -> None:
    model = models(FakeModel())
    told = run(arena, "none", "--cassette", "replay", "--slots", 1, code=1)
    assert "the request is in no cassette: nothing of seat" in told
    assert model.asked == []


def test_slow_bots_in_slots_take_about_the_time_of_one(arena: Arena, models: Models, tmp_path: Path) -> None:
    under_way, most, lock = [0], [0], threading.Lock()
    gate = threading.Event()

    def answer(text: str) -> str:
        with lock:
            under_way[0] += 1
            most[0] = max(most[0], under_way[0])
        if most[0] >= 3:
            gate.set()
        gate.wait(5)
        with lock:
            under_way[0] -= 1
        return '{"n": 1}'

    models(FakeModel(answer))
    run(arena, "out", "--slots", 3)
    assert most[0] >= 3


def test_slots_need_no_models(arena: Arena, tmp_path: Path) -> None:
    for out, words in (("slots", ("--slots", 3)), ("pool", ("-j", 1))):
        ran = arena(
            "run", "greedy", "fair", "hard", "--blocks", 1, "--seed", 3, "--set", "seats=3", "-q", "--out", out, *words
        )
        assert ran.code == 0, ran.err
    assert root(tmp_path / "slots") == root(tmp_path / "pool")
    refused = arena("run", "greedy", "fair", "hard", "--slots", 3, "--executor", "serial", "--out", "x")
    assert refused.code == 2
    assert "leave out the executor serial" in refused.err


def test_shares_are_merged_with_their_cassettes_and_matches_are_not_reused(arena: Arena, models: Models) -> None:
    for share in (1, 2):
        models(FakeModel())
        run(arena, f"part{share}", "--shard", f"{share}/2", "--seed", 7)
    merged = arena("merge", "part1", "part2", "--out", "all")
    assert merged.code == 0, merged.err
    assert arena("verify", "all", "-q").code == 0
    models(FakeModel())
    refused = arena("run", "talk.yaml", "--seed", 7, "--reuse", "all", "--out", "again")
    assert refused.code == 2
    assert "matches whose bots consult models cannot be taken over" in refused.err


def test_a_key_is_in_no_file_of_a_run(
    arena: Arena, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("MY_KEY", key)
    greeting = '{"greeting": "Hi.", "sentences": 1, "ready": true, "n": 1}'

    def act(handler: fake_endpoint.Handler) -> None:
        asked = handler.server.asked[-1][2]["messages"][0]["content"]
        said = greeting.replace(', "n": 1', "") if "Greet" in asked else f'{{"n": {len(asked)}}}'
        (fake_endpoint.streamed(said) if len(asked) % 2 else fake_endpoint.status(503, key))(handler)

    models(FakeModel())
    monkeypatch.setattr(model_access, "Backends", Backends)
    monkeypatch.setattr(chat_endpoints, "FIRST_WAIT", 0.001)
    with fake_endpoint.endpoint(fake_endpoint.streamed(greeting.replace(', "n": 1', "")), act) as server:
        config = CONFIG.format(url=server.url).replace("total:", "key_env: MY_KEY, attempts: 1, total:")
        (tmp_path / "talk.yaml").write_text(config)
        told = run(arena, "out", "--slots", 2, "--give-up")
    assert all(headers["Authorization"] == f"Bearer {key}" for _, headers, _ in server.asked)
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) > 8
    for path in files:
        content = path.read_bytes()
        assert key.encode() not in content
    for packs in ("replays", "cassettes"):
        kept = KeptReplays(tmp_path / "out", packs)
        assert all(key.encode() not in (kept.get(id) or b"") for id in kept.ids())
    assert key not in told
