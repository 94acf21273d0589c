"""Digests, tickets, samples and splits in pandas. Importing this module registers the accessor `hashwell`.

A ticket is a pseudorandom number that a seed assigns to a row key.

    >>> import pandas, hashwell.pandas
    >>> frame = pandas.DataFrame({"user": ["ada", "ben", None]})
    >>> frame["user"].hashwell.sha256(hex=True).str[:8].to_list()[:2]
    ['fdee430d', '6700869c']
    >>> frame.hashwell.sample(2, seed="0877")["user"].to_list()[:1]
    ['ben']

This module requires pandas and pyarrow.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

from ._columns import column_digests, column_tickets
from ._engines import TICKET_SIZE, ticket_prefix
from ._native import hash_rows
from ._sample import sample as _sample
from ._split import split as _split

__all__ = ["DataFrameAccessor", "SeriesAccessor"]


def _series(made: Any, like: Any, name: Any) -> Any:
    """Return a pyarrow array as a Series with the index of a pandas object."""
    return pd.Series(pd.arrays.ArrowExtensionArray(made), index=like.index, name=name)


def _array(column: Any) -> Any:
    try:
        return pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, OverflowError) as error:
        raise TypeError(f"values must be strings, bytes, booleans or integers of at most 64 bits, all of one type: {error}") from None


def _tickets(columns: list[Any], seed: Any, context: str) -> Any:
    return column_tickets(ticket_prefix(seed, context), list(map(_array, columns))).cast(pa.binary(TICKET_SIZE))


@pd.api.extensions.register_series_accessor("hashwell")
class SeriesAccessor:
    """Digests and tickets of a Series: `series.hashwell`. Results are Series with the same index and an Arrow type.

    Examples:
        >>> import pandas, hashwell.pandas
        >>> pandas.Series(["abc"]).hashwell.sha256(hex=True)[0][:8]
        'ba7816bf'
    """

    def __init__(self, series: Any) -> None:
        self._series = series

    def sha256(self, *, hex: bool = False) -> Any:
        """Return the SHA-256 digest of each string's UTF-8 bytes, or of each bytes value. Missing values stay missing.

        Args:
            hex: True returns hexadecimal strings instead of binary digests.

        Returns:
            A Series of the pyarrow type `fixed_size_binary[32]` or `large_string`.

        Raises:
            TypeError: The values are neither strings nor bytes.

        Examples:
            >>> import pandas, hashwell.pandas
            >>> pandas.Series(["abc"], index=["a"]).hashwell.sha256()["a"].hex()[:8]
            'ba7816bf'
        """
        return self.digest("sha256", hex=hex)

    def digest(self, algorithm: str, *, length: int | None = None, hex: bool = False) -> Any:
        """Return the digest of each string's UTF-8 bytes, or of each bytes value. Missing values stay missing.

        Args:
            algorithm: The name of the algorithm, one of hashwell.algorithms.
            length: The digest size in bytes. It is required for extendable-output functions without a default size.
            hex: True returns hexadecimal strings instead of binary digests.

        Returns:
            A Series of the pyarrow type `fixed_size_binary` or `large_string`.

        Raises:
            ValueError: There is no such algorithm, or it doesn't support this length.
            TypeError: The algorithm requires a length, or the values are neither strings nor bytes.

        Examples:
            >>> import pandas, hashwell.pandas
            >>> pandas.Series(["abc"]).hashwell.digest("blake3", hex=True)[0][:8]
            '6437b3ac'
        """
        made = column_digests(algorithm, _array(self._series), length, hex)
        return _series(made, self._series, self._series.name)

    def ticket(self, seed: Any, *, context: str = "") -> Any:
        """Use each value as a row key, and return its ticket. A ticket is a pseudorandom number of 16 bytes that the
        seed assigns to the key.

        hashwell.sample with `group_by` picks the keys with the smallest tickets, and hashwell.split compares
        tickets with the shares. If a key occurs in several rows, these rows have the same ticket. Missing values
        and the empty string are the same key, so every row has a ticket.

        Args:
            seed: The seed, in any form that hashwell.sample accepts except None.
            context: The name of this step or purpose. Tickets with the same seed and different contexts are
                independent.

        Returns:
            A Series of the pyarrow type `fixed_size_binary[16]`.

        Raises:
            TypeError: The seed is None, or values are not strings, bytes, integers or booleans.

        Examples:
            >>> import pandas, hashwell.pandas
            >>> users = pandas.Series(["ada", "ben", "cleo", "dora"])
            >>> sorted(users[users.hashwell.ticket("0877").sort_values().index[:2]])
            ['ada', 'dora']
        """
        return _series(_tickets([self._series], seed, context), self._series, self._series.name)


@pd.api.extensions.register_dataframe_accessor("hashwell")
class DataFrameAccessor:
    """Samples, splits, row digests and tickets of a DataFrame: `frame.hashwell`.

    Examples:
        >>> import pandas, hashwell.pandas
        >>> pandas.DataFrame({"id": range(100)}).hashwell.sample(3, seed="0877")["id"].to_list()
        [13, 79, 92]
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def sample(self, n: int | None = None, **options: Any) -> Any:
        """Return a random sample of the rows. These are the rows that hashwell.sample picks.

        Args:
            n: The number of rows, or with group_by the number of groups.
            **options: The other arguments of hashwell.sample, such as seed and group_by.

        Returns:
            A DataFrame, whose rows have the index values of the original.

        Raises:
            ValueError: There are fewer than n rows, an argument is out of its range, or a column is missing.
            TypeError: The arguments can't be combined, or an argument has the wrong type.
        """
        return _sample(self._frame, n, **options)

    def split(self, shares: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """Split the rows into named parts. These are the parts that hashwell.split makes.

        Args:
            shares: The share of each part, by the part's name. The shares must add up to 1.
            **options: The other arguments of hashwell.split, such as seed and group_by.

        Returns:
            A dict that maps the names of the parts to DataFrames, whose rows have the index values of the original.

        Raises:
            ValueError: A share is negative, the shares don't add up to 1, or a column is missing.
            TypeError: An argument has the wrong type.
        """
        return _split(self._frame, shares, **options)

    def row_digests(self, columns: list[str] | None = None, **options: Any) -> Any:
        """Return the digest of each row, as hashwell.hash_rows computes it.

        The index is not part of a row, so a row has the same digest after filtering and sorting, and in other
        libraries.

        Args:
            columns: The names of the columns, as strings. By default, all columns are hashed, but not the index.
            **options: The other arguments of hashwell.hash_rows, such as algorithm and hex.

        Returns:
            A Series with the index of the frame. It has the pyarrow type `fixed_size_binary` or `large_string`.

        Raises:
            ValueError: A column is missing, two columns have the same name, or a value has no encoding.
            TypeError: A column has a type without an encoding.
        """
        frame = self._frame.reset_index(drop=True)
        names = list(map(str, frame.columns)) if columns is None else columns
        # Other columns are removed first, because pyarrow may have no type for their values.
        frame = frame.loc[:, [str(label) in names for label in frame.columns]]
        return _series(pa.array(hash_rows(frame, columns=names, **options)), self._frame, "digest")

    def tickets(self, group_by: Any, *, seed: Any, context: str = "") -> Any:
        """Return the ticket of each row. The row key consists of one or more columns.

        SeriesAccessor.ticket describes tickets.

        Args:
            group_by: The label of a column or a list of labels.
            seed: The seed, in any form that hashwell.sample accepts except None.
            context: The name of this step or purpose. Tickets with the same seed and different contexts are
                independent.

        Returns:
            A Series of the pyarrow type `fixed_size_binary[16]`.

        Raises:
            KeyError: A column is missing.
            TypeError: The seed is None, or a column contains values other than strings, bytes, integers and
                booleans.
            ValueError: group_by is an empty list, or several columns have the same label.
        """
        labels = group_by if isinstance(group_by, list) else [group_by]
        if not labels:
            raise ValueError("group_by must name at least one column")
        for label in labels:
            if (count := list(self._frame.columns).count(label)) > 1:
                raise ValueError(f"group_by: {count} columns are called {label!r}")
        return _series(_tickets([self._frame[label] for label in labels], seed, context), self._frame, "ticket")
