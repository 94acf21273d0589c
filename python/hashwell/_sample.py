"""Samples of rows of any kind of object. The extension draws the sample (`_native._Survey`). This module recognizes the kind of
object, reads its rows, and returns the picked rows as the same kind. docs/guides/sampling.md describes the designs."""

import copy
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from array import array
from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain, islice
from numbers import Integral
from typing import Any, TypeAlias

from ._copies import Independent
from ._native import ArrowRows, _seed
from ._native import _Survey as Survey
from ._native import _Watch as Watch

_Progress: TypeAlias = bool | Callable[[int], object] | None

# The minimum number of rows between two checks for signals if the design doesn't depend on the rows. The number grows with
# the rows that were read, because a range may have 2^60 rows.
_STRIDE = 1 << 20
# The number of Python objects that are passed to the extension at once.
_BATCH = 1 << 16
# The number of rows of a stream of Python objects that are in memory at once, in addition to the picked rows.
_AHEAD = 1 << 13
_ORDERS = {"input": False, "draw": True}


def _seed_bytes(seed: Any) -> bytes:
    """Return the bytes of a seed (docs/guides/random.md, Seeds in Python), or a new random seed for None."""
    if seed is None:
        return os.urandom(16).hex().encode()
    given = _seed(seed)
    return given.encode() if isinstance(given, str) else given


def _of_drawing(order: str) -> bool:
    if order not in _ORDERS:
        raise ValueError(f"order must be 'input' or 'draw', not {order!r}")
    return _ORDERS[order]


class _Given:
    """A sequence with one value for each row."""

    def __init__(self, values: Any) -> None:
        self.values = values


def _beside(spec: Any, first: Callable[[], Any]) -> Any:
    """Convert the argument group_by, weights or stratify for rows that are not a table. `first` returns the first row.

    A tuple of strings is treated as column names. A list of strings is treated as names if every string is a key of the
    first row, and otherwise as values.
    """
    if spec is None or callable(spec) or _is_place(spec) or isinstance(spec, str) or (isinstance(spec, tuple) and _are_names(spec)):
        return spec
    if _are_names(spec):
        row = first()
        if isinstance(row, Mapping) and all(name in row for name in spec):
            return tuple(spec)
    return _Given(spec)


def _is_place(spec: Any) -> bool:
    """Return True if the argument is an index into each row."""
    return isinstance(spec, Integral) and not isinstance(spec, bool)


def _names(spec: Any, fallback: str) -> list[str] | None:
    """Return the column names in `spec`, or the fallback if `spec` does not contain names."""
    if spec is None:
        return None
    if isinstance(spec, str):
        return [spec]
    if _are_names(spec):
        return list(spec)
    return [fallback]


def _are_names(spec: Any) -> bool:
    return isinstance(spec, str) or (
        isinstance(spec, list | tuple) and bool(spec) and all(isinstance(name, str) for name in spec)
    )


def _survey(
    n: Any,
    *,
    seed: Any,
    probability: Any = None,
    every: Any = None,
    group_by: Any = None,
    weights: Any = None,
    design: str | None = None,
    replace: bool = False,
    stratify: Any = None,
    proportional: bool = False,
    default_weight: Any = None,
    order: str = "input",
    context: str = "",
    shard: str | None = None,
) -> Survey:
    """Create a sample without rows. The extension checks that the arguments can be combined."""
    # Imported here, because importing hashwell must be fast.
    import json

    for name, text in (("context", context), ("shard", shard)):
        if not isinstance(text, str) and (name, text) != ("shard", None):
            raise TypeError(f"{name} must be str, not {type(text).__name__}")
    options = {
        "k": _index(n),
        "p": None if probability is None else str(probability),
        "step": _index(every),
        "group_by": _names(group_by, "group_by") or [],
        "weight": None if weights is None else (_names(weights, "weights") or [""])[0],
        "weighting": design,
        "default_weight": None if default_weight is None else str(default_weight),
        "replace": bool(replace),
        "stratify": _names(stratify, "stratify") or [],
        "proportional": bool(proportional),
        "order": order,
        "context": context,
        "shard": shard,
        "seed_hex": _seed_bytes(seed).hex(),
    }
    # Escapes would hide text that is not valid Unicode from the extension.
    return Survey(json.dumps(options, allow_nan=False, ensure_ascii=False))


def _index(amount: Any) -> str | None:
    """Return an integer as text, because it may be larger than the integers of the extension."""
    return None if amount is None else str(operator.index(amount))


def _values(rows: Sequence[Any], spec: Any, first: int, what: str) -> list[Any] | None:
    """Return the value of `spec` for each row. `spec` is a function of a row, an index into each row, names if rows are
    mappings, or a `_Given` with values for all rows."""
    if spec is None:
        return None
    if isinstance(spec, str) or _is_place(spec):
        return _plain([_member(row, spec) for row in rows])
    if _are_names(spec):
        return _plain([tuple(_member(row, name) for name in spec) for row in rows])
    if callable(spec):
        return _plain([spec(row) for row in rows])
    try:
        values = spec.values
        if _library(values) == "pandas":
            # The index of a Series may have any labels. Like in a DataFrame, NaN is a missing value.
            values = values.iloc[first : first + len(rows)] if hasattr(values, "iloc") else values[first : first + len(rows)]
            return [None if _is_missing(value) else value for value in _plain(values.tolist())]
        values = values[first : first + len(rows)]
    except (AttributeError, TypeError):
        raise TypeError(
            f"{what} must be a function of a row, a name (or a tuple of names) if rows are mappings, an index if rows are "
            "sequences, or a sequence of values"
        ) from None
    return _plain(values.tolist() if hasattr(values, "tolist") else list(values))


def _member(row: Any, name: str | int) -> Any:
    if isinstance(row, Mapping):
        return row[name]
    if not isinstance(name, str):
        if (isinstance(row, Sequence) and not isinstance(row, str | bytes | bytearray)) or len(getattr(row, "shape", ())):
            return row[name]
        raise TypeError(f"rows of type '{type(row).__name__}' can't be indexed: pass a function of a row instead of {name}")
    raise TypeError(f"rows of type '{type(row).__name__}' have no named columns: pass a function of a row instead of {name!r}")


def _plain(values: list[Any]) -> list[Any]:
    """Return the values. NumPy's booleans are converted to bool, and pandas' missing values NA and NaT to None."""
    kinds = set(map(type, values))
    if tuple in kinds:
        kinds.update(type(field) for value in values if type(value) is tuple for field in value)
    if any(kind.__name__ in ("bool_", "NAType", "NaTType") or (kind.__module__, kind.__name__) == ("numpy", "bool") for kind in kinds):
        return [_plain_value(value) for value in values]
    return values


def _plain_value(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_plain_value, value))
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    return bool(value) if type(value).__name__ in ("bool", "bool_") else value


def _is_missing(value: Any) -> bool:
    """Return True for the values with which pandas represents null."""
    return value is None or (value != value) is True


def _items(rows: Any, first: int, length: int) -> list[Any]:
    """Return `length` rows of a sequence, starting at `first`."""
    if _library(rows) == "pandas" and hasattr(rows, "iloc"):
        return list(rows.iloc[first : first + length])
    return [rows[place] for place in range(first, first + length)]


def _check_length(spec: Any, rows: int, what: str) -> None:
    if isinstance(spec, _Given) and hasattr(spec.values, "__len__") and len(spec.values) != rows:
        raise ValueError(f"{what} must have one value for each row: expected {rows}, got {len(spec.values)}")


class _Source:
    """Rows that are Python objects. `group_by`, `weights` and `stratify` define their groups, weights and strata."""

    def __init__(self, survey: Survey, *, group_by: Any = None, weights: Any = None, stratify: Any = None) -> None:
        self.survey = survey
        self.group_by, self.weights, self.stratify = group_by, weights, stratify
        self._rows: dict[int, Any] = {}
        # The handle of the first row of the current batch, and the batch. The extension may have read its rows already.
        self._ahead: tuple[int, Sequence[Any]] | None = None
        self._next = 0
        self._limit = 1 << 10

    def __copy__(self) -> "_Source":
        self._settle()
        source = _Source(copy.copy(self.survey), group_by=self.group_by, weights=self.weights, stratify=self.stratify)
        source._rows, source._next, source._limit = dict(self._rows), self._next, self._limit
        return source

    def own_rows(self, memo: Any) -> None:
        """Replace the rows by deep copies."""
        self._rows = copy.deepcopy(self._rows, memo)

    @property
    def rows(self) -> dict[int, Any]:
        """A dict from handles to rows: the rows that the sample keeps, and some that it kept earlier."""
        self._settle()
        return self._rows

    @rows.setter
    def rows(self, rows: dict[int, Any]) -> None:
        self._rows, self._ahead, self._next = rows, None, len(rows)

    def _settle(self) -> None:
        """Store those rows of the last batch that the sample keeps. If an exception interrupts this call, for example
        after Ctrl-C, the next call repeats it.
        """
        if self._ahead is None:
            return
        first, batch = self._ahead
        for one in self.survey.handles(first):
            self._rows[one] = batch[one - first]
        self._next = first + len(batch)
        self._ahead = None
        if len(self._rows) > 2 * self._limit:
            self._rows = {one: self._rows[one] for one in self.survey.handles(0)}
            self._limit = max(len(self._rows), 1 << 10)

    def update(self, rows: Sequence[Any], first: int, keep: bool) -> None:
        """Add rows to the sample. `first` is the number of rows before these. If weights, stratify or group_by has one
        value for each row, the values of these rows begin at this index."""
        weights = _values(rows, self.weights, first, "weights")
        labels = _values(rows, self.stratify, first, "stratify")
        keys = _values(rows, self.group_by, first, "group_by")
        handle = None
        if keep:
            self._settle()
            handle = self._next
            self._ahead = handle, rows
        self.survey.update(len(rows), weights=weights, labels=labels, keys=keys, handle=handle)
        self._settle()

    def stream(self, rows: Iterable[Any], watch: Watch) -> None:
        """Add all rows of an iterable."""
        rows, first = iter(rows), 0
        while batch := list(islice(rows, max(_AHEAD, min(2 * len(self._rows), 1 << 22)))):
            self.update(batch, first, keep=True)
            first += len(batch)
            watch.step(len(batch))
        watch.end()

    def kept(self) -> list[Any]:
        return self._of(self.survey.kept())

    def picked(self, of_drawing: bool) -> list[Any]:
        return self._of(self.survey.payloads(of_drawing))

    def _of(self, handles: list[bytes]) -> list[Any]:
        rows = self.rows
        return [rows[int.from_bytes(handle)] for handle in handles]


def _first_item(rows: Any) -> Any:
    """Return the first row of a sequence, or None if there is none."""
    return next(iter(_items(rows, 0, min(len(rows), 1))), None)


def _integers(positions: bytes) -> list[int]:
    return memoryview(positions).cast("q").tolist()


class _Kind:
    """Objects in memory from which rows can be taken by position."""

    def __init__(self, length: Callable[[Any], int], take: Callable[[Any, bytes], Any], select: Any = None) -> None:
        self.length, self.take, self.select = length, take, select


_LIBRARIES = ("numpy", "pandas", "polars", "pyarrow")


def _library(obj: Any) -> str:
    """Return the library that defines the object's class or one of its base classes, or "" if it is none of `_LIBRARIES`."""
    modules = (cls.__module__.partition(".")[0] for cls in type(obj).__mro__)
    return next((library for library in modules if library in _LIBRARIES), "")


# If an object of a library exists, the library has been imported.
def _numpy_positions(positions: bytes) -> Any:
    numpy = sys.modules["numpy"]
    return numpy.frombuffer(positions, numpy.int64)


def _pyarrow_positions(positions: bytes) -> Any:
    pyarrow = sys.modules["pyarrow"]
    buffers = [None, pyarrow.py_buffer(positions)]
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(positions) // 8, buffers)


def _taken_of_arrow(rows: Any, positions: bytes) -> Any:
    """Return the rows of a pyarrow table or column at these positions, with the same types."""
    pyarrow = sys.modules["pyarrow"]
    try:
        return rows.take(_pyarrow_positions(positions))
    except (pyarrow.ArrowNotImplementedError, pyarrow.ArrowInvalid):
        # pyarrow can't take values of views and of run-end encoded arrays by position. If an array has several chunks, the run
        # ends of all of them may be too large for their type.
        pass
    if hasattr(rows, "column_names"):
        columns = [_taken_of_arrow(column, positions) for column in rows.columns]
        return type(rows).from_arrays(columns, schema=rows.schema)
    plain = _without_views(rows.type)
    try:
        return rows.cast(plain).take(_pyarrow_positions(positions)).cast(rows.type)
    except (pyarrow.ArrowNotImplementedError, pyarrow.ArrowInvalid):
        return _taken_as_slices(rows, _integers(positions))


def _without_views(kind: Any) -> Any:
    """Return a pyarrow type in which large strings and large binary types replace views, also in nested types."""
    pyarrow = sys.modules["pyarrow"]
    types = pyarrow.types
    if types.is_string_view(kind):
        return pyarrow.large_string()
    if types.is_binary_view(kind):
        return pyarrow.large_binary()
    fields = [kind.field(place) for place in range(kind.num_fields)]
    fields = [field.with_type(_without_views(field.type)) for field in fields]
    if types.is_struct(kind):
        return pyarrow.struct(fields)
    if types.is_list(kind):
        return pyarrow.list_(fields[0])
    if types.is_large_list(kind):
        return pyarrow.large_list(fields[0])
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(fields[0], kind.list_size)
    if types.is_map(kind):
        return pyarrow.map_(_without_views(kind.key_type), _without_views(kind.item_type), kind.keys_sorted)
    return kind


def _taken_as_slices(column: Any, places: list[int]) -> Any:
    """Return the values of a column at these positions, by joining slices of the column."""
    pyarrow = sys.modules["pyarrow"]
    chunked = isinstance(column, pyarrow.ChunkedArray)
    chunks = column.chunks if chunked else [column]
    ends = list(accumulate(map(len, chunks)))
    slices = []
    for place in places:
        number = bisect_right(ends, place)
        slices.append(chunks[number].slice(place - ends[number] + len(chunks[number]), 1))
    if not chunked:
        return pyarrow.concat_arrays(slices) if slices else column.slice(0, 0)
    # The number of values in a run-end encoded array can be limited to 2^15 - 1.
    step = 1 << 14
    joined = [pyarrow.concat_arrays(slices[first : first + step]) for first in range(0, len(slices), step)]
    return pyarrow.chunked_array(joined, column.type)


def _polars_positions(positions: bytes) -> Any:
    polars = sys.modules["polars"]
    return polars.Series(_integers(positions), dtype=polars.Int64)


def _select(obj: Any, names: list[str]) -> Any:
    """Return the columns with these names. If one is missing or occurs twice, return the whole table; the extension
    then reports the name."""
    columns = obj.column_names if hasattr(obj, "column_names") else obj.columns
    there = [name for name in dict.fromkeys(names) if name in list(columns)]
    if len(there) < len(set(names)) or any(list(columns).count(name) > 1 for name in there):
        return obj
    return obj[there] if _library(obj) == "pandas" else obj.select(there)


def _length_of_array(array: Any) -> int:
    if array.ndim == 0:
        raise TypeError("a zero-dimensional NumPy array has no rows")
    return len(array)


def _taken_of_sequence(rows: Any, positions: bytes) -> Any:
    if type(rows) is range and rows == range(len(rows)):
        return _integers(positions)
    taken = [rows[position] for position in _integers(positions)]
    return tuple(taken) if type(rows) is tuple else taken


def _kind(obj: Any) -> _Kind | None:
    """Return a `_Kind`, which takes rows from the object by position, or None if the object must be read
    sequentially."""
    library = _library(obj)
    if library == "numpy" and hasattr(obj, "ndim"):
        return _Kind(_length_of_array, lambda array, positions: array[_numpy_positions(positions)])
    _refuse_groups(obj)
    if library == "pyarrow" and hasattr(obj, "take") and hasattr(obj, "__len__"):
        select = _select if hasattr(obj, "column_names") else None
        return _Kind(len, _taken_of_arrow, select)
    if library == "pandas" and _is_of_pandas(obj):
        select = _select if hasattr(obj, "columns") else None
        return _Kind(len, lambda frame, positions: frame.take(_numpy_positions(positions)), select)
    if library == "polars":
        if hasattr(obj, "collect"):
            raise TypeError("a LazyFrame has no rows yet: pass frame.collect() or frame.collect_batches()")
        polars = sys.modules["polars"]
        if isinstance(obj, polars.Series):
            return _Kind(len, lambda series, positions: series.gather(_integers(positions)))
        if isinstance(obj, polars.DataFrame):
            return _Kind(len, lambda frame, positions: frame[_polars_positions(positions)], _select)
    if isinstance(obj, str):
        raise TypeError("obj must be a list of rows, not a str")
    if isinstance(obj, Set | Mapping):
        raise TypeError(f"a '{type(obj).__name__}' has no order: pass a sorted list")
    if _is_arrow(obj) or (isinstance(obj, list | tuple) and obj and _is_table(obj[0])):
        return None
    if isinstance(obj, Sequence) or (hasattr(obj, "__len__") and hasattr(obj, "__getitem__")):
        return _Kind(len, _taken_of_sequence)
    if isinstance(obj, Iterable):
        return None
    raise TypeError(f"cannot take rows of a '{type(obj).__name__}': pass a sequence, an array, a table or an iterable")


def _is_arrow(obj: Any) -> bool:
    return hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__arrow_c_array__")


def _is_of_pandas(obj: Any) -> bool:
    """Return true for pandas objects that have rows, and false for others, such as groups and windows."""
    pandas = sys.modules["pandas"]
    return isinstance(obj, pandas.DataFrame | pandas.Series | pandas.Index | pandas.api.extensions.ExtensionArray)


def _refuse_groups(obj: Any) -> None:
    """Raise TypeError for groups and windows. They are iterables of tables, and a row can be in several of these
    tables."""
    library = _library(obj)
    grouped = hasattr(obj, "agg") or hasattr(obj, "aggregate")
    if library in ("pandas", "polars", "pyarrow") and grouped and not (library == "pandas" and _is_of_pandas(obj)):
        raise TypeError(f"a {library} '{type(obj).__name__}' is not a table: pass the table itself, with stratify= to pick n rows of each group")


def _is_table(obj: Any) -> bool:
    """Return true if an item of an iterable is a table or an Arrow column, and false for a row."""
    library = _library(obj)
    if library in ("pandas", "polars"):
        return isinstance(obj, sys.modules[library].DataFrame)
    return _is_arrow(obj)


def _with_first(rows: Iterable[Any]) -> tuple[Any, Iterable[Any]]:
    """Return the first item (None if there is none), and an iterable of all items."""
    rows = iter(rows)
    for first in rows:
        return first, chain((first,), rows)
    return None, ()


class _Chunks(Independent):
    """Rows of several tables in sequence, such as the chunks of a reader or Arrow batches."""

    def __init__(self, survey: Survey, names: list[str]) -> None:
        self._survey, self._names = survey, names
        self._first: Any = None
        # Tables with the rows that are kept and some that were kept earlier, and the positions of these rows among all
        # rows.
        self._pieces: list[Any] = []
        self._positions: list[int] = []

    def stream(self, tables: Iterable[Any], threads: int, watch: Watch) -> None:
        """Add the rows of all tables, which must be from one library and have one schema."""
        seen = 0
        for number, table in enumerate(tables, 1):
            kind = self._kind_of(table, number)
            rows = kind.length(table)
            if self._names:
                named = table if kind.select is None else kind.select(table, self._names)
                self._survey.update_arrow(named, keep=False, threads=threads)
            else:
                self._survey.update(rows)
            kept = self._survey.kept_positions(seen)
            if kept:
                self._positions += kept
                self._pieces.append(kind.take(table, _packed(position - seen for position in kept)))
            if len(self._pieces) > 256 or len(self._positions) > 2 * len(kept) + (1 << 16):
                self._trim()
            seen += rows
            watch.step(rows)
        watch.end()

    def _kind_of(self, table: Any, number: int) -> _Kind:
        kind = _kind(table) if _is_table(table) else None
        if number == 1:
            if kind is None:
                raise TypeError(
                    f"the iterable has tables of type '{type(table).__name__}', which are not supported: "
                    "pass tables of pyarrow, Polars or pandas, for example pyarrow.table(item)"
                )
            self._first = table
        elif kind is None or _library(table) != _library(self._first):
            raise TypeError(f"item {number} of the iterable is a '{type(table).__name__}', but the items before it are tables of a different type")
        _check_columns(self._first, table, number)
        return kind

    def _trim(self) -> None:
        kept = set(self._survey.kept_positions(0))
        places = [place for place, position in enumerate(self._positions) if position in kept]
        self._pieces = [self._taken(places)]
        self._positions = [self._positions[place] for place in places]

    def picked(self, of_drawing: bool) -> Any:
        """Return the rows of the sample as one table."""
        places = {position: place for place, position in enumerate(self._positions)}
        return self._taken(places[position] for position in _integers(self._survey.positions(of_drawing)))

    def _taken(self, places: Iterable[int]) -> Any:
        whole = _joined(self._pieces or [self._first])
        kind = _kind(whole)
        assert kind is not None, "the joined table must be in memory"
        return kind.take(whole, _packed(places))


def _packed(positions: Iterable[int]) -> bytes:
    return array("q", positions).tobytes()


def _check_columns(first: Any, table: Any, number: int) -> None:
    """Raise an error if two tables of one library have different columns. pandas would fill missing columns with
    NaN."""
    is_pandas = _library(table) == "pandas"
    name = "columns" if is_pandas or not hasattr(table, "column_names") else "column_names"
    listed = [list(getattr(one, name, ())) for one in (first, table)]
    # pandas arranges columns in a different order by their names.
    if listed[0] != listed[1] and not (is_pandas and Counter(listed[0]) == Counter(listed[1])):
        raise ValueError(f"item {number} of the iterable has the columns {listed[1]}, but the first one has {listed[0]}")


def _joined(tables: list[Any]) -> Any:
    """Concatenate tables of one library. Record batches become a pyarrow.Table."""
    library = _library(tables[0])
    module = sys.modules[library]
    for number, table in enumerate(tables, 1):
        _check_columns(tables[0], table, number)
    if library != "pyarrow":
        return module.concat(tables)
    if not hasattr(tables[0], "column_names"):
        arrays = [chunk for table in tables for chunk in (table.chunks if hasattr(table, "chunks") else [table])]
        return module.chunked_array(arrays, tables[0].type)
    batches = module.RecordBatch
    return module.concat_tables([module.Table.from_batches([t]) if isinstance(t, batches) else t for t in tables])


def _as_given(obj: Any, rows: ArrowRows) -> Any:
    """Return the rows of a stream: a pyarrow.Table if the stream is a pyarrow object, and otherwise the ArrowRows."""
    if _library(obj) == "pyarrow":
        pyarrow = sys.modules["pyarrow"]
        return pyarrow.table(rows)
    return rows


def sample(
    obj: Any,
    n: int | None = None,
    *,
    probability: Any = None,
    every: int | None = None,
    seed: Any = None,
    group_by: Any = None,
    weights: Any = None,
    design: str | None = None,
    replace: bool = False,
    stratify: Any = None,
    proportional: bool = False,
    default_weight: Any = None,
    order: str = "input",
    exact: bool | None = None,
    context: str = "",
    shard: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> Any:
    """Return a random sample of the rows of obj, as the same kind of object.

    Give exactly one of n, probability and every. The same seed and the same rows give the same sample, in Python
    and with the command `hashwell sample`. If two steps use the same seed and context, their samples are related, so
    pass a different context in each step. A warning is issued if the groups were probably selected before with the same
    seed and context.

    Args:
        obj: The rows: a list, tuple or other sequence; a NumPy array (rows are along axis 0); a table or column of
            pyarrow, Polars or pandas; an object with `__arrow_c_stream__` or `__arrow_c_array__`; or any iterable.
            An iterable or list of tables, such as the chunks of pandas' `read_csv`, is sampled as one table.
            Streams are read once, and only the sampled rows are kept in memory.
        n: The number of rows to pick. With group_by, it is the number of groups. With stratify, it is the number
            for each stratum.
        probability: The probability with which each row or group is picked, independently of all others, such as
            0.05 or "0.05".
        every: The step k of systematic sampling. Every k-th row is picked, starting at a random one of the first k
            rows.
        seed: The seed: a str, bytes, an int, a sequence of ints or a `numpy.random.SeedSequence`. 42 and "42" are
            the same seed. With None, the operating system provides a new seed, so the sample is not reproducible.
        group_by: The groups. If you pass it, groups are sampled instead of rows, and all rows of a picked group are
            returned. A seed picks the same groups from every table, and the order of the rows doesn't matter. For a
            table, pass a column name or a list of names. For other rows, pass a function of a row, a name (or a
            tuple or list of names) if the rows are mappings, an index if the rows are sequences, or a sequence with
            one value for each row.
        weights: The weights, which must be non-negative. They are given in the same way as group_by.
        design: The sampling design for weights. It is required unless replace is True. "successive" draws one row
            after the other, each with probability proportional to its weight among the remaining rows. With "pps",
            the inclusion probability of each row is proportional to its weight.
        replace: True samples with replacement: each of the n rows is drawn from all rows.
        stratify: The strata. n rows are picked from each. Strata are given in the same way as group_by.
        proportional: True picks n rows in total and allocates them to the strata in proportion to their sizes.
        default_weight: The weight of rows whose weight is missing. By default, a missing weight is an error.
        order: "input" returns rows in their original order. "draw" returns them in the order in which they were
            drawn; the first rows of such a sample are a sample, too.
        exact: The behavior if there are fewer than n rows, groups, or rows with a positive weight. By default this
            is an error, but strata with fewer than n rows are returned as a whole. With False, all available rows
            are returned. With True, a stratum with fewer than n rows is an error, too.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.
        shard: The name of a part of the data. Samples of parts with different names are independent, even with the same
            seed.
        threads: The maximum number of threads that read columns of Arrow data. 0 uses one thread per core.
        progress: A function that is called with the number of rows read so far, or True to show a progress line on
            stderr.

    Returns:
        The sampled rows as the same kind of object. For an iterable, they are returned as a list. For an Arrow stream,
        they are returned as an ArrowRows, or as a pyarrow.Table if the stream is a pyarrow object.

    Raises:
        ValueError: There are fewer than n rows (see exact), an argument is out of its range, a column is missing, or
            weights is given without design or replace.
        TypeError: The arguments can't be combined; obj is unordered (such as a set); or group_by, weights
            or stratify has the wrong type.

    Examples:
        >>> import hashwell
        >>> hashwell.sample(range(100), 3, seed="0877")
        [13, 79, 92]
        >>> visits = [{"user": user, "page": page} for user in "abcd" for page in (1, 2)]
        >>> [row["user"] for row in hashwell.sample(visits, 2, seed="0877", group_by="user")]
        ['a', 'a', 'b', 'b']
        >>> hashwell.sample([1, 2, 3], 5, seed="0877")
        Traceback (most recent call last):
        ValueError: only 3 rows, not 5; pass exact=False to take all of them
    """
    kind = _kind(obj)
    chunked, first = False, None
    if kind is None and not _is_arrow(obj):
        first, obj = _with_first(obj)
        chunked = _is_table(first)
    if not (chunked or (_is_arrow(obj) if kind is None else kind.select is not None)):
        group_by, weights, stratify = (
            _beside(spec, lambda: first if kind is None else _first_item(obj)) for spec in (group_by, weights, stratify)
        )
    of_drawing = _of_drawing(order)
    survey = _survey(
        n,
        seed=seed,
        probability=probability,
        every=every,
        group_by=group_by,
        weights=weights,
        design=design,
        replace=replace,
        stratify=stratify,
        proportional=proportional,
        default_weight=default_weight,
        order=order,
        context=context,
        shard=shard,
    )
    specs = {"group_by": group_by, "weights": weights, "stratify": stratify}
    strata = stratify is not None and not proportional
    if kind is not None:
        rows = kind.length(obj)
        given = [spec for spec in specs.values() if spec is not None]
        if not given:
            watch, before = Watch(progress), 0
            picked = survey.positions_of(rows, of_drawing)
            if picked is not None:
                watch.step(rows)
                watch.end()
                return kind.take(obj, picked)
            while before < rows:
                length = min(max(_STRIDE, before >> 4), rows - before)
                survey.update(length)
                watch.step(length)
                before += length
            watch.end()
        elif kind.select is not None:
            survey.update_arrow(kind.select(obj, _columns(given)), keep=False, threads=threads, progress=progress)
        else:
            for what, spec in specs.items():
                _check_length(spec, rows, what)
            source = _Source(survey, **specs)
            needs_rows = not all(isinstance(spec, _Given) for spec in given)
            watch = Watch(progress)
            for before in range(0, rows, _BATCH):
                length = min(_BATCH, rows - before)
                batch = _items(obj, before, length) if needs_rows else range(length)
                source.update(batch, before, keep=False)
                watch.step(length)
            watch.end()
        _check(survey, exact, strata)
        return kind.take(obj, survey.positions(of_drawing))
    if _is_arrow(obj):
        header = survey.update_arrow(obj, keep=True, threads=threads, progress=progress)
        _check(survey, exact, strata)
        return _as_given(obj, ArrowRows(header, survey.payloads(of_drawing)))
    if chunked:
        chunks = _Chunks(survey, _columns([spec for spec in specs.values() if spec is not None]))
        chunks.stream(obj, threads, Watch(progress))
        _check(survey, exact, strata)
        return chunks.picked(of_drawing)
    source = _Source(survey, **specs)
    source.stream(obj, Watch(progress))
    _check(survey, exact, strata)
    return source.picked(of_drawing)


def _columns(specs: list[Any]) -> list[str]:
    """Return the columns that group_by, weights and stratify name."""
    if not all(map(_are_names, specs)):
        raise TypeError("group_by, weights and stratify must be column names if the rows are a table")
    return [name for spec in specs for name in ([spec] if isinstance(spec, str) else spec)]


def _warn_if_reused(survey: Survey, stacklevel: int) -> None:
    """Warn if the keys were probably selected before with the same seed and context."""
    if (warning := survey.warning()) is not None:
        # Imported here, because importing hashwell must be fast.
        import warnings

        warnings.warn(f"{warning} (context=)", stacklevel=stacklevel)


def _check(survey: Survey, exact: bool | None, strata: bool) -> None:
    """Warn if the keys were probably selected before, and raise an error if there are fewer rows than requested."""
    _warn_if_reused(survey, 4)
    # The caller doesn't choose the sizes of strata: small ones are an error only with exact=True.
    refused = not strata if exact is None else exact
    if refused and (shortage := survey.shortage()) is not None:
        raise ValueError(shortage if exact else f"{shortage}; pass exact=False to take all of them")


def shuffle(obj: Any, *, seed: Any = None, context: str = "") -> Any:
    """Return all rows of obj in random order, as a new object of the same kind.

    All orders are equally likely. The command `hashwell sample --shuffle --seed SEED` gives the same order.

    Args:
        obj: The rows: a sequence, array, table or iterable, in any form that sample accepts except Arrow streams.
        seed: The seed, in any form that sample accepts. With None, the operating system provides a new seed.
        context: The name of this step or purpose. Orders with the same seed and different contexts are independent.

    Returns:
        The shuffled rows. For an iterable, they are returned as a list.

    Raises:
        TypeError: obj is an Arrow stream, or is unordered (such as a set).

    Examples:
        >>> import hashwell
        >>> hashwell.shuffle(["a", "b", "c", "d"], seed="0877")
        ['c', 'b', 'd', 'a']
    """
    kind = _kind(obj)
    if kind is None:
        if _is_arrow(obj):
            raise TypeError("cannot shuffle a stream, because all its rows are needed at once: read it into a table first")
        obj = list(obj)
        if obj and _is_table(obj[0]):
            obj = _joined(obj)
        kind = _kind(obj) or _Kind(len, _taken_of_sequence)
    return kind.take(obj, Survey.order(kind.length(obj), _seed_bytes(seed), context))


def choice(
    obj: Any,
    size: int | None = None,
    *,
    replace: bool = True,
    p: Any = None,
    weights: Any = None,
    seed: Any = None,
) -> Any:
    """Draw random rows of obj, like `numpy.random.Generator.choice`.

    Args:
        obj: The rows: a sequence, array, table or iterable, in any form that sample accepts. An int n means
            range(n).
        size: The number of rows to draw. With None, one row is drawn and returned by itself.
        replace: True draws each row from all rows. False draws each row from the remaining rows.
        p: The probabilities of the rows, as in NumPy. They need not sum to 1.
        weights: An alias for p. Give at most one of the two.
        seed: The seed, in any form that sample accepts. With None, the operating system provides a new seed.

    Returns:
        The rows in the order in which they were drawn, as the same kind of object. If size is None, a single row: for a
        sequence, array, Series or column, one of its items; for a pandas DataFrame, a Series; for any other table or a
        stream, a dict. The dict of a stream requires pyarrow.

    Raises:
        ValueError: There are no rows, or there are fewer than size rows and replace is False.
        TypeError: Both p and weights are given.

    Examples:
        >>> import hashwell
        >>> hashwell.choice(["red", "green", "blue"], seed="0877")
        'red'
        >>> hashwell.choice(["red", "green", "blue"], 4, p=[0.5, 0.5, 0], seed="0877")
        ['green', 'green', 'green', 'green']
    """
    if p is not None:
        if weights is not None:
            raise TypeError("p is another name for weights: pass only one of them")
        weights = p
    if isinstance(obj, int) and not isinstance(obj, bool):
        obj = range(obj)
    design = None if weights is None or replace else "successive"
    one = size is None
    count = 1 if size is None else size
    picked = sample(
        obj, count, seed=seed, weights=weights, design=design, replace=replace, order="draw", exact=True
    )
    return _only(picked) if one else picked


def _only(picked: Any) -> Any:
    """Return the only row of a sample of one row."""
    library = _library(picked)
    if library == "pandas" and hasattr(picked, "iloc"):
        return picked.iloc[0]
    if library == "polars" and hasattr(picked, "columns"):
        return picked.row(0, named=True)
    if library == "pyarrow" and hasattr(picked, "column_names"):
        return picked.to_pylist()[0]
    if isinstance(picked, ArrowRows):
        import pyarrow

        return pyarrow.chunked_array(picked)[0].as_py()
    return picked[0]
