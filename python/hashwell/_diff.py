"""Comparison of two tables by key, like `hashwell diff --key`: finds rows that were added, removed or changed."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from ._native import _diff_page, hash_rows

_Names = str | Sequence[str]


@dataclass(frozen=True)
class Change:
    """A row that differs between two tables.

    - key maps the key columns to their values.
    - cells maps the name of each column that differs to a pair of the old and the new value.

    Examples:
        >>> import hashwell
        >>> found = hashwell.diff([{"id": 1, "a": 2}], [{"id": 1, "a": 3}], key="id")
        >>> found.changed[0].key, found.changed[0].cells
        ({'id': 1}, {'a': (2, 3)})
    """

    key: dict[str, Any]
    cells: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class _Page:
    """The content of a page that is not in the fields of a TableDiff."""

    keys: list[str]
    others: list[str]
    options: list[tuple[str, str]]
    sides: list[Any]
    tolerated: int | None


@dataclass(frozen=True)
class TableDiff:
    """The differences between two tables, as `hashwell.diff` returns them.

    - rows has the numbers of rows of the two tables.
    - removed is a pyarrow Table with the rows that only the first table has.
    - added is a pyarrow Table with the rows that only the second table has.
    - changed is a list of Change objects, in the order of the first table.
    - columns maps the name of each column with changes to its number of changed cells.
    - only has two lists of column names: those that only the first table has, and those that only the second table
      has.

    Examples:
        >>> import hashwell
        >>> found = hashwell.diff([{"id": 1}, {"id": 2}], [{"id": 2}], key="id")
        >>> found.same, found.rows, found.removed.to_pylist()
        (False, (2, 1), [{'id': 1}])
    """

    rows: tuple[int, int]
    removed: Any
    added: Any
    changed: list[Change]
    columns: dict[str, int]
    only: tuple[list[str], list[str]]
    _page: _Page = field(repr=False, compare=False)

    @property
    def same(self) -> bool:
        """True if the tables have the same columns and rows."""
        return not (len(self.removed) or len(self.added) or self.changed or any(self.only))

    def to_html(self, *, names: tuple[str, str] = ("first table", "second table"), show: int = 1000) -> str:
        """Return a page with the counts, the options and the rows that differ, as `hashwell diff --html` writes it.

        The page is one HTML document that needs no script and no network. Values are escaped, and values that differ never look
        alike. The page has at most 16 MiB of rows, and 100 columns of them. Of values longer than 1,000 bytes, it has the part
        around the first difference.

        Args:
            names: The names of the two tables on the page.
            show: The maximum number of removed, added and changed rows each. The page says how many are not shown.

        Returns:
            The page as a string.

        Raises:
            ValueError: show is negative.

        Examples:
            >>> import hashwell
            >>> found = hashwell.diff([{"id": 1, "a": "x"}], [{"id": 1, "a": "x "}], key="id")
            >>> page = found.to_html(names=("old", "new"))
            >>> "<code>&quot;x&quot;</code></td><td><code>&quot;x &quot;</code>" in page
            True
        """
        if show < 0:
            raise ValueError(f"show must be at least 0, not {show}")
        page = self._page
        place = {name: number for number, name in enumerate(page.others)}
        facts = {
            "tables": list(names),
            "verdict": str(self),
            "rows": list(self.rows),
            "singles": [len(self.removed), len(self.added)],
            "changed": len(self.changed),
            "tolerated": page.tolerated,
            "keys": page.keys,
            "columns": [(name, self.columns.get(name, 0)) for name in page.others],
            "columns_only": list(self.only),
            "options": page.options,
            "most": show,
        }
        differ = [[place[name] for name in change.cells] for change in self.changed[:show]]
        singles = [self.removed.slice(0, show), self.added.slice(0, show)]
        return _diff_page(facts, singles, [side.slice(0, show) for side in page.sides], differ)

    def __str__(self) -> str:
        counts = f"{len(self.removed)} removed, {len(self.added)} added, {len(self.changed)} changed"
        return "the same" if self.same else f"different: {counts} (of {self.rows[0]} and {self.rows[1]})"


def diff(
    a: Any,
    b: Any,
    key: _Names,
    *,
    ignore: _Names = (),
    rename: Mapping[str, str] | None = None,
    tolerance: float | Mapping[str, float] = 0.0,
    ignore_case: bool = False,
    trim: bool = False,
    duplicates: str = "error",
) -> TableDiff:
    """Compare two tables by key, and return the rows that were added, removed and changed.

    Two values are equal if hash_rows gives them the same digest, so 1 and 1.0 differ, and so do "00123" and "123".
    Null keys are equal to each other. This function requires pyarrow.

    Args:
        a: The first table: any object with `__arrow_c_stream__`, such as a table of pyarrow, Polars, pandas or
            DuckDB, or a list of dicts.
        b: The second table, in the same forms.
        key: The columns that identify a row: a name or a list of names.
        ignore: The columns that are not compared: a name or a list of names.
        rename: A mapping from names of columns of the first table to new names, which are used in the comparison.
        tolerance: The tolerance for numbers. Two numbers are equal if they differ by at most this value, or by at
            most this value times the larger absolute value. Integers and decimals are compared exactly, and floats with
            float arithmetic. An infinity is equal only to itself. A mapping sets the tolerance of each column.
        ignore_case: True ignores case in text. It does not apply to keys.
        trim: True ignores whitespace at the start and end of text. It does not apply to keys.
        duplicates: "error" raises an error if a key occurs twice in a table. "multiset" pairs equal rows with the
            same key and reports the other rows with that key as removed or added, never as changed. It applies
            ignore_case and trim before it pairs rows, and can't be combined with a tolerance.

    Returns:
        A TableDiff.

    Raises:
        ValueError: A column is missing, a key occurs twice, or a tolerance is given with duplicates="multiset".
        TypeError: a or b is not a table.

    Examples:
        >>> import hashwell
        >>> old = [{"id": 1, "price": 9.9}, {"id": 2, "price": 5.0}]
        >>> new = [{"id": 3, "price": 7.0}, {"id": 1, "price": 9.95}]
        >>> found = hashwell.diff(old, new, key="id")
        >>> print(found)
        different: 1 removed, 1 added, 1 changed (of 2 and 2)
        >>> found.changed
        [Change(key={'id': 1}, cells={'price': (9.9, 9.95)})]
    """
    if duplicates not in ("error", "multiset"):
        raise ValueError(f"duplicates must be 'error' or 'multiset', not {duplicates!r}")
    equal = _Equal(tolerance, ignore_case, trim)
    if duplicates == "multiset" and equal.has_tolerance():
        raise ValueError(
            "tolerance can't be used with duplicates='multiset', because a row can be within the tolerance of several rows"
        )
    tables = [_table(a), _table(b)]
    tables[0] = _renamed(tables[0], rename or {})
    keys, ignored = _listed(key), set(_listed(ignore))
    names = [table.column_names for table in tables]
    for side, columns in enumerate(names):
        twice = [name for name, count in Counter(columns).items() if count > 1]
        if twice:
            raise ValueError(f"two columns are called '{twice[0]}'")
        for name in keys:
            if name not in columns:
                raise ValueError(f"key: the {('first', 'second')[side]} table has no column '{name}'")
    if unknown := ignored - {*names[0], *names[1]}:
        raise ValueError(f"ignore: no table has a column '{min(unknown)}'")
    if not keys:
        raise ValueError("key must name at least one column")
    left = [[name for name in columns if name not in ignored and name not in keys] for columns in names]
    others = [name for name in left[0] if name in left[1]]
    only = tuple([name for name in left[side] if name not in left[1 - side]] for side in (0, 1))
    folds = duplicates == "multiset" and equal.folds()
    paired = [equal.folded_table(table, others) if folds else table for table in tables]
    rows = [_by_key(table, keys, others, duplicates, side) for side, table in enumerate(paired)]
    gone, new, pairs = _joined(*rows)
    changed, counts, kept = _changes(tables, keys, others, pairs, equal)
    shown = [*keys, *others]
    options = [
        ("key", ", ".join(keys)),
        ("ignore", ", ".join(_listed(ignore))),
        ("rename", ", ".join(f"{old}={new}" for old, new in (rename or {}).items())),
        ("tolerance", repr(dict(tolerance) if isinstance(tolerance, Mapping) else tolerance)),
        ("ignore_case", str(ignore_case)),
        ("trim", str(trim)),
        ("duplicates", duplicates),
    ]
    changed_rows = [table.select(shown).take(_positions([pair[side] for pair in kept])) for side, table in enumerate(tables)]
    return TableDiff(
        (len(tables[0]), len(tables[1])),
        tables[0].select(shown).take(_positions(sorted(gone))),
        tables[1].select(shown).take(_positions(sorted(new))),
        changed,
        {name: counts[name] for name in others if counts[name]},
        (only[0], only[1]),
        _Page(keys, others, [option for option in options if option[1]], changed_rows, len(pairs) - len(kept) if equal.allows_differences() and not folds else None),
    )


def _table(obj: Any) -> Any:
    import pyarrow

    if isinstance(obj, pyarrow.Table):
        return _without_views(obj)
    if isinstance(obj, list) and all(isinstance(row, Mapping) for row in obj):
        return pyarrow.Table.from_pylist(obj)
    if hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__arrow_c_array__"):
        return _without_views(pyarrow.table(obj))
    raise TypeError(f"a '{type(obj).__name__}' is not a table: pass an object with __arrow_c_stream__ or a list of dicts")


def _without_views(table: Any) -> Any:
    """Return the table without string views, from which pyarrow can't take rows by position. Polars exports string views."""
    import pyarrow

    views = {pyarrow.string_view(): pyarrow.large_string(), pyarrow.binary_view(): pyarrow.large_binary()}
    return table.cast(pyarrow.schema([field.with_type(views.get(field.type, field.type)) for field in table.schema]))


def _renamed(table: Any, rename: Mapping[str, str]) -> Any:
    for old in rename:
        if old not in table.column_names:
            raise ValueError(f"rename: the first table has no column '{old}'")
    return table.rename_columns([rename.get(name, name) for name in table.column_names])


def _listed(names: _Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _digests(table: Any, columns: list[str]) -> list[bytes]:
    import pyarrow

    if not columns:
        return [b""] * len(table)
    return pyarrow.array(hash_rows(table, columns=columns, order="declared", threads=0)).to_pylist()  # type: ignore[no-any-return]


def _positions(rows: list[int]) -> Any:
    import pyarrow

    return pyarrow.array(rows, pyarrow.int64())


def _by_key(table: Any, keys: list[str], others: list[str], duplicates: str, side: int) -> dict[bytes, list[tuple[bytes, int]]]:
    """Return the digests and positions of the rows of each key."""
    found: dict[bytes, list[tuple[bytes, int]]] = defaultdict(list)
    for row, (one, rest) in enumerate(zip(_digests(table, keys), _digests(table, others), strict=True)):
        if duplicates == "error" and one in found:
            key = table.select(keys).slice(row, 1).to_pylist()[0]
            raise ValueError(
                f"rows {found[one][0][1]} and {row} of the {('first', 'second')[side]} table have the key {key}: "
                "give more columns, or duplicates='multiset'"
            )
        found[one].append((rest, row))
    return found


def _joined(
    a: dict[bytes, list[tuple[bytes, int]]], b: dict[bytes, list[tuple[bytes, int]]]
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Return the rows that only the first table has, those that only the second table has, and the pairs of rows that differ."""
    gone: list[int] = []
    new: list[int] = []
    pairs = []
    for key in a.keys() | b.keys():
        here, there = a.get(key, []), b.get(key, [])
        if len(here) == len(there) == 1:
            if here[0][0] != there[0][0]:
                pairs.append((here[0][1], there[0][1]))
            continue
        gone += _unpaired(here, there)
        new += _unpaired(there, here)
    return gone, new, sorted(pairs)


def _unpaired(these: list[tuple[bytes, int]], those: list[tuple[bytes, int]]) -> Iterable[int]:
    """Yield the rows of `these` without an equal row in `those`. Of equal rows, the later ones are yielded."""
    paired = Counter(digest for digest, _ in those)
    for digest, row in these:
        if paired[digest]:
            paired[digest] -= 1
        else:
            yield row


class _Equal:
    """Decides which values count as equal although their digests differ."""

    def __init__(self, tolerance: float | Mapping[str, float], ignore_case: bool, trim: bool) -> None:
        self.tolerance, self.ignore_case, self.trim = tolerance, ignore_case, trim

    def has_tolerance(self) -> bool:
        return any(self.tolerance.values() if isinstance(self.tolerance, Mapping) else [self.tolerance])

    def folds(self) -> bool:
        return self.ignore_case or self.trim

    def allows_differences(self) -> bool:
        return self.folds() or self.has_tolerance()

    def folded_table(self, table: Any, columns: list[str]) -> Any:
        """Return the table with the texts of these columns folded."""
        import pyarrow

        for name in columns:
            values = table.column(name)
            if isinstance(values.type, pyarrow.DictionaryType):
                values = values.cast(values.type.value_type)
            if values.type in (pyarrow.string(), pyarrow.large_string()):
                texts = [None if text is None else self._folded(text) for text in values.to_pylist()]
                table = table.set_column(table.column_names.index(name), name, pyarrow.array(texts, values.type))
        return table

    def __call__(self, name: str, old: Any, new: Any) -> bool:
        if isinstance(old, str) and isinstance(new, str):
            return self._folded(old) == self._folded(new)
        tolerance = self.tolerance.get(name, 0.0) if isinstance(self.tolerance, Mapping) else self.tolerance
        if not tolerance or not (_is_number(old) and _is_number(new)):
            return False
        old, new = (value if isinstance(value, (int, Decimal)) else float(value) for value in (old, new))
        if isinstance(old, float) and isinstance(new, float):
            return _is_within(float(tolerance), old, new)
        if not (math.isfinite(old) and math.isfinite(new)):
            return bool(old == new)
        # Converting an integer or a decimal to a float would round it. The tolerance is the decimal number that is displayed.
        a, b = Fraction(old), Fraction(new)
        return abs(a - b) <= Fraction(str(tolerance)) * max(Fraction(1), abs(a), abs(b))

    def _folded(self, text: str) -> str:
        text = text.strip() if self.trim else text
        return text.lower() if self.ignore_case else text


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _is_within(tolerance: float, old: float, new: float) -> bool:
    """Return True if two floats differ by at most the tolerance. An infinity is equal only to itself."""
    if math.isinf(old) or math.isinf(new):
        return old == new
    largest = max(1.0, abs(old), abs(new))
    bound = tolerance * largest
    if math.isfinite(bound):
        return abs(old - new) <= bound
    # The bound overflows, and so may the difference. A quarter of the difference can't.
    return abs(old / 4 - new / 4) <= tolerance * (largest / 4)


def _changes(
    tables: list[Any], keys: list[str], others: list[str], pairs: list[tuple[int, int]], equal: _Equal
) -> tuple[list[Change], Counter[str], list[tuple[int, int]]]:
    """Return the cells in which pairs of rows differ, the number of such cells in each column, and the pairs that have them."""
    sides = [table.take(_positions([pair[side] for pair in pairs])) for side, table in enumerate(tables)]
    cells: list[dict[str, tuple[Any, Any]]] = [{} for _ in pairs]
    counts: Counter[str] = Counter()
    for name in others if pairs else []:
        digests = [_digests(side, [name]) for side in sides]
        differ = [row for row, (old, new) in enumerate(zip(*digests, strict=True)) if old != new]
        values = [side.column(name).take(_positions(differ)).to_pylist() for side in sides]
        for row, old, new in zip(differ, *values, strict=True):
            if not equal(name, old, new):
                cells[row][name] = (old, new)
                counts[name] += 1
    changed = [Change(key, own) for key, own in zip(sides[0].select(keys).to_pylist(), cells, strict=True) if own]
    return changed, counts, [pair for pair, own in zip(pairs, cells, strict=True) if own]
