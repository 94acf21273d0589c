"""Splitters for scikit-learn. They make the same parts as `hashwell.split` and the command `hashwell split`.

    from hashwell.sklearn import GroupKFold
    cross_val_score(model, X, y, groups=users, cv=GroupKFold(5, seed="0877"))

This module requires scikit-learn. Group splitters also accept `groups` through metadata routing.
"""

from collections.abc import Iterator
from fractions import Fraction
from numbers import Integral
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

    # The word for the items that are split, in errors.
    _items = "rows"

    def _check_set(self, rows: Any, number: int, X: Any) -> Any:
        """Return the rows of the test set as an array. Raise an error if the training or test set is empty."""
        if not 0 < len(rows) < _count(X):
            which = "training" if len(rows) else "test"
            raise ValueError(f"the {which} set of split {number} would be empty: pass more {self._items}, other sizes or exact=True")
        return numpy.array(rows, dtype=numpy.intp)

    def _parts(self, shares: dict[str, Any], context: str, X: Any, y: Any, groups: Any) -> dict[str, list[int]]:
        rows = _count(X)
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


def _count(X: Any) -> int:
    return int(X.shape[0] if hasattr(X, "shape") else len(X))


def _values(given: Any) -> list[Any]:
    values = given.tolist() if hasattr(given, "tolist") else list(given)
    # Class labels are often floats with integer values.
    return [int(value) if isinstance(value, float) and value.is_integer() else value for value in values]


def _is_count(test_size: Any) -> bool:
    return isinstance(test_size, Integral) and not isinstance(test_size, bool)


def _share(test_size: Any) -> Fraction:
    """Return the share of the test set."""
    try:
        share = Fraction(str(test_size))
    except (ValueError, ZeroDivisionError):
        share = Fraction()
    if not 0 < share < 1:
        raise ValueError(f"test_size must be a share between 0 and 1, or an int, not {test_size!r}")
    return share


class Split(_Splitter):
    """Split rows into training and test data, once or several times.

    Args:
        test_size: The share of the test set between 0 and 1, such as 0.2 or "1/5". An int is a number of rows, and
            requires exact=True.
        n_splits: The number of splits. The first test set is the part "test" of `hashwell.split(rows, {"train": ...,
            "test": ...})`. In the other splits, "#1", "#2" and so on is appended to `context`.
        seed: The seed, in any form that hashwell.sample accepts except None.
        stratify: True gives the training and test sets the same share of each value of y.
        exact: True makes the sizes of the sets exact.
        context: The name of this step or purpose. Splits with the same seed and different contexts are independent.

    Raises:
        ValueError: test_size is not between 0 and 1, or is an int and exact is False. split() raises it if a training
            or test set would be empty.

    Examples:
        >>> from hashwell.sklearn import Split
        >>> [(len(train), len(test)) for train, test in Split(0.2, seed=1, exact=True).split([0] * 10)]
        [(8, 2)]
    """

    def __init__(
        self, test_size: Any = 0.2, *, n_splits: int = 1, seed: Any, stratify: bool = False, exact: bool = False, context: str = ""
    ) -> None:
        if _is_count(test_size):
            if test_size < 1:
                raise ValueError(f"test_size must be at least 1 if it is a number of {self._items}, not {test_size}")
            if not exact:
                raise ValueError(
                    f"test_size={test_size} is a number of {self._items}, which requires exact=True; or pass a share such as 0.2"
                )
        else:
            _share(test_size)
        self.test_size, self.n_splits, self.seed = test_size, n_splits, seed
        self.stratify, self.exact, self.context = stratify, exact, context

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return the number of splits."""
        return self.n_splits

    def _iter_test_indices(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Any]:
        groups = self._groups(groups)
        if not _is_count(self.test_size):
            test = _share(self.test_size)
        else:
            count = _count(X) if groups is None else len(set(_values(groups)))
            if self.test_size >= count:
                raise ValueError(f"test_size={self.test_size} must be less than the number of {self._items}, {count}")
            test = Fraction(int(self.test_size), count)
        for number in range(self.n_splits):
            context = f"{self.context}#{number}" if number else self.context
            parts = self._parts({"train": 1 - test, "test": test}, context, X, y, groups)
            yield self._check_set(parts["test"], number, X)

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
        ValueError: n_splits is less than 2. split() raises it if there are fewer rows than folds, or if a fold would be
            empty, which can happen with exact=False.

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
        groups = self._groups(groups)
        count = _count(X) if groups is None else len(set(_values(groups)))
        if self.n_splits > count:
            raise ValueError(f"n_splits={self.n_splits} must not be greater than the number of {self._items}, {count}")
        shares = {str(number): Fraction(1, self.n_splits) for number in range(self.n_splits)}
        for number, part in enumerate(self._parts(shares, self.context, X, y, groups).values()):
            yield self._check_set(part, number, X)

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

    The arguments are the same as for Split. With exact=True, the numbers of groups are exact, and adding rows may move
    groups. If test_size is an int, it is a number of groups.

    Examples:
        >>> from hashwell.sklearn import GroupSplit
        >>> groups = ["a", "a", "b", "b"]
        >>> [(len(train), len(test)) for train, test in GroupSplit(0.5, seed=1, exact=True).split([0] * 4, groups=groups)]
        [(2, 2)]
    """

    _items = "groups"

    def _groups(self, groups: Any) -> Any:
        return _required(groups)


class GroupKFold(GroupsConsumerMixin, KFold):  # type: ignore[misc]
    """Split groups into folds. All rows of a group are in the same fold.

    The arguments are the same as for KFold. With exact=True, the numbers of groups in the folds differ by at most one.
    With False, a group stays in its fold if rows are added.

    Examples:
        >>> from hashwell.sklearn import GroupKFold
        >>> groups = ["a", "a", "b", "b"]
        >>> [(len(train), len(test)) for train, test in GroupKFold(2, seed=1).split([0] * 4, groups=groups)]
        [(2, 2), (2, 2)]
    """

    _items = "groups"

    def _groups(self, groups: Any) -> Any:
        return _required(groups)
