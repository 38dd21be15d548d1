"""The keys of a tournament file about language models: what they mean, and what each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.config.documents.dialect import dump_yaml
from arena.config.tournament_config import Tournament, to_data
from arena.config.tournament_yaml import load_tournament
from arena.consultation.model_spec import CallBudget, CallBudgets, ModelSpec, SchemaMode, TokenPrice
from arena.errors import ConfigError
from arena.storage.run_facts.settings import comparable_settings

PLAIN = "name: t\nentrants: [greedy, honest, patient]\neditions: [outline]\n"
MODELS = """\
name: t
entrants: [{bot: greedy, models: fast}, {bot: honest, models: [fast, deep]}, patient]
editions: [outline]
limits: {ask: 180, bank: 0, match: null}
models:
  fast: {url: scripted}
  deep:
    url: https://models.example.org/v1
    model: big-1
    key_env: DEEP_KEY
    schema: native
    price: {prompt: 3, completion: 15}
    total: 90
consulting: {match: {calls: 40}, run: {money: 20}, tries: 3}
"""


def load(folder: Path, text: str, *overrides: str) -> Tournament:
    file = folder / "t.yaml"
    file.write_text(text, encoding="utf-8")
    return load_tournament(file, overrides)


def refusal(folder: Path, *overrides: str, text: str = MODELS) -> str:
    """What is told of these overrides, without the folder."""
    with pytest.raises(ConfigError) as caught:
        load(folder, text, *overrides)
    return str(caught.value).replace(f"{folder}/", "")


def test_models_budgets_and_who_may_use_them_are_read(tmp_path: Path) -> None:
    read = load(tmp_path, MODELS)
    assert [each.models for each in read.entrants] == [("fast",), ("fast", "deep"), ()]
    assert read.models["deep"] == ModelSpec(
        url="https://models.example.org/v1",
        model="big-1",
        key_env="DEEP_KEY",
        schema=SchemaMode.NATIVE,
        price=TokenPrice(3, 15),
        total=90,
    )
    assert read.consulting == CallBudgets(match=CallBudget(calls=40), run=CallBudget(money=20), tries=3)


def test_the_configuration_of_a_run_loads_as_it_was(tmp_path: Path) -> None:
    read = load(tmp_path, MODELS)
    assert load(tmp_path, dump_yaml(to_data(read))) == read


def test_a_tournament_without_models_is_written_as_before_there_were_any(tmp_path: Path) -> None:
    data = to_data(load(tmp_path, PLAIN))
    assert not {"models", "consulting", "slots"} & set(data)
    assert not any("models" in each for each in data["entrants"])


def test_a_run_may_be_resumed_at_another_address_but_not_with_another_model(tmp_path: Path) -> None:
    def settings(*overrides: str) -> dict[str, object]:
        return comparable_settings(to_data(load(tmp_path, MODELS, *overrides)))

    moved = (
        "models.deep.url=http://10.0.0.1/v1",
        "models.deep.key_env=OTHER",
        "models.deep.total=30",
        "slots=3",
        "models.deep.token_limit=max_completion_tokens",
    )
    assert settings(*moved, "consulting.run.money=50") == settings()
    assert settings("models.deep.model=big-2") != settings()
    assert settings("models.deep.schema=prompt") != settings()
    assert settings("models.deep.temperature=false") != settings()
    assert settings("consulting.match.calls=41") != settings()
    assert settings("entrants[0].models=[deep]") != settings()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://models.example.org",
        "models.example.org/v1",
        "script",
        "https://",
        "https://ann:secret@models.example.org/v1",
        "https://models.example.org/v1?api_key=secret",
        "http://[::1/v1",
        "http://models.example.org:99999/v1",
    ],
)
def test_an_address_must_be_the_base_of_an_endpoint_and_hold_no_key(tmp_path: Path, url: str) -> None:
    told = refusal(tmp_path, f'models.deep.url="{url}"')
    assert "models.deep.url" in told
    assert "secret" not in told.replace(url, "")


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-0123456789abcdef",
        "sk_live_0123456789",
        "hf_abcdefghijklmnop",
        "AIzaSyA0123456789",
        "0123456789abcdef",
        "c0ffee0123456789abcdef0123456789",
        "q7Wm2Zt9Lk4Xc8Vb3Np6",
        "DEADBEEFDEADBEEFDEADBEEFDEADBEEF",
        "my key",
        "DEEP-KEY",
        "$DEEP_KEY",
    ],
)
def test_a_key_in_the_place_of_its_variables_name_is_refused_and_not_repeated(tmp_path: Path, key: str) -> None:
    told = refusal(tmp_path, text=MODELS.replace("DEEP_KEY", f'"{key}"'))
    assert told.startswith("t.yaml:10:")
    assert "models.deep.key_env" in told
    assert "NAME of an environment variable" in told
    assert key not in told


@pytest.mark.parametrize("name", ["DEEP_KEY", "deep_key_2", "_K", "PROVIDER2_API_KEY_FOR_ARENA", "OPENAI_API_KEY"])
def test_the_name_of_a_variable_is_none_of_these(tmp_path: Path, name: str) -> None:
    assert load(tmp_path, MODELS, f"models.deep.key_env={name}").models["deep"].key_env == name


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["entrants[0].models=[fats]"], "entrants[0].models: expected the name of a model under 'models', got 'fats'"),
        (["entrants[0].models=[fats]"], "(did you mean 'fast'?)"),
        (["entrants[1].models=[fast,fast]"], "a model occurs twice"),
        (["models.deep.gap=100"], "the gap between two bytes (100 s) is longer than the total (90 s)"),
        (["limits.ask=60"], "a call may take 90 s, but an ask with its bank only 60 s: write a smaller 'total'"),
        (["limits.match=80"], "a call may take 90 s, but an ask with its bank only 80 s"),
        (["models.deep.price=null"], "no budget in money can be kept: the price of deep is unknown"),
        (["models.deep.schema=natve"], "models.deep.schema"),
        (["models.deep.atempts=3"], "models.deep.atempts"),
        (["consulting.tries=0"], "consulting.tries"),
        (["consulting.mach.calls=3"], "consulting.mach"),
    ],
)
def test_each_mistake_is_told_at_its_key(tmp_path: Path, overrides: list[str], told: str) -> None:
    assert told in refusal(tmp_path, *overrides)


def test_a_scripted_model_takes_no_time_and_costs_nothing(tmp_path: Path) -> None:
    text = PLAIN + "models: {fast: {url: scripted}}\nconsulting: {run: {money: 1}}\n"
    assert load(tmp_path, text).limits.ask == 1.0


def test_an_entrants_models_must_be_in_the_file(tmp_path: Path) -> None:
    text = PLAIN.replace("greedy", "{bot: greedy, models: fast}")
    assert "got 'fast'; the file names none" in refusal(tmp_path, text=text)
