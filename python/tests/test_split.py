"""hashwell.split returns the same parts as the command, for every kind of object."""

import csv
import importlib
import json
import subprocess
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import hashwell
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hashwell import _command

try:
    COMMAND: str = _command.find()
except RuntimeError:
    pytest.skip("the command is not installed", allow_module_level=True)

SHARES = {"train": 0.8, "val": "1/10", "test": Fraction(1, 10)}
TABLE = {
    "user": [str(i % 50) for i in range(500)],
    "label": ["yes" if i % 7 == 0 else "no" for i in range(500)],
    "i": list(range(500)),
}
RULES = [
    {},
    {"exact": True},
    {"group_by": "user"},
    {"group_by": "user", "exact": True},
    {"stratify": "label"},
    {"group_by": "user", "stratify": "label"},
    {"stratify": ["label", "user"]},
    {"group_by": ["user", "label"], "context": "again"},
]


def numbers(parts: dict[str, object]) -> dict[str, list[int]]:
    return {name: [int(i) for i in part["i"]] for name, part in parts.items()}  # type: ignore[index]


@pytest.mark.parametrize("rule", RULES, ids=json.dumps)
def test_every_kind_of_table_and_the_command_have_the_same_parts(rule: dict, tmp_path: Path) -> None:
    rows = [dict(zip(TABLE, row, strict=True)) for row in zip(*TABLE.values(), strict=True)]
    spec = {name: tuple(value) if isinstance(value, list) else value for name, value in rule.items()}
    of_rows = hashwell.split(rows, SHARES, seed="s", **spec)
    expected = {name: [row["i"] for row in part] for name, part in of_rows.items()}
    assert sorted(i for part in expected.values() for i in part) == TABLE["i"]
    assert all(part == sorted(part) for part in expected.values())
    if rule.get("exact") or "stratify" in rule:
        assert [len(part) for part in expected.values()] == [400, 50, 50]
    for table in (pyarrow.table(TABLE), pandas.DataFrame(TABLE), polars.DataFrame(TABLE)):
        parts = hashwell.split(table, SHARES, seed="s", **rule)
        assert type(next(iter(parts.values()))) is type(table)
        assert {name: [int(str(i)) for i in part["i"]] for name, part in parts.items()} == expected
    pyarrow.parquet.write_table(pyarrow.table(TABLE), tmp_path / "t.parquet")
    options = [f"--into={','.join(f'{name}={share}' for name, share in SHARES.items())}", "--seed=s", "--as=csv"]
    for name in ("group_by", "stratify"):
        given = rule.get(name, [])
        options += [f"--{name.replace('_', '-')}={column}" for column in ([given] if isinstance(given, str) else given)]
    options += ["--exact"] * bool(rule.get("exact")) + [f"--context={rule.get('context', '')}"]
    subprocess.run([COMMAND, "split", *options, "-o", "{}.csv", "t.parquet"], cwd=tmp_path, check=True, capture_output=True)
    for name, part in expected.items():
        with open(tmp_path / f"{name}.csv", newline="") as file:
            assert [int(row["i"]) for row in csv.DictReader(file)] == part


def test_sequences_arrays_and_streams() -> None:
    expected = hashwell.split(list(range(100)), SHARES, seed=7)
    assert sorted(sum(expected.values(), [])) == list(range(100))
    arrays = hashwell.split(numpy.arange(100), SHARES, seed=7)
    assert {name: part.tolist() for name, part in arrays.items()} == expected
    assert hashwell.split((i for i in range(100)), SHARES, seed=7) == expected
    batches = pyarrow.table({"i": list(range(100))}).to_batches(max_chunksize=30)
    chunks = hashwell.split(iter(batches), SHARES, seed=7)
    assert {name: part["i"].to_pylist() for name, part in chunks.items()} == expected
    groups = [i // 10 for i in range(100)]
    parts = hashwell.split(list(range(100)), SHARES, seed=7, group_by=groups)
    assert all(len(part) % 10 == 0 for part in parts.values())
    assert parts == hashwell.split(list(range(100)), SHARES, seed=7, group_by=lambda i: i // 10)


def test_every_row_has_the_same_probability_of_a_part() -> None:
    labels, counts, runs = ["rare", *["common"] * 9], Counter(), 2000
    for seed in range(runs):
        parts = hashwell.split(list(range(10)), {"train": 0.7, "test": 0.3}, seed=seed, stratify=labels)
        assert len(parts["test"]) == 3
        counts.update(parts["test"])
    # Five standard deviations.
    assert all(abs(count - 0.3 * runs) < 5 * (runs * 0.21) ** 0.5 for count in counts.values())


@pytest.mark.parametrize(
    ("shares", "options", "message"),
    [
        ({}, {}, "at least one part"),
        ({"a": 0.5, "b": 0.4}, {}, "add up to 1"),
        ({"a": "x"}, {}, "must be a number"),
        ({"a": -1, "b": 2}, {}, "0 or more"),
        ({"a": 1}, {"group_by": [1, 2]}, "one value for each row"),
        ({"a": 1}, {"group_by": lambda row: 0.5}, "convert them"),
    ],
)
def test_refusals(shares: dict, options: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        hashwell.split([1, 2, 3], shares, seed="s", **options)


def test_sums_of_shares_are_shown_exactly() -> None:
    for shares, shown in (({"a": 0.9, "b": 1 - 0.9}, "0.99999999999999998"), ({"a": "1/3"}, "1/3"), ({"a": 2}, "2"), ({"a": "0.05"}, "0.05")):
        with pytest.raises(ValueError, match=f'add up to 1, not {shown}: .* as strings or fractions such as "1/3"'):
            hashwell.split([1], shares, seed=1)
    with pytest.raises(ValueError, match="must be a number"):
        hashwell.split([1], {"a": "1/0"}, seed=1)


def test_a_second_split_warns() -> None:
    shares = {"a": 0.5, "b": 0.5}
    users = [f"u{i}" for i in range(2000)]
    part = hashwell.split(users, shares, seed=1, group_by=users)["b"]
    table = pyarrow.table({"user": part, "other": part})
    duck = pytest.importorskip("duckdb")
    for name in ("duckdb", "pandas", "polars"):
        importlib.import_module(f"hashwell.{name}")
    calls = [
        lambda **options: hashwell.split(part, shares, group_by=part, **options),
        lambda **options: hashwell.split(iter(part), shares, group_by=lambda user: user, **options),
        lambda **options: hashwell.split(table, shares, group_by="user", **options),
        lambda **options: hashwell.split(table.to_pandas(), shares, group_by="user", **options),
        lambda **options: table.to_pandas().hashwell.split(shares, group_by="user", **options),
        lambda **options: polars.DataFrame(table).hashwell.split(shares, group_by="user", **options),
        lambda **options: hashwell.duckdb.split(duck.from_arrow(table), shares, group_by="user", **options),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="give each step its own context"):
            assert len(call(seed=1)["a"]) == 0
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for options in ({"seed": 2}, {"seed": 1, "context": "second"}, {"seed": None}, {"seed": 1, "exact": True}):
                assert abs(len(call(**options)["a"]) - len(part) / 2) < 80


def test_shares_must_be_a_mapping() -> None:
    for shares in ([("a", 0.5), ("b", 0.5)], "a=0.5,b=0.5"):
        with pytest.raises(TypeError, match="shares must map names to shares"):
            hashwell.split([1, 2], shares, seed="s")  # type: ignore[arg-type]
