"""A ladder whose bots consult language models: who may use which, what it may cost, what is kept and what is public."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.config.ladder_yaml import load_ladder
from arena.consultation.backend import ModelUnreachable
from arena.errors import ConfigError
from arena.finding.reference import refer_file
from arena.ladder.database import season_secrets
from arena.ladder.database.bot_versions.versions import entered_versions
from arena.ladder.database.connection import open_database
from arena.ladder.database.ladder_folder import LadderFolder
from arena.ladder.database.ladders import find_ladder
from arena.ladder.entry import check_entry, likeness
from arena.ladder.entry.entry_asks import recorded_matches
from arena.ladder.entry.likeness import find_alike
from arena.runs.models import model_access
from arena.runs.planning.isolation_level import TRUSTED_ISOLATION
from arena.storage.packs.replay_packs import CASSETTES_FOLDER, OPEN_CALLS_FOLDER, REPLAYS_FOLDER, KeptReplays
from tests.conftest import Arena
from tests.consultation.asking import FakeModel, write_asker
from tests.ladder.conftest import SEED

LADDER = """\
name: talk
rules: eagle-gryphon
changes: {max_turns: 3}
seats: 2
limits: {ask: 30, bank: 0, match: null}
anchors: [{bot: asker.py, name: anchor, models: fast}, random-legal]
round_tables: 2
isolation: none
newcomer_tables: 1
entry: {check_matches: 1, one_team: false, models: [fast]}
models: {fast: {url: "URL", total: 20, gap: 10, price: {prompt: 1000, completion: 1000}}}
consulting: {tries: 2}
"""
GREETING = '{"greeting": "Hi.", "sentences": 1, "ready": true}'
SEASON = Path("league/seasons/talk.1")
Models = Callable[[FakeModel], FakeModel]


def answer(text: str) -> str:
    """What a model says: a greeting, or a number."""
    return GREETING if "Greet" in text else '{"n": 1}'


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Models:
    """Puts a fake in the place of all models, and writes the ladder's file and its bot. The deals are always the
    same."""
    for drawing in (season_secrets, check_entry):
        monkeypatch.setattr(drawing, "draw_seed", lambda: SEED)
    write_asker(tmp_path)
    (tmp_path / "talk.yaml").write_text(LADDER.replace("URL", "scripted"))

    def answer_by(model: FakeModel) -> FakeModel:
        def reopened() -> FakeModel:
            model.closed.clear()
            return model

        monkeypatch.setattr(model_access, "Backends", reopened)
        return model

    return answer_by


def played(arena: Arena, *words: object, code: int = 0) -> str:
    """Plays a round; what is told."""
    ran = arena("ladder", "play", "league", "--rounds", 1, "-q", "--look-seconds", 0, "--trust", *words)
    assert ran.code == code, ran.err
    return ran.err


def begin(arena: Arena, *words: object) -> None:
    begun = arena("ladder", "init", "league", "--config", "talk.yaml", *words)
    assert begun.code == 0, begun.err


def alike(folder: Path, bot: Path) -> list[str]:
    """The anchors that consult models as this bot does."""
    place = LadderFolder(folder / "league")
    with closing(open_database(place.database, place.shown)) as database:
        ladder = find_ladder(database)
        anchors = [each.version for each in entered_versions(database, ladder.id) if each.version.bot == "anchor"]
        recorded = recorded_matches(place, database, ladder, anchors)
        return [each.name for each in find_alike(refer_file(str(bot), None), recorded, TRUSTED_ISOLATION)]


def spending(folder: Path) -> list[tuple[str, str, int, int]]:
    """What authors and bots have spent: calls and tokens."""
    with closing(sqlite3.connect(folder / "league" / "ladder.sqlite")) as database:
        return database.execute("SELECT author, bot, calls, tokens FROM model_spending").fetchall()


def cassettes(folder: Path) -> KeptReplays:
    return KeptReplays(folder, CASSETTES_FOLDER)


def test_the_keys_of_a_ladder_say_who_may_use_which_model(models: Models, tmp_path: Path) -> None:
    config, _ = load_ladder(tmp_path / "talk.yaml", ["consulting.author.money=5", "slots=3"])
    assert (config.anchors[0].models, config.entry.models) == (("fast",), ("fast",))
    for setting, told in (
        ("entry.models=[fats]", "expected the name of a model under 'models', got 'fats' (did you mean 'fast'"),
        ("models.fast.key_env=sk-0123456789", "expected the NAME of an environment variable"),
        ("models.fast={url: http://x/v1, total: 40}", "a call may take 40 s, but an ask with its bank only 30 s"),
    ):
        with pytest.raises(ConfigError, match=told.replace("(", "\\(")):
            load_ladder(tmp_path / "talk.yaml", [setting])
    with pytest.raises(ConfigError, match="the price of fast is unknown"):
        load_ladder(tmp_path / "talk.yaml", ["models.fast={url: http://x/v1, total: 20}", "consulting.author.money=5"])


def test_a_round_is_kept_with_its_cassettes_and_played_again_without_a_model(
    arena: Arena, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models(FakeModel(answer))
    begin(arena, "--set", "publish.cassettes=round")
    played(arena)
    kept, replays = cassettes(tmp_path / SEASON), KeptReplays(tmp_path / SEASON, REPLAYS_FOLDER)
    assert sorted(kept.ids()) == sorted(replays.ids()) != []
    assert not (tmp_path / SEASON / OPEN_CALLS_FOLDER).exists()
    assert arena("ladder", "check", "league").code == 0
    silent = models(FakeModel(answer))
    again = arena("ladder", "rerun", "league", 1, "-j", 1)
    assert (again.code, "identical" in again.out, silent.asked) == (0, True, [])
    assert arena("ladder", "show", "league", 1, "--replay", "m.jsonl").code == 0
    refed = arena("refeed", "m.jsonl", "--entrant", "anchor:1", "--bot", "./asker.py", "--all", "--trust")
    assert (refed.code, silent.asked) == (0, []), refed.out + refed.err
    monkeypatch.setattr(likeness, "FEWEST_ASKS", 1)
    copy, other = (tmp_path / name for name in ("copy.py", "other.py"))
    copy.write_text((tmp_path / "asker.py").read_text() + "# mine\n")
    other.write_text((tmp_path / "asker.py").read_text().replace("what now?", "what then?"))
    assert (alike(tmp_path, copy), alike(tmp_path, other), silent.asked) == (["anchor:1"], [], [])
    assert arena("ladder", "export", "league", "--out", "public", "-q").code == 0
    assert sorted(cassettes(tmp_path / "public" / "season-1").ids()) == sorted(kept.ids())
    assert arena("ladder", "backup", "league", "copy").code == 0
    assert sorted(cassettes(tmp_path / "copy" / "seasons" / "talk.1").ids()) == sorted(kept.ids())
    for path in (tmp_path / SEASON / CASSETTES_FOLDER).iterdir():
        path.unlink()
    broken = arena("ladder", "check", "league")
    assert broken.code == 3
    assert "lacks what models answered: no cassette has its" in broken.out


def test_a_model_that_goes_away_suspends_matches_and_blames_nobody(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    left = [5]

    def wane(text: str) -> str | Exception:
        left[0] -= 1
        return answer(text) if left[0] >= 0 else ModelUnreachable("HTTP 503")

    models(FakeModel(wane))
    begin(arena, "--set", "slots=1")
    for _ in range(2):  # however often: retries are for matches that fail
        told = played(arena, code=1)
        assert "wait, first" in told
        assert "the model fast is out of reach: HTTP 503; the next play goes on at the same ask" in told
    journals = {path.name: path.read_bytes() for path in (tmp_path / SEASON / OPEN_CALLS_FOLDER).iterdir()}
    assert journals
    assert arena("ladder", "backup", "league", "copy", "--with-secrets").code == 0
    copied = tmp_path / "copy" / "seasons" / "talk.1" / OPEN_CALLS_FOLDER
    assert {path.name: path.read_bytes() for path in copied.iterdir()} == journals
    back = models(FakeModel(answer))
    played(arena)
    asked = len(back.asked)
    with closing(sqlite3.connect(tmp_path / "league" / "ladder.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM left_out").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM seats WHERE faults IS NOT NULL").fetchone() == (0,)
        timings = [json.loads(timing) for (timing,) in database.execute("SELECT timing FROM matches")]
    calls = sum(seat["models"].get("fast", {}).get("calls", 0) for each in timings for seat in each["seats"])
    assert calls == asked + 5
    assert not (tmp_path / SEASON / OPEN_CALLS_FOLDER).exists()


@pytest.mark.slow
def test_a_bot_whose_author_has_spent_his_budget_is_told_so_and_plays_on(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    model = models(FakeModel(answer))
    begin(arena, "--set", "consulting.author.calls=3", "--set", "slots=2", "--set", "round_tables=1")
    played(arena)
    assert len(model.asked) == 3
    played(arena)
    assert len(model.asked) == 3
    kept = cassettes(tmp_path / SEASON)
    texts = [kept.get(id) or b"" for id in kept.ids()]
    assert any(b"the budget of author operator in this season is used up" in text for text in texts)
    assert arena("ladder", "check", "league").code == 0
    assert arena("ladder", "rerun", "league", 1, 4, "-j", 1).code == 0


def test_a_season_whose_budget_is_spent_stops_and_goes_on_with_more(arena: Arena, models: Models) -> None:
    model = models(FakeModel(answer))
    begin(arena, "--set", "consulting.run.money=1.5", "--set", "slots=1")
    told = played(arena, code=1)
    assert "the budget of the season is used up: money: $" in told
    assert 0 < len(model.asked) * 0.11 <= 1.5
    played(arena, "--money", 1000)


def test_a_submission_asks_models_for_its_author_and_repeats_itself_from_what_is_recorded(
    arena: Arena, models: Models, tmp_path: Path
) -> None:
    model = models(FakeModel(answer))
    begin(arena)
    submitted = arena("ladder", "submit", "league", "./asker.py", "--author", "ann", "-j", 1)
    assert submitted.code == 0, submitted.out + submitted.err
    assert "asker:1 of author ann is admitted" in submitted.out
    assert "label     repeats" in submitted.out
    asked = len(model.asked)
    assert spending(tmp_path) == [("ann", "asker", asked, 110 * asked)]
    shown = arena("ladder", "show", "league").out
    assert f"ann: {asked} calls, {110 * asked:,} tokens, ${0.11 * asked:.2f}\n" in shown
    assert asked
    models(FakeModel(lambda text: ModelUnreachable("HTTP 503")))
    (tmp_path / "asker.py").write_text((tmp_path / "asker.py").read_text() + "# newer\n")
    refused = arena("ladder", "submit", "league", "./asker.py", "--author", "ann", "-j", 1)
    assert refused.code == 1
    assert "asker was not checked, through no fault of its own; submit it again:" in refused.err
    assert "the model fast is out of reach: HTTP 503" in refused.err


def test_a_folder_of_ladders_cannot_have_keys_sent_to_its_own_addresses(
    arena: Arena, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-of-the-operator")
    (tmp_path / "talk.yaml").write_text(
        LADDER.replace("URL", "https://models.example.org/v1").replace("total:", "key_env: MY_KEY, total:")
    )
    models(FakeModel(lambda text: ModelUnreachable("HTTP 500")))
    failed = arena("ladder", "init", "league", "--config", "talk.yaml")
    assert failed.code == 2
    assert "the model fast fails: HTTP 500" in failed.err
    assert not (tmp_path / "league").exists()
    model = models(FakeModel(answer))
    begin(arena)
    asked = len(model.asked)
    for words in (("play", "league", "--rounds", 1), ("submit", "league", "./asker.py")):
        refused = arena("ladder", *words)
        assert refused.code == 2
        assert "asks the model fast at https://models.example.org/v1, with the key in MY_KEY" in refused.err
        assert "--allow-models" in refused.err
    assert len(model.asked) == asked
    assert spending(tmp_path) == [("", "", asked, 110 * asked)]
    other = arena("ladder", "play", "league", "--rounds", 1, "--executor", "serial", "--allow-models")
    assert "models are consulted in the process of the ladder alone" in other.err
    played(arena, "--allow-models")
    assert sum(calls for _, _, calls, _ in spending(tmp_path)) == len(model.asked)
    assert spending(tmp_path)[0] == ("", "", 2 * asked, 220 * asked)  # it was tried once more
    shown = arena("ladder", "show", "league").out
    assert [line.strip().partition(" ")[0] for line in shown.splitlines() if " tokens, $" in line][1:] == ["operator:"]
    assert arena("ladder", "export", "league", "--out", "public", "-q").code == 0
    public = [path.read_bytes() for path in (tmp_path / "public").rglob("*") if path.is_file()]
    assert not any(b"models.example.org" in each or b"MY_KEY" in each for each in public)
    assert not (tmp_path / "public" / "season-1" / CASSETTES_FOLDER).exists()
    everything = [path.read_bytes() for path in (tmp_path / "league").rglob("*") if path.is_file()]
    assert not any(b"secret-of-the-operator" in each for each in everything)
