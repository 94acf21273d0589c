"""Exact conversion of pyarrow columns to Python objects.

Times that Python's types can't represent become strings in ISO form.
"""

from typing import Any

import pyarrow as pa

_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400


def cells(column: Any) -> list[Any]:
    """Return the values of a column."""
    values: list[Any] = list(map(_cell, column)) if has_times(column.type) else column.to_pylist()
    return values


def has_times(kind: Any) -> bool:
    """Return True if values of this type are or contain dates, times or durations."""
    if pa.types.is_dictionary(kind):
        return has_times(kind.value_type)
    if kind.num_fields:
        return any(has_times(kind.field(place).type) for place in range(kind.num_fields))
    return bool(pa.types.is_temporal(kind) and not pa.types.is_interval(kind))


def _cell(value: Any) -> Any:
    kind = value.type
    # Scalars of dictionaries, runs, unions and extensions contain another scalar.
    inner = getattr(value, "value", None)
    if isinstance(inner, pa.Scalar):
        return _cell(inner)
    if not value.is_valid:
        return None
    if pa.types.is_map(kind):
        return [(_cell(entry["key"]), _cell(entry["value"])) for entry in value.values]
    if pa.types.is_struct(kind):
        return {name: _cell(field) for name, field in value.items()}
    if kind.num_fields:
        return list(map(_cell, value.values))
    if not has_times(kind):
        return value.as_py()
    try:
        return _exact(value).as_py()
    except (pa.ArrowInvalid, OverflowError, KeyError):
        return _text(value)


def _exact(value: Any) -> Any:
    """Convert nanoseconds to microseconds, which Python's types can represent. Raise an error if this isn't exact."""
    kind = value.type
    if getattr(kind, "unit", None) != "ns":
        return value
    # The cast fails if it would lose nanoseconds.
    if pa.types.is_timestamp(kind):
        return value.cast(pa.timestamp("us", kind.tz))
    return value.cast(pa.time64("us") if pa.types.is_time(kind) else pa.duration("us"))


def _text(value: Any) -> str:
    """Return a date, time or duration in ISO form. Times with a time zone are shown in UTC."""
    kind, number = value.type, value.value
    if pa.types.is_date32(kind):
        return _date(number)
    unit = _UNITS["ms" if pa.types.is_date64(kind) else kind.unit]
    sign, number = ("-", -number) if pa.types.is_duration(kind) and number < 0 else ("", number)
    seconds, rest = divmod(number, unit)
    fraction = f".{rest * (10**9 // unit):09}".rstrip("0").rstrip(".")
    if pa.types.is_duration(kind):
        return f"{sign}PT{seconds}{fraction}S"
    days, seconds = divmod(seconds, _DAY) if not pa.types.is_time(kind) else (0, seconds)
    if pa.types.is_date64(kind) and not (seconds or rest):
        return _date(days)
    time = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}"
    if pa.types.is_time(kind):
        return time
    return f"{_date(days)}T{time}{'Z' if getattr(kind, 'tz', None) else ''}"


def _date(days: int) -> str:
    """Return the date that is this number of days after 1970-01-01, in the Gregorian calendar."""
    # The calendar repeats every 400 years. The years start in March, so that a leap day is the last day of a year.
    era, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * era + (month > 9)
    shown = f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"
    return f"{shown}-{month + 3 if month < 10 else month - 9:02}-{day + 1:02}"
