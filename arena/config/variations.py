"""Values to try for a bot's options, as written on the command line: ``greed=0.1:0.9:0.1``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product

from arena.config.botspec import Scalar, parse_bot
from arena.errors import BotError, UserError, cut_text

MOST_VALUES = 100
"""The maximum number of combinations of values: each is a challenger that plays all matches."""

MOST_DIGITS = 15
"""The maximum number of digits before and behind the decimal point."""


def parse_all(texts: Sequence[str]) -> list[dict[str, Scalar]]:
    """Every combination of the values of all these options, the last option changing fastest: one mapping each. Each
    text is ``KEY=FROM:TO:STEP``, which ends at TO if a step reaches it, or ``KEY=a,b,c`` with YAML scalars. Raises
    UserError for anything else, an option that is given twice, or more than :data:`MOST_VALUES` combinations."""
    options: dict[str, list[Scalar]] = {}
    for text in texts:
        key, values = _parse_variation(text)
        if key in options:
            raise UserError(f"--vary {key}: it occurs twice; give all values in one option")
        options[key] = values
    number = 1
    for values in options.values():
        number *= len(values)
    if number > MOST_VALUES:
        raise UserError(f"--vary: {number:,} combinations of values, at most {MOST_VALUES} are played at once")
    return [dict(zip(options, values, strict=True)) for values in product(*options.values())]


def _parse_variation(text: str) -> tuple[str, list[Scalar]]:
    key, equals, written = text.partition("=")
    if not equals or not key or not written:
        raise UserError(f"--vary {cut_text(text)}: expected KEY=FROM:TO:STEP or KEY=a,b,c, such as greed=0.1:0.9:0.1")
    values = _parse_range(key, written) if ":" in written else [_parse_scalar(key, each) for each in written.split(",")]
    told = [(type(value), value) for value in values]
    if len(set(told)) < len(told):
        raise UserError(f"--vary {key}: a value occurs twice in {cut_text(written)}")
    return key, values


def _parse_scalar(key: str, text: str) -> Scalar:
    try:
        ((found, value),) = parse_bot(f"bot?{key}={text}").options.items()
        if found != key:
            raise ValueError
        return value
    except (BotError, ValueError):
        raise UserError(f"--vary {key}: expected text, a number, true or false, got {cut_text(text)!r}") from None


def _parse_range(key: str, text: str) -> list[Scalar]:
    """The values of a range in exact decimal steps: 0.1:0.3:0.1 is 0.1, 0.2 and 0.3."""
    try:
        first, last, step = (Decimal(part) for part in text.split(":"))
        if not all(part.is_finite() and abs(part.adjusted()) <= MOST_DIGITS for part in (first, last, step)):
            raise ValueError
    except (ValueError, InvalidOperation):
        raise UserError(
            f"--vary {key}: expected numbers FROM:TO:STEP, such as 0.1:0.9:0.1, got {cut_text(text)!r}"
        ) from None
    if not step or (last - first) / step < 0:
        raise UserError(f"--vary {key}: the step {step} never leads from {first} to {last}")
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise UserError(f"--vary {key}: {count:,} values, at most {MOST_VALUES} are played at once")
    return list(_decimal_steps(first, step, count))


def _decimal_steps(first: Decimal, step: Decimal, count: int) -> Iterator[Scalar]:
    whole = all(part == part.to_integral_value() and "." not in str(part) for part in (first, step))
    for number in range(count):
        value = first + number * step
        yield int(value) if whole else float(value)
