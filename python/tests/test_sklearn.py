"""Splitters for scikit-learn, in scikit-learn's own searches and validations."""

import pytest

sklearn = pytest.importorskip("sklearn")

import hashwell  # noqa: E402
import numpy  # noqa: E402
from hashwell.sklearn import GroupKFold, GroupSplit, KFold, Split  # noqa: E402
from sklearn.dummy import DummyClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, check_cv, cross_val_score  # noqa: E402

X = numpy.arange(200).reshape(100, 2)
Y = numpy.arange(100) % 10 == 0
GROUPS = numpy.arange(100) // 4


@pytest.mark.parametrize("splitter", [Split(seed=1, n_splits=3), KFold(seed=1), KFold(seed=1, stratify=True), GroupKFold(4, seed=1), GroupSplit(seed=1)])
def test_validations_and_searches_take_them(splitter: object) -> None:
    count = splitter.get_n_splits(X, Y, GROUPS)  # type: ignore[attr-defined]
    assert check_cv(splitter) is splitter
    scores = cross_val_score(DummyClassifier(), X, Y, cv=splitter, **given(splitter))
    assert len(scores) == count
    search = GridSearchCV(DummyClassifier(), {"strategy": ["prior", "uniform"]}, cv=splitter)
    assert search.fit(X, Y, **given(splitter)).n_splits_ == count
    pairs = list(splitter.split(X, Y, GROUPS))  # type: ignore[attr-defined]
    again = list(splitter.split(X, Y, GROUPS))  # type: ignore[attr-defined]
    for (train, test), (train_again, test_again) in zip(pairs, again, strict=True):
        assert sorted([*train, *test]) == list(range(100))
        assert (train == train_again).all() and (test == test_again).all()
    assert repr(splitter).startswith(type(splitter).__name__)


def given(splitter: object) -> dict:
    return {"groups": GROUPS} if isinstance(splitter, GroupKFold | GroupSplit) else {}


def test_groups_stay_together_and_strata_are_exact() -> None:
    tests = [set(test.tolist()) for _, test in GroupKFold(5, seed="s").split(X, Y, GROUPS)]
    assert sum(map(len, tests)) == 100
    assert all({GROUPS[i] for i in test}.isdisjoint({GROUPS[i] for i in range(100) if i not in test}) for test in tests)
    assert [int(Y[test].sum()) for _, test in KFold(5, seed="s", stratify=True).split(X, Y)] == [2] * 5
    (_, test), = GroupSplit(0.2, seed="s").split(X, Y, GROUPS)
    rows = hashwell.split(list(range(100)), {"train": 0.8, "test": 0.2}, seed="s", group_by=GROUPS.tolist())
    assert test.tolist() == rows["test"]


def test_metadata_routing() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        scores = cross_val_score(DummyClassifier(), X, Y, cv=GroupKFold(4, seed=1), params={"groups": GROUPS})
    assert len(scores) == 4


def test_refusals() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        KFold(1, seed=1)
    with pytest.raises(ValueError, match="groups"):
        list(GroupKFold(seed=1).split(X, Y))
    with pytest.raises(ValueError, match="seed must not be None"):
        list(KFold(seed=None).split(X, Y))
    with pytest.raises(ValueError, match="requires y"):
        list(KFold(seed=1, stratify=True).split(X))


def test_empty_sets_are_refused() -> None:
    rows = numpy.arange(20)
    for splitter, message in (
        (GroupKFold(5, seed=1), "n_splits=5 must not be greater than the number of groups, 2"),
        (KFold(21, seed=1), "n_splits=21 must not be greater than the number of rows, 20"),
        (KFold(20, seed=1, exact=False), "the test set of split . would be empty"),
        (Split(0.01, seed=1), "the test set of split 0 would be empty"),
        (Split(0.01, seed=1, exact=True), "the test set of split 0 would be empty"),
        (Split(0.99, seed=1, exact=True), "the training set of split 0 would be empty"),
        (GroupSplit(0.01, seed=1, exact=True), "pass more groups"),
    ):
        with pytest.raises(ValueError, match=message):
            list(splitter.split(rows, groups=rows % 2))
    for size in (0, -1, 0.0, 1.0, -0.5, "x", "1/0", True, None, float("nan")):
        with pytest.raises(ValueError, match="test_size must be"):
            Split(size, seed=1)


def test_numbers_of_rows_and_groups() -> None:
    rows = numpy.arange(20)
    for size in (1, 5, numpy.int64(19)):
        for train, test in Split(size, seed=1, exact=True, n_splits=2).split(rows):
            assert (len(train), len(test)) == (20 - size, size)
    for train, test in GroupSplit(3, seed=1, exact=True).split(rows, groups=rows // 2):
        assert (len(train), len(test)) == (14, 6)
    with pytest.raises(ValueError, match="test_size=5 is a number of rows, which requires exact=True"):
        Split(5, seed=1)
    with pytest.raises(ValueError, match="test_size=20 must be less than the number of rows, 20"):
        list(Split(20, seed=1, exact=True).split(rows))


def test_a_second_split_warns() -> None:
    users = [f"u{i}" for i in range(2000)]
    [(train, _)] = GroupSplit(0.2, seed=1).split(users, groups=users)
    rest = [users[i] for i in train]
    with pytest.warns(UserWarning, match="give each step its own context"), pytest.raises(ValueError, match="test set of split 0 would be empty"):
        list(GroupSplit(0.2, seed=1).split(rest, groups=rest))
