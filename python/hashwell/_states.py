"""Samples that are built batch by batch and merged: the states of docs/guides/sampling.md."""

import copy
from collections.abc import Callable, Mapping, Set
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
    """A sample that is built batch by batch."""

    # True if the designs of the class have a column of weights, or columns of groups.
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
        raise TypeError(f"cannot pickle a {name}: send the result of to_bytes() and read it with {name}.from_bytes()")

    def update(self, batch: Any, *, threads: int = 1, progress: _Progress = None) -> None:
        """Add rows to the sample.

        If an exception such as KeyboardInterrupt ends the call, none of the Arrow rows of this call are added. If the
        rows are Python objects, some rows from the start of the batch have been added, and `seen` counts them. After a
        MemoryError, a state whose rows are Python objects can no longer be used.

        Args:
            batch: The rows: a list or other iterable of Python objects, an Arrow table, batch or stream, or an
                iterable of these. All batches of one state must have the same kind of rows, and all Arrow batches
                the same schema.
            threads: The maximum number of threads that read columns of Arrow data. 0 uses one thread per core.
            progress: A function that is called with the number of rows read so far, or True to show a progress line
                on stderr.

        Raises:
            TypeError: batch is not a batch of rows, is unordered (such as a set), or has a different kind of rows
                than earlier batches.
            ValueError: The schema differs from the schema of earlier batches, or a weight or a key is not valid.

        Examples:
            >>> import hashwell
            >>> state = hashwell.Reservoir(2, seed="0877")
            >>> state.update(["a", "b"])
            >>> state.update(["c"])
            >>> state.seen
            3
        """
        if _is_arrow(batch):
            self._update_arrow(batch, threads, progress)
            return
        _refuse_groups(batch)
        if isinstance(batch, Set):
            raise TypeError(f"a '{type(batch).__name__}' has no order: pass a sorted list")
        if isinstance(batch, str | bytes | Mapping):
            raise TypeError(f"batch must be a list or other iterable of rows, not a '{type(batch).__name__}'")
        if _is_table(batch):
            raise TypeError(f"this '{type(batch).__name__}' has no __arrow_c_stream__: pass pyarrow.Table.from_pandas(batch)")
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
        names = [source.group_by, source.weights, source.stratify]
        if not all(spec is None or _are_names(spec) for spec in names):
            raise TypeError("group_by, weights and stratify must be column names if the rows are Arrow data")
        # If a stream fails midway, an unknown number of its rows is in the state. So the rows are added to a copy.
        survey = source.survey.with_kept(source.survey.kept())
        header = survey.update_arrow(batch, keep=True, threads=threads, progress=progress)
        if self._header is None:
            self._header = header
        elif self._header != header:
            raise ValueError("this batch has a different schema than earlier batches")
        self._form, source.survey = "arrow", survey

    def _check_kind(self, form: str) -> None:
        if self._form is not None and (self._form == "arrow") != (form == "arrow"):
            raise TypeError("a state can contain either Arrow rows or Python objects, not both")

    @property
    def seen(self) -> int:
        """The number of rows that were added so far."""
        return self._source.survey.seen

    def merge(self, *others: "_State", seed: Any = "") -> "_State":
        """Merge samples of other parts of the data into this one.

        All states must have the same design. They must have different shards, because the picks of different parts
        must be independent; KeySampler states must have the same seed instead. The rows of the other states come after
        the rows of this state.

        Args:
            others: States of the same class. Each can be merged only once.
            seed: The seed of the random numbers that merging needs. The same states and the same seed give the same
                result as `hashwell sample --merge --seed SEED`.

        Returns:
            This state.

        Raises:
            ValueError: The states have different designs, different kinds of rows or the same shard, or a state is
                given twice.
            TypeError: One of the other states belongs to a different class.

        Examples:
            >>> import hashwell
            >>> parts = [hashwell.Reservoir(2, seed="0877", shard=str(part)) for part in range(2)]
            >>> parts[0].update(["a", "b", "c"])
            >>> parts[1].update(["d", "e", "f"])
            >>> parts[0].merge(parts[1], seed="merge").seen
            6
        """
        states: list[_State] = [self, *others]
        for other in others:
            if type(other) is not type(self):
                raise TypeError(f"cannot merge a {type(self).__name__} with a '{type(other).__name__}'")
        if len({id(state) for state in states}) < len(states):
            raise ValueError("cannot merge a state with itself, or the same state twice")
        filled = [state for state in states if state._form is not None]
        like = filled[0] if filled else self
        for state in filled:
            if state._form != like._form or (state._header or b"") != (like._header or b""):
                raise ValueError("cannot merge states whose rows have different kinds or schemas")
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
        """Serialize the state for from_bytes().

        `hashwell sample` can read the result only if the rows are those of a state that `hashwell sample --state-out`
        wrote. Otherwise, the rows are Python objects or Arrow data, not lines of text.

        Args:
            dumps: A function that converts a row to bytes. It is not needed for Arrow rows, or if all rows are
                bytes or all are str.

        Returns:
            The state as bytes.

        Raises:
            TypeError: dumps is missing, and the rows are neither all bytes nor all str.

        Examples:
            >>> import hashwell
            >>> state = hashwell.Reservoir(1, seed="0877")
            >>> state.update(["a"])
            >>> hashwell.Reservoir.from_bytes(state.to_bytes()).result()
            ['a']
        """
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
                    f"cannot serialize rows of type '{mixed}': pass a function that converts a row to bytes, "
                    "for example dumps=pickle.dumps"
                )
        elif other := next((type(row).__name__ for row in kept if not isinstance(row, bytes)), None):
            raise TypeError(f"the command 'hashwell' wrote this state, so its rows must be bytes, not '{other}'")
        return survey.with_kept(kept).to_bytes(form, header)

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        *,
        loads: Callable[[bytes], Any] | None = None,
        group_by: Any = None,
        weights: Any = None,
        stratify: Any = None,
    ) -> "_State":
        """Read a state that to_bytes() or `hashwell sample --state-out` wrote.

        Args:
            data: The state.
            loads: The inverse of the function that was passed to to_bytes() as dumps.
            group_by: The groups, as for the constructor. Required only if the constructor got a function or an index.
            weights: The weights, as for the constructor. Required only if the constructor got a function or an index.
            stratify: The strata, as for the constructor. Required only if the constructor got a function or an index.

        Returns:
            The state, to which rows can be added.

        Raises:
            ValueError: data is not a valid state of this class.
            TypeError: The rows were serialized with dumps, and loads is missing.

        Examples:
            >>> import hashwell, pickle
            >>> state = hashwell.Reservoir(1, seed="0877")
            >>> state.update([("a", 1)])
            >>> hashwell.Reservoir.from_bytes(state.to_bytes(dumps=pickle.dumps), loads=pickle.loads).result()
            [('a', 1)]
        """
        survey, form, header = Survey.from_bytes(bytes(data))
        weight, labels, keys = survey.columns
        if (weight is not None, keys is not None) != (cls._weighted, cls._keyed):
            raise ValueError(f"the state has the design '{survey.method}', which {cls.__name__} cannot read")
        state = cls.__new__(cls)
        source = _Source(
            survey,
            group_by=_again(keys) if group_by is None else group_by,
            weights=weight if weights is None else weights,
            stratify=_again(labels) if stratify is None else stratify,
        )
        _State.__init__(state, source, form, header)
        if form == "arrow":
            ArrowRows(header or b"", survey.kept())
            return state
        kept: list[Any] = survey.kept()
        if form == "objects":
            if header == b"dumps":
                if loads is None:
                    raise TypeError("the rows were serialized with dumps: pass the inverse function as loads")
                kept = [loads(row) for row in kept]
            elif header == b"str":
                kept = [row.decode() for row in kept]
            elif header != b"bytes":
                raise ValueError("the state has an unknown kind of rows")
            state._header = None
            if survey.seen == 0:
                # Like a new state, it has no kind of rows yet, so that it can be merged with states of any kind.
                state._form = None
        source.rows = dict(enumerate(kept))
        source.survey = survey.with_kept([i.to_bytes(8) for i in range(len(kept))])
        return state

    def result(self, *, order: str = "input") -> Any:
        """Return the rows picked so far. You can add more rows afterwards.

        Args:
            order: "input" returns the rows in the order in which they were added. "draw" returns them in the order
                in which they were drawn.

        Returns:
            A list of Python objects, or an ArrowRows if the rows are Arrow data.

        Raises:
            ValueError: order is neither "input" nor "draw".

        Examples:
            >>> import hashwell
            >>> state = hashwell.Reservoir(2, seed="0877")
            >>> state.update([1, 2, 3])
            >>> state.result()
            [2, 3]
        """
        of_drawing = _of_drawing(order)
        if self._form == "arrow":
            return ArrowRows(self._header or b"", self._source.survey.payloads(of_drawing))
        return self._source.picked(of_drawing)

    def positions(self, *, order: str = "input") -> list[int]:
        """Return the positions of the picked rows among all rows that were added, counted from 0.

        Args:
            order: "input" returns the positions in ascending order. "draw" returns them in the order in which the
                rows were drawn.

        Returns:
            A list of int.

        Raises:
            ValueError: order is neither "input" nor "draw".

        Examples:
            >>> import hashwell
            >>> state = hashwell.Reservoir(2, seed="0877")
            >>> state.update([1, 2, 3])
            >>> state.positions()
            [1, 2]
        """
        return _integers(self._source.survey.positions(_of_drawing(order)))

    def transcript(self, *, order: str = "input") -> str:
        """Return the transcript of the sample, which is the same as the one that `hashwell sample --transcript` writes.

        Args:
            order: "input" or "draw": the order of the picked rows in the transcript.

        Returns:
            JSON with the seed, the design, its size, and the numbers of the picked rows. `rows_sha256` is null
            unless all picked rows are bytes.

        Raises:
            ValueError: The state was serialized or merged, so its seed is not available.

        Examples:
            >>> import hashwell, json
            >>> state = hashwell.Reservoir(2, seed="0877")
            >>> state.update([1, 2, 3])
            >>> isinstance(json.loads(state.transcript()), dict)
            True
        """
        of_drawing = _of_drawing(order)
        digest = None
        if self._form != "arrow":
            rows = self._source.picked(of_drawing)
            if all(isinstance(row, bytes) for row in rows):
                digest = sha256(b"".join(rows)).digest()
        record = self._source.survey.record(self._form or "objects", of_drawing, digest)
        if record is None:
            raise ValueError("a state that was serialized or merged has no transcript, because it does not contain the seed")
        return record

    def __repr__(self) -> str:
        return f"<hashwell.{type(self).__name__}: {self._source.survey.method}, {self.seen} rows seen>"


def _with_plain_schema(table: Any) -> Any:
    """Return a pandas table as an Arrow table without metadata. pandas stores the start of the index in the schema, so
    the schemas of chunks would differ.
    """
    if _library(table) != "pandas":
        return table
    import pyarrow

    return pyarrow.Table.from_pandas(table).replace_schema_metadata()


def _again(names: list[str] | None) -> Any:
    return names[0] if names is not None and len(names) == 1 else names


class Reservoir(_State):
    """A simple random sample of n rows, built batch by batch.

    All sets of n rows are equally likely. States of different shards can be merged.

    Args:
        n: The number of rows to pick. With stratify and without proportional, it is the number for each stratum.
        seed: The seed, in any form that sample accepts.
        replace: True samples with replacement: each of the n rows is drawn from all rows.
        stratify: The strata: a column name, a list of names, an index, or a function of a row.
        proportional: True picks n rows in total and allocates them to the strata in proportion to their sizes.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.
        shard: The name of this part of the data. States that will be merged need different names.

    Raises:
        ValueError: An argument is out of its range.
        TypeError: The arguments can't be combined.

    Examples:
        >>> import hashwell
        >>> parts = [hashwell.Reservoir(2, seed="0877", shard=str(part)) for part in range(2)]
        >>> parts[0].update(["a", "b", "c"])
        >>> parts[1].update(["d", "e", "f"])
        >>> parts[0].merge(parts[1], seed="merge").result()
        ['a', 'd']
    """

    def __init__(
        self,
        n: int,
        *,
        seed: Any,
        replace: bool = False,
        stratify: Any = None,
        proportional: bool = False,
        context: str = "",
        shard: str | None = None,
    ) -> None:
        survey = _survey(
            n, seed=seed, replace=replace, stratify=stratify, proportional=proportional, context=context, shard=shard
        )
        super().__init__(_Source(survey, stratify=stratify))


class KeySampler(_State):
    """All rows of n randomly chosen groups, built batch by batch.

    The seed and the values of group_by determine which groups are picked. The sample is therefore the same for
    every order of the rows and for every division into parts: merging the states of all parts gives the state of
    all rows.

    Args:
        n: The number of groups to pick. With stratify, it is the number for each stratum.
        seed: The seed, in any form that sample accepts.
        group_by: The groups: a column name, a list of names, an index, or a function of a row.
        stratify: The strata: a column name, a list of names, an index, or a function of a row.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.

    Raises:
        ValueError: An argument is out of its range.
        TypeError: The arguments can't be combined.

    Examples:
        >>> import hashwell
        >>> visits = [(user, page) for page in (1, 2) for user in "abcd"]
        >>> state = hashwell.KeySampler(2, seed="0877", group_by=lambda row: row[0])
        >>> state.update(visits)
        >>> state.result()
        [('a', 1), ('b', 1), ('a', 2), ('b', 2)]
    """

    _keyed = True

    def __init__(self, n: int, *, seed: Any, group_by: Any, stratify: Any = None, context: str = "") -> None:
        survey = _survey(n, seed=seed, group_by=group_by, stratify=stratify, context=context)
        super().__init__(_Source(survey, group_by=group_by, stratify=stratify))


class Weighted(_State):
    """A weighted sample of n rows, built batch by batch.

    Only states of the design "successive" can be merged. To estimate totals from a sample of the design "pps",
    compute the inclusion probabilities from weight_sum and certain().

    Args:
        n: The number of rows to pick. With stratify, it is the number for each stratum.
        seed: The seed, in any form that sample accepts.
        weights: The weights: a column name, an index, or a function of a row.
        design: "successive" or "pps"; see hashwell.sample. It is required unless replace is True.
        replace: True samples with replacement: each draw picks a row with probability proportional to its weight.
        default_weight: The weight of rows whose weight is missing. By default, a missing weight is an error.
        stratify: The strata: a column name, a list of names, an index, or a function of a row.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.
        shard: The name of this part of the data. States that will be merged need different names.

    Raises:
        ValueError: An argument is out of its range.
        TypeError: The arguments can't be combined.

    Examples:
        >>> import hashwell
        >>> state = hashwell.Weighted(2, seed="0877", weights=lambda row: row[1], design="pps")
        >>> state.update([("a", 1), ("b", 8), ("c", 3)])
        >>> state.result()
        [('b', 8), ('c', 3)]
        >>> state.weight_sum, state.certain()
        (Fraction(12, 1), [1])
    """

    _weighted = True

    def __init__(
        self,
        n: int,
        *,
        seed: Any,
        weights: Any,
        design: str | None = None,
        replace: bool = False,
        default_weight: Any = None,
        stratify: Any = None,
        context: str = "",
        shard: str | None = None,
    ) -> None:
        survey = _survey(
            n,
            seed=seed,
            weights=weights,
            design=design,
            replace=replace,
            default_weight=default_weight,
            stratify=stratify,
            context=context,
            shard=shard,
        )
        super().__init__(_Source(survey, weights=weights, stratify=stratify))

    @property
    def weight_sum(self) -> Any:
        """The sum T of the weights of all rows that were added, as a `fractions.Fraction`.

        With stratify, it is a dict that maps each stratum to its sum.

        With "pps", let C be the sum of the weights of the c rows that certain() returns. Any other row of weight w
        has the inclusion probability (n - c)·w/(T - C). With replace, each draw picks a row of weight w with
        probability w/T. With the design "successive", this property raises ValueError, because inclusion probabilities
        have no such formula.
        """
        # Imported here, because importing hashwell must be fast.
        from fractions import Fraction

        sums = self._sums()
        if self._source.survey.columns[1] is None:
            return Fraction(sums[0][1])
        return {label: Fraction(text) for label, text, _ in sums}

    def certain(self) -> list[int]:
        """Return the positions, counted from 0, of the rows whose inclusion probability is 1.

        Returns:
            The positions in ascending order.

        Raises:
            ValueError: The design is "successive".

        Examples:
            >>> import hashwell
            >>> state = hashwell.Weighted(2, seed="0877", weights=lambda row: row[1], design="pps")
            >>> state.update([("a", 1), ("b", 8), ("c", 3)])
            >>> state.certain()
            [1]
        """
        return sorted(position for _, _, rows in self._sums() for position in rows)

    def _sums(self) -> list[tuple[str | None, str, list[int]]]:
        if self._source.survey.method == "successive":
            raise ValueError("this needs the design 'pps': inclusion probabilities of 'successive' are not proportional to weights")
        return self._source.survey.weights()
