"""Digests, tickets, samples and splits in Polars. Importing this module registers the namespace `hashwell`.

A ticket is a pseudorandom number that a seed assigns to a row key.

    >>> import polars, hashwell.polars
    >>> frame = polars.DataFrame({"user": ["ada", "ben", None]})
    >>> frame.lazy().select(polars.col("user").hashwell.sha256(hex=True).str.head(8)).collect()["user"].to_list()
    ['fdee430d', '6700869c', None]

Expressions work in eager and lazy queries and in the streaming engine, which hashes batch by batch. This
module requires Polars.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

import polars as pl
from polars import selectors

from ._engines import TICKET_SIZE, digests, text_needed, ticket_prefix, wrong_key
from ._native import ArrowDigests, hash_many, hash_rows
from ._sample import _columns
from ._sample import sample as _sample
from ._shares import ticket_ends
from ._split import _framed
from ._split import split as _split

__all__ = ["ColumnNamespace", "DataFrameNamespace", "ExprNamespace", "LazyFrameNamespace", "SeriesNamespace"]


def _digests(series: pl.Series, algorithm: str, length: int | None, hex: bool) -> pl.Series:
    if series.dtype == pl.Null:
        series = series.cast(pl.String)
    if series.dtype not in (pl.String, pl.Binary, pl.Categorical, pl.Enum):
        raise text_needed(series.dtype)
    return _column(series, digests(algorithm, series, length, hex), hex)


def _row_digests(series: pl.Series, algorithm: str, hex: bool) -> pl.Series:
    if series.dtype != pl.Struct:
        raise TypeError(f"expected structs, not {series.dtype}: use polars.struct(…)")
    return _column(series, hash_rows(series.struct.unnest(), algorithm=algorithm, hex=hex), hex)


def _column(series: pl.Series, made: ArrowDigests, hex: bool) -> pl.Series:
    # A column that contains only nulls has the type Null.
    return pl.Series(series.name, made).cast(pl.String if hex else pl.Binary)


def _tickets(series: pl.Series, prefix: bytes) -> pl.Series:
    messages = pl.Series([prefix], dtype=pl.Binary) + _keys(series) if len(series) else pl.Series([], dtype=pl.Binary)
    return pl.Series(series.name, hash_many("sha256", messages)).cast(pl.Binary).bin.slice(0, TICKET_SIZE)


def _keys(series: pl.Series) -> pl.Series:
    """Return each value as a row key. Null and the empty string are the same key."""
    kind = series.dtype
    if isinstance(kind, pl.Struct) and kind.fields:
        fields = [_keys(field).to_list() for field in series.struct.unnest()]
        return pl.Series([_framed(row) for row in zip(*fields, strict=True)], dtype=pl.Binary)
    if not (kind.is_integer() or kind in (pl.String, pl.Binary, pl.Boolean, pl.Categorical, pl.Enum, pl.Null)):
        raise wrong_key(kind)
    texts = series if kind == pl.Binary else series.cast(pl.String).cast(pl.Binary)
    return texts.fill_null(b"")


def _within(series: pl.Series, prefix: bytes, begin: int, end: int) -> pl.Series:
    """Return true for the rows with `begin <= ticket < end`. Every ticket is less than 2^128."""
    tickets = _tickets(series, prefix)
    found = tickets >= _ticket(begin)
    return found if end == 2**128 else found & (tickets < _ticket(end))


def _ticket(number: int) -> pl.Series:
    return pl.Series([number.to_bytes(TICKET_SIZE)], dtype=pl.Binary)


class ColumnNamespace:
    """The methods of expressions and Series.

    They return an expression or a Series, like the object on which they are called.

    Examples:
        >>> import polars, hashwell.polars
        >>> polars.Series(["abc"]).hashwell.digest("sha1", hex=True)[0][:8]
        'a9993e36'
    """

    def _map(self, function: Callable[[pl.Series], pl.Series], kind: type[pl.DataType]) -> Any:
        raise NotImplementedError

    def sha256(self, *, hex: bool = False) -> Any:
        """Return the SHA-256 digest of each string's UTF-8 bytes, or of each bytes value. Nulls stay null.

        Args:
            hex: True returns hexadecimal strings instead of binary digests.

        Returns:
            A column of binary or string values.

        Raises:
            TypeError: The values are neither strings nor bytes. A lazy query raises this when it runs.

        Examples:
            >>> import polars, hashwell.polars
            >>> polars.Series(["abc", None]).hashwell.sha256(hex=True).str.head(8).to_list()
            ['ba7816bf', None]
        """
        return self.digest("sha256", hex=hex)

    def digest(self, algorithm: str, *, length: int | None = None, hex: bool = False) -> Any:
        """Return the digest of each string's UTF-8 bytes, or of each bytes value. Nulls stay null.

        Args:
            algorithm: The name of the algorithm, one of hashwell.algorithms.
            length: The digest size in bytes. It is required for extendable-output functions without a default size.
            hex: True returns hexadecimal strings instead of binary digests.

        Returns:
            A column of binary or string values.

        Raises:
            ValueError: There is no such algorithm, or it doesn't support this length.
            TypeError: The algorithm requires a length, or the values are neither strings nor bytes. If the values are
                wrong, a lazy query raises the error when it runs.

        Examples:
            >>> import polars, hashwell.polars
            >>> polars.Series(["abc"]).hashwell.digest("blake3", hex=True).str.head(8).to_list()
            ['6437b3ac']
        """
        # This call checks the arguments, so that errors are raised here and not when the query runs.
        hash_many(algorithm, [], length=length)
        return self._map(partial(_digests, algorithm=algorithm, length=length, hex=hex), pl.String if hex else pl.Binary)

    def ticket(self, seed: Any, *, context: str = "") -> Any:
        """Use each value as a row key, and return its ticket. A ticket is a pseudorandom number of 16 bytes that the
        seed assigns to the key.

        hashwell.sample with `group_by` picks the keys with the smallest tickets, and hashwell.split compares
        tickets with the shares. If a key occurs in several rows, these rows have the same ticket. Null and the
        empty string are the same key, so every row has a ticket. A struct is a key of several columns.

        Args:
            seed: The seed, in any form that hashwell.sample accepts except None.
            context: The name of this step or purpose. Tickets with the same seed and different contexts are
                independent.

        Returns:
            A column of binary values.

        Raises:
            TypeError: The seed is None, or values are not strings, bytes, integers or booleans. If the values are
                wrong, a lazy query raises the error when it runs.

        Examples:
            >>> import polars, hashwell, hashwell.polars
            >>> users = polars.DataFrame({"user": ["ada", "ben", "cleo", "dora"]})
            >>> users.lazy().bottom_k(2, by=polars.col("user").hashwell.ticket("0877")).collect()["user"].sort().to_list()
            ['ada', 'dora']
            >>> hashwell.sample(users, 2, group_by="user", seed="0877")["user"].to_list()
            ['ada', 'dora']
        """
        return self._map(partial(_tickets, prefix=ticket_prefix(seed, context)), pl.Binary)

    def row_digest(self, *, algorithm: str = "sha256", hex: bool = False) -> Any:
        """Return the digest of each struct. A struct is treated as a row, so hashwell.hash_rows returns the same digest
        for a row with these values.

        A struct that is null has the digest of a row of nulls.

        Args:
            algorithm: The name of the algorithm, one of hashwell.algorithms.
            hex: True returns hexadecimal strings instead of binary digests.

        Returns:
            A column of binary or string values.

        Raises:
            ValueError: There is no such algorithm.
            TypeError: The values are not structs, or a field has a type without an encoding. A lazy query raises
                this when it runs.

        Examples:
            >>> import polars, hashwell.polars
            >>> frame = polars.DataFrame({"id": [1, 2], "name": ["Ann", "Bob"]})
            >>> row = polars.struct(polars.all()).hashwell.row_digest(hex=True)
            >>> frame.select(digest=row.str.head(8))["digest"].to_list()
            ['d878740c', '44d92d10']
        """
        hash_many(algorithm, [])
        return self._map(partial(_row_digests, algorithm=algorithm, hex=hex), pl.String if hex else pl.Binary)


@pl.api.register_expr_namespace("hashwell")
class ExprNamespace(ColumnNamespace):
    """Expressions for digests and tickets: `polars.col("user").hashwell`. The methods are those of ColumnNamespace.

    Examples:
        >>> import polars, hashwell.polars
        >>> polars.select(polars.lit("abc").hashwell.sha256(hex=True)).item()[:8]
        'ba7816bf'
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _map(self, function: Callable[[pl.Series], pl.Series], kind: type[pl.DataType]) -> pl.Expr:
        return self._expr.map_batches(function, return_dtype=kind, is_elementwise=True)


@pl.api.register_series_namespace("hashwell")
class SeriesNamespace(ColumnNamespace):
    """Digests and tickets of a Series: `series.hashwell`. The methods are those of ColumnNamespace.

    Examples:
        >>> import polars, hashwell.polars
        >>> polars.Series(["abc"]).hashwell.sha256(hex=True)[0][:8]
        'ba7816bf'
    """

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def _map(self, function: Callable[[pl.Series], pl.Series], kind: type[pl.DataType]) -> pl.Series:
        return function(self._series)


@pl.api.register_dataframe_namespace("hashwell")
class DataFrameNamespace:
    """Samples, splits and row digests of a DataFrame: `frame.hashwell`.

    Examples:
        >>> import polars, hashwell.polars
        >>> polars.DataFrame({"id": range(100)}).hashwell.sample(3, seed="0877")["id"].to_list()
        [13, 79, 92]
    """

    def __init__(self, frame: pl.DataFrame) -> None:
        self._frame = frame

    def sample(self, n: int | None = None, **options: Any) -> pl.DataFrame:
        """Return a random sample of the rows. These are the rows that hashwell.sample picks.

        Args:
            n: The number of rows, or with group_by the number of groups.
            **options: The other arguments of hashwell.sample, such as seed and group_by.

        Returns:
            A DataFrame.

        Raises:
            ValueError: There are fewer than n rows, an argument is out of its range, or a column is missing.
            TypeError: The arguments can't be combined, or an argument has the wrong type.
        """
        rows: pl.DataFrame = _sample(self._frame, n, **options)
        return rows

    def split(self, shares: Mapping[str, Any], **options: Any) -> dict[str, pl.DataFrame]:
        """Split the rows into named parts. These are the parts that hashwell.split makes.

        Args:
            shares: The share of each part, by the part's name. The shares must add up to 1.
            **options: The other arguments of hashwell.split, such as seed and group_by.

        Returns:
            A dict that maps the names of the parts to DataFrames.

        Raises:
            ValueError: A share is negative, the shares don't add up to 1, or a column is missing.
            TypeError: An argument has the wrong type.
        """
        return _split(self._frame, shares, **options)

    def row_digests(self, **options: Any) -> pl.Series:
        """Return the digest of each row, as hashwell.hash_rows computes it.

        Args:
            **options: The arguments of hashwell.hash_rows, such as columns and algorithm.

        Returns:
            A Series of binary values, or of strings with hex=True.

        Raises:
            ValueError: A column is missing, or a value has no encoding.
            TypeError: A column has a type without an encoding.
        """
        return pl.Series("digest", hash_rows(self._frame, **options)).cast(pl.String if options.get("hex") else pl.Binary)


@pl.api.register_lazyframe_namespace("hashwell")
class LazyFrameNamespace:
    """Samples and splits of a lazy query: `query.hashwell`.

    Examples:
        >>> import polars, hashwell.polars
        >>> polars.LazyFrame({"id": range(100)}).hashwell.sample(3, seed="0877")["id"].to_list()
        [13, 79, 92]
    """

    def __init__(self, frame: pl.LazyFrame) -> None:
        self._frame = frame

    def sample(self, n: int | None = None, **options: Any) -> pl.DataFrame:
        """Run the query once, batch by batch, and return a random sample of its rows.

        These are the rows that hashwell.sample picks.

        Only the sampled rows are kept in memory. Rows are numbered in the order of the query's result. If the order
        may differ between two runs of the query, pass group_by to make the sample reproducible.

        Args:
            n: The number of rows, or with group_by the number of groups.
            **options: The other arguments of hashwell.sample, such as seed and group_by.

        Returns:
            A DataFrame.

        Raises:
            ValueError: There are fewer than n rows, an argument is out of its range, or a column is missing.
            TypeError: The arguments can't be combined, or an argument has the wrong type.
        """
        nothing = pl.DataFrame(schema=self._frame.collect_schema())
        rows: pl.DataFrame = _sample(chain((nothing,), self._frame.collect_batches(maintain_order=True, lazy=True)), n, **options)
        return rows

    def split(self, shares: Mapping[str, Any], *, group_by: str | list[str], seed: Any, context: str = "") -> dict[str, pl.LazyFrame]:
        """Split the rows into named parts by group, without running the query.

        These are the parts that hashwell.split makes.

        Each part is the query with an additional filter, which also works in the streaming engine. Collecting a part
        runs the whole query again, so collect several parts with polars.collect_all. The part that a row goes to
        depends only on its group, the seed, the context and the shares. A split without group_by or with exact sizes
        needs all rows, so collect the query first.

        Args:
            shares: The share of each part, by the part's name. The shares must add up to 1.
            group_by: A column name or a list of names.
            seed: The seed, in any form that hashwell.sample accepts except None.
            context: The name of this step or purpose. To split a part again, use a different context or seed;
                otherwise the second split depends on the first. Unlike hashwell.split, this method can't warn about
                that, because it doesn't read rows.

        Returns:
            A dict that maps the names of the parts to LazyFrames.

        Raises:
            ValueError: A share is negative, or the shares don't add up to 1.
            TypeError: The seed is None, or group_by is neither a name nor a list of names.
        """
        names = _columns([group_by]) if group_by else []
        if not names:
            raise TypeError(
                "group_by must name at least one column, because the rows of a lazy query are not numbered; "
                "to split by row number, collect the query first"
            )
        # polars.col would interpret some names as patterns.
        fields = [selectors.by_name(name).as_expr().alias(str(place)) for place, name in enumerate(names)]
        key = fields[0] if len(names) == 1 else pl.struct(fields)
        prefix = ticket_prefix(seed, context)

        def part(begin: int, end: int) -> pl.LazyFrame:
            if begin >= end:
                return self._frame.filter(pl.lit(False))
            within = partial(_within, prefix=prefix, begin=begin, end=end)
            return self._frame.filter(key.map_batches(within, return_dtype=pl.Boolean, is_elementwise=True))

        limits = ticket_ends(shares)
        return {name: part(begin, end) for name, begin, end in zip(shares, [0, *limits[:-1]], limits, strict=True)}
