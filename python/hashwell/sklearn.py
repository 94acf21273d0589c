"""Splitters for scikit-learn. They make the same parts as `hashwell.split` and the command `hashwell split`.

    from hashwell.sklearn import GroupKFold
    cross_val_score(model, X, y, groups=users, cv=GroupKFold(5, seed="0877"))

This module requires scikit-learn. Splitters of groups also accept `groups` by metadata routing.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy
from sklearn.model_selection import BaseCrossValidator
from sklearn.model_selection._split import GroupsConsumerMixin

from . import split as _split

__all__ = ["GroupKFold", "GroupSplit", "KFold", "Split"]


class _Splitter(BaseCrossValidator):  # type: ignore[misc]
    """The base of all splitters."""

    seed: Any
    exact: bool
    stratify: bool

    def _parts(self, shares: dict[str, Any], context: str, X: Any, y: Any, groups: Any) -> dict[str, list[int]]:
        rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if self.seed is None:
            raise ValueError("seed must not be None: the folds of a cross-validation must be the same each time")
        labels = None
        if self.stratify:
            if y is None:
                raise ValueError("stratify=True requires y")
            labels = _values(y)
        of_rows: dict[str, list[int]] = _split(
            list(range(rows)),
            shares,
            seed=self.seed,
            group_by=None if groups is None else _values(groups),
            stratify=labels,
            exact=self.exact,
            context=context,
        )
        return of_rows


def _values(given: Any) -> list[Any]:
    values = given.tolist() if hasattr(given, "tolist") else list(given)
    # Class labels are often floats with integer values.
    return [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]


class Split(_Splitter):
    """Split rows into training and test data, once or several times.

    Args:
        test_size: The share of the test set, such as 0.2 or "1/5".
        n_splits: The number of splits. The test set of the first one is that of `hashwell.split(rows, {"train":
            ..., "test": ...})`. In the other splits, "#1", "#2" and so on is appended to `context`.
        seed: The seed, in any form that hashwell.sample accepts except None.
        stratify: True gives the training and test sets the same share of each value of y.
        exact: True makes the sizes of the sets exact.
        context: The name of this step or purpose. Splits with the same seed and different contexts are independent.

    Examples:
        >>> from hashwell.sklearn import Split
        >>> [(len(train), len(test)) for train, test in Split(0.2, seed=1, exact=True).split([0] * 10)]
        [(8, 2)]
    """

    def __init__(
        self, test_size: Any = 0.2, *, n_splits: int = 1, seed: Any, stratify: bool = False, exact: bool = False, context: str = ""
    ) -> None:
        self.test_size, self.n_splits, self.seed = test_size, n_splits, seed
        self.stratify, self.exact, self.context = stratify, exact, context

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the number of splits."""
        return self.n_splits

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Any]:
        test = Fraction(str(self.test_size))
        for number in range(self.n_splits):
            context = f"{self.context}#{number}" if number else self.context
            parts = self._parts({"train": 1 - test, "test": test}, context, X, y, self._groups(groups))
            yield numpy.array(parts["test"], dtype=numpy.intp)

    def _groups(self, groups: Any) -> Any:
        """Return None: splits of rows ignore groups, like those of scikit-learn."""
        return None


class KFold(_Splitter):
    """Split rows into folds. Each fold is the test set once.

    Args:
        n_splits: The number of folds, at least 2.
        seed: The seed, in any form that hashwell.sample accepts except None.
        stratify: True gives each fold the same share of each value of y.
        exact: True makes the sizes of folds differ by at most one row. With False, adding a row doesn't move other
            rows.
        context: The name of this step or purpose. Splits with the same seed and different contexts are independent.

    Raises:
        ValueError: n_splits is less than 2.

    Examples:
        >>> from hashwell.sklearn import KFold
        >>> [(len(train), len(test)) for train, test in KFold(5, seed=1).split([0] * 10)]
        [(8, 2), (8, 2), (8, 2), (8, 2), (8, 2)]
    """

    def __init__(self, n_splits: int = 5, *, seed: Any, stratify: bool = False, exact: bool = True, context: str = "") -> None:
        if n_splits < 2:
            raise ValueError(f"n_splits must be at least 2, not {n_splits}")
        self.n_splits, self.seed, self.stratify, self.exact, self.context = n_splits, seed, stratify, exact, context

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the number of folds."""
        return self.n_splits

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Any]:
        shares = {str(number): Fraction(1, self.n_splits) for number in range(self.n_splits)}
        for part in self._parts(shares, self.context, X, y, self._groups(groups)).values():
            yield numpy.array(part, dtype=numpy.intp)

    def _groups(self, groups: Any) -> Any:
        """Return None: folds of rows ignore groups, like those of scikit-learn."""
        return None


def _required(groups: Any) -> Any:
    if groups is None:
        raise ValueError("groups must be given: one group for each row")
    return groups


class GroupSplit(GroupsConsumerMixin, Split):  # type: ignore[misc]
    """Split groups into training and test data.

    All rows of a group are in the same set, and stay there if rows are added.

    The arguments are those of Split. With exact=True, the numbers of groups are exact, and rows may move.

    Examples:
        >>> from hashwell.sklearn import GroupSplit
        >>> groups = ["a", "a", "b", "b"]
        >>> [(len(train), len(test)) for train, test in GroupSplit(0.5, seed=1, exact=True).split([0] * 4, groups=groups)]
        [(2, 2)]
    """

    def _groups(self, groups: Any) -> Any:
        return _required(groups)


class GroupKFold(GroupsConsumerMixin, KFold):  # type: ignore[misc]
    """Split groups into folds. All rows of a group are in the same fold.

    The arguments are those of KFold. With exact=True, the numbers of groups differ by at most one. With False, a
    group stays in its fold if rows are added.

    Examples:
        >>> from hashwell.sklearn import GroupKFold
        >>> groups = ["a", "a", "b", "b"]
        >>> [(len(train), len(test)) for train, test in GroupKFold(2, seed=1).split([0] * 4, groups=groups)]
        [(2, 2), (2, 2)]
    """

    def _groups(self, groups: Any) -> Any:
        return _required(groups)
