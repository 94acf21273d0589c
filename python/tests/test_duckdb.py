"""hashwell.duckdb: SQL functions give the results of hashwell's own functions."""

import hashlib
import subprocess

import pytest

import hashwell
from hashwell import _command

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: python/tests/requirements.txt")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: python/tests/requirements.txt")

import pyarrow.parquet  # noqa: E402 - after the packages that it needs

import hashwell.duckdb  # noqa: E402
from hashwell import _sql  # noqa: E402

TEXTS = ["abc", "", None, "Zoë", "x" * 500, "\x00"]


@pytest.fixture(params=[1, 4])
def con(request):
    connection = duckdb.connect()
    connection.execute(f"SET threads = {request.param}")
    hashwell.duckdb.register(connection)
    connection.execute("""
        CREATE TABLE people AS SELECT
            CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'Zoë ' || (i * 7919 % 300) END AS name,
            CASE WHEN i % 5 > 0 THEN (i % 31 - 15)::INTEGER END AS number,
            CASE WHEN i % 3 > 0 THEN i % 2 = 0 END AS flag,
            ('s' || i % 4)::ENUM('s0', 's1', 's2', 's3') AS state,
            (i % 9)::HUGEINT AS huge,
            i AS id
        FROM range(300000) r(i)
    """)
    with connection:
        yield connection


def column(relation) -> list:
    return [row[0] for row in relation.fetchall()]


@pytest.mark.parametrize("kind", ["VARCHAR", "BLOB"])
def test_digests_are_hashlibs(con, kind) -> None:
    con.execute(f"CREATE TABLE texts AS SELECT unnest($1)::{kind} AS x", [[t.encode() if t and kind == "BLOB" else t for t in TEXTS]])
    expected = [None if text is None else hashlib.sha256(text.encode()).digest() for text in TEXTS]
    assert column(con.sql("SELECT hw_sha256(x) FROM texts")) == expected
    assert column(con.sql("SELECT hw_digest('sha256', x) FROM texts")) == expected
    expected = [None if text is None else hashlib.sha3_256(text.encode()).digest() for text in TEXTS]
    assert column(con.sql("SELECT hw_digest('sha3-256', x) FROM texts")) == expected
    assert column(con.sql("SELECT count(*) FROM texts WHERE lower(hex(hw_sha256(x))) <> sha256(x)")) == [0]


def test_every_row_has_its_digest_on_all_threads(con) -> None:
    wrong = "lower(hex(hw_sha256(name))) IS DISTINCT FROM sha256(name)"
    assert column(con.sql(f"SELECT count(*) FROM people WHERE {wrong}")) == [0]
    assert column(con.sql("SELECT count(hw_sha256(name)) = count(name) FROM people")) == [True]
    assert column(con.sql("SELECT DISTINCT hex(hw_sha256(state)) = upper(sha256(state::VARCHAR)) FROM people")) == [True]
    assert column(con.sql("SELECT hw_sha256(NULL) FROM range(3)")) == [None] * 3


def test_several_threads_call_the_functions(monkeypatch) -> None:
    import threading

    seen = set()

    def hw_sha256(x):
        seen.add(threading.get_ident())
        return _sql.hw_sha256(x)

    monkeypatch.setattr(hashwell.duckdb, "FUNCTIONS", [hw_sha256])
    with duckdb.connect() as connection:
        connection.execute("SET threads = 4")
        hashwell.duckdb.register(connection)
        connection.execute("CREATE TABLE t AS SELECT i::VARCHAR AS x FROM range(2000000) r(i)")
        connection.sql("SELECT max(hw_sha256(x)) FROM t").fetchall()
    assert len(seen) > 1


@pytest.mark.parametrize("names", [["name"], ["number"], ["flag"], ["state"], ["name", "number"]])
def test_the_smallest_tickets_are_the_sample(con, names) -> None:
    expected = hashwell.duckdb.sample(con.table("people"), 2, group_by=names, seed="0877")
    ticket = f"hw_ticket('0877', {', '.join(names)})"
    least = f"SELECT DISTINCT {ticket} AS t FROM people ORDER BY t LIMIT 2"
    found = con.sql(f"SELECT * FROM people WHERE {ticket} IN ({least}) ORDER BY id").to_arrow_table()
    assert found.to_pylist() == expected.to_pylist() and expected.num_rows > 1
    assert column(con.sql(f"SELECT DISTINCT octet_length({ticket}) FROM people")) == [16]


def test_keys_and_seeds(con) -> None:
    assert con.sql("SELECT hw_ticket(1, NULL) = hw_ticket('1', ''), hw_ticket(1, 'a') = hw_ticket(2, 'a')").fetchall() == [(True, False)]
    assert con.sql("SELECT hw_ticket(1, 42) = hw_ticket(1, '42'), hw_ticket(1, 'a'::BLOB) = hw_ticket(1, 'a')").fetchall() == [(True, True)]
    assert con.sql("SELECT hw_ticket(1, true) = hw_ticket(1, 'true')").fetchall() == [(True,)]


@pytest.mark.parametrize("names", [["name"], ["name", "number"]])
def test_tickets_with_a_context(con, names) -> None:
    expected = hashwell.duckdb.sample(con.table("people"), 2, group_by=names, seed="0877", context="second")
    ticket = f"hw_ticket({{'seed': '0877', 'context': 'second'}}, {', '.join(names)})"
    least = f"SELECT DISTINCT {ticket} AS t FROM people ORDER BY t LIMIT 2"
    found = con.sql(f"SELECT * FROM people WHERE {ticket} IN ({least}) ORDER BY id").to_arrow_table()
    assert found.to_pylist() == expected.to_pylist() and expected.num_rows > 1
    other = hashwell.duckdb.sample(con.table("people"), 2, group_by=names, seed="0877")
    assert other.to_pylist() != expected.to_pylist()
    assert column(con.sql("SELECT hw_ticket({seed: 7, context: ''}, 'a') = hw_ticket(7, 'a')")) == [True]


SHARES = {"train": 0.8, "none": 0, "val": "1/10", "test": 0.1}


@pytest.mark.parametrize("options", [
    {"group_by": "name"}, {"group_by": ["name", "number"], "context": "second"}, {"group_by": "state"}, {},
    {"group_by": "name", "exact": True}, {"stratify": "state"},
])  # fmt: skip
def test_splits(con, options) -> None:
    con.execute("DELETE FROM people WHERE id >= 200000")
    people = con.table("people")
    expected = hashwell.split(people.to_arrow_table(), SHARES, seed="0877", **options)
    found = hashwell.duckdb.split(people, SHARES, seed="0877", **options)
    assert list(found) == list(SHARES)
    for name, part in expected.items():
        assert found[name].to_pylist() == part.to_pylist(), name
        assert found[name].schema.names == part.schema.names


def test_a_split_is_the_commands(con, tmp_path) -> None:
    try:
        command = _command.find()
    except RuntimeError:
        pytest.skip("the command is not installed")
    con.execute("DELETE FROM people WHERE id >= 5000")
    people = con.sql("SELECT id, name, number FROM people ORDER BY id")
    people.write_parquet(str(tmp_path / "people.parquet"))
    options = ["--into=train=0.8,val=1/10,test=0.1", "--seed=0877", "--context=second", "--group-by=name", "--group-by=number"]
    line = [command, "split", *options, "-o", "{}.parquet", "people.parquet"]
    subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
    shares = {name: share for name, share in SHARES.items() if name != "none"}
    found = hashwell.duckdb.split(people, shares, seed="0877", context="second", group_by=["name", "number"])
    for name, part in found.items():
        assert part["id"].to_pylist() == pyarrow.parquet.read_table(tmp_path / f"{name}.parquet")["id"].to_pylist()


def test_wrong_splits(con) -> None:
    people = con.table("people")
    for error, said, options in [
        (ValueError, "no columns are called 'nobody'", {"group_by": "nobody"}),
        (TypeError, "must be column names", {"group_by": []}),
        (TypeError, "must be strings, bytes, integers or booleans", {"group_by": "huge"}),
        (TypeError, "context must be str", {"group_by": "name", "context": 1}),
    ]:
        with pytest.raises(error, match=said):
            hashwell.duckdb.split(people, {"a": 1}, seed=1, **options)
    with pytest.raises(ValueError, match="add up to 1"):
        hashwell.duckdb.split(people, {"a": 0.5}, group_by="name", seed=1)
    nothing = hashwell.duckdb.split(con.sql("FROM people WHERE id < 0"), {"a": 0.5, "b": 0.5}, group_by="name", seed=1)
    assert [part.num_rows for part in nothing.values()] == [0, 0] and nothing["a"].schema.names == people.columns


def test_row_digests(con) -> None:
    con.execute("DELETE FROM people WHERE id >= 5000")
    people = con.table("people")
    expected = hashwell.hash_rows(people.to_arrow_table()).to_pylist()
    assert column(con.sql("SELECT hw_row_digest(people) FROM people ORDER BY people.id")) == expected
    struct = "{id: id, state: state, huge: huge, flag: flag, number: number, name: name}"
    assert column(con.sql(f"SELECT hw_row_digest({struct}) FROM people")) == expected
    declared = hashwell.hash_rows(people.to_arrow_table(), columns=["number", "name"], order="declared").to_pylist()
    assert column(con.sql("SELECT hw_row_digest(number, name) FROM people")) == declared
    one = hashwell.hash_rows(people.to_arrow_table(), columns=["name"]).to_pylist()
    assert column(con.sql("SELECT hw_row_digest(name) FROM people")) == one
    nothing = "SELECT hw_row_digest(CASE WHEN i > 0 THEN {a: i, b: 'x'} END) = hw_row_digest({a: NULL, b: NULL}) FROM range(2) r(i)"
    assert column(con.sql(nothing)) == [True, False]


@pytest.mark.parametrize("options", [
    {"n": 7}, {"n": 7, "group_by": "name"}, {"probability": 0.001}, {"every": 50_000}, {"n": 2, "stratify": "flag"},
    {"n": 5, "order": "draw"},
])  # fmt: skip
def test_samples(con, options) -> None:
    found = hashwell.duckdb.sample(con.table("people"), **options, seed="0877")
    expected = hashwell.sample(con.table("people").to_arrow_table(), **options, seed="0877")
    assert found.to_pylist() == expected.to_pylist()
    assert column(con.sql("SELECT count(*) FROM found")) == [found.num_rows] and found.num_rows > 2


def test_a_sample_of_no_rows(con) -> None:
    with pytest.raises(ValueError, match="only 0 rows, not 3"):
        hashwell.duckdb.sample(con.sql("FROM people WHERE id < 0"), 3, seed=1)


def test_register_again(con) -> None:
    hashwell.duckdb.register(con)
    assert column(con.sql("SELECT hw_sha256('abc')")) == [hashlib.sha256(b"abc").digest()]
    cursor = con.cursor()
    assert column(cursor.sql("SELECT hw_sha256('abc')")) == [hashlib.sha256(b"abc").digest()]
    with pytest.raises(duckdb.CatalogException, match="hw_sha256"):
        hashwell.duckdb.register(cursor)


@pytest.mark.parametrize("call, said", [
    ("hw_sha256(1.5)", "expected strings or bytes, not decimal"),
    ("hw_digest('sha257', 'a')", "sha257"),
    ("hw_digest('shake128', 'a')", "pass a length"),
    ("hw_digest(NULL, 'a')", "the algorithm must be the same for all rows and not NULL"),
    ("hw_ticket(NULL, 'a')", "the seed must be the same for all rows and not NULL"),
    ("hw_ticket(name, 'a')", "the seed must be the same for all rows"),
    ("hw_ticket({seed: 1, other: 'x'}, 'a')", "not a STRUCT of seed, other"),
    ("hw_ticket([1, 2], 'a')", "the seed must be a single value, not list"),
    ("hw_ticket({seed: 1, context: name}, 'a')", "the context must be the same for all rows"),
    ("hw_ticket(1, 1.5)", "must be strings, bytes, integers or booleans, not decimal"),
    ("hw_ticket(1, huge)", "must be strings, bytes, integers or booleans, not decimal"),
])  # fmt: skip
def test_errors(con, call, said) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=said):
        con.sql(f"SELECT {call} FROM people").fetchall()


def test_a_ticket_needs_a_key(con) -> None:
    with pytest.raises(duckdb.Error, match="hw_ticket"):
        con.sql("SELECT hw_ticket(1)").fetchall()
    with pytest.raises(TypeError, match="hw_ticket takes a seed and at least one column"):
        _sql.hw_ticket(pa.array([1]))
