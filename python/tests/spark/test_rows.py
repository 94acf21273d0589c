"""hash_rows and table_digest on Spark give the same results as on one machine, for every partitioning."""

import re

import pyarrow as pa
import pytest

import hashwell
import hashwell.spark

from .conftest import ROOT, SLOW
from .rows import rows

SCHEMES = ["sorted-sha256", "lthash64-blake3"]


@pytest.fixture(scope="module")
def table(spark):
    """The rows as one Arrow table. Some rows are repeated."""
    return rows(spark, 3000).drop("id").toArrow()


@pytest.mark.parametrize("options", [{}, {"hex": True}, {"algorithm": "blake3", "columns": ["user", "g"]}], ids=str)
def test_hash_rows(session, options) -> None:
    df = rows(session, 500)
    found = hashwell.spark.hash_rows(df, name="h", **options)
    assert found.columns == [*df.columns, "h"]
    table = found.orderBy("id").toArrow()
    expected = hashwell.hash_rows(table.drop_columns(["h"]), **options).to_pylist()
    assert table["h"].to_pylist() == expected and len(set(expected)) > 10


@pytest.mark.parametrize("scheme", SCHEMES)
def test_table_digest(spark, remote, table, scheme) -> None:
    expected = hashwell.table_digest(table, scheme=scheme)
    df = rows(spark, 3000).drop("id")
    shapes = [df, df.repartition(1), df.orderBy("time", ascending=False), rows(remote, 3000, 3).drop("id")]
    if scheme == "sorted-sha256":
        shapes += [df.repartition(200, "user")]
    for shape in shapes:
        found = hashwell.spark.table_digest(shape, scheme=scheme)
        assert (found.hexdigest(), found.rows) == (expected.hexdigest(), 3000)
        assert bytes(found) == bytes(expected) and list(found.columns) == expected.columns
    if scheme == "sorted-sha256":
        assert found.buckets() == expected.buckets()
        for ranges in (2, 256):
            for shape in shapes:
                again = hashwell.spark.table_digest(shape, ranges=ranges)
                assert again == found and again.buckets() == expected.buckets(), ranges
    else:
        assert found.state() == expected


@pytest.mark.parametrize("ranges", [1, 4, 256])
def test_ranges_in_pieces(monkeypatch, table, ranges) -> None:
    """The tasks give the digests of the buckets, for every size of the pieces and every division of the rows."""
    from hashwell.spark import _buckets, _rows

    expected, empty = hashwell.table_digest(table), hashwell.TableDigest(columns=table.column_names)
    empty.update(table.slice(0, 0))
    head, found = _buckets.head(empty), []
    for rows_at_once in (7, 3000):
        sides = [table.slice(begin, rows_at_once) for begin in range(0, len(table), rows_at_once)]
        step = _rows._parts("sorted-sha256", table.column_names, "name", ranges)
        rows = [batch for side in sides for batch in step(side.to_batches())]
        for size in (32, 96, 1 << 22):
            monkeypatch.setattr(_buckets, "_PIECE", size)
            pieces = pa.Table.from_batches(_buckets.sorted_pieces(head, ranges)(rows))
            assert max(map(len, pieces["part"].to_pylist())) <= size
            ordered = pieces.take(pa.array(range(len(pieces))[::-1])).sort_by([(name, "ascending") for name in ("bucket", "range", "place")])
            found.append(pa.Table.from_batches(_buckets.digests_of_pieces(ordered.to_batches(max_chunksize=5))).to_pylist())
    must = [{"bucket": i, "n": n, "digest": digest} for i, (n, digest) in enumerate(expected.buckets()) if n]
    assert all(one == must for one in found)


@pytest.mark.parametrize("form", ["parquet", "orc", "json"])
def test_formats(spark, tmp_path, form) -> None:
    columns = "id", "CONCAT('ü', id % 9) AS t", "id / 4 AS x", "ARRAY(id, NULL) AS list"
    df = spark.range(0, 300, 1, 4).selectExpr(*columns)
    df.write.format(form).save(str(tmp_path / form))
    expected = hashwell.table_digest(df.toArrow())
    again = spark.read.schema(df.schema).format(form).load(str(tmp_path / form))
    assert hashwell.spark.table_digest(again).digest() == expected.digest()


def test_sql_alone(session) -> None:
    """The SQL in docs/guides/tables.md with which Spark computes a digest without hashwell."""
    document = (ROOT / "docs/guides/tables.md").read_text(encoding="utf-8")
    recipe = next(sql for sql in re.findall(r"```sql\n(.*?)```", document, re.DOTALL) if "RETURNS STRING" in sql)
    statements = [statement for statement in recipe.split(";") if statement.strip()]
    # Names of more than 254 bytes, empty names and nulls; numbers of both signs and at the ends of the range.
    numbers = "CASE id % 5 WHEN 0 THEN NULL WHEN 1 THEN -id WHEN 2 THEN 9223372036854775807 ELSE id END"
    names = "CASE id % 7 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN REPEAT('ü', 130) ELSE CONCAT('n', id) END"
    for rows in 600, 0:
        df = session.range(0, rows, 1, 3).selectExpr(f"{numbers} AS id", f"{names} AS name")
        df.createOrReplaceTempView("t")
        for statement in statements[:-1]:
            session.sql(statement)
        ((found,),) = session.sql(statements[-1]).collect()
        table = df.toArrow()
        assert found == hashwell.table_digest(table).hexdigest()
        digests = session.table("hw_rows").toArrow()
        expected = hashwell.hash_rows(digests.drop_columns(["digest"]), hex=True).to_pylist()
        assert digests["digest"].to_pylist() == expected and len(expected) == rows


def test_what_makes_a_difference(spark) -> None:
    df = spark.range(0, 100, 1, 4).selectExpr("id", "id % 7 AS g")
    found = hashwell.spark.table_digest(df)
    others = [
        df.filter("id <> 5"), df.unionAll(df.filter("id = 5")), df.selectExpr("id", "IF(id = 5, 4, g) AS g"),
        df.withColumnRenamed("g", "h"),
    ]
    assert found not in [hashwell.spark.table_digest(other) for other in others]
    assert hashwell.spark.table_digest(df.select("g", "id")) == found
    assert hashwell.spark.table_digest(df.select("g", "id"), order="declared") != found
    assert hashwell.spark.table_digest(df, columns="g") == hashwell.spark.table_digest(df.select("g"))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_rows(spark, table, scheme) -> None:
    expected = hashwell.table_digest(table.slice(0, 0), scheme=scheme)
    for df in rows(spark, 0).drop("id"), rows(spark, 50).drop("id").filter("user = 'none'"):
        found = hashwell.spark.table_digest(df, scheme=scheme)
        assert (found.digest(), found.rows) == (expected.digest(), 0)


def test_many_rows(spark) -> None:
    """10^7 rows if SLOW=1."""
    n = 10**7 if SLOW else 10**5
    df = spark.range(0, n, 1, 8).selectExpr("id", "CAST(id % 1000 AS STRING) AS t")
    expected = hashwell.table_digest(df.toArrow(), threads=0)
    assert hashwell.spark.table_digest(df).digest() == expected.digest()


@pytest.mark.parametrize(
    ("sql", "options", "error", "said"),
    [
        ("id", {"columns": ["x"]}, ValueError, "columns: no column 'x'; the columns are id"),
        ("id, id AS id", {}, ValueError, "2 columns are called 'id'; rename them"),
        ("id, MAKE_INTERVAL(1) AS i", {}, TypeError, "a column cannot be converted to Arrow"),
    ],
)
def test_refused_before_any_job(session, sql, options, error, said) -> None:
    df = session.range(5).selectExpr(*sql.split(", "))
    for function in hashwell.spark.hash_rows, hashwell.spark.table_digest:
        with pytest.raises(error) as raised:
            function(df, **options)
        assert str(raised.value).startswith(said) and "\n" not in str(raised.value)


def test_refusals_of_arguments(spark) -> None:
    df = spark.range(5).selectExpr("id", "id AS digest")
    with pytest.raises(ValueError, match="^name: there is already a column 'digest'; choose another name$"):
        hashwell.spark.hash_rows(df)
    with pytest.raises(ValueError, match="sha257"):
        hashwell.spark.hash_rows(df, algorithm="sha257", name="h")
    with pytest.raises(ValueError, match="unknown scheme 'x'"):
        hashwell.spark.table_digest(df, scheme="x")
    for ranges in (0, 3, 512):
        with pytest.raises(ValueError, match=f"ranges must be a power of two from 1 to 256, not {ranges}"):
            hashwell.spark.table_digest(df, ranges=ranges)
    with pytest.raises(ValueError, match="only sorted-sha256 has ranges, not lthash64-blake3"):
        hashwell.spark.table_digest(df, scheme="lthash64-blake3", ranges=2)


def test_an_error_in_a_worker(session) -> None:
    """A string that is not UTF-8 gives a one-line error instead of Java's stack trace."""
    df = session.range(0, 10, 1, 2).selectExpr("CAST(IF(id = 7, X'FF', X'61') AS STRING) AS t")
    with pytest.raises(ValueError) as raised:
        hashwell.spark.table_digest(df)
    assert "UTF-8" in str(raised.value) and "\n" not in str(raised.value)
