"""Samples of whatever holds rows. What is drawn is the extension's (`_native._Survey`); here is what each kind of object is,
how its rows are named and how the same kind is made of those picked. docs/guides/sampling.md has the designs."""

import copy
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from array import array
from itertools import chain, islice
from typing import Any, TypeAlias

from ._copies import Independent
from ._native import ArrowRows, _seed
from ._native import _Survey as Survey
from ._native import _Watch as Watch

_Progress: TypeAlias = bool | Callable[[int], object] | None

# Rows that pass between two looks for signals, where nothing is asked of them, or a part of those that passed: a range may
# have 2^60.
_STRIDE = 1 << 20
# Rows of Python's objects that go to the extension at once.
_BATCH = 1 << 16
# Rows of a stream of Python's objects that are held at once, beside those picked.
_AHEAD = 1 << 13
_ORDERS = {"input": False, "draw": True}


def _seed_bytes(seed: Any) -> bytes:
    """A seed's bytes (docs/guides/random.md, Seeds in Python); a new one for None."""
    if seed is None:
        return os.urandom(16).hex().encode()
    given = _seed(seed)
    return given.encode() if isinstance(given, str) else given


def _of_drawing(order: str) -> bool:
    if order not in _ORDERS:
        raise ValueError(f"order must be 'input' or 'draw', not {order!r}")
    return _ORDERS[order]


class _Given:
    """Values that stand beside rows, one for each."""

    def __init__(self, values: Any) -> None:
        self.values = values


def _beside(spec: Any) -> Any:
    """What key, weights or by of rows that are no table is: several names are a tuple, since a list is of values."""
    if spec is None or callable(spec) or isinstance(spec, str) or (isinstance(spec, tuple) and _are_names(spec)):
        return spec
    return _Given(spec)


def _names(spec: Any, fallback: str) -> list[str] | None:
    """Names of columns; values, or a function that gives them, have none of their own."""
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
    k: Any,
    *,
    seed: Any,
    p: Any = None,
    every: Any = None,
    key: Any = None,
    weights: Any = None,
    design: str | None = None,
    replace: bool = False,
    by: Any = None,
    proportional: bool = False,
    missing_weight: Any = None,
    order: str = "input",
    context: str = "",
    shard: str | None = None,
) -> Survey:
    """A sample of no rows so far. The extension checks that the arguments go together."""
    # Imported here, since an import of hashwell has to be quick.
    import json

    for name, text in (("context", context), ("shard", shard)):
        if not isinstance(text, str) and (name, text) != ("shard", None):
            raise TypeError(f"{name} must be str, not {type(text).__name__}")
    options = {
        "k": _index(k),
        "p": None if p is None else str(p),
        "step": _index(every),
        "key": _names(key, "key") or [],
        "weight": None if weights is None else (_names(weights, "weights") or [""])[0],
        "weighting": design,
        "missing": None if missing_weight is None else str(missing_weight),
        "replace": bool(replace),
        "strata": _names(by, "by") or [],
        "proportional": bool(proportional),
        "order": order,
        "context": context,
        "shard": shard,
        "seed_hex": _seed_bytes(seed).hex(),
    }
    return Survey(json.dumps(options, allow_nan=False))


def _index(amount: Any) -> str | None:
    """The text of an integer, which may be larger than any that the extension has."""
    return None if amount is None else str(operator.index(amount))


def _values(rows: Sequence[Any], spec: Any, first: int, what: str) -> list[Any] | None:
    """What `spec` says of rows: a function of a row, names of what a row is a mapping of, or values, one for each row."""
    if spec is None:
        return None
    if isinstance(spec, str):
        return [_member(row, spec) for row in rows]
    if _are_names(spec):
        return [tuple(_member(row, name) for name in spec) for row in rows]
    if callable(spec):
        return [spec(row) for row in rows]
    try:
        values = spec.values[first : first + len(rows)]
    except (AttributeError, TypeError):
        raise TypeError(
            f"{what} is a function of a row, a name in rows that are mappings (or a tuple of several), or a sequence of values"
        ) from None
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _member(row: Any, name: str) -> Any:
    if not isinstance(row, Mapping):
        raise TypeError(f"rows of type '{type(row).__name__}' have nothing called {name!r}: give a function of a row")
    return row[name]


def _check_length(spec: Any, rows: int, what: str) -> None:
    if isinstance(spec, _Given) and hasattr(spec.values, "__len__") and len(spec.values) != rows:
        raise ValueError(f"{what} must have a value for each of {rows} rows, not {len(spec.values)}")


class _Source:
    """Rows of Python's objects, whose keys, weights and labels `spec` says."""

    def __init__(self, survey: Survey, *, key: Any = None, weights: Any = None, by: Any = None) -> None:
        self.survey = survey
        self.key, self.weights, self.by = key, weights, by
        self._rows: dict[int, Any] = {}
        # The number of the first of these rows: they are going by, and the extension may have seen them.
        self._ahead: tuple[int, Sequence[Any]] | None = None
        self._next = 0
        self._limit = 1 << 10

    def __copy__(self) -> "_Source":
        self._settle()
        source = _Source(copy.copy(self.survey), key=self.key, weights=self.weights, by=self.by)
        source._rows, source._next, source._limit = dict(self._rows), self._next, self._limit
        return source

    def own_rows(self, memo: Any) -> None:
        """Makes deep copies of the rows."""
        self._rows = copy.deepcopy(self._rows, memo)

    @property
    def rows(self) -> dict[int, Any]:
        """Those that the sample keeps, and some that it kept, by the numbers that stand for them."""
        self._settle()
        return self._rows

    @rows.setter
    def rows(self, rows: dict[int, Any]) -> None:
        self._rows, self._ahead, self._next = rows, None, len(rows)

    def _settle(self) -> None:
        """Takes those of the last batch that the sample keeps. An exception, as after Ctrl-C, may come before it or in its
        midst: whoever comes next does it again."""
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
        """Rows go by, the first of which has so many before it among the values."""
        weights = _values(rows, self.weights, first, "weights")
        labels = _values(rows, self.by, first, "by")
        keys = _values(rows, self.key, first, "key")
        handle = None
        if keep:
            self._settle()
            handle = self._next
            self._ahead = handle, rows
        self.survey.update(len(rows), weights=weights, labels=labels, keys=keys, handle=handle)
        self._settle()

    def stream(self, rows: Iterable[Any], watch: Watch) -> None:
        """Rows that come once."""
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


def _integers(positions: bytes) -> list[int]:
    return memoryview(positions).cast("q").tolist()


class _Kind:
    """Objects that are in memory, with a way of their own to take rows by position."""

    def __init__(self, length: Callable[[Any], int], take: Callable[[Any, bytes], Any], select: Any = None) -> None:
        self.length, self.take, self.select = length, take, select


_LIBRARIES = ("numpy", "pandas", "polars", "pyarrow")


def _library(obj: Any) -> str:
    """The one of these libraries that the object's class, or a class that it extends, is of."""
    modules = (cls.__module__.partition(".")[0] for cls in type(obj).__mro__)
    return next((library for library in modules if library in _LIBRARIES), "")


# A library whose object is here has been imported.
def _numpy_positions(positions: bytes) -> Any:
    numpy = sys.modules["numpy"]
    return numpy.frombuffer(positions, numpy.int64)


def _pyarrow_positions(positions: bytes) -> Any:
    pyarrow = sys.modules["pyarrow"]
    buffers = [None, pyarrow.py_buffer(positions)]
    return pyarrow.Array.from_buffers(pyarrow.int64(), len(positions) // 8, buffers)


def _polars_positions(positions: bytes) -> Any:
    polars = sys.modules["polars"]
    return polars.Series(_integers(positions), dtype=polars.Int64)


def _select(obj: Any, names: list[str]) -> Any:
    """The columns of these names; what is not there the extension names."""
    columns = obj.column_names if hasattr(obj, "column_names") else obj.columns
    there = [name for name in dict.fromkeys(names) if name in list(columns)]
    if len(there) < len(set(names)) or len(set(columns)) < len(columns):
        return obj
    return obj[there] if _library(obj) == "pandas" else obj.select(there)


def _length_of_array(array: Any) -> int:
    if array.ndim == 0:
        raise TypeError("an array without dimensions has no rows")
    return len(array)


def _taken_of_sequence(rows: Any, positions: bytes) -> Any:
    taken = [rows[position] for position in _integers(positions)]
    return tuple(taken) if type(rows) is tuple else taken


def _kind(obj: Any) -> _Kind | None:
    """How rows are taken of it; None if it has to be read from front to back."""
    library = _library(obj)
    if library == "numpy" and hasattr(obj, "ndim"):
        return _Kind(_length_of_array, lambda array, positions: array[_numpy_positions(positions)])
    _refuse_groups(obj)
    if library == "pyarrow" and hasattr(obj, "take") and hasattr(obj, "__len__"):
        select = _select if hasattr(obj, "column_names") else None
        return _Kind(len, lambda table, positions: table.take(_pyarrow_positions(positions)), select)
    if library == "pandas" and _is_of_pandas(obj):
        select = _select if hasattr(obj, "columns") else None
        return _Kind(len, lambda frame, positions: frame.take(_numpy_positions(positions)), select)
    if library == "polars":
        if hasattr(obj, "collect"):
            raise TypeError("a LazyFrame has no rows yet: give what its collect() gives, or collect_batches()")
        polars = sys.modules["polars"]
        if isinstance(obj, polars.Series):
            return _Kind(len, lambda series, positions: series.gather(_integers(positions)))
        if isinstance(obj, polars.DataFrame):
            return _Kind(len, lambda frame, positions: frame[_polars_positions(positions)], _select)
    if isinstance(obj, str):
        raise TypeError("a str is one text: give a list of rows")
    if isinstance(obj, Set | Mapping):
        raise TypeError(f"a '{type(obj).__name__}' has no rows in an order: give a list, sorted where order should not count")
    if _is_arrow(obj) or (isinstance(obj, list | tuple) and obj and _is_table(obj[0])):
        return None
    if isinstance(obj, Sequence) or (hasattr(obj, "__len__") and hasattr(obj, "__getitem__")):
        return _Kind(len, _taken_of_sequence)
    if isinstance(obj, Iterable):
        return None
    raise TypeError(f"'{type(obj).__name__}' has no rows")


def _is_arrow(obj: Any) -> bool:
    return hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__arrow_c_array__")


def _is_of_pandas(obj: Any) -> bool:
    """Whether it is pandas' and has rows, which groups and windows have not."""
    pandas = sys.modules["pandas"]
    return isinstance(obj, pandas.DataFrame | pandas.Series | pandas.Index | pandas.api.extensions.ExtensionArray)


def _refuse_groups(obj: Any) -> None:
    """Groups and windows are iterables of tables, some of whose rows are in several."""
    library = _library(obj)
    grouped = hasattr(obj, "agg") or hasattr(obj, "aggregate")
    if library in ("pandas", "polars", "pyarrow") and grouped and not (library == "pandas" and _is_of_pandas(obj)):
        raise TypeError(f"a {library} '{type(obj).__name__}' is no table: give the table, and by= for k rows of each group")


def _is_table(obj: Any) -> bool:
    """Whether an item of an iterable is a table, or a column of Arrow's, rather than a row."""
    library = _library(obj)
    if library in ("pandas", "polars"):
        return isinstance(obj, sys.modules[library].DataFrame)
    return _is_arrow(obj)


def _with_first(rows: Iterable[Any]) -> tuple[Any, Iterable[Any]]:
    """The first item, None if there is none, and all items."""
    rows = iter(rows)
    for first in rows:
        return first, chain((first,), rows)
    return None, ()


class _Chunks(Independent):
    """Rows of tables that come one after the other: a reader's chunks, batches of Arrow's."""

    def __init__(self, survey: Survey, names: list[str]) -> None:
        self._survey, self._names = survey, names
        self._first: Any = None
        # Tables of the rows that are kept, and of some that were, with the positions of these rows among all.
        self._pieces: list[Any] = []
        self._positions: list[int] = []

    def stream(self, tables: Iterable[Any], threads: int, watch: Watch) -> None:
        """Tables of one library and one schema."""
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
                    f"the items of the iterable are tables of type '{type(table).__name__}', whose rows are not taken: "
                    "give tables of pyarrow, Polars or pandas, such as pyarrow.table(item)"
                )
            self._first = table
        elif kind is None or _library(table) != _library(self._first):
            raise TypeError(f"item {number} of the iterable is a '{type(table).__name__}', and those before it are tables")
        return kind

    def _trim(self) -> None:
        kept = set(self._survey.kept_positions(0))
        places = [place for place, position in enumerate(self._positions) if position in kept]
        self._pieces = [self._taken(places)]
        self._positions = [self._positions[place] for place in places]

    def picked(self, of_drawing: bool) -> Any:
        """The rows of the sample, as one table."""
        places = {position: place for place, position in enumerate(self._positions)}
        return self._taken(places[position] for position in _integers(self._survey.positions(of_drawing)))

    def _taken(self, places: Iterable[int]) -> Any:
        whole = _joined(self._pieces or [self._first])
        kind = _kind(whole)
        assert kind is not None, "a table is one in memory"
        return kind.take(whole, _packed(places))


def _packed(positions: Iterable[int]) -> bytes:
    return array("q", positions).tobytes()


def _joined(tables: list[Any]) -> Any:
    """Tables of one library, one below the other; of batches of Arrow's a Table."""
    library = _library(tables[0])
    module = sys.modules[library]
    if library != "pyarrow":
        return module.concat(tables)
    if not hasattr(tables[0], "column_names"):
        arrays = [chunk for table in tables for chunk in (table.chunks if hasattr(table, "chunks") else [table])]
        return module.chunked_array(arrays, tables[0].type)
    batches = module.RecordBatch
    return module.concat_tables([module.Table.from_batches([t]) if isinstance(t, batches) else t for t in tables])


def _as_given(obj: Any, rows: ArrowRows) -> Any:
    """Rows of a stream: pyarrow's where it is pyarrow's."""
    if _library(obj) == "pyarrow":
        pyarrow = sys.modules["pyarrow"]
        return pyarrow.table(rows)
    return rows


def sample(
    obj: Any,
    k: int | None = None,
    *,
    p: Any = None,
    every: int | None = None,
    seed: Any = None,
    key: Any = None,
    weights: Any = None,
    design: str | None = None,
    replace: bool = False,
    by: Any = None,
    proportional: bool = False,
    missing_weight: Any = None,
    order: str = "input",
    exact: bool | None = None,
    context: str = "",
    shard: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> Any:
    """Rows of obj, picked at random: k of them, each with probability p, or every nth. The same kind of object comes back.

    obj is a list, tuple, NumPy array (rows are along axis 0), a table or column of pyarrow, Polars or pandas, anything with
    __arrow_c_stream__ or __arrow_c_array__, or any iterable. What is in memory is indexed; streams are read once, and hold
    no more than the rows picked. Of iterables comes a list; of Arrow streams an ArrowRows, of pyarrow's a Table. An iterable
    or a list of tables, such as the chunks of pandas' read_csv or batches of pyarrow, is sampled row by row, and one
    table comes back.

    seed is a str, bytes, an int, a sequence of ints or a SeedSequence (docs/guides/random.md, Seeds in Python):
    `hashwell.sample(rows, 9, seed="s")` picks the positions that `hashwell sample -n 9 --seed s` picks of a file with these
    rows. None is a new seed.

    key picks all rows of k keys, the same in every table, order and part. weights are those of rows: with
    design='successive' they are drawn one after the other, with 'pps' inclusion is in proportion to the weight, with
    replace each of k draws is. by picks k rows (with key k keys) of each stratum; with proportional k rows in all. Of
    tables key, weights and by are names of columns, or several; else functions of a row, names where rows are mappings (of
    several a tuple), or sequences with a value for each row. missing_weight is that of rows that have none, which otherwise is an error.

    order is 'input' or 'draw': any first part of the latter is a sample, too. Raises ValueError if there are fewer than k
    rows (with key: keys; with weights: rows with a weight above 0), as random.sample; with exact=False the sample is then
    all of them, as of the command. Strata (by) with fewer than k rows are picked as a whole, unless exact=True.
    context is the name of this step or purpose. Draws with one seed and different contexts are independent, also with key; without
    it, one seed used in two steps selects related rows (p=0.1 by key of the rest of such a draw selects nothing).

    shard is the name of a part of the data, so that parts with one seed are drawn independently. threads is how many read
    keys, labels and weights of Arrow's columns, 0 for one per core. progress is a callable that gets the number of rows that
    went by now and then, or True for a line on stderr."""
    kind = _kind(obj)
    chunked = False
    if kind is None and not _is_arrow(obj):
        first, obj = _with_first(obj)
        chunked = _is_table(first)
    if not (chunked or (_is_arrow(obj) if kind is None else kind.select is not None)):
        key, weights, by = _beside(key), _beside(weights), _beside(by)
    of_drawing = _of_drawing(order)
    survey = _survey(
        k,
        seed=seed,
        p=p,
        every=every,
        key=key,
        weights=weights,
        design=design,
        replace=replace,
        by=by,
        proportional=proportional,
        missing_weight=missing_weight,
        order=order,
        context=context,
        shard=shard,
    )
    specs = {"key": key, "weights": weights, "by": by}
    strata = by is not None and not proportional
    if kind is not None:
        rows = kind.length(obj)
        given = [spec for spec in specs.values() if spec is not None]
        if not given:
            watch, first = Watch(progress), 0
            while first < rows:
                length = min(max(_STRIDE, first >> 4), rows - first)
                survey.update(length)
                watch.step(length)
                first += length
            watch.end()
        elif kind.select is not None:
            survey.update_arrow(kind.select(obj, _columns(given)), keep=False, threads=threads, progress=progress)
        else:
            for what, spec in specs.items():
                _check_length(spec, rows, what)
            source = _Source(survey, **specs)
            needs_rows = not all(isinstance(spec, _Given) for spec in given)
            watch = Watch(progress)
            for first in range(0, rows, _BATCH):
                length = min(_BATCH, rows - first)
                batch = [obj[i] for i in range(first, first + length)] if needs_rows else range(length)
                source.update(batch, first, keep=False)
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
    """The columns that key, weights and by name."""
    if not all(map(_are_names, specs)):
        raise TypeError("of a table key, weights and by are names of columns")
    return [name for spec in specs for name in ([spec] if isinstance(spec, str) else spec)]


def _check(survey: Survey, exact: bool | None, strata: bool) -> None:
    """Warns of keys that were selected before, and refuses fewer rows than were asked for."""
    if (warning := survey.warning()) is not None:
        # Imported here, since an import of hashwell has to be quick.
        import warnings

        warnings.warn(f"{warning} (context=)", stacklevel=3)
    # The caller doesn't choose the sizes of strata: small ones are an error only with exact=True.
    refused = not strata if exact is None else exact
    if refused and (shortage := survey.shortage()) is not None:
        raise ValueError(shortage if exact else f"{shortage}; with exact=False the sample is all of them")


def shuffle(obj: Any, *, seed: Any = None, context: str = "") -> Any:
    """All rows of obj in random order, as a new object of the same kind; of iterables a list.

    Each order is as likely as any other. It is the order of `hashwell sample --shuffle --seed`. context is that of sample."""
    kind = _kind(obj)
    if kind is None:
        if _is_arrow(obj):
            raise TypeError("a stream is not shuffled, since all its rows are needed at once: read it into a table")
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
    weights: Any = None,
    seed: Any = None,
) -> Any:
    """Rows of obj in the order of drawing, as numpy.random.Generator.choice has them; without a size one row.

    obj may be a number n, which stands for range(n). With replace each draw is from all rows, without it from those that
    are left; with weights in proportion to them, which need not sum up to 1."""
    if isinstance(obj, int) and not isinstance(obj, bool):
        obj = range(obj)
    design = None if weights is None or replace else "successive"
    one = size is None
    count = 1 if size is None else size
    picked = sample(
        obj, count, seed=seed, weights=weights, design=design, replace=replace, order="draw", exact=True
    )
    return picked[0] if one else picked
