"""Values to try for a bot's options, as written on the command line: ``greed=0.1:0.9:0.1``, and the ranges in which
they are tuned: ``greed=0.1:0.9``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product

from arena.config.botspec import Scalar, parse_bot
from arena.errors import BotError, UserError, cut_text
from arena.tuning.option_space import NamedValues, NumberRange, OptionRange, OptionSpace

MOST_VALUES = 100
"""The maximum number of combinations of values: each is a challenger that plays all matches."""

MOST_DIGITS = 15
"""The maximum number of digits before and behind the decimal point."""

LOG_WORD = "log"
"""What stands behind a range to make its scale logarithmic."""
RANGE_FORMS = "KEY=LOW:HIGH, KEY=LOW:HIGH:STEP, KEY=LOW:HIGH:log or KEY=a,b,c, such as greed=0.1:0.9"


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
    return key, _parse_steps(key, written) if ":" in written else _parse_list(f"--vary {key}", key, written)


def parse_ranges(texts: Sequence[str]) -> OptionSpace:
    """The options to tune. Each text is ``KEY=LOW:HIGH``, integers if both ends are; ``KEY=LOW:HIGH:STEP``;
    ``KEY=LOW:HIGH:log`` with a logarithmic scale; or ``KEY=a,b,c`` with YAML scalars. Raises UserError for anything
    else, and for an option that is given twice."""
    found: dict[str, OptionRange] = {}
    for text in texts:
        key, equals, written = text.partition("=")
        if not equals or not key or not written:
            raise UserError(f"--options {cut_text(text)}: expected {RANGE_FORMS}")
        if key in found:
            raise UserError(f"--options {key}: it occurs twice")
        found[key] = _parse_number_range(key, written) if ":" in written else _parse_named_values(key, written)
    return OptionSpace(tuple(found.values()))


def _parse_named_values(key: str, written: str) -> NamedValues:
    values = _parse_list(f"--options {key}", key, written)
    if len(values) < 2:
        raise UserError(f"--options {key}: expected two values or more, got only {cut_text(written)}")
    return NamedValues(key, tuple(values))


def _parse_number_range(key: str, written: str) -> NumberRange:
    """Numbers from LOW to HIGH, with a step or on a logarithmic scale."""
    where, parts = f"--options {key}", written.split(":")
    log = len(parts) == 3 and parts[2] == LOG_WORD
    try:
        low, high, *steps = map(_parse_decimal, parts[:2] if log else parts)
        if len(steps) > 1:
            raise ValueError
    except (ValueError, InvalidOperation):
        raise UserError(f"{where}: expected {RANGE_FORMS}, got {cut_text(written)!r}") from None
    whole = all(_is_whole(part) for part in (low, high, *steps))
    step = steps[0] if steps else Decimal(int(whole))
    if low >= high:
        raise UserError(f"{where}: expected the lower end first, got {cut_text(written)}")
    if step < 0 or step > high - low or (steps and not step):
        raise UserError(f"{where}: expected a step above 0 and not above {high - low}, got {step}")
    if log and low <= 0:
        raise UserError(f"{where}: expected ends above 0 for a logarithmic scale, got {low}")
    return NumberRange(key, low, high, step, whole, log)


def _parse_list(where: str, key: str, written: str) -> list[Scalar]:
    values = [_parse_scalar(where, key, each) for each in written.split(",")]
    told = [(type(value), value) for value in values]
    if len(set(told)) < len(told):
        raise UserError(f"{where}: a value occurs twice in {cut_text(written)}")
    return values


def _parse_scalar(where: str, key: str, text: str) -> Scalar:
    try:
        ((found, value),) = parse_bot(f"bot?{key}={text}").options.items()
        if found != key:
            raise ValueError
        return value
    except (BotError, ValueError):
        raise UserError(f"{where}: expected text, a number, true or false, got {cut_text(text)!r}") from None


def _parse_decimal(text: str) -> Decimal:
    """A number of not too many digits. Raises ValueError or InvalidOperation."""
    found = Decimal(text)
    if not (found.is_finite() and abs(found.adjusted()) <= MOST_DIGITS):
        raise ValueError(text)
    return found


def _is_whole(number: Decimal) -> bool:
    return number == number.to_integral_value() and "." not in str(number)


def _parse_steps(key: str, text: str) -> list[Scalar]:
    """The values of a range in exact decimal steps: 0.1:0.3:0.1 is 0.1, 0.2 and 0.3."""
    try:
        first, last, step = map(_parse_decimal, text.split(":"))
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
    whole = _is_whole(first) and _is_whole(step)
    for number in range(count):
        value = first + number * step
        yield int(value) if whole else float(value)
