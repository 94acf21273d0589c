"""Splits of rows into named parts (docs/spec/sampling.md, Split). The parts are the same as with `hashwell split`."""

import os
from array import array
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import floor
from typing import Any

from ._native import _Survey as Survey
from ._native import hash_many, sha256
from ._sample import (
    _beside,
    _check_length,
    _columns,
    _first_item,
    _Given,
    _is_arrow,
    _is_missing,
    _is_table,
    _items,
    _joined,
    _kind,
    _Kind,
    _library,
    _plain,
    _survey,
    _taken_of_sequence,
    _values,
    _warn_if_reused,
)
from ._shares import ends, sample_key, ticket_ends

# The number of keys that are hashed in one call.
_BATCH = 1 << 16
# The maximum numbers of rows and of distinct keys that are examined to detect keys that were selected before.
MOST_ROWS, _MOST_KEYS = 1 << 20, 4096


def split(
    obj: Any,
    shares: Mapping[str, Any],
    *,
    seed: Any = None,
    group_by: Any = None,
    stratify: Any = None,
    exact: bool = False,
    context: str = "",
) -> dict[str, Any]:
    """Split the rows of obj into named parts, such as training and test data.

    The same rows, seed and shares give the same parts, in Python, with `hashwell.spark.split` and with the command
    `hashwell split`. The rows of a part stay in their original order.

    Args:
        obj: The rows: a sequence, array, table or iterable, in any form that sample accepts. Streams are read into
            memory.
        shares: The share of each part, by the part's name, such as {"train": 0.8, "test": 0.2}. The shares must add
            up to 1. A float is replaced by the decimal number that Python prints. The order of the parts matters.
        seed: The seed, in any form that sample accepts. With None, the operating system provides a new seed, so the
            split is not reproducible.
        group_by: The groups, in any form that sample accepts. All rows of a group are in the same part. Without exact,
            the part that a row goes to depends only on its group, the seed, the context and the shares, so adding or
            removing rows doesn't move other rows to a different part.
        stratify: The strata, in any form that group_by accepts. The sizes of the parts are exact, as with exact=True,
            and each part is divided among the strata in proportion to their sizes. The sizes within the strata are
            rounded up or down at random.
        exact: True makes the sizes of the parts exact. Sizes are numbers of rows or, with group_by, numbers of groups.
            With True, the part of a row depends on all rows.
        context: The name of this step or purpose. To split a part again, use a different context or seed; otherwise the
            second split depends on the first. With group_by and without exact and stratify, a warning is issued if
            the groups were probably selected before with the same seed and context.

    Returns:
        A dict that maps the names of the parts to the parts, in the order of shares. Each part is the same kind of
        object as obj.

    Raises:
        ValueError: A share is negative, the shares don't add up to 1, or a column is missing.
        TypeError: obj is unordered (such as a set), or shares, group_by or stratify has the wrong type.

    Examples:
        >>> import hashwell
        >>> hashwell.split(list("abcdefgh"), {"train": 0.75, "test": 0.25}, seed="0877", exact=True)
        {'train': ['a', 'b', 'c', 'e', 'f', 'h'], 'test': ['d', 'g']}
        >>> visits = [{"user": user, "page": page} for user in "abcd" for page in (1, 2)]
        >>> parts = hashwell.split(visits, {"a": 0.5, "b": 0.5}, seed="0877", group_by="user")
        >>> sorted({row["user"] for row in parts["a"]} & {row["user"] for row in parts["b"]})
        []
    """
    if not isinstance(shares, Mapping):
        raise TypeError(f"shares must map names to shares, such as {{'train': 0.8, 'test': 0.2}}, not be a '{type(shares).__name__}'")
    kind = _kind(obj)
    if kind is None:
        obj, kind = _in_memory(obj)
    rows = kind.length(obj)
    table = kind.select is not None
    if not table:
        group_by, stratify = (_beside(spec, lambda: _first_item(obj)) for spec in (group_by, stratify))
    groups = _texts(obj, rows, group_by, "group_by", table)
    labels = _texts(obj, rows, stratify, "stratify", table)
    parts = _parts(rows, shares, groups, labels, seed=seed, exact=exact, context=context)
    if groups is not None and labels is None and not exact and seed is not None:
        survey = survey_of_keys(seed, context, ["group_by"])
        keys = list(islice(dict.fromkeys(islice(groups, MOST_ROWS)), _MOST_KEYS))
        survey.update(len(keys), keys=keys)
        _warn_if_reused(survey, 3)
    positions = [array("q") for _ in shares]
    for row, part in enumerate(parts):
        positions[part].append(row)
    return {name: kind.take(obj, of.tobytes()) for name, of in zip(shares, positions, strict=True)}


def survey_of_keys(seed: Any, context: str, names: list[str]) -> Survey:
    """Return a sample of keys, with which `_warn_if_reused` detects keys that were selected before."""
    return _survey(None, probability="0.5", seed=seed, group_by=names, context=context)


def _in_memory(obj: Any) -> tuple[Any, _Kind]:
    """Read the rows of a stream or iterable into memory. Return them, and the `_Kind` that takes rows from them."""
    if _is_arrow(obj):
        try:
            import pyarrow
        except ImportError:
            raise TypeError("to split a stream of Arrow data, install pyarrow, or read the stream into a table first") from None
        obj = pyarrow.table(obj)
    else:
        obj = list(obj)
        if obj and _is_table(obj[0]):
            obj = _joined(obj)
    return obj, _kind(obj) or _Kind(len, _taken_of_sequence)


def _parts(
    rows: int, shares: Mapping[str, Any], groups: list[bytes] | None, labels: list[bytes] | None, *, seed: Any, exact: bool, context: str
) -> list[int]:
    """Return the part of each row."""
    key = sample_key(os.urandom(16).hex() if seed is None else seed, context)
    ids = [b"%d" % number for number in range(1, rows + 1)] if groups is None else groups
    tickets = list(_tickets(key, ids))
    if not exact and labels is None:
        limits = ticket_ends(shares)
        return [next(part for part, end in enumerate(limits) if ticket < end) for ticket in tickets]
    return _exact(key, shares, tickets, labels or [b""] * rows)


def _tickets(key: bytes, ids: list[bytes]) -> Iterator[int]:
    prefix = key + b"\x01"
    for first in range(0, len(ids), _BATCH):
        for digest in hash_many("sha256", [prefix + one for one in ids[first : first + _BATCH]]):
            yield int.from_bytes(digest[:16])


def _exact(key: bytes, shares: Mapping[str, Any], tickets: list[int], labels: list[bytes]) -> list[int]:
    """Return the part of each ticket. A ticket identifies a row or a group."""
    of_group: dict[int, set[bytes]] = {}
    for ticket, label in zip(tickets, labels, strict=True):
        of_group.setdefault(ticket, set()).add(label)
    strata: dict[bytes, list[int]] = {}
    for ticket, own in of_group.items():
        several = sorted(own)
        label = several[0] if len(several) == 1 else b"".join(len(one).to_bytes(8) + one for one in several)
        strata.setdefault(label, []).append(ticket)
    part_of: dict[int, int] = {}
    ordered = [sorted(strata[label]) for label in sorted(strata)]
    for units, sizes in zip(ordered, _allocated(key, shares, list(map(len, ordered))), strict=True):
        rest = iter(units)
        for part, size in enumerate(sizes):
            part_of.update((next(rest), part) for _ in range(size))
    return [part_of[ticket] for ticket in tickets]


def _allocated(key: bytes, shares: Mapping[str, Any], left: list[int]) -> list[list[int]]:
    """Return the size of each part in each stratum. `left` has the number of rows or groups in each stratum. Sizes are
    rounded by systematic sampling, one part after the other.
    """
    total, before = sum(left), 0
    sizes: list[list[int]] = [[] for _ in left]
    limits = [floor(total * end + Fraction(1, 2)) for end in ends(shares)]
    words = _words(sha256(key + b"\x07").digest())
    for end in limits[:-1]:
        size, whole, at = end - before, sum(left), 0
        before = end
        offset = _below(words, whole) if whole else 0
        for stratum, there in enumerate(left):
            own = (size * (at + there) + offset) // max(whole, 1) - (size * at + offset) // max(whole, 1)
            at += there
            left[stratum] -= own
            sizes[stratum].append(own)
    return [[*own, rest] for own, rest in zip(sizes, left, strict=True)]


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(key + b"\x00" + block.to_bytes(8)).digest()
        yield from (int.from_bytes(digest[at : at + 8]) for at in range(0, 32, 8))
        block += 1


def _below(words: Iterator[int], n: int) -> int:
    return next(word % n for word in words if word < n * (2**64 // n))


def _texts(obj: Any, rows: int, spec: Any, what: str, table: bool) -> list[bytes] | None:
    """Return the value of group_by or stratify for each row, converted to a sampling key."""
    if spec is None:
        return None
    if table:
        names = _columns([spec])
        columns = [list(map(_text, _column(obj, name, what))) for name in names]
        return columns[0] if len(columns) == 1 else [_framed(row) for row in zip(*columns, strict=True)]
    _check_length(spec, rows, what)
    needs_rows = not isinstance(spec, _Given)
    values = _values(_items(obj, 0, rows) if needs_rows else range(rows), spec, 0, what)
    return [_framed(map(_text, value)) if isinstance(value, tuple) else _text(value) for value in values or []]


def _framed(fields: Any) -> bytes:
    listed = list(fields)
    return listed[0] if len(listed) == 1 else b"".join(len(field).to_bytes(8) + field for field in listed)


def _column(obj: Any, name: str, what: str) -> list[Any]:
    names = list(obj.column_names if hasattr(obj, "column_names") else obj.columns)
    if names.count(name) != 1:
        raise ValueError(f"{what}: {names.count(name) or 'no'} columns are called {name!r}")
    column = obj[name]
    if _library(obj) == "pandas":
        return [None if _is_missing(value) else value for value in _plain(column.tolist())]
    values: list[Any] = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    return values


def _text(value: Any) -> bytes:
    """Return a value as a sampling key. Null and the empty string are the same key."""
    if value is None:
        return b""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    if isinstance(value, bool):
        return b"true" if value else b"false"
    try:
        return b"%d" % value.__index__()
    except AttributeError:
        kind = type(value).__name__
        raise TypeError(f"group_by and stratify must be strings, bytes, integers or booleans, not {kind}: convert them") from None
