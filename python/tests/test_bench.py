"""Tests python/bench/xof.py (its results and the rows of its tables), and the figures that docs/published-figures.md
quotes."""

import hashlib
import json
import runpy
from functools import reduce
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
XOF = ROOT / "python" / "bench" / "xof.py"
# Tests of packages run this file outside of the repository, where python/bench doesn't exist.
pytestmark = pytest.mark.skipif(not XOF.exists(), reason="python/bench isn't here")


@pytest.fixture(scope="module")
def bench() -> dict:
    return runpy.run_path(str(XOF))


@pytest.mark.parametrize("name", ["Shake128", "Shake256"])
def test_benchmark_xof_is_the_xor_of_the_chunks(bench, name):
    c, n = 7, 50
    data = getattr(hashlib, name.lower().replace("shake", "shake_"))(bench["SEED"]).digest(c * n)
    chunks = [int.from_bytes(data[i : i + c]) for i in range(0, c * n, c)]
    expected = reduce(lambda a, b: a ^ b, chunks).to_bytes(c)
    readers = bench["readers"](name)
    assert {"hashwell", "hashwell.xoflib", "hashlib (single call)", "hashlib (streaming)"} <= readers.keys()
    for label, reader in readers.items():
        assert bench["benchmark_xof"](reader, c, n) == expected, label
        assert bench["reads_only"](reader, c, n) == data[-c:], label


def test_the_tables_have_every_row_of_xoflibs_readme(bench):
    rows = [line.strip("| ").split(" | ") for line in bench["throughput"](0.001, 1)]
    assert [row[0] for row in rows[2:] if row[1] == "hashwell"] == [
        "AsconXof", "AsconAXof", "Blake3", "Shake128", "Shake256", "TurboShake128", "TurboShake256",
    ]  # fmt: skip
    assert rows[0][2:] == ["Absorb (32B)", "Read (32B)", "Absorb (1KB)", "Read (1KB)", "Absorb (1MB)", "Read (1MB)"]
    # Each cell is a throughput.
    assert all(float(cell) > 0 for row in rows[2:] for cell in row[2:])
    sizes = [line for line in bench["comparison"](1, 0.001)][0]
    assert all(f"{c} B × " in sizes for c in (1, 100, 1000, 10000, 32))


def test_the_page_of_published_figures_quotes_the_mail_of_2018():
    page = (ROOT / "docs" / "published-figures.md").read_text(encoding="utf-8").splitlines()
    data = json.loads((ROOT / "crates" / "hashwell-measure" / "data" / "published-2018.json").read_text(encoding="utf-8"))
    quoted = [line.strip("| ").split(" | ") for line in page if "| 2018 |" in line]
    rows = [(table["unit"], row) for table in data["tables"] for row in table["rows"]]
    assert len(rows) == len(quoted) == 23
    for unit, row in rows:
        figures = [f"{figure:,}".replace(",", " ") if unit == "KiB/s" else f"{figure:.2f}" for figure in row["figures"]]
        name = row["name"] + (", broken" if row["algorithm"] == "sha1" else "")
        assert [name, "2018", *figures] in quoted, row
