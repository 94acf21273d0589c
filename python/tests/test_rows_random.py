"""Rows and tables of random types in random forms, built from buffers, compared with the second implementation."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import hashwell
import pyarrow as pa
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "python" / "tests")]
import tables  # noqa: E402
from reference import rows as ref  # noqa: E402

# HASHWELL_TABLES=2000 tests 2000 tables, which takes minutes.
SEEDS = range(int(os.environ.get("HASHWELL_TABLES", "40")))


def made(seed):
    """The first table from this seed on that pyarrow accepts: it refuses decimals beyond their precision in runs and
    dictionaries."""
    for attempt in range(100):
        rng = random.Random(seed + 1_000_000 * attempt)
        names, types, columns, values = tables.random_table(rng)
        try:
            return names, [tables.build(rng, *column) for column in zip(types, columns)], values
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            pass
    raise AssertionError("no table in 100 attempts")


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tables(seed) -> None:
    names, arrays, values = made(seed)
    table, rows = pa.table(arrays, names), len(values)
    for order in ("name", "declared"):
        expected = [ref.sha256(row) for row in ref.rows_of(names, values, order == "declared")]
        assert list(hashwell.hash_rows(table, order=order)) == expected
    expected = [ref.sha256(row) for row in ref.rows_of(names, values)]
    step = max(1, rows // 3)
    chunks = pa.concat_tables([table[i : i + step] for i in range(0, rows, step)] or [table])
    assert bytes(hashwell.table_digest(chunks)) == ref.table_digest(names, values)
    if seed % 8 == 0:
        assert bytes(hashwell.table_digest(chunks, scheme=ref.LTHASH)) == ref.table_digest(names, values, ref.LTHASH)
    if rows > 2:
        # The offset of a struct also applies to its children, while the columns of a table have their own offsets.
        whole = pa.StructArray.from_arrays(arrays, names)
        for at, end in ((1, rows - 1), (2, rows), (rows, rows)):
            for form in (whole[at:end], table[at:end]):
                assert list(hashwell.hash_rows(form)) == expected[at:end]
