"""Comparison of two tables by key, like `hashwell diff --key`: finds rows that were added, removed or changed."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from ._native import _diff_page, hash_rows
from ._sample import _library, _packed, _taken_of_arrow, _without_views

_Names = str | Sequence[str]
_Tolerance = float | Decimal | Fraction

# The texts that count as numbers if there is a tolerance, and the ones among them that look like codes, such as 007 and
# +49.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
_CODE = re.compile(r"-?(?:\+|0[0-9])")
# The largest absolute value of the exponent of a number in a text. It limits the memory for a short text.
_EXPONENT = 10_000
# The characters with the Unicode property White_Space. str.strip also removes U+001C to U+001F, unlike the command.
_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


@dataclass(frozen=True)
class Change:
    """A row that differs between two tables.

    - key maps the key columns to their values.
    - cells maps the name of each column that differs to a pair of the old and the new value.

    Dates, times and durations that Python's types can't represent exactly are strings in ISO form, such as
    "2026-01-01T00:00:00.000000001Z".

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
    """The values that to_html() shows and that no other field of a TableDiff contains."""

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
    - columns is a dict. It maps the name of each column that has changes to the number of changed cells.
    - only has two lists of column names: the columns that only the first table has, and the columns that only the
      second table has.

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
        alike. The page shows at most 16 MiB of rows, and at most 100 columns. For a value longer than 1,000 bytes, the
        page shows the part around the first difference.

        Args:
            names: The names of the two tables on the page.
            show: The maximum number of rows in each of the sections for removed, added and changed rows. The page
                states how many rows are not shown.

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
        rows = f"rows: {self.rows[0]} in the first table, {self.rows[1]} in the second"
        return "the same" if self.same else f"different: {counts} ({rows})"


def diff(
    a: Any,
    b: Any,
    key: _Names,
    *,
    ignore: _Names = (),
    rename: Mapping[str, str] | None = None,
    tolerance: _Tolerance | Mapping[str, _Tolerance] | None = None,
    ignore_case: bool = False,
    trim: bool = False,
    duplicates: str = "error",
) -> TableDiff:
    """Compare two tables by key, and return the rows that were added, removed and changed.

    Two values are equal if hash_rows gives them the same digest, so 1 and 1.0 differ, and so do "00123" and "123".
    Null keys are equal to each other. This function requires pyarrow.

    Args:
        a: The first table: a list of dicts, or any object with `__arrow_c_stream__`, such as a table of pyarrow,
            Polars, pandas or DuckDB. In a list, every key that occurs in any dict is a column, and an empty list is a
            table without rows.
        b: The second table, in any form that `a` accepts.
        key: The columns that identify a row: a name or a list of names.
        ignore: The columns that are not compared: a name or a list of names.
        rename: A mapping from column names of the first table to column names of the second table. In all other
            arguments, use the names of the second table.
        tolerance: The tolerance for numbers, at least 0. Two numbers are equal if they differ by at most this value. A
            tolerance below 1 is also relative: two numbers are also equal if they differ by at most this value times
            the larger absolute value. With a tolerance of 0, equal numbers of different types are equal, such as 1 and
            1.0. Two floats are compared with floating-point arithmetic. All other numbers are compared exactly. An
            infinity is equal only to itself. To set tolerances for individual columns, pass a mapping. Without a
            mapping, strings that look like codes, such as "007" and "+49", are not treated as numbers. The default is
            no tolerance.
        ignore_case: True ignores case in text. It does not apply to keys.
        trim: True ignores whitespace (the Unicode property White_Space) at the start and end of text. It does not
            apply to keys.
        duplicates: "error" raises an error if a key occurs twice in a table. "multiset" pairs equal rows with the
            same key and reports the other rows with that key as removed or added, never as changed. "multiset" applies
            ignore_case and trim before it pairs rows. It can't be combined with a tolerance.

    Returns:
        A TableDiff.

    Raises:
        ValueError: A column is missing, a key column is ignored, a key occurs twice, a list has an integer of more than
            64 bits, or a tolerance is negative, is not finite, is given for a column that is not compared, or is
            combined with duplicates="multiset".
        TypeError: a or b is not a table, a tolerance is not a number, or a column of a list has values of different
            types or values that Arrow can't represent.

    Examples:
        >>> import hashwell
        >>> old = [{"id": 1, "price": 9.9}, {"id": 2, "price": 5.0}]
        >>> new = [{"id": 3, "price": 7.0}, {"id": 1, "price": 9.95}]
        >>> found = hashwell.diff(old, new, key="id")
        >>> print(found)
        different: 1 removed, 1 added, 1 changed (rows: 2 in the first table, 2 in the second)
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
    if not isinstance(key, Iterable):
        raise TypeError(f"key must be a column name or a list of names, not a '{type(key).__name__}'")
    keys, ignored = _listed(key), set(_listed(ignore))
    if both := ignored & set(keys):
        raise ValueError(f"ignore: the column '{min(both)}' is also in key")
    found = [_table(a, rename or {}, ignored), _table(b, {}, ignored)]
    # A list without rows doesn't name its columns, so it gets the columns of the other table.
    known = found[0] or found[1] or _without_rows([*keys, *ignored, *equal.names()])
    tables, given = zip(*(side or (known[0].slice(0, 0), known[1]) for side in found), strict=True)
    for name in (rename or {}).values():
        if found[1] and name not in found[1][1]:
            raise ValueError(f"rename: the second table has no column '{name}'")
    names = [table.column_names for table in tables]
    for side, columns in enumerate(names):
        twice = [name for name, count in Counter(columns).items() if count > 1]
        if twice:
            raise ValueError(f"two columns are called '{twice[0]}'")
        for name in keys:
            if name not in columns:
                raise ValueError(f"key: the {('first', 'second')[side]} table has no column '{name}'")
    if unknown := ignored - {*given[0], *given[1]}:
        raise ValueError(f"ignore: neither table has a column '{min(unknown)}'")
    if not keys:
        raise ValueError("key must name at least one column")
    left = [[name for name in columns if name not in ignored and name not in keys] for columns in names]
    others = [name for name in left[0] if name in left[1]]
    for name in equal.names():
        if name not in others:
            raise ValueError(f"tolerance: the column '{name}' is not compared")
    only = tuple([name for name in left[side] if name not in left[1 - side]] for side in (0, 1))
    folds = duplicates == "multiset" and equal.folds()
    paired = [equal.folded_table(table, others) if folds else table for table in tables]
    gone, new, pairs = _joined(paired, keys, others, duplicates)
    changed, counts, kept = _changes(tables, keys, others, pairs, equal)
    shown = [*keys, *others]
    options = [
        ("key", ", ".join(keys)),
        ("ignore", ", ".join(_listed(ignore))),
        ("rename", ", ".join(f"{old}={new}" for old, new in (rename or {}).items())),
        ("tolerance", "" if tolerance is None else repr(dict(tolerance) if isinstance(tolerance, Mapping) else tolerance)),
        ("ignore_case", str(ignore_case)),
        ("trim", str(trim)),
        ("duplicates", duplicates),
    ]
    changed_rows = [_taken(table.select(shown), [pair[side] for pair in kept]) for side, table in enumerate(tables)]
    return TableDiff(
        (len(tables[0]), len(tables[1])),
        _taken(tables[0].select(shown), sorted(gone)),
        _taken(tables[1].select(shown), sorted(new)),
        changed,
        {name: counts[name] for name in others if counts[name]},
        (only[0], only[1]),
        _Page(keys, others, [option for option in options if option[1]], changed_rows, len(pairs) - len(kept) if equal.allows_differences() and not folds else None),
    )


def _table(obj: Any, rename: Mapping[str, str], ignored: set[str]) -> tuple[Any, list[str]] | None:
    """Rename the columns of a table. Return the table without the ignored columns, and the new names of all columns.
    Return None for an empty list.
    """
    import pyarrow

    original: list[str] = []
    if _are_dicts(obj):
        if not obj:
            return None
        columns = dict.fromkeys(name for row in obj for name in row)
        table = pyarrow.table({name: _array(name, [row.get(name) for row in obj]) for name in columns})
    elif hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__arrow_c_array__"):
        if _library(obj) == "pandas" and hasattr(obj, "columns"):
            # The ignored columns are removed first, because pyarrow may have no type for their values.
            original = list(map(str, obj.columns))
            obj = obj.loc[:, [rename.get(name, name) not in ignored for name in original]]
        table = obj if isinstance(obj, pyarrow.Table) else pyarrow.table(obj)
    else:
        raise TypeError(f"a '{type(obj).__name__}' is not a table: pass an object with __arrow_c_stream__ or a list of dicts")
    original += table.column_names
    for old in rename:
        if old not in original:
            raise ValueError(f"rename: the first table has no column '{old}'")
    names = [rename.get(name, name) for name in table.column_names]
    table = table.rename_columns(names).select([place for place, name in enumerate(names) if name not in ignored])
    # Polars exports views, from which pyarrow can't take rows by position.
    for place, field in enumerate(table.schema):
        if (kind := _without_views(field.type)) != field.type:
            table = table.set_column(place, field.with_type(kind), table.column(place).cast(kind))
    return table, [rename.get(name, name) for name in original]


# Types whose values pyarrow never changes if a column has no other type.
_EXACT = ({bool}, {int}, {float}, {str}, {bytes}, {Decimal})


def _array(name: str, values: list[Any]) -> Any:
    """Return a column of a list of dicts as an Arrow array with exactly these values."""
    import pyarrow

    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1:
        found = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"the column '{name}' has values of different types ({found}): convert them to one type")
    try:
        array = pyarrow.array(values)
    except OverflowError:
        if kinds != {int} or not all(value is None or 0 <= value < 2**64 for value in values):
            raise ValueError(
                f"the column '{name}' has integers that are not in the range -2**63 to 2**63 - 1, nor in 0 to 2**64 - 1"
            ) from None
        array = pyarrow.array(values, pyarrow.uint64())
    except pyarrow.ArrowException as error:
        raise TypeError(f"the column '{name}': {error}") from None
    # pyarrow shortens some values, such as times with a time zone and timestamps with nanoseconds.
    if kinds and kinds not in _EXACT:
        for row, (value, stored) in enumerate(zip(values, array.to_pylist(), strict=True)):
            if value is not None and not _is_same(value, stored):
                raise TypeError(f"the column '{name}': Arrow can't represent the value in row {row} exactly ({value!r})")
    return array


def _is_same(value: Any, stored: Any) -> bool:
    """Return True if a value of Arrow has the parts and types of the Python object that it was made from."""
    if isinstance(value, Mapping):
        # In a struct, fields that a dict lacks are null.
        return isinstance(stored, Mapping) and all(
            _is_same(value.get(name), stored.get(name)) for name in {**value, **stored}
        )
    if isinstance(value, list | tuple):
        return isinstance(stored, list) and len(value) == len(stored) and all(map(_is_same, value, stored))
    zones = getattr(value, "tzinfo", None) is None, getattr(stored, "tzinfo", None) is None
    numbers = {type(value), type(stored)} <= {int, float, bool} and type(value) is not type(stored)
    try:
        return zones[0] == zones[1] and not numbers and bool(value == stored or (value != value and stored != stored))
    except (TypeError, ValueError):
        return False


def _are_dicts(obj: Any) -> bool:
    return isinstance(obj, list) and all(isinstance(row, Mapping) for row in obj)


def _without_rows(names: list[str]) -> tuple[Any, list[str]]:
    """Return a table that has these columns and no rows, and the names of the columns."""
    import pyarrow

    table = pyarrow.table({name: pyarrow.nulls(0) for name in names})
    return table, table.column_names


def _listed(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _digests(table: Any, columns: list[str]) -> Any:
    """Return an Arrow array with the digest of each row, or with empty values if there are no columns."""
    import pyarrow

    if not columns:
        return pyarrow.array([b""] * len(table), pyarrow.binary())
    return pyarrow.array(hash_rows(table, columns=columns, order="declared", threads=0))


def _taken(table: Any, rows: Iterable[int]) -> Any:
    """Return the rows at these positions."""
    return _taken_of_arrow(table, _packed(rows))


def _keys(table: Any, keys: list[str]) -> list[dict[str, Any]]:
    """Return the key of each row."""
    from ._cells import cells

    columns = [cells(table.column(name)) for name in keys]
    return [dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)]


class RepeatedKeyError(ValueError):
    """Several rows of a table have the same key."""

    # The message without the positions of the rows.
    without_rows = ""


def _repeated(side: int, rows: tuple[int, int], key: dict[str, Any]) -> RepeatedKeyError:
    """Return the error for two rows of a table."""
    table = f"of the {('first', 'second')[side]} table"
    rest = f"have the same key {key}: add columns to key, or pass duplicates='multiset'"
    error = RepeatedKeyError(f"rows {rows[0]} and {rows[1]} {table} {rest}")
    error.without_rows = f"several rows {table} {rest}"
    return error


def _joined(
    tables: Sequence[Any], keys: list[str], others: list[str], duplicates: str
) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Return the rows that only the first table has, the rows that only the second table has, and the pairs of rows
    that differ, in the order of the first table."""
    import pyarrow
    import pyarrow.compute

    pc: Any = pyarrow.compute

    sides = [
        pyarrow.table(
            [_digests(table, keys), _digests(table, others), pyarrow.array(range(len(table)), pyarrow.int64())],
            ["key", f"rest{side}", f"row{side}"],
        )
        for side, table in enumerate(tables)
    ]
    counts = [side.group_by("key").aggregate([("key", "count")]) for side in sides]
    repeated = pyarrow.concat_tables(side.filter(pc.greater(side["key_count"], 1)).select(["key"]) for side in counts)["key"]
    gone, new = _unpaired_of_repeated(tables, keys, sides, repeated, duplicates) if len(repeated) else ([], [])
    single = [side.filter(pc.invert(pc.is_in(side["key"], repeated))) for side in sides] if len(repeated) else sides
    both = single[0].join(single[1], "key", join_type="full outer")
    gone += both.filter(pc.is_null(both["row1"]))["row0"].to_pylist()
    new += both.filter(pc.is_null(both["row0"]))["row1"].to_pylist()
    # The comparison is null if one of the rows is missing.
    changed = both.filter(pc.not_equal(both["rest0"], both["rest1"])).sort_by("row0")
    return gone, new, list(zip(changed["row0"].to_pylist(), changed["row1"].to_pylist(), strict=True))


def _unpaired_of_repeated(
    tables: Sequence[Any], keys: list[str], sides: list[Any], repeated: Any, duplicates: str
) -> tuple[list[int], list[int]]:
    """Return the rows of each table whose key is repeated and that have no equal row in the other table."""
    import pyarrow.compute

    pc: Any = pyarrow.compute

    found: list[dict[bytes, list[tuple[bytes, int]]]] = []
    for side, rows in enumerate(sides):
        rows = rows.filter(pc.is_in(rows["key"], repeated))
        by_key: dict[bytes, list[tuple[bytes, int]]] = defaultdict(list)
        for one, rest, row in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            if duplicates == "error" and one in by_key:
                raise _repeated(side, (by_key[one][0][1], row), _keys(tables[side].slice(row, 1), keys)[0])
            by_key[one].append((rest, row))
        found.append(by_key)
    gone: list[int] = []
    new: list[int] = []
    for one in found[0].keys() | found[1].keys():
        here, there = found[0].get(one, []), found[1].get(one, [])
        gone += _unpaired(here, there)
        new += _unpaired(there, here)
    return gone, new


def _unpaired(these: list[tuple[bytes, int]], those: list[tuple[bytes, int]]) -> Iterable[int]:
    """Pair the rows of `these` with equal rows in `those`, and yield the rows without a partner. If a row is repeated,
    the first copies are paired."""
    paired = Counter(digest for digest, _ in those)
    for digest, row in these:
        if paired[digest]:
            paired[digest] -= 1
        else:
            yield row


class _Equal:
    """Decides which values count as equal although their digests differ."""

    def __init__(self, tolerance: _Tolerance | Mapping[str, _Tolerance] | None, ignore_case: bool, trim: bool) -> None:
        self.ignore_case, self.trim = ignore_case, trim
        # One tolerance for all columns, which doesn't apply to codes, or the tolerances of some columns.
        self.tolerance: Fraction | None = None
        self.of_columns: dict[str, Fraction] = {}
        if isinstance(tolerance, Mapping):
            self.of_columns = {name: _checked(value) for name, value in tolerance.items()}
        elif tolerance is not None:
            self.tolerance = _checked(tolerance)

    def names(self) -> list[str]:
        """Return the names of the columns that have their own tolerance."""
        return list(self.of_columns)

    def has_tolerance(self) -> bool:
        return self.tolerance is not None or bool(self.of_columns)

    def folds(self) -> bool:
        return self.ignore_case or self.trim

    def allows_differences(self) -> bool:
        return self.folds() or self.has_tolerance()

    def folded_table(self, table: Any, columns: list[str]) -> Any:
        """Return the table with ignore_case and trim applied to the strings of these columns."""
        import pyarrow

        for name in columns:
            values = table.column(name)
            kind = values.type
            while isinstance(kind, pyarrow.DictionaryType | pyarrow.RunEndEncodedType):
                kind = kind.value_type
            if kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
                texts = [None if text is None else self._folded(text) for text in values.to_pylist()]
                table = table.set_column(table.column_names.index(name), name, pyarrow.array(texts, pyarrow.large_string()))
        return table

    def __call__(self, name: str, old: Any, new: Any) -> bool:
        tolerance = self.of_columns.get(name)
        if tolerance is None and not (_is_code(old) or _is_code(new)):
            tolerance = self.tolerance
        if tolerance is not None:
            if isinstance(old, float) and isinstance(new, float):
                return _is_within(tolerance, old, new)
            a, b = _exact(old), _exact(new)
            if a is not None and b is not None:
                largest = max(Fraction(1), abs(a), abs(b)) if tolerance < 1 else Fraction(1)
                return abs(a - b) <= tolerance * largest
        if isinstance(old, str) and isinstance(new, str):
            return self._folded(old) == self._folded(new)
        return False

    def _folded(self, text: str) -> str:
        text = text.strip(_WHITE_SPACE) if self.trim else text
        return text.lower() if self.ignore_case else text


def _checked(tolerance: Any) -> Fraction:
    """Return the exact value of the decimal number that Python prints for the tolerance."""
    if isinstance(tolerance, bool) or not isinstance(tolerance, Real | Decimal):
        raise TypeError(f"tolerance must be a number, not '{type(tolerance).__name__}'")
    try:
        exact = Fraction(str(tolerance)) if math.isfinite(tolerance) else None
    except OverflowError:
        exact = None
    if exact is None or exact < 0:
        raise ValueError(f"tolerance must be a finite float of at least 0, not {tolerance}")
    return exact


def _is_code(value: Any) -> bool:
    """Return True for a string that looks like a code, such as "007" or "+49", rather than a number."""
    return isinstance(value, str) and _CODE.match(value.strip(_WHITE_SPACE)) is not None


def _exact(value: Any) -> Fraction | None:
    """Return the exact value of a number or of a string with a number. Return None for other values."""
    if isinstance(value, str):
        value = value.strip(_WHITE_SPACE)
        found = _NUMBER.fullmatch(value)
        return Fraction(value) if found and abs(int(found[1] or 0)) <= _EXPONENT else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        return None
    return Fraction(value)


def _is_within(tolerance: Fraction, old: float, new: float) -> bool:
    """Return True if two floats are within the tolerance. An infinity is equal only to itself."""
    if math.isinf(old) or math.isinf(new):
        return old == new
    # The bound is finite. If the difference overflows, it is above the bound.
    return abs(old - new) <= float(tolerance) * (max(1.0, abs(old), abs(new)) if tolerance < 1 else 1.0)


def _changes(
    tables: Sequence[Any], keys: list[str], others: list[str], pairs: list[tuple[int, int]], equal: _Equal
) -> tuple[list[Change], Counter[str], list[tuple[int, int]]]:
    """Return the cells in which pairs of rows differ, the number of such cells in each column, and the pairs with such
    cells."""
    from ._cells import cells, has_times

    sides = [_taken(table, [pair[side] for pair in pairs]) for side, table in enumerate(tables)]
    found: list[dict[str, tuple[Any, Any]]] = [{} for _ in pairs]
    counts: Counter[str] = Counter()
    for name in others if pairs else []:
        digests = [_digests(side, [name]).to_pylist() for side in sides]
        differ = [row for row, (old, new) in enumerate(zip(*digests, strict=True)) if old != new]
        columns = [_taken(side.column(name), differ) for side in sides]
        # Some times are shown as texts, which must not be compared as texts.
        comparable = not any(has_times(column.type) for column in columns)
        for row, old, new in zip(differ, *map(cells, columns), strict=True):
            if not (comparable and equal(name, old, new)):
                found[row][name] = (old, new)
                counts[name] += 1
    changed = [Change(key, own) for key, own in zip(_keys(sides[0], keys), found, strict=True) if own]
    return changed, counts, [pair for pair, own in zip(pairs, found, strict=True) if own]
