"""Samples of whatever holds rows. What is drawn is the extension's (`_native.Survey`); here is what each kind of object is,
how its rows are named and how the same kind is made of those picked. docs/sampling.md has the designs."""

import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any

from ._native import ArrowRows, Survey, sha256

_SPECIFICATION = "hashwell sample/1"
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
        self.rows: dict[int, Any] = {}
        self.next = 0
        self.limit = 1 << 10

    def update(self, rows: Sequence[Any], first: int, keep: bool) -> None:
        """Rows go by, the first of which has so many before it among the values."""
        handle = self.next if keep else None
        self.survey.update(
            len(rows),
            weights=_values(rows, self.weights, first, "weights"),
            labels=_values(rows, self.by, first, "by"),
            keys=_values(rows, self.key, first, "key"),
            handle=handle,
        )
        if handle is None:
            return
        self.next += len(rows)
        for one in self.survey.handles(handle):
            self.rows[one] = rows[one - handle]
        if len(self.rows) > 2 * self.limit:
            self.rows = {one: self.rows[one] for one in self.survey.handles(0)}
            self.limit = max(len(self.rows), 1 << 10)

    def stream(self, rows: Iterable[Any]) -> None:
        """Rows that come once."""
        rows, first = iter(rows), 0
        while batch := list(islice(rows, max(_AHEAD, min(2 * len(self.rows), 1 << 22)))):
            self.update(batch, first, keep=True)
            first += len(batch)

    def picked(self, of_drawing: bool) -> list[Any]:
        return [self.rows[int.from_bytes(handle)] for handle in self.survey.payloads(of_drawing)]


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
    keys, labels and weights of Arrow's columns, 0 for one per core."""
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
            survey.update(rows)
        elif kind.select is not None:
            if not all(map(_are_names, given)):
                raise TypeError("of a table key, weights and by are names of columns")
            names = [name for spec in given for name in ([spec] if isinstance(spec, str) else spec)]
            survey.update_arrow(kind.select(obj, names), keep=False, threads=threads)
        else:
            for what, spec in specs.items():
                _check_length(spec, rows, what)
            source = _Source(survey, **specs)
            needs_rows = not all(isinstance(spec, _Given) for spec in given)
            for first in range(0, rows, _BATCH):
                length = min(_BATCH, rows - first)
                batch = [obj[i] for i in range(first, first + length)] if needs_rows else range(length)
                source.update(batch, first, keep=False)
        _refuse_fewer(survey, exact)
        return kind.take(obj, survey.positions(of_drawing))
    if _is_arrow(obj):
        header = survey.update_arrow(obj, keep=True, threads=threads)
        _refuse_fewer(survey, exact)
        return _as_given(obj, ArrowRows(header, survey.payloads(of_drawing)))
    source = _Source(survey, **specs)
    source.stream(obj)
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


class _State:
    """A sample in the making."""

    _methods: tuple[str, ...] = ()

    def __init__(self, source: _Source, form: str | None = None, header: bytes | None = None) -> None:
        self._source, self._form, self._header = source, form, header
        self._packed: str | None = None

    def update(self, batch: Any, *, threads: int = 1) -> None:
        """More rows: a list or other iterable of Python's objects, or an Arrow table, batch or stream.

        A state is of one kind of rows; all Arrow batches have one schema."""
        source = self._source
        if _is_arrow(batch):
            self._check_kind("arrow")
            names = [source.key, source.weights, source.by]
            if not all(spec is None or _are_names(spec) for spec in names):
                raise TypeError("of Arrow's columns key, weights and by are names")
            # A stream that fails midway leaves its first rows in the state, of which nobody knows how many they are.
            survey = source.survey.with_kept(source.survey.kept())
            header = survey.update_arrow(batch, keep=True, threads=threads)
            if self._header is None:
                self._header = header
            elif self._header != header:
                raise ValueError("the schema of this batch is another one than that of the state's rows")
            self._form, source.survey = "arrow", survey
            return
        if isinstance(batch, str | bytes | Mapping):
            raise TypeError(f"a batch is a list or other iterable of rows, not a '{type(batch).__name__}'")
        self._check_kind("objects")
        rows = iter(batch)
        self._form = self._form or "objects"
        source.stream(rows)

    def _check_kind(self, form: str) -> None:
        if self._form is not None and (self._form == "arrow") != (form == "arrow"):
            raise TypeError("the state holds rows of Arrow and Python's objects together, which nothing can give back")

    @property
    def seen(self) -> int:
        """Rows that went by."""
        return self._source.survey.seen

    def merge(self, *others: "_State", seed: Any = "") -> "_State":
        """Takes in samples of other parts of the data, whose rows stand behind these; gives this state.

        The states are of one design, and of different shards, since their picks have to be independent; those of Ticket
        have one seed. What is drawn in merging is drawn from seed and the states, so that it can be repeated:
        `hashwell sample --merge --seed` draws the same."""
        states: list[_State] = [self, *others]
        for other in others:
            if type(other) is not type(self):
                raise TypeError(f"a {type(self).__name__} is merged with others, not with a '{type(other).__name__}'")
        if len({id(state) for state in states}) < len(states):
            raise ValueError("a state is merged once, and not with itself")
        filled = [state for state in states if state._form is not None]
        like = filled[0] if filled else self
        for state in filled:
            if state._form != like._form or (state._header or b"") != (like._header or b""):
                raise ValueError("the states hold rows of different kinds or schemas")
        rows: dict[int, Any] = {}
        surveys = []
        for state in states:
            survey = state._source.survey
            if like._form != "arrow":
                old = [state._source.rows[int.from_bytes(handle)] for handle in survey.kept()]
                first = len(rows)
                rows.update(enumerate(old, first))
                survey = survey.with_kept([(first + i).to_bytes(8) for i in range(len(old))])
            surveys.append(survey)
        self._source.survey = Survey.merge(surveys, _seed_bytes(seed))
        self._source.rows, self._source.next = rows, len(rows)
        self._form, self._header = like._form, like._header
        return self

    def to_bytes(self, *, dumps: Callable[[Any], bytes] | None = None) -> bytes:
        """The state, for from_bytes: the same bytes as of `hashwell sample --state-out` but for how rows are written.

        Rows of Arrow are packed. Python's objects are bytes, or str, all of them; for others dumps makes bytes of each."""
        survey = self._source.survey
        if self._form == "arrow":
            return survey.to_bytes("arrow", self._header)
        kept = [self._source.rows[int.from_bytes(handle)] for handle in survey.kept()]
        form, header = self._form or "objects", self._header
        if form == "objects":
            if dumps is not None:
                kept, header = [dumps(row) for row in kept], b"dumps"
            elif all(isinstance(row, bytes) for row in kept):
                header = b"bytes"
            elif all(isinstance(row, str) for row in kept):
                kept, header = [row.encode() for row in kept], b"str"
            else:
                mixed = next(type(row).__name__ for row in kept if not isinstance(row, bytes))
                raise TypeError(
                    f"rows that are all bytes, or all str, are written as they are; of type '{mixed}' dumps has to make "
                    "bytes, as dumps=pickle.dumps"
                )
        elif other := next((type(row).__name__ for row in kept if not isinstance(row, bytes)), None):
            raise TypeError(f"rows of a state of the command's are bytes, not of type '{other}'")
        return survey.with_kept(kept).to_bytes(form, header)

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        *,
        loads: Callable[[bytes], Any] | None = None,
        key: Any = None,
        weights: Any = None,
        by: Any = None,
    ) -> "_State":
        """A state that to_bytes, or `hashwell sample --state-out`, wrote; what is no state is refused.

        loads is what makes rows of bytes that dumps made; nothing is called but it. Where key, weights or by were functions
        they are to be given again."""
        survey, form, header = Survey.from_bytes(bytes(data))
        if survey.method not in cls._methods:
            raise ValueError(f"the state is of the design '{survey.method}', which is no {cls.__name__}")
        weight, labels, keys = survey.columns
        state = cls.__new__(cls)
        source = _Source(
            survey,
            key=_again(keys) if key is None else key,
            weights=weight if weights is None else weights,
            by=_again(labels) if by is None else by,
        )
        _State.__init__(state, source, form, header)
        if form == "arrow":
            ArrowRows(header or b"", survey.kept())
            return state
        kept: list[Any] = survey.kept()
        if form == "objects":
            if header == b"dumps":
                if loads is None:
                    raise TypeError("the state's rows are bytes that dumps made: give loads")
                kept = [loads(row) for row in kept]
            elif header == b"str":
                kept = [row.decode() for row in kept]
            elif header != b"bytes":
                raise ValueError("the state does not say what its rows are")
            state._header = None
            if survey.seen == 0:
                # As a new one, it may yet be of either kind: a part without rows is merged with all others.
                state._form = None
        source.rows = dict(enumerate(kept))
        source.next = len(kept)
        source.survey = survey.with_kept([i.to_bytes(8) for i in range(len(kept))])
        return state

    def result(self, *, order: str = "input") -> Any:
        """The rows picked so far: a list, or of Arrow's columns an ArrowRows. More rows may come afterwards."""
        of_drawing = _of_drawing(order)
        if self._form == "arrow":
            return ArrowRows(self._header or b"", self._source.survey.payloads(of_drawing))
        return self._source.picked(of_drawing)

    def positions(self, *, order: str = "input") -> list[int]:
        """The positions of the rows picked, from 0, among all that went by."""
        return _integers(self._source.survey.positions(_of_drawing(order)))

    def transcript(self, *, order: str = "input") -> str:
        """The record of the draw, as `hashwell sample --transcript` writes it: seed, design, n and numbers of the rows.

        rows_sha256 is null unless all rows picked are bytes. Of a state that was saved or merged there is none."""
        of_drawing = _of_drawing(order)
        digest = None
        if self._form != "arrow":
            rows = self._source.picked(of_drawing)
            if all(isinstance(row, bytes) for row in rows):
                digest = sha256(b"".join(rows)).digest()
        record = self._source.survey.record(self._form or "objects", of_drawing, digest)
        if record is None:
            raise ValueError("a state that was saved or merged does not know its seed, of which a record tells")
        return record

    def __repr__(self) -> str:
        return f"<hashwell.{type(self).__name__}: {self._source.survey.method}, {self.seen} rows seen>"


def _again(names: list[str] | None) -> Any:
    return names[0] if names is not None and len(names) == 1 else names


class Reservoir(_State):
    """k rows of all that go by, each set of them with the same chance; with replace, k draws from all rows.

    by is of strata, of each of which there are k; with proportional k in all. shard names this part of the data."""

    _methods = ("gap", "replace")

    def __init__(
        self,
        k: int,
        *,
        seed: Any,
        replace: bool = False,
        by: Any = None,
        proportional: bool = False,
        shard: str | None = None,
    ) -> None:
        survey = _survey(k, seed=seed, replace=replace, by=by, proportional=proportional, shard=shard)
        super().__init__(_Source(survey, by=by))


class Ticket(_State):
    """All rows of the k keys with the least tickets: the same in every order and every part of the data.

    The merge of states is the state of all their rows, in any grouping. by is of strata, of each of which there are k keys."""

    _methods = ("ticket",)

    def __init__(self, k: int, *, seed: Any, key: Any, by: Any = None) -> None:
        super().__init__(_Source(_survey(k, seed=seed, key=key, by=by), key=key, by=by))


class Weighted(_State):
    """k rows by weight: design is 'successive' or 'pps'; with replace, k draws in proportion to the weights.

    States of the design 'successive' can be merged, the others not."""

    _methods = ("successive", "pps", "weighted-replace")

    def __init__(
        self,
        k: int,
        *,
        seed: Any,
        weights: Any,
        design: str | None = None,
        replace: bool = False,
        missing_weight: Any = None,
        by: Any = None,
        shard: str | None = None,
    ) -> None:
        survey = _survey(
            k,
            seed=seed,
            weights=weights,
            design=design,
            replace=replace,
            missing_weight=missing_weight,
            by=by,
            shard=shard,
        )
        super().__init__(_Source(survey, weights=weights, by=by))
