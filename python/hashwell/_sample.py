"""Samples of whatever holds rows. What is drawn is the extension's (`_native.Survey`); here is what each kind of object is,
how its rows are named and how the same kind is made of those picked. docs/sampling.md has the designs."""

import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any, TypeAlias

from ._native import ArrowRows, Survey, Watch

_Progress: TypeAlias = bool | Callable[[int], object] | None

_SPECIFICATION = "hashwell sample/1"
# Rows that pass between two looks for signals, where nothing is asked of them, or a part of those that passed: a range may
# have 2^60.
_STRIDE = 1 << 20
# Rows of Python's objects that go to the extension at once.
_BATCH = 1 << 16
# Rows of a stream of Python's objects that are held at once, beside those picked.
_AHEAD = 1 << 13
_ORDERS = {"input": False, "draw": True}


def _seed_bytes(seed: Any) -> bytes:
    """As `--seed` takes it: a text's bytes, a whole number's decimal digits; bytes are themselves, as of `--seed-hex`."""
    if seed is None:
        return os.urandom(16).hex().encode()
    if isinstance(seed, str):
        return seed.encode()
    if isinstance(seed, bytes | bytearray | memoryview):
        return bytes(seed)
    if not isinstance(seed, bool):
        try:
            return str(operator.index(seed)).encode()
        except TypeError:
            pass
    raise TypeError(f"a seed is a str, bytes or a whole number, not '{type(seed).__name__}'")


def _context(shard: str | None) -> str:
    return _SPECIFICATION if shard is None else f"{_SPECIFICATION} shard {shard}"


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


def _method(k: Any, p: Any, every: Any, key: Any, weights: Any, design: str | None, replace: bool) -> tuple[str, str]:
    """The name of the design in records, and its number as text."""
    if sum(amount is not None for amount in (k, p, every)) != 1:
        raise TypeError("give one of k (how many rows), p (the probability of each) and every (each nth row)")
    if every is not None:
        if key is not None or weights is not None or replace or design is not None:
            raise TypeError("every goes without key, weights, design and replace")
        return "every", str(operator.index(every))
    if p is not None:
        if weights is not None or replace or design is not None:
            raise TypeError("p is the same for all rows: it goes without weights, design and replace")
        return ("chance" if key is None else "bernoulli"), str(p)
    k = operator.index(k)
    if k < 0:
        raise ValueError(f"k must be 0 or more, not {k}")
    if key is not None:
        if weights is not None or replace or design is not None:
            raise TypeError("key picks all rows of k keys: it goes without weights, design and replace")
        return "ticket", str(k)
    if replace and design is not None:
        raise TypeError("with replace weights mean one thing: leave design out")
    if weights is None:
        if design is not None:
            raise TypeError("design says what weights mean, and there are no weights")
        return ("replace" if replace else "gap"), str(k)
    if replace:
        return "weighted-replace", str(k)
    if design not in ("successive", "pps"):
        raise ValueError(
            "weights need design='successive' (drawn one after the other, so that heavy rows are picked less than in "
            f"proportion) or 'pps' (probability in proportion to the weight), not {design!r}"
        )
    return design, str(k)


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
    shard: str | None = None,
) -> Survey:
    method, amount = _method(k, p, every, key, weights, design, replace)
    if by is not None and method in ("chance", "bernoulli", "every"):
        raise TypeError("by is of k rows of each stratum: it goes without p and every")
    if proportional and (by is None or weights is not None or replace or key is not None):
        raise TypeError("proportional is of strata (by) of rows without weights, key and replace")
    if missing_weight is not None and weights is None:
        raise TypeError("missing_weight is of weights, and there are none")
    if key is not None and shard is not None:
        raise TypeError("key picks the same keys in every part: it goes without shard")
    return Survey(
        method,
        amount,
        _seed_bytes(seed),
        _context(shard),
        key=_names(key, "key"),
        by=_names(by, "by"),
        proportional=proportional,
        weight=None if weights is None else (_names(weights, "weights") or [""])[0],
        missing=None if missing_weight is None else str(missing_weight),
    )


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


def _library(obj: Any) -> str:
    return type(obj).__module__.partition(".")[0]


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
    if library == "pyarrow" and hasattr(obj, "take") and hasattr(obj, "__len__"):
        select = _select if hasattr(obj, "column_names") else None
        return _Kind(len, lambda table, positions: table.take(_pyarrow_positions(positions)), select)
    if library == "pandas" and hasattr(obj, "take"):
        select = _select if hasattr(obj, "columns") else None
        return _Kind(len, lambda frame, positions: frame.take(_numpy_positions(positions)), select)
    if library == "polars":
        if hasattr(obj, "collect"):
            raise TypeError("a LazyFrame has no rows yet: give what its collect() gives, or collect_batches()")
        if not hasattr(obj, "columns"):
            return _Kind(len, lambda series, positions: series.gather(_integers(positions)))
        return _Kind(len, lambda frame, positions: frame[_polars_positions(positions)], _select)
    if isinstance(obj, str):
        raise TypeError("a str is one text: give a list of rows")
    if isinstance(obj, Set | Mapping):
        raise TypeError(f"a '{type(obj).__name__}' has no rows in an order: give a list, sorted where order should not count")
    if _is_arrow(obj):
        return None
    if isinstance(obj, Sequence) or (hasattr(obj, "__len__") and hasattr(obj, "__getitem__")):
        return _Kind(len, _taken_of_sequence)
    if isinstance(obj, Iterable):
        return None
    raise TypeError(f"'{type(obj).__name__}' has no rows")


def _is_arrow(obj: Any) -> bool:
    return hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__arrow_c_array__")


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
    exact: bool = False,
    shard: str | None = None,
    threads: int = 1,
    progress: _Progress = None,
) -> Any:
    """Rows of obj, picked at random: k of them, each with probability p, or every nth. The same kind of object comes back.

    obj is a list, tuple, NumPy array (rows are along axis 0), a table or column of pyarrow, Polars or pandas, anything with
    __arrow_c_stream__ or __arrow_c_array__, or any iterable. What is in memory is indexed; streams are read once, and hold
    no more than the rows picked. Of iterables comes a list; of Arrow streams an ArrowRows, of pyarrow's a Table.

    seed is a str, bytes or a whole number: `hashwell.sample(rows, 9, seed="s")` picks the positions that
    `hashwell sample -n 9 --seed s` picks of a file with these rows; None is a new one.

    key picks all rows of k keys, the same in every table, order and part. weights are those of rows: with
    design='successive' they are drawn one after the other, with 'pps' inclusion is in proportion to the weight, with
    replace each of k draws is. by picks k rows (with key k keys) of each stratum; with proportional k rows in all. Of
    tables key, weights and by are names of columns, or several; else functions of a row, names where rows are mappings (of
    several a tuple), or sequences with a value for each row. missing_weight is that of rows that have none, which otherwise is an error.

    order is 'input' or 'draw': any first part of the latter is a sample, too. exact refuses to give fewer than k rows.
    shard is the name of a part of the data, so that parts with one seed are drawn independently. threads is how many read
    keys, labels and weights of Arrow's columns, 0 for one per core. progress is a callable that gets the number of rows that
    went by now and then, or True for a line on stderr."""
    kind = _kind(obj)
    if not (_is_arrow(obj) if kind is None else kind.select is not None):
        key, weights, by = _beside(key), _beside(weights), _beside(by)
    of_drawing = _of_drawing(order)
    if of_drawing and k is None:
        raise TypeError("order='draw' is of k rows: with p and every rows have the input's order")
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
        shard=shard,
    )
    specs = {"key": key, "weights": weights, "by": by}
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
            if not all(map(_are_names, given)):
                raise TypeError("of a table key, weights and by are names of columns")
            names = [name for spec in given for name in ([spec] if isinstance(spec, str) else spec)]
            survey.update_arrow(kind.select(obj, names), keep=False, threads=threads, progress=progress)
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
        _refuse_fewer(survey, exact)
        return kind.take(obj, survey.positions(of_drawing))
    if _is_arrow(obj):
        header = survey.update_arrow(obj, keep=True, threads=threads, progress=progress)
        _refuse_fewer(survey, exact)
        return _as_given(obj, ArrowRows(header, survey.payloads(of_drawing)))
    source = _Source(survey, **specs)
    source.stream(obj, Watch(progress))
    _refuse_fewer(survey, exact)
    return source.picked(of_drawing)


def _refuse_fewer(survey: Survey, exact: bool) -> None:
    if exact and (shortage := survey.shortage()) is not None:
        raise ValueError(shortage)


def shuffle(obj: Any, *, seed: Any = None) -> Any:
    """All rows of obj in random order, as a new object of the same kind; of iterables a list.

    Each order is as likely as any other. It is the order of `hashwell sample --shuffle --seed`."""
    kind = _kind(obj)
    if kind is None:
        if _is_arrow(obj):
            raise TypeError("a stream is not shuffled, since all its rows are needed at once: read it into a table")
        obj = list(obj)
        kind = _Kind(len, _taken_of_sequence)
    return kind.take(obj, Survey.order(kind.length(obj), _seed_bytes(seed), _context(None)))


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
