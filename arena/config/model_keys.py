"""Checks the keys of a tournament's or a ladder's file that are about language models: ``models``, ``consulting``, and
the ``models`` that bots may consult."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arena.bot import Limits
from arena.config.documents.document import Document, child_path
from arena.consultation.model_spec import SCRIPTED_URL, USUAL_GAP, CallBudget, CallBudgets, ModelSpec, url_refusal
from arena.errors import nearest_hint

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY_BEGINNINGS = ("sk-", "sk_", "key-", "pk-", "ghp_", "hf_", "AIza", "gsk_", "xai-")
"""How the keys of well-known providers begin."""
_RANDOM_NAME = re.compile(r"(?=.*[a-z])(?=.*\d)[A-Za-z0-9]{20,}|[0-9A-F]{32,}|.{65,}")
"""What nobody calls a variable, but many a key looks like."""


def check_model_keys(
    document: Document,
    models: Mapping[str, ModelSpec],
    budgets: CallBudgets,
    limits: Limits,
    uses: Mapping[str, Sequence[str]],
) -> None:
    """Raise ConfigError for the first mistake in the ``models`` of a file, the ``budgets`` for them, and the names of
    those that bots use (``uses``), each under the path of its key. ``limits`` are those of the bots."""
    for name, model in models.items():
        path = child_path("models", name)
        _check_name(document, path, name)
        _check_url(document, child_path(path, "url"), model)
        _check_key_name(document, child_path(path, "key_env"), model.key_env)
        _check_times(document, path, model, limits)
    for path, names in uses.items():
        _check_uses(document, path, names, models)
    _check_budgets(document, models, budgets)


def _check_name(document: Document, path: str, name: str) -> None:
    if not re.fullmatch(r"[\w.:-]{1,40}", name):
        told = "expected a name of letters, digits, '.', ':', '-' and '_', at most 40"
        raise document.error(path, f"{told}, got {name!r}", of_key=True)


def _check_url(document: Document, path: str, model: ModelSpec) -> None:
    if refusal := url_refusal(model.url):
        raise document.error(path, refusal)


def _check_key_name(document: Document, path: str, name: str) -> None:
    looks_like_key = name.startswith(_KEY_BEGINNINGS) or _RANDOM_NAME.fullmatch(name)
    if name and (looks_like_key or not _VARIABLE.fullmatch(name)):
        raise document.error(
            path,
            "expected the NAME of an environment variable that holds the key, such as MODEL_KEY; never "
            "write a key into a file, and if this is one, replace it",
        )


def _check_times(document: Document, path: str, model: ModelSpec, limits: Limits) -> None:
    """Deadlines are shorter than what is above them: so a call that hangs ends before the time of its ask."""
    if model.gap > model.total and model.gap != USUAL_GAP:
        told = f"the gap between two bytes ({model.gap:g} s) is longer than the total ({model.total:g} s)"
        raise document.error(path, f"{told}: write a smaller 'gap', or none")
    if model.url == SCRIPTED_URL:
        return  # it takes no time
    longest = limits.ask + limits.bank
    if limits.match is not None and limits.match < longest:
        longest = limits.match
    if model.total >= longest:
        raise document.error(
            path,
            f"a call may take {model.total:g} s, but an ask with its bank only {longest:g} s: write a smaller 'total', "
            f"or more time under 'limits' (ask: 180, match: null)",
        )


def _check_uses(document: Document, path: str, names: Sequence[str], models: Mapping[str, ModelSpec]) -> None:
    for name in names:
        if name not in models:
            known = f"there are {', '.join(models)}" if models else "the file names none"
            told = f"expected the name of a model under 'models', got {name!r}{nearest_hint(name, models)}"
            raise document.error(path, f"{told}; {known}")
    if len(set(names)) < len(names):
        raise document.error(path, "a model occurs twice")


def _check_budgets(document: Document, models: Mapping[str, ModelSpec], budgets: CallBudgets) -> None:
    for of in budgets.__struct_fields__:
        budget = getattr(budgets, of)
        if not isinstance(budget, CallBudget) or budget.money is None:
            continue
        for name, model in models.items():
            if model.price is None and model.url != SCRIPTED_URL:
                path = child_path(child_path("consulting", of), "money")
                told = f"no budget in money can be kept: the price of {name} is unknown"
                raise document.error(path, f"{told}; write models.{name}.price: {{prompt: …, completion: …}}")
