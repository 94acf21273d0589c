"""The comparison of DataFrames finds the same rows as hashwell.diff."""

import datetime
from decimal import Decimal

import pytest

import hashwell

pytest.importorskip("pyspark")
import hashwell.spark  # noqa: E402

SCHEMA = "id int, name string, price double, cost decimal(10, 2), day date, tags array<string>, place struct<x: int, y: string>"


def row(number: int) -> tuple:
    return (
        number,
        None if number % 7 == 0 else f"name {number % 5} ",
        float("nan") if number % 11 == 0 else number / 4,
        Decimal(number) / 100,
        datetime.date(2026, 1, 1) + datetime.timedelta(days=number % 30),
        [str(number), "b"],
        (number, "y"),
    )


def old_rows() -> list[tuple]:
    # A null key is a key.
    return [row(number) for number in range(300)] + [(None, "zoe", -0.0, None, None, None, None)]


def new_rows() -> list[tuple]:
    found = [row(number) for number in range(20, 320)] + [(None, "zoe", 0.0, None, None, [], (None, None))]
    found[5] = (25, "NAME 0", *row(25)[2:])
    found[6] = (26, "name 1 ", 6.5000001, *row(26)[3:])
    found[7] = (*row(27)[:5], ["27", None], (28, "y"))
    return found


def found_by(found: hashwell.spark.FrameDiff) -> dict[str, list]:
    """Return the rows of the result by kind, sorted by their text, which also sorts nulls."""
    kinds = {"removed": [], "added": [], "changed": []}
    for one in found.rows.collect():
        kinds[one.change].append((one.columns, one.old and one.old.asDict(True), one.new and one.new.asDict(True)))
    return {kind: sorted(rows, key=repr) for kind, rows in kinds.items()}


def expected_by(found: hashwell.TableDiff) -> dict[str, list]:
    old, new = (side.to_pylist() for side in found._page.sides)
    changed = [(list(change.cells), a, b) for change, a, b in zip(found.changed, old, new, strict=True)]
    rows = {
        "removed": [(None, one, None) for one in found.removed.to_pylist()],
        "added": [(None, None, one) for one in found.added.to_pylist()],
        "changed": changed,
    }
    return {kind: sorted(each, key=repr) for kind, each in rows.items()}


OPTIONS = [
    {},
    {"ignore": ["tags", "place"]},
    {"ignore_case": True, "trim": True},
    {"tolerance": 1e-6},
    {"tolerance": {"price": 0.5}, "ignore": "name"},
    {"key": ["id", "name"]},
    {"duplicates": "multiset", "key": "day"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_same_rows_as_on_one_machine(session, options):
    a = session.createDataFrame(old_rows(), SCHEMA)
    b = session.createDataFrame(new_rows(), SCHEMA)
    options = {"key": "id", **options}
    expected = hashwell.diff(a.toArrow(), b.toArrow(), **options)
    assert expected.changed or options.get("duplicates")
    for tasks in (None, 1, 13):
        found = hashwell.spark.diff(a.repartition(5), b.repartition(3), tasks=tasks, **options)
        assert repr(found_by(found)) == repr(expected_by(expected)), tasks
        assert found.only == ([], [])


def test_renamed_columns_and_columns_of_one_table(session):
    a = session.createDataFrame([(1, "x", 2), (2, "y", 3)], "`i d` int, `a.b` string, gone int")
    b = session.createDataFrame([(1, "z", 2), (3, "y", 3)], "id int, `a.b` string, new int")
    found = hashwell.spark.diff(a, b, "id", rename={"i d": "id"})
    assert found.only == (["gone"], ["new"])
    assert found_by(found) == {
        "removed": [(None, {"id": 2, "a.b": "y"}, None)],
        "added": [(None, None, {"id": 3, "a.b": "y"})],
        "changed": [(["a.b"], {"id": 1, "a.b": "x"}, {"id": 1, "a.b": "z"})],
    }


def test_keys_of_different_integer_and_decimal_types(spark):
    numbers = [0, 1, -5, 2**53, 2**53 + 1, 10**17 + 1]
    a = spark.createDataFrame([(number, "a") for number in numbers], "id long, v string")
    for kind in ("decimal(38, 0)", "decimal(20, 0)", "decimal(38, 9)"):
        b = a.selectExpr(f"CAST(id AS {kind}) AS id", "v")
        expected = hashwell.diff(a.toArrow(), b.toArrow(), key="id")
        found = hashwell.spark.diff(a, b, "id")
        assert found_by(found) == expected_by(expected), kind
    small = spark.createDataFrame([(1, "a"), (2, "b")], "id int, v string")
    assert [one.change for one in hashwell.spark.diff(small, a.filter("id = 1"), "id").rows.collect()] == ["removed"]


def test_no_rows(session):
    some = session.createDataFrame([(1, "x")], "id int, v string")
    none = some.filter("id > 1")
    assert found_by(hashwell.spark.diff(none, none, "id")) == {"removed": [], "added": [], "changed": []}
    assert found_by(hashwell.spark.diff(some, none, "id"))["removed"] == [(None, {"id": 1, "v": "x"}, None)]
    assert found_by(hashwell.spark.diff(none, some, "id"))["added"] == [(None, None, {"id": 1, "v": "x"})]


def test_many_results_of_one_task(spark):
    a = spark.range(25_000).selectExpr("id", "id AS v")
    found = hashwell.spark.diff(a, a.selectExpr("id", "v + 1 AS v"), "id", tasks=1)
    assert found.rows.filter("change = 'changed' AND new.v = old.v + 1 AND columns = array('v')").count() == 25_000


def test_what_is_refused(spark):
    a = spark.createDataFrame([(1, "x"), (1, "y")], "id int, v string")
    with pytest.raises(ValueError, match="tasks must be at least 1, not 0"):
        hashwell.spark.diff(a, a, "id", tasks=0)
    with pytest.raises(ValueError, match="key: the first table has no column 'no'"):
        hashwell.spark.diff(a, a, "no")
    with pytest.raises(ValueError, match="key must name at least one column"):
        hashwell.spark.diff(a, a, [])
    with pytest.raises(TypeError, match="key: the column 'id' has the type int in the first DataFrame and string in the second: cast one"):
        hashwell.spark.diff(a, a.selectExpr("CAST(id AS string) AS id", "v"), "id")
    with pytest.raises(ValueError, match="a streaming DataFrame can't be compared"):
        hashwell.spark.diff(a, spark.readStream.format("rate").load(), "id")
    with pytest.raises(Exception, match="several rows of the first table have the same key {'id': 1}: add columns to key"):
        hashwell.spark.diff(a, a, "id").rows.collect()
