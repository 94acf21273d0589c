"""hashwell.pandas: the accessor gives the same results as hashwell's functions, with the index of the object."""

import hashlib
import random

import pytest

import hashwell

pd = pytest.importorskip("pandas", reason="pandas is not installed: python/tests/requirements.txt")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: python/tests/requirements.txt")

import hashwell.pandas  # noqa: E402 - after the packages that it needs

TEXTS = ["abc", "", None, "Zoë", "x" * 500]
SHARES = {"train": 0.6, "none": 0, "valid": "0.25", "test": 0.15}
TYPES = ["str", "object", "category", "string[pyarrow]", "string[python]", "large_string[pyarrow]"]


def people(rows: int = 2000):
    made = random.Random(1)
    frame = pd.DataFrame({
        "user": [made.choice(["", None, "Zoë", *(f"u{n}" for n in range(300))]) for _ in range(rows)],
        "number": pd.array([made.choice([None, made.randrange(-99, 99)]) for _ in range(rows)], dtype="Int64"),
        "flag": [made.random() < 0.5 for _ in range(rows)],
        "id": range(rows),
    })
    # An index with repeated labels, which is not a range.
    return frame.set_index(pd.Index([n // 2 * 10 for n in range(rows)], name="label"))


def bytes_of(series) -> list:
    return pa.array(series).to_pylist()


@pytest.mark.parametrize("kind", TYPES)
def test_digests_are_hashlibs(kind) -> None:
    series = pd.Series(TEXTS, index=list("edcba"), name="text").astype(kind)
    found = series.hashwell.sha256()
    assert found.index.equals(series.index) and found.name == "text"
    assert found.dtype == pd.ArrowDtype(pa.binary(32))
    expected = [None if text is None else hashlib.sha256(text.encode()).digest() for text in TEXTS]
    assert bytes_of(found) == expected
    text = series.hashwell.sha256(hex=True)
    assert bytes_of(text) == [None if digest is None else digest.hex() for digest in expected]
    assert text.isna().tolist() == [False, False, True, False, False]


def test_bytes_and_other_algorithms() -> None:
    series = pd.Series([b"abc", None, b""])
    assert bytes_of(series.hashwell.sha256())[0] == hashlib.sha256(b"abc").digest()
    assert bytes_of(series.hashwell.digest("sha3-256"))[2] == hashlib.sha3_256(b"").digest()
    assert bytes_of(series.hashwell.digest("shake128", length=7))[0] == hashlib.shake_128(b"abc").digest(7)


@pytest.mark.parametrize("series", [
    pd.Series([], dtype=str), pd.Series([], dtype=object), pd.Series([None, None]), pd.Series([None], dtype=str),
    pd.Series(pd.Categorical([None])),
])  # fmt: skip
def test_columns_without_values(series) -> None:
    found = series.hashwell.sha256()
    assert bytes_of(found) == [None] * len(series) and found.dtype == pd.ArrowDtype(pa.binary(32))
    assert series.hashwell.ticket(1).notna().all()


@pytest.mark.parametrize("names", [["user"], ["number"], ["flag"], ["user", "number"]])
def test_the_smallest_tickets_are_the_sample(names) -> None:
    frame = people()
    tickets = frame.hashwell.tickets(names, seed="0877", context="c")
    assert tickets.index.equals(frame.index) and tickets.dtype == pd.ArrowDtype(pa.binary(16)) and tickets.notna().all()
    of_rows = bytes_of(tickets)
    least = set(sorted(set(of_rows))[:2])
    expected = hashwell.sample(frame, 2, group_by=names, seed="0877", context="c")
    pd.testing.assert_frame_equal(frame[[ticket in least for ticket in of_rows]], expected)
    if len(names) == 1:
        assert bytes_of(frame[names[0]].hashwell.ticket("0877", context="c")) == of_rows


def test_keys_of_tickets() -> None:
    one, two = bytes_of(pd.Series(["", None]).hashwell.ticket(1))
    assert one == two
    assert bytes_of(pd.Series([42]).hashwell.ticket(1)) == bytes_of(pd.Series(["42"]).hashwell.ticket("1"))
    assert bytes_of(pd.Series(["a"]).hashwell.ticket(1)) != bytes_of(pd.Series(["a"]).hashwell.ticket(2))
    digests = pd.Series(["a"]).hashwell.sha256()
    assert bytes_of(digests.hashwell.sha256()) == [hashlib.sha256(hashlib.sha256(b"a").digest()).digest()]
    assert bytes_of(digests.hashwell.ticket(1)) == bytes_of(pd.Series([hashlib.sha256(b"a").digest()]).hashwell.ticket(1))
    assert bytes_of(pd.DataFrame({0: ["a"]}).hashwell.tickets(0, seed=1)) == bytes_of(pd.Series(["a"]).hashwell.ticket(1))


@pytest.mark.parametrize("options", [
    {"n": 7}, {"n": 7, "group_by": "user"}, {"probability": 0.1}, {"every": 500}, {"n": 2, "stratify": "flag"},
    {"n": 5, "order": "draw"}, {"n": 9, "replace": True},
])  # fmt: skip
def test_samples(options) -> None:
    frame = people()
    found = frame.hashwell.sample(**options, seed="0877")
    pd.testing.assert_frame_equal(found, hashwell.sample(frame, **options, seed="0877"))
    other = hashwell.sample(pa.Table.from_pandas(frame, preserve_index=False), **options, seed="0877")
    assert found["id"].tolist() == other["id"].to_pylist()


@pytest.mark.parametrize("options", [{}, {"group_by": "user"}, {"exact": True}, {"stratify": "flag"}])
def test_splits(options) -> None:
    frame = people()
    found = frame.hashwell.split(SHARES, **options, seed="0877")
    expected = hashwell.split(pa.Table.from_pandas(frame, preserve_index=False), SHARES, **options, seed="0877")
    assert list(found) == list(expected) == list(SHARES)
    for name, part in expected.items():
        pd.testing.assert_frame_equal(found[name], frame[frame["id"].isin(part["id"].to_pylist())])


def test_row_digests() -> None:
    frame = people(100)
    found = frame.hashwell.row_digests()
    assert found.index.equals(frame.index) and found.name == "digest"
    assert bytes_of(found) == list(hashwell.hash_rows(pa.Table.from_pandas(frame, preserve_index=False)))
    assert bytes_of(frame.sort_values("id", ascending=False).hashwell.row_digests()) == bytes_of(found)[::-1]
    some = frame.hashwell.row_digests(["user", "id"], hex=True, algorithm="blake3")
    assert bytes_of(some) == list(hashwell.hash_rows(frame, columns=["user", "id"], hex=True, algorithm="blake3"))
    numbered = pd.DataFrame({0: [1, 2], 1: ["a", "b"]}, index=[1, "x"]).hashwell.row_digests()
    assert bytes_of(numbered) == list(hashwell.hash_rows(pa.table({"0": [1, 2], "1": ["a", "b"]})))


def test_errors() -> None:
    for series in (pd.Series([1.5]), pd.Series(pd.to_datetime(["2024-01-01"]))):
        with pytest.raises(TypeError, match="expected strings or bytes, not"):
            series.hashwell.sha256()
        with pytest.raises(TypeError, match="must be strings, bytes, integers or booleans, not"):
            series.hashwell.ticket(1)
    with pytest.raises(ValueError, match="sha257"):
        pd.Series(["a"]).hashwell.digest("sha257")
    with pytest.raises(TypeError, match="pass a length"):
        pd.Series(["a"]).hashwell.digest("shake128")
    with pytest.raises(TypeError, match="seed must not be None"):
        pd.Series(["a"]).hashwell.ticket(None)
    with pytest.raises(ValueError, match="group_by must name at least one column"):
        people(3).hashwell.tickets([], seed=1)
    for series in (pd.Series(["a", 1]), pd.Series([2**70])):
        with pytest.raises(TypeError, match="integers of at most 64 bits, all of one type"):
            series.hashwell.ticket(1)
    with pytest.raises(ValueError, match="group_by: 2 columns are called 'a'"):
        pd.DataFrame([["x", "y"]], columns=["a", "a"]).hashwell.tickets("a", seed=1)
    with pytest.raises(KeyError, match="missing"):
        people(3).hashwell.tickets("missing", seed=1)


def test_digests_of_some_columns_convert_only_these() -> None:
    mixed = pd.DataFrame([[1, 1, "a"], [2, "b", "c"]], columns=["id", "mixed", "mixed"], index=["p", "q"])
    expected = hashwell.hash_rows(pa.table({"id": [1, 2]}), hex=True)
    found = mixed.hashwell.row_digests(columns=["id"], hex=True)
    assert found.to_list() == pa.array(expected).to_pylist() and list(found.index) == ["p", "q"]


def test_unused_columns_may_have_the_same_name() -> None:
    frame = pd.DataFrame([[1, 2, 3], [3, 4, 5]], columns=["a", "b", "b"])
    assert len(hashwell.sample(frame, 1, seed=1, group_by="a")) == 1
    with pytest.raises(ValueError, match="Duplicate column names"):
        hashwell.sample(frame, 1, seed=1, group_by="b")
