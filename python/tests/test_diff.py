"""hashwell.diff: the differences of two tables by key, as the command finds them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import hashwell
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hashwell import _command

OLD = [{"id": 1, "name": "Ada", "x": 1.5}, {"id": 2, "name": "Bob", "x": 2.0}, {"id": None, "name": "Cid", "x": 3.0}]
NEW = [{"id": None, "name": "Sid", "x": 3.0}, {"id": 4, "name": "Eve", "x": 2.0}, {"id": 1, "name": "Ada", "x": 1.25}]


def changes(found: Any) -> list[tuple[dict, dict]]:
    return [(change.key, change.cells) for change in found.changed]


def test_every_kind_of_table() -> None:
    expected = [({"id": 1}, {"x": (1.5, 1.25)}), ({"id": None}, {"name": ("Cid", "Sid")})]
    kinds = [lambda rows: rows, pyarrow.Table.from_pylist, polars.DataFrame]
    for of in kinds:
        found = hashwell.diff(of(OLD), of(NEW), key="id")
        assert changes(found) == expected
        assert (found.removed.to_pylist(), found.added.to_pylist()) == ([OLD[1]], [NEW[1]])
        assert (found.columns, found.only, found.same) == ({"name": 1, "x": 1}, ([], []), False)
        assert str(found) == "different: 1 removed, 1 added, 2 changed (of 3 and 3)"
    frames = [pandas.DataFrame(rows[:1]) for rows in (OLD, NEW[2:])]
    assert changes(hashwell.diff(*frames, "id")) == expected[:1]
    assert hashwell.diff(OLD, OLD[::-1], "id").same


def test_the_command_finds_the_same(tmp_path: Path) -> None:
    try:
        command = _command.find()
    except RuntimeError:
        pytest.skip("the command is not installed")
    for name, rows in (("a", OLD), ("b", NEW)):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    run = subprocess.run([command, "diff", "--key=id", "--json", "a.parquet", "b.parquet"], cwd=tmp_path, capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    found = hashwell.diff(OLD, NEW, "id")
    cells = [(line["key"], {name: tuple(cell) for name, cell in line["cells"].items()}) for line in lines if line.get("op") == "change"]
    assert cells == changes(found)
    assert lines[-1]["columns"] == found.columns


def test_keys_that_repeat() -> None:
    old, new = [{"id": 1, "x": "a"}, {"id": 1, "x": "b"}], [{"id": 1, "x": "b"}, {"id": 1, "x": "a"}, {"id": 1, "x": "a"}]
    with pytest.raises(ValueError, match="rows 0 and 1 of the first table have the key {'id': 1}"):
        hashwell.diff(old, new, "id")
    found = hashwell.diff(old, new, "id", duplicates="multiset")
    assert (found.removed.to_pylist(), found.added.to_pylist(), found.changed) == ([], [{"id": 1, "x": "a"}], [])


def test_columns_and_tolerances() -> None:
    old, new = [{"id": 1, "p": 1000.0, "t": "A "}], [{"id": 1, "q": 1000.001, "t": "a"}]
    found = hashwell.diff(old, new, "id")
    assert found.only == (["p"], ["q"]) and found.columns == {"t": 1}
    assert hashwell.diff(old, new, "id", rename={"p": "q"}, tolerance=1e-5, ignore_case=True, trim=True).same
    assert hashwell.diff(old, new, "id", rename={"p": "q"}, tolerance={"q": 1e-7}, ignore="t").columns == {"q": 1}
    for arguments in ({"key": "z"}, {"key": []}, {"key": "id", "ignore": "z"}, {"key": "id", "rename": {"z": "y"}}, {"key": "id", "duplicates": "x"}):
        with pytest.raises(ValueError):
            hashwell.diff(old, new, **arguments)
    with pytest.raises(TypeError, match="not a table"):
        hashwell.diff(1, new, "id")


def test_values_that_are_almost_equal() -> None:
    def differ(old: Any, new: Any) -> bool:
        return not hashwell.diff([{"id": 1, "x": old}], [{"id": 1, "x": new}], "id").same

    assert differ(2**53, 2**53 + 1) and differ("00123", "123") and differ("", None) and differ("\u00e9", "e\u0301")
    assert not differ(float("nan"), float("nan")) and not differ(0.0, -0.0)
    assert len(hashwell.diff([{"id": "00123"}], [{"id": "123"}], "id").added) == 1
