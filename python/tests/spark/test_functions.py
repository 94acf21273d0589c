"""hashwell.spark.register: SQL functions return the results of hashwell's own functions and of those of DuckDB."""

import hashlib
import re

import duckdb
import pyspark.sql.functions
import pytest
from pyspark.errors import PythonException

import hashwell.duckdb
import hashwell.spark

from .rows import rows

SEED, N = "0877", 300
TYPES = [
    "id",
    "CASE id % 7 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE CONCAT('Zoë ', id * 79 % 30) END AS name",
    "IF(id % 5 = 0, NULL, CAST(CONCAT('b', id % 11) AS BINARY)) AS data",
    "IF(id % 3 = 0, NULL, CAST(id % 13 - 6 AS INT)) AS number",
    "IF(id % 4 = 0, NULL, id % 2 = 0) AS flag",
    "CAST(id * 7 % 50 / 8 AS DECIMAL(12, 3)) AS size",
    "DATE_ADD(DATE '2026-01-31', CAST(id % 40 AS INT)) AS day",
]


def ready(session):
    """Registers the functions, and the view `t` with columns of several types. Returns a function that runs SQL."""
    hashwell.spark.register(session)
    session.range(0, N, 1, 3).selectExpr(*TYPES).createOrReplaceTempView("t")
    return lambda query: [tuple(map(plain, row)) for row in session.sql(query).collect()]


def plain(value):
    return bytes(value) if isinstance(value, bytearray) else value


@pytest.fixture
def sql(session):
    """Runs SQL in Spark, and in Spark through Connect."""
    return ready(session)


@pytest.fixture
def classic(spark):
    """Runs SQL in Spark without Connect."""
    return ready(spark)


def columns(query, calls: list[str], view: str = "t") -> dict[str, list]:
    """The values of some expressions, in the order of the column `id`. A single query computes all of them."""
    found = query(f"SELECT id, {', '.join(calls)} FROM {view}")
    _, *values = zip(*sorted(found, key=lambda row: row[0]), strict=True)
    return dict(zip(calls, map(list, values), strict=True))


def ids(df) -> list[int]:
    return sorted(row.id for row in df.select("id").collect())


def test_digests_are_hashlibs(sql) -> None:
    for name in "name", "data":
        calls = {
            f"hw_sha256({name})": hashlib.sha256, f"hw_digest('sha256', {name})": hashlib.sha256,
            f"hw_digest('blake2b', {name})": hashlib.blake2b,
        }  # fmt: skip
        found = columns(sql, [name, *calls])
        values = [value.encode() if isinstance(value, str) else value for value in found[name]]
        assert None in values and len(set(values)) > 10
        for call, algorithm in calls.items():
            assert found[call] == [None if value is None else algorithm(value).digest() for value in values], call


def test_digests_of_constants(sql) -> None:
    digest = hashlib.sha256(b"abc").digest()
    named = "hw_digest(x => 'abc', algorithm => 'sha256')"
    calls = ["hw_sha256('abc')", "hw_sha256(NULL)", "HW_SHA256(X'616263')", named]
    # Spark allows strings that are not UTF-8, and its own function also hashes their bytes.
    invalid = "hw_sha256(CAST(X'FF' AS STRING)) = UNHEX(SHA2(X'FF', 256))"
    assert sql(f"SELECT {', '.join(calls)}, {invalid}") == [(digest, None, digest, digest, True)]


ROW_DIGESTS = ["hw_row_digest(name)", "hw_row_digest(number, name)", "hw_row_digest(size, day, flag, data, id)"]


def test_row_digests(session, sql) -> None:
    df = session.table("t")
    table = df.toArrow().sort_by("id")
    expected = hashwell.hash_rows(table).to_pylist()
    by_spark = hashwell.spark.hash_rows(df).select("id", "digest").collect()
    assert [plain(row.digest) for row in sorted(by_spark)] == expected and len(set(expected)) == N
    structs = [f"hw_row_digest(struct({fields}))" for fields in ("*", "t.*", "day, size, number, name, flag, data, id")]
    found = columns(sql, [*structs, *ROW_DIGESTS, "hw_row_digest(*)"])
    for call in structs:
        assert found[call] == expected, call
    for call in *ROW_DIGESTS, "hw_row_digest(*)":
        names = table.column_names if "*" in call else call[len("hw_row_digest(") : -1].split(", ")
        assert found[call] == hashwell.hash_rows(table, columns=names, order="declared").to_pylist(), call


def test_row_digests_of_null_structs(sql) -> None:
    row = "IF(id > 0, NAMED_STRUCT('a', id, 'b', 'x'), NULL)"
    same = f"hw_row_digest({row}) = hw_row_digest(NAMED_STRUCT('a', NULL, 'b', NULL))"
    assert columns(sql, [same])[same] == [True] + [False] * (N - 1)


def test_row_digests_of_other_types(spark, classic) -> None:
    """Lists, structs, maps and times. Spark sends a VARIANT as a struct, but it is not a row."""
    df = rows(spark, 100).selectExpr("*", "PARSE_JSON(CONCAT('[', id, ']')) AS variant")
    df.createOrReplaceTempView("other")
    table = df.toArrow().sort_by("id")
    found = columns(classic, ["hw_row_digest(struct(*))", "hw_row_digest(variant)"], "other")
    assert found["hw_row_digest(struct(*))"] == hashwell.hash_rows(table).to_pylist()
    declared = hashwell.hash_rows(table, columns=["variant"], order="declared")
    assert found["hw_row_digest(variant)"] == declared.to_pylist()


CALLS = [
    "hw_sha256(name)", "hw_sha256(data)", "hw_digest('blake3', name)", "hw_digest('sha3-512', data)", *ROW_DIGESTS,
    "hw_ticket('0877', name)", "hw_ticket(7, number)", "hw_ticket('0877', name, number)",
    "hw_ticket('0877', data, flag, id)", "hw_ticket('0877', NULL)",
]  # fmt: skip
# SQL of Spark, and SQL of DuckDB.
SAME = {call: call for call in CALLS} | {
    "hw_ticket(NAMED_STRUCT('seed', '0877', 'context', 'second'), name)":
        "hw_ticket({'seed': '0877', 'context': 'second'}, name)",
    "hw_row_digest(struct(*))": "hw_row_digest(t)",
}  # fmt: skip


@pytest.fixture
def duck(spark, classic):
    """Runs SQL in DuckDB with the same functions and the same table."""
    table = spark.table("t").toArrow()
    with duckdb.connect() as connection:
        hashwell.duckdb.register(connection)
        connection.register("t", table)
        yield lambda query: connection.sql(query).fetchall()


def test_the_functions_of_duckdb(sql, duck) -> None:
    found, expected = columns(sql, list(SAME)), columns(duck, list(SAME.values()))
    for ours, theirs in SAME.items():
        assert found[ours] == expected[theirs], ours
        assert len(found[ours]) == N and (len(set(found[ours])) > 1 or "NULL" in ours), ours


SAMPLES = [({"group_by": [name]}, f"hw_ticket('{SEED}', {name})") for name in ("name", "number", "flag", "data")] + [
    ({"group_by": ["name", "number"]}, f"hw_ticket('{SEED}', name, number)"),
    (
        {"group_by": ["name"], "context": "second"},
        f"hw_ticket(NAMED_STRUCT('seed', '{SEED}', 'context', 'second'), name)",
    ),
]


@pytest.mark.parametrize(("options", "ticket"), SAMPLES)
def test_the_smallest_tickets_are_the_sample(spark, classic, options, ticket) -> None:
    expected = ids(hashwell.spark.sample(spark.table("t"), 2, seed=SEED, **options))
    least = f"SELECT DISTINCT {ticket} AS ticket FROM t ORDER BY ticket LIMIT 2"
    found = classic(f"SELECT id, OCTET_LENGTH({ticket}) FROM t WHERE {ticket} IN ({least})")
    assert sorted(row for row, _ in found) == expected and 1 < len(found) < N
    assert {size for _, size in found} == {16}


def test_order_by_ticket(session, sql) -> None:
    everything = [row for (row,) in sql(f"SELECT id FROM t ORDER BY hw_ticket('{SEED}', id)")]
    assert sorted(everything) == list(range(N)) != everything
    for n in 1, 20, N - 1:
        found = [row for (row,) in sql(f"SELECT id FROM t ORDER BY hw_ticket('{SEED}', id) LIMIT {n}")]
        assert found == everything[:n]
        assert sorted(found) == ids(hashwell.spark.sample(session.table("t"), n, group_by="id", seed=SEED))


def test_keys_and_seeds(sql) -> None:
    true = [
        "hw_ticket(1, NULL) = hw_ticket('1', '')", "hw_ticket(1, 42) = hw_ticket(1, '42')",
        "hw_ticket(1, X'61') = hw_ticket(1, 'a')", "hw_ticket(1, true) = hw_ticket(1, 'true')",
        "hw_ticket(NAMED_STRUCT('seed', 7, 'context', ''), 'a') = hw_ticket(7, 'a')",
        "hw_ticket(1, 42Y) = hw_ticket(1, 42L)", "hw_ticket(1, 'a') <> hw_ticket(2, 'a')",
        "hw_ticket(1, 'a', 'b') <> hw_ticket(1, 'ab')",
    ]  # fmt: skip
    assert sql(f"SELECT {', '.join(true)}") == [(True,) * len(true)]


EVERY = (
    "hw_sha256(name), hw_digest('blake3', data), hw_row_digest(struct(*)), hw_row_digest(id, day), "
    "hw_ticket(1, name)"
)


def test_no_rows(session, sql) -> None:
    assert sql(f"SELECT {EVERY} FROM t WHERE id < 0") == []
    session.table("t").limit(0).createOrReplaceTempView("none")
    assert sql(f"SELECT {EVERY} FROM none") == []
    # Some of the partitions have no rows.
    session.table("t").filter("id < 3").repartition(8).createOrReplaceTempView("few")
    found = sorted(sql(f"SELECT id, {EVERY} FROM few"))
    assert found == sorted(sql(f"SELECT id, {EVERY} FROM t WHERE id < 3")) and len(found) == 3


def test_only_nulls(classic) -> None:
    """The type of a column that has only nulls does not matter, as in DuckDB."""
    nulls = [f"CAST(NULL AS {kind})" for kind in ("STRING", "BINARY", "DECIMAL(9, 2)", "DATE")]
    calls = [f"hw_sha256({x}), hw_digest('blake3', {x}), hw_ticket(1, {x}) = hw_ticket(1, '')" for x in nulls]
    assert classic(f"SELECT {', '.join(calls)}") == [(None, None, True) * len(nulls)]


def test_in_other_clauses(sql) -> None:
    groups = len({name for (name,) in sql("SELECT name FROM t")})
    assert len(sql("SELECT COUNT(*) FROM t GROUP BY hw_sha256(name)")) == groups > 10
    ((half,),) = sql("SELECT COUNT(hw_sha256(hw_row_digest(struct(*)))) FROM t WHERE hw_ticket(1, id) < X'80'")
    assert N / 3 < half < N * 2 / 3
    join = "SELECT a.id, b.id FROM t a JOIN t b ON hw_ticket(1, a.id) = hw_ticket(1, b.id)"
    assert sorted(sql(join)) == [(row, row) for row in range(N)]


@pytest.mark.parametrize(("setting", "value"), [("maxRecordsPerBatch", "7"), ("useLargeVarTypes", "true")])
def test_settings_of_batches(spark, classic, setting, value) -> None:
    expected = columns(classic, CALLS)
    spark.conf.set(f"spark.sql.execution.arrow.{setting}", value)
    try:
        assert columns(classic, CALLS) == expected
    finally:
        spark.conf.unset(f"spark.sql.execution.arrow.{setting}")


DIGESTS = (
    "TypeError: expected strings or bytes, not {}: "
    "cast the column, or use row digests, which encode every type"
)
KEYS = "TypeError: keys of tickets must be strings, bytes, integers or booleans, not {}: convert them"
CONSTANT = "ValueError: the {} must be the same for all rows and not NULL"
WRONG = {
    "hw_sha256(number)": DIGESTS.format("int32"), "hw_sha256(size)": DIGESTS.format("decimal128(12, 3)"),
    "hw_sha256(day)": DIGESTS.format("date32[day]"), "hw_ticket(1, size)": KEYS.format("decimal128(12, 3)"),
    "hw_ticket(1, day)": KEYS.format("date32[day]"), "hw_digest(NULL, name)": CONSTANT.format("algorithm"),
    "hw_ticket(NULL, name)": CONSTANT.format("seed"), "hw_ticket(name, name)": CONSTANT.format("seed"),
}  # fmt: skip
WRONG_IN_SPARK = {
    "hw_sha256()": "TypeError: hw_sha256() missing 1 required positional argument: 'x'",
    "hw_sha256(name, data)": "TypeError: hw_sha256() takes 1 positional argument but 2 were given",
    "hw_row_digest()": "TypeError: hw_row_digest takes a struct or at least one column",
    "hw_row_digest(struct())": "TypeError: hw_row_digest takes a struct with at least one field",
    "hw_ticket(1)": "TypeError: hw_ticket takes a seed and at least one column",
    "hw_ticket(ARRAY(1, 2), name)": "TypeError: the seed must be a single value, not list<element: int32 not null>",
    "hw_ticket(NAMED_STRUCT('seed', 1, 'other', 2), name)":
        "TypeError: the first argument of hw_ticket must be a seed or a STRUCT of seed and context, "
        "not a STRUCT of seed, other",
    "hw_ticket(NAMED_STRUCT('seed', 1, 'context', name), name)": CONSTANT.format("context"),
}  # fmt: skip


def line(error: Exception) -> str:
    """The only line of an error that has the type and the message of the exception in the worker."""
    (found,) = re.findall("(?:TypeError|ValueError): .*", str(error))
    return found


def test_wrong_calls(classic, duck) -> None:
    """The line of hashwell is the same as in DuckDB."""
    for call, expected in (WRONG | WRONG_IN_SPARK).items():
        with pytest.raises(PythonException) as raised:
            classic(f"SELECT {call} FROM t WHERE id BETWEEN 10 AND 20")
        assert line(raised.value) == expected, call
        if call in WRONG:
            with pytest.raises(duckdb.InvalidInputException) as refused:
                duck(f"SELECT {call} FROM t")
            assert str(refused.value).endswith(expected), call
    for algorithm, reason in ("sha257", "sha257"), ("shake128", "without a digest size"):
        with pytest.raises(PythonException) as raised:
            classic(f"SELECT hw_digest('{algorithm}', 'a')")
        assert reason in line(raised.value)


def test_an_error_without_traceback(session, sql) -> None:
    """The setting that docs/guides/spark.md names."""
    name = "spark.sql.execution.pyspark.udf.hideTraceback.enabled"
    for value, shown in ("false", True), ("true", False):
        session.conf.set(name, value)
        try:
            with pytest.raises(PythonException) as raised:
                sql("SELECT hw_ticket(1)")
        finally:
            session.conf.unset(name)
        assert line(raised.value) == "TypeError: hw_ticket takes a seed and at least one column"
        assert ("Traceback" in str(raised.value)) == shown


def test_register(spark, monkeypatch) -> None:
    names = ["hw_digest", "hw_row_digest", "hw_sha256", "hw_ticket"]
    fresh = spark.newSession()
    assert not any(fresh.catalog.functionExists(name) for name in names)
    for _ in range(2):
        assert hashwell.spark.register(fresh) is None
        assert all(fresh.catalog.functionExists(name) for name in names)
    # Without an argument, the active session is used.
    active = pyspark.sql.SparkSession.getActiveSession()
    for name in names:
        active.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")
    hashwell.spark.register()
    assert all(active.catalog.functionExists(name) for name in names)
    monkeypatch.setattr(pyspark.sql.SparkSession, "getActiveSession", lambda: None)
    with pytest.raises(ValueError, match="^no active Spark session: pass one as spark=$"):
        hashwell.spark.register()
    with pytest.raises(TypeError, match="^spark must be a SparkSession, not DataFrame$"):
        hashwell.spark.register(spark.range(1))
    monkeypatch.delattr(pyspark.sql.functions, "arrow_udf")
    expected = r"^hashwell.spark.register needs Spark 4.1 or later, .*: Spark [\d.]+ is installed$"
    with pytest.raises(ImportError, match=expected):
        hashwell.spark.register(spark)
