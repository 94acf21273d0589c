"""hashwell.polars: the namespace gives the same results as hashwell's functions, in every engine of Polars."""

import hashlib
import random
import subprocess

import pytest

import hashwell
from hashwell import _command

pl = pytest.importorskip("polars", reason="polars is not installed: python/tests/requirements.txt")

import hashwell.polars  # noqa: E402 - after the package that it needs

TEXTS = ["abc", "", None, "Zoë", "x" * 500, "\x00"]
ENGINES = ("in-memory", "streaming")
SHARES = {"train": 0.6, "none": 0, "valid": "0.25", "test": 0.15}


def people(rows: int = 3000) -> "pl.DataFrame":
    made = random.Random(1)
    return pl.DataFrame({
        "user": [made.choice(["", None, "Zoë", *(f"u{n}" for n in range(300))]) for _ in range(rows)],
        "number": [made.choice([None, made.randrange(-99, 99), 2**62]) for _ in range(rows)],
        "flag": [made.choice([True, False, None]) for _ in range(rows)],
        "state": pl.Series([f"s{n % 4}" for n in range(rows)], dtype=pl.Categorical),
        "id": range(rows),
    })


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [pl.String, pl.Binary, pl.Categorical])
def test_digests_are_hashlibs(engine, kind) -> None:
    expected = [None if text is None else hashlib.sha256(text.encode()).digest() for text in TEXTS]
    column = pl.Series("text", TEXTS, pl.String).cast(kind)
    query = pl.LazyFrame({"text": column}).select(pl.col("text").hashwell.sha256(), hex=pl.col("text").hashwell.sha256(hex=True))
    assert query.collect_schema() == {"text": pl.Binary, "hex": pl.String}
    found = query.collect(engine=engine)
    assert found.schema == query.collect_schema()
    assert found["text"].to_list() == expected == column.hashwell.sha256().to_list()
    assert found["hex"].to_list() == [None if digest is None else digest.hex() for digest in expected]


@pytest.mark.parametrize("algorithm, length", [("sha1", None), ("sha3-256", None), ("blake2b-256", None), ("shake128", 10)])
def test_other_algorithms(algorithm, length) -> None:
    found = pl.select(pl.lit(pl.Series(TEXTS)).hashwell.digest(algorithm, length=length)).to_series()
    assert found.to_list() == hashwell.hash_many(algorithm, pl.Series(TEXTS), length=length).to_pylist()


def test_digests_are_those_of_polars_hash() -> None:
    plh = pytest.importorskip("polars_hash", reason="polars-hash is not installed: python/tests/requirements.txt")
    frame = pl.DataFrame({"text": TEXTS})
    ours = frame.select(pl.col("text").hashwell.sha256(hex=True))["text"]
    assert ours.to_list() == frame.select(plh.col("text").chash.sha2_256())["text"].to_list()


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_without_values(engine) -> None:
    for values, kind in (([], pl.String), ([None, None], pl.String), ([None], pl.Null)):
        query = pl.LazyFrame({"a": pl.Series(values, dtype=kind)})
        found = query.select(
            pl.col("a").hashwell.sha256(),
            ticket=pl.col("a").hashwell.ticket(1),
            pair=pl.struct("a", b="a").hashwell.ticket(1),
            row=pl.struct("a").hashwell.row_digest(),
        ).collect(engine=engine)
        assert found.dtypes == [pl.Binary] * 4
        assert found["a"].null_count() == len(values) and found["ticket"].null_count() == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("names", [["user"], ["number"], ["flag"], ["state"], ["user", "number", "flag", "state"]])
def test_the_smallest_tickets_are_the_sample(engine, names) -> None:
    frame = people()
    key = pl.col(names[0]) if len(names) == 1 else pl.struct(names)
    tickets = frame.lazy().with_columns(t=key.hashwell.ticket("0877", context="c")).collect(engine=engine)
    assert tickets["t"].null_count() == 0 and tickets["t"].bin.size().unique().to_list() == [16]
    least = tickets["t"].unique().sort()[:2]
    expected = hashwell.sample(frame, 2, group_by=names, seed="0877", context="c")
    assert tickets.filter(pl.col("t").is_in(least.implode())).drop("t").equals(expected)


def test_null_and_the_empty_string_have_one_ticket() -> None:
    tickets = pl.Series(["", None]).hashwell.ticket(1)
    assert tickets[0] == tickets[1]
    assert pl.Series(["42"]).hashwell.ticket(1)[0] == pl.Series([42]).hashwell.ticket("1")[0]
    assert pl.Series(["a"]).hashwell.ticket(1)[0] != pl.Series(["a"]).hashwell.ticket(2)[0]


@pytest.mark.parametrize("options", [
    {"n": 7}, {"n": 7, "group_by": "user"}, {"probability": 0.1}, {"every": 500}, {"n": 2, "stratify": "flag"},
    {"n": 5, "order": "draw"}, {"n": 9, "replace": True},
])  # fmt: skip
def test_samples(options) -> None:
    frame = people()
    expected = hashwell.sample(frame, **options, seed="0877")
    assert frame.hashwell.sample(**options, seed="0877").equals(expected)
    query = frame.lazy().filter(pl.col("id") >= 0)
    assert query.hashwell.sample(**options, seed="0877").equals(expected)


def test_a_sample_of_a_query_of_several_batches(tmp_path) -> None:
    frame = pl.concat([people()] * 100)
    frame.write_parquet(tmp_path / "rows.parquet", row_group_size=10_000)
    query = pl.scan_parquet(tmp_path / "rows.parquet")
    assert query.hashwell.sample(50, seed=3).equals(hashwell.sample(frame, 50, seed=3))


def test_a_sample_of_no_rows() -> None:
    query = people().lazy().filter(pl.col("id") < 0)
    assert query.hashwell.sample(3, seed=1, exact=False).equals(people(0).cast(dict(people(1).schema)))
    with pytest.raises(ValueError, match="only 0 rows, not 3"):
        query.hashwell.sample(3, seed=1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("names", ["user", ["user", "number"]])
def test_splits(engine, names) -> None:
    frame = people()
    expected = hashwell.split(frame, SHARES, group_by=names, seed="0877", context="c")
    assert [part.height > 0 for part in expected.values()] == [True, False, True, True]
    arrow = hashwell.split(frame.to_arrow(), SHARES, group_by=names, seed="0877", context="c")
    eager = frame.hashwell.split(SHARES, group_by=names, seed="0877", context="c")
    lazy = frame.lazy().hashwell.split(SHARES, group_by=names, seed="0877", context="c")
    assert list(eager) == list(lazy) == list(expected)
    for name, part in expected.items():
        assert eager[name].equals(part) and lazy[name].collect(engine=engine).equals(part)
        assert part["id"].to_list() == arrow[name]["id"].to_pylist()


@pytest.mark.parametrize("names", [["user"], ["user", "number"], ["state", "flag", "user"]])
def test_several_key_columns_as_in_the_command(names, tmp_path) -> None:
    try:
        command = _command.find()
    except RuntimeError:
        pytest.skip("the command is not installed")
    frame = people().select("id", *names)
    frame.write_parquet(tmp_path / "people.parquet")
    keys = [f"--group-by={name}" for name in names]
    options = ["--seed=0877", "--context=second", *keys, "people.parquet"]

    def run(*line: str) -> None:
        subprocess.run([command, *line, *options], cwd=tmp_path, check=True, capture_output=True)

    def rows(name: str) -> list[int]:
        return pl.read_parquet(tmp_path / f"{name}.parquet")["id"].to_list()

    given = {"group_by": names, "seed": "0877", "context": "second"}
    run("sample", "-n", "5", "-o", "sample.parquet")
    found = frame.hashwell.sample(5, **given)
    assert found["id"].to_list() == frame.lazy().hashwell.sample(5, **given)["id"].to_list() == rows("sample")
    run("split", "--into=train=0.8,test=0.2", "-o", "{}.parquet")
    eager, lazy = (of.hashwell.split({"train": 0.8, "test": 0.2}, **given) for of in (frame, frame.lazy()))
    for name, part in eager.items():
        assert part["id"].to_list() == lazy[name].collect()["id"].to_list() == rows(name)


def test_a_split_groups_by_exact_names() -> None:
    """Polars interprets some names as patterns."""
    frame = pl.DataFrame({"ab": range(100), "^ab$": ["x"] * 100, "*": ["y", "z"] * 50})
    for names in ("^ab$", "*", ["*", "^ab$"], ["^ab$", "ab"], ["*", "*"]):
        expected = hashwell.split(frame, {"a": 0.5, "b": 0.5}, group_by=names, seed=3)
        lazy = frame.lazy().hashwell.split({"a": 0.5, "b": 0.5}, group_by=names, seed=3)
        assert [lazy[part].collect().equals(expected[part]) for part in "ab"] == [True, True], names


def test_queries_run_once() -> None:
    runs: list[int] = []

    def counted(series):
        runs.append(len(series))
        return series

    query = people().lazy().with_columns(pl.col("id").map_batches(counted, return_dtype=pl.Int64))
    for options in ({"bogus": 1}, {"n": -1}):
        with pytest.raises((TypeError, ValueError)):
            query.hashwell.sample(**options, seed=1)
    assert not runs, "wrong arguments are an error before the query runs"
    query.hashwell.sample(3, seed=1)
    assert sum(runs) == 3000


def test_a_part_of_a_split_hashes_each_row_once(monkeypatch) -> None:
    from hashwell import polars as module

    hashed, tickets = [], module._tickets
    monkeypatch.setattr(module, "_tickets", lambda series, prefix: hashed.append(len(series)) or tickets(series, prefix))
    people().lazy().hashwell.split(SHARES, group_by="user", seed=1)["valid"].collect()
    assert sum(hashed) == 3000


def test_row_digests() -> None:
    frame = people(50)
    expected = hashwell.hash_rows(frame).to_pylist()
    assert frame.hashwell.row_digests().to_list() == expected
    assert frame.select(d=pl.struct(frame.columns[::-1]).hashwell.row_digest())["d"].to_list() == expected
    assert frame.hashwell.row_digests(columns=["id"], hex=True).to_list() == list(hashwell.hash_rows(frame, columns=["id"], hex=True))


def test_the_streaming_engine_hashes_batches() -> None:
    """The streaming engine would pass all rows at once to a function that is not elementwise."""
    from hashwell import polars as module

    sizes, digests = [], module._digests

    def counted(series, algorithm, length, hex):
        sizes.append(len(series))
        return digests(series, algorithm, length, hex)

    module._digests = counted
    try:
        query = pl.LazyFrame({"a": ["x"] * 1_000_000}).select(pl.col("a").hashwell.sha256())
        query.collect(engine="streaming")
    finally:
        module._digests = digests
    assert len(sizes) > 1 and sum(sizes) == 1_000_000


def test_a_query_can_be_serialized() -> None:
    import io

    pytest.importorskip("cloudpickle", reason="cloudpickle, which Polars needs for functions, is not installed")
    query = pl.LazyFrame({"a": ["abc"]}).select(pl.col("a").hashwell.sha256(hex=True))
    assert pl.LazyFrame.deserialize(io.BytesIO(query.serialize())).collect().item().startswith("ba7816bf")


@pytest.mark.parametrize("engine", ENGINES)
def test_errors_of_queries(engine) -> None:
    query = pl.LazyFrame({"a": [1.5]})
    for expression, said in (
        (pl.col("a").hashwell.sha256(), "expected strings or bytes, not Float64"),
        (pl.col("a").hashwell.ticket(1), "must be strings, bytes, integers or booleans, not Float64"),
        (pl.col("a").hashwell.row_digest(), "expected structs, not Float64"),
        (pl.lit(pl.Series([{}], dtype=pl.Struct({}))).hashwell.ticket(1), r"must be strings, bytes, integers or booleans, not Struct"),
    ):
        with pytest.raises(TypeError, match=said):
            query.select(expression).collect(engine=engine)


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="sha257"):
        pl.col("a").hashwell.digest("sha257")
    with pytest.raises(TypeError, match="pass a length"):
        pl.col("a").hashwell.digest("shake128")
    with pytest.raises(ValueError, match="sha257"):
        pl.col("a").hashwell.row_digest(algorithm="sha257")
    with pytest.raises(TypeError, match="seed must not be None"):
        pl.col("a").hashwell.ticket(None)
    query = people().lazy()
    with pytest.raises(TypeError, match="group_by must name at least one column"):
        query.hashwell.split(SHARES, group_by=[], seed=1)
    with pytest.raises(TypeError, match="group_by.* must be column names"):
        query.hashwell.split(SHARES, group_by=3, seed=1)
    with pytest.raises(ValueError, match="add up to 1"):
        query.hashwell.split({"a": 0.5}, group_by="user", seed=1)
