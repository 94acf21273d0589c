"""hashwell.spark.sample and split: the same rows for every partitioning, which are also the rows on one machine."""

import hashlib
import os
import re
import signal
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

import hashwell.spark

from .conftest import ROOT, SLOW
from .rows import first, framed, key_of, rows, ticket, user

sys.path.insert(0, str(ROOT))
SEED = "0877"


def ids(df) -> list[int]:
    return sorted(df.select("id").toArrow()["id"].to_pylist())


@pytest.fixture(scope="module")
def by_the_command(command, tmp_path_factory):
    """The ids that the command picks from the same rows in a CSV file."""
    file = tmp_path_factory.mktemp("rows") / "rows.csv"
    lines = (f"{row},{user(row)},{row % 3}\n" for row in range(6000))
    file.write_text("id,user,g\n" + "".join(lines))

    def picked(*options: object) -> list[int]:
        return sorted(int(line.split(",")[0]) for line in command("sample", *options, file).splitlines()[1:])

    return picked


SHAPES = {
    "1": lambda df: df.repartition(1),
    "4": lambda df: df,
    "8, shuffled": lambda df: df.repartition(8),
    "200, many empty": lambda df: df.repartition(200, "user"),
    "skewed": lambda df: df.repartition(8, "g"),
    "sorted the other way": lambda df: df.orderBy("id", ascending=False),
    "cached": lambda df: df.cache(),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_partitions(spark, by_the_command, shape) -> None:
    expected = by_the_command("-n", 20, "--group-by", "user", "--seed", SEED)
    df = SHAPES[shape](rows(spark))
    assert ids(hashwell.spark.sample(df, 20, group_by="user", seed=SEED)) == expected
    if shape in ("1", "skewed"):
        assert ids(hashwell.spark.sample(df, 20, group_by="user", seed=SEED, one_pass=True)) == expected


def test_connect(remote, by_the_command) -> None:
    expected = by_the_command("-n", 20, "--group-by", "user", "--seed", SEED)
    assert ids(hashwell.spark.sample(rows(remote), 20, group_by="user", seed=SEED)) == expected


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_formats(spark, by_the_command, tmp_path, form) -> None:
    rows(spark).select("id", "user").write.format(form).option("header", True).save(str(tmp_path / form))
    df = spark.read.format(form).option("header", True).load(str(tmp_path / form)).selectExpr("CAST(id AS INT)", "user")
    expected = by_the_command("-n", 20, "--group-by", "user", "--seed", SEED)
    assert ids(hashwell.spark.sample(df, 20, group_by="user", seed=SEED)) == expected


def test_columns_stay_as_they_are(spark) -> None:
    df = rows(spark, 600)
    for one_pass in False, True:
        picked = hashwell.spark.sample(df, 9, group_by="id", seed=SEED, one_pass=one_pass)
        assert picked.schema == df.schema
        wanted = df.filter(f"id IN ({', '.join(map(str, ids(picked)))})")
        assert picked.count() == 9 and picked.orderBy("id").collect() == wanted.orderBy("id").collect()


def test_keys_of_other_types(spark) -> None:
    """Integers, booleans, bytes, null as the empty string, and several columns, compared with hashlib."""
    df = rows(spark, 900).selectExpr(
        "id", "CAST(id % 100 - 50 AS INT) AS i", "id % 2 = 0 AS b", "CAST(user AS BINARY) AS y", "sometimes"
    )
    texts = {
        "i": lambda row: str(row % 100 - 50).encode(),
        "b": lambda row: str(row % 2 == 0).lower().encode(),
        "y": lambda row: user(row).encode(),
        "sometimes": lambda row: b"" if row % 11 == 0 else str(row).encode(),
    }
    key = key_of(SEED)
    for names in ["i"], ["b"], ["y"], ["sometimes"], ["i", "sometimes"]:
        of = {
            row: texts[names[0]](row) if len(names) == 1 else b"".join(framed(texts[name](row)) for name in names)
            for row in range(900)
        }
        # k is large enough that the key of null is picked: a join that ignores nulls would lose its rows.
        null = next(text for row, text in of.items() if row == 11)
        k = sum(ticket(key, text) <= ticket(key, null) for text in set(of.values()))
        wanted = first(set(of.values()), k, key)
        expected = [row for row, text in of.items() if text in wanted]
        assert ids(hashwell.spark.sample(df, k, group_by=names, seed=SEED)) == expected, names


def test_strata(spark) -> None:
    df = rows(spark)
    expected = []
    for label in range(3):
        key = hashlib.sha256(key_of(SEED) + b"\x02" + str(label).encode()).digest()
        mine = [row for row in range(6000) if row % 3 == label]
        wanted = first({user(row).encode() for row in mine}, 5, key)
        expected += [row for row in mine if user(row).encode() in wanted]
    for one_pass in False, True:
        picked = hashwell.spark.sample(df, 5, group_by="user", seed=SEED, stratify="g", one_pass=one_pass)
        assert ids(picked) == sorted(expected)


def test_weights(spark) -> None:
    """Compared with reference/draw.py, for every partitioning."""
    from reference import draw

    key = key_of(SEED)
    sizes = {user(row).encode(): (1 if row % 7 == 0 else row % 500) % 10 for row in range(6000)}

    def time(text: bytes) -> int:
        return draw.exponential(draw.words("counter", hashlib.sha256(key + b"\x06" + text).digest()))

    race = sorted((Fraction(time(text), size), text) for text, size in sizes.items() if size)
    wanted = {text for _, text in race[:30]}
    expected = [row for row in range(6000) if user(row).encode() in wanted]
    for df in rows(spark), rows(spark).repartition(8, "id"), rows(spark).repartition(1):
        assert ids(hashwell.spark.sample(df, 30, group_by="user", seed=SEED, weights="size")) == expected
    one_pass = hashwell.spark.sample(rows(spark), 30, group_by="user", seed=SEED, weights="size", one_pass=True)
    assert ids(one_pass) == expected


def test_weights_of_nothing(spark) -> None:
    df = rows(spark).selectExpr("id", "user", "CAST(0 AS INT) AS nothing")
    assert hashwell.spark.sample(df, 5, group_by="user", seed=SEED, weights="nothing").count() == 0


def test_few_rows(spark) -> None:
    df = rows(spark, 50)
    assert ids(hashwell.spark.sample(df, 1000, group_by="id", seed=SEED)) == list(range(50))
    assert hashwell.spark.sample(df, 0, group_by="id", seed=SEED).count() == 0
    empty = hashwell.spark.sample(df.filter("id < 0"), 5, group_by="id", seed=SEED)
    assert empty.count() == 0 and empty.schema == df.schema


def test_many_rows(spark) -> None:
    """10^7 rows if SLOW=1."""
    n = 10**7 if SLOW else 2 * 10**5
    df = spark.range(0, n, 1, 8)
    key = key_of(SEED)
    picked = ids(hashwell.spark.sample(df, 100, group_by="id", seed=SEED))
    assert set(map(str, picked)) == {text.decode() for text in first({b"%d" % i for i in range(n)}, 100, key)}


# ---------------------------------------------------------------- tasks that fail


def failing(how: str):
    """Passes rows on, but the first attempt of a task fails."""

    def step(batches):
        from pyspark import TaskContext

        attempt = TaskContext.get().attemptNumber()
        if attempt == 0 and how == "raises":
            raise RuntimeError("the first attempt")
        for batch in batches:
            yield batch
            if attempt == 0 and how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
        if attempt == 0 and how == "raises after its output":
            raise RuntimeError("the first attempt")

    return step


@pytest.mark.parametrize("how", ["raises", "raises after its output", "killed"])
def test_a_task_that_is_done_again(spark, by_the_command, how) -> None:
    df = rows(spark).select("id", "user")
    failed = df.mapInArrow(failing(how), df.schema)
    expected = by_the_command("-n", 20, "--group-by", "user", "--seed", SEED)
    assert ids(hashwell.spark.sample(failed, 20, group_by="user", seed=SEED)) == expected


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"group_by": "usr"}, "group_by: no column 'usr'; the columns are id, user, g, size, list"),
        ({"group_by": []}, "group_by must name at least one column"),
        ({"group_by": ["id", "id"]}, "group_by contains 'id' twice"),
        ({"group_by": "size"}, "group_by: column 'size' has the type decimal, whose text differs between engines"),
        ({"group_by": "list"}, "group_by: column 'list' has the type array"),
        ({"stratify": "nested"}, "stratify: column 'nested' has the type struct"),
        ({"weights": "user"}, "weights: column 'user' has the type string"),
        ({"n": -1}, "n must be 0 or more, not -1"),
        ({"replace": True}, "replace is not supported on Spark"),
    ],
)
def test_refused_before_any_job(session, options, said) -> None:
    arguments = {"n": 5, "group_by": "id", "seed": SEED} | options
    df = rows(session)
    df = df.mapInArrow(failing("raises"), df.schema)
    with pytest.raises(ValueError) as error:
        hashwell.spark.sample(df, arguments.pop("n"), **arguments)
    assert str(error.value).startswith(said) and "\n" not in str(error.value)


def test_a_column_that_is_there_twice(spark) -> None:
    df = spark.range(5).selectExpr("id", "id AS id")
    with pytest.raises(ValueError, match="^group_by: 2 columns are called 'id'; rename them$"):
        hashwell.spark.sample(df, 1, group_by="id", seed=SEED)


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ("IF(id = 77, -1, 1)", "b'77' is -1"),
        ("IF(id = 77, NULL, 1)", "b'77' is null"),
        ("CAST('18446744073709551616' AS DECIMAL(20, 0))", r"b'\d+' is 18446744073709551616"),
    ],
)
def test_weights_that_are_none(spark, weight, said) -> None:
    df = spark.range(0, 100, 1, 2).selectExpr("id", f"{weight} AS w")
    with pytest.raises(ValueError) as error:
        hashwell.spark.sample(df, 3, group_by="id", seed=SEED, weights="w")
    rule = "expected at least 0, and less than 2\\^64"
    assert re.fullmatch(f"weights: the weight of the key {said}; {rule}", str(error.value)), error.value


def test_a_key_with_two_weights(session) -> None:
    df = session.range(0, 100, 1, 2).selectExpr("id", "id % 10 AS who", "1 + CAST(id / 50 AS INT) AS w")
    with pytest.raises(Exception, match="rows of (the key|a picked group) .*have different weights"):
        hashwell.spark.sample(df, 3, group_by="who", seed=SEED, weights="w").collect()


# ---------------------------------------------------------------- split


def test_split(session, by_the_command) -> None:
    shares = {"train": 0.8, "test": "0.15", "rest": Decimal("0.05")}
    sides = hashwell.spark.split(rows(session), shares, group_by="user", seed=SEED)
    found = {name: ids(side) for name, side in sides.items()}
    assert found["train"] == by_the_command("-p", "0.8", "--group-by", "user", "--seed", SEED)
    assert sorted(sum(found.values(), [])) == list(range(6000))
    key = key_of(SEED)
    edge = int(0.95 * 2**128)
    assert all(int.from_bytes(ticket(key, user(row).encode()), "big") >= edge for row in found["rest"])
    assert found["test"] and found["rest"]


def test_split_of_nothing_and_all(spark) -> None:
    sides = hashwell.spark.split(rows(spark, 60), {"none": 0, "all": 1, "last": 0}, group_by=["user", "id"], seed=SEED)
    assert {name: side.count() for name, side in sides.items()} == {"none": 0, "all": 60, "last": 0}


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ({}, "shares must name at least one part"),
        ({"a": 0.8, "b": 0.1}, "shares must add up to 1, not 0.9: add a part for the rest, or write shares exactly, .*"),
        ({"a": -0.5, "b": 1.5}, "the share of 'a' must be 0 or more, not -0.5"),
        ({"a": float("nan")}, "the share of 'a' must be a number from 0 to 1, not nan"),
    ],
)
def test_shares_that_are_refused(spark, shares, said) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        hashwell.spark.split(rows(spark), shares, group_by="user", seed=SEED)



def test_groups_are_merged_in_a_tree(spark, capsys):
    """No task gets the groups of all partitions of the table."""
    hashwell.spark.sample(rows(spark), 5, group_by="user", seed=SEED, one_pass=True).explain()
    plan = capsys.readouterr().out
    last, middle, first = (plan.index(text) for text in ("Exchange SinglePartition", "Exchange hashpartitioning", "Scan"))
    # Spark prints the last step first.
    assert plan.count("MapInArrow") == 3 and plan.index("MapInArrow") < last < middle < first
