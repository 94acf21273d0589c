"""Samples in the making, for whatever maps and reduces: the states of docs/guides/sampling.md."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Self

from ._native import ArrowRows, sha256
from ._native import _Survey as Survey
from ._native import _Watch as Watch
from ._sample import (
    _are_names,
    _integers,
    _is_arrow,
    _is_table,
    _library,
    _of_drawing,
    _Progress,
    _refuse_groups,
    _seed_bytes,
    _Source,
    _survey,
    _with_first,
)


class _State:
    """A sample in the making."""

    # Designs of the class have a column of weights, and columns of a key.
    _weighted = False
    _keyed = False

    def __init__(self, source: _Source, form: str | None = None, header: bytes | None = None) -> None:
        self._source, self._form, self._header = source, form, header

    def __copy__(self) -> Self:
        state = type(self).__new__(type(self))
        state.__dict__.update(self.__dict__, _source=copy.copy(self._source))
        return state

    def __deepcopy__(self, memo: Any) -> Self:
        state = self.__copy__()
        state._source.own_rows(memo)
        return state

    def __reduce__(self) -> NoReturn:
        name = type(self).__name__
        raise TypeError(f"a {name} is not pickled: send what to_bytes() returns, and read it with {name}.from_bytes()")

    def update(self, batch: Any, *, threads: int = 1, progress: _Progress = None) -> None:
        """More rows: a list or other iterable of Python's objects, or an Arrow table, batch or stream, or an iterable of these.

        A state is of one kind of rows; all Arrow batches have one schema. threads and progress are those of sample. Where an
        exception ends it, as after Ctrl-C, none of an Arrow batch's rows went by, and of objects the first ones, as many as
        seen tells. If memory was refused, a state of objects is of no more use, and says so."""
        if _is_arrow(batch):
            self._update_arrow(batch, threads, progress)
            return
        _refuse_groups(batch)
        if isinstance(batch, str | bytes | Mapping):
            raise TypeError(f"a batch is a list or other iterable of rows, not a '{type(batch).__name__}'")
        if _is_table(batch):
            raise TypeError(f"this '{type(batch).__name__}' has no __arrow_c_stream__: give pyarrow.Table.from_pandas(batch)")
        watch = Watch(progress)
        first, rows = _with_first(batch)
        if _is_table(first):
            for table in rows:
                seen = self.seen
                self.update(_with_plain_schema(table), threads=threads)
                watch.step(self.seen - seen)
            watch.end()
            return
        self._check_kind("objects")
        self._form = self._form or "objects"
        self._source.stream(rows, watch)

    def _update_arrow(self, batch: Any, threads: int, progress: _Progress) -> None:
        source = self._source
        self._check_kind("arrow")
        names = [source.key, source.weights, source.by]
        if not all(spec is None or _are_names(spec) for spec in names):
            raise TypeError("of Arrow's columns key, weights and by are names")
        # A stream that fails midway leaves its first rows in the state, of which nobody knows how many they are.
        survey = source.survey.with_kept(source.survey.kept())
        header = survey.update_arrow(batch, keep=True, threads=threads, progress=progress)
        if self._header is None:
            self._header = header
        elif self._header != header:
            raise ValueError("the schema of this batch is another one than that of the state's rows")
        self._form, source.survey = "arrow", survey

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
                old = state._source.kept()
                first = len(rows)
                rows.update(enumerate(old, first))
                survey = survey.with_kept([(first + i).to_bytes(8) for i in range(len(old))])
            surveys.append(survey)
        self._source.survey = Survey.merge(surveys, _seed_bytes(seed))
        self._source.rows = rows
        self._form, self._header = like._form, like._header
        return self

    def to_bytes(self, *, dumps: Callable[[Any], bytes] | None = None) -> bytes:
        """The state, for from_bytes: the same bytes as of `hashwell sample --state-out` but for how rows are written.

        Rows of Arrow are packed. Python's objects are bytes, or str, all of them; for others dumps makes bytes of each."""
        survey = self._source.survey
        if self._form == "arrow":
            return survey.to_bytes("arrow", self._header)
        kept = self._source.kept()
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
        weight, labels, keys = survey.columns
        if (weight is not None, keys is not None) != (cls._weighted, cls._keyed):
            raise ValueError(f"the state is of the design '{survey.method}', which is no {cls.__name__}")
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


def _with_plain_schema(table: Any) -> Any:
    """pandas writes where a frame's index begins into the schema, which is then another one in each chunk."""
    if _library(table) != "pandas":
        return table
    import pyarrow

    return pyarrow.Table.from_pandas(table).replace_schema_metadata()


def _again(names: list[str] | None) -> Any:
    return names[0] if names is not None and len(names) == 1 else names


class Reservoir(_State):
    """k rows of all that go by, each set of them with the same chance; with replace, k draws from all rows.

    by is of strata, of each of which there are k; with proportional k in all. context names the step or purpose, as for
    sample, and shard this part of the data."""

    def __init__(
        self,
        k: int,
        *,
        seed: Any,
        replace: bool = False,
        by: Any = None,
        proportional: bool = False,
        context: str = "",
        shard: str | None = None,
    ) -> None:
        survey = _survey(k, seed=seed, replace=replace, by=by, proportional=proportional, context=context, shard=shard)
        super().__init__(_Source(survey, by=by))


class Ticket(_State):
    """All rows of the k keys with the least tickets: the same in every order and every part of the data.

    The merge of states is the state of all their rows, in any grouping. by is of strata, of each of which there are k keys."""

    _keyed = True

    def __init__(self, k: int, *, seed: Any, key: Any, by: Any = None, context: str = "") -> None:
        super().__init__(_Source(_survey(k, seed=seed, key=key, by=by, context=context), key=key, by=by))


class Weighted(_State):
    """k rows by weight: design is 'successive' or 'pps'; with replace, k draws in proportion to the weights.

    States of the design 'successive' can be merged, the others not. For estimates of totals, weight_sum and certain give what
    the inclusion probabilities of 'pps' need."""

    _weighted = True

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
        context: str = "",
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
            context=context,
            shard=shard,
        )
        super().__init__(_Source(survey, weights=weights, by=by))

    @property
    def weight_sum(self) -> Any:
        """The sum T of the weights of all rows that went by, as a fractions.Fraction; with by a dict of them by label.

        With 'pps', a row of weight w that is not certain has the inclusion probability (k - c)·w/(T - C), where C is the sum of
        the weights of the c certain rows. With replace, each draw takes it with probability w/T. Raises ValueError for the
        design 'successive', whose inclusion probabilities have no such formula."""
        # Imported here, since an import of hashwell has to be quick.
        from fractions import Fraction

        sums = self._sums()
        if self._source.survey.columns[1] is None:
            return Fraction(sums[0][1])
        return {label: Fraction(text) for label, text, _ in sums}

    def certain(self) -> list[int]:
        """The positions, from 0, of the rows with inclusion probability 1. Raises ValueError for the design 'successive'."""
        return sorted(position for _, _, rows in self._sums() for position in rows)

    def _sums(self) -> list[tuple[str | None, str, list[int]]]:
        if self._source.survey.method == "successive":
            raise ValueError("the design 'successive' has no inclusion probabilities in proportion to weights: use 'pps'")
        return self._source.survey.weights()
