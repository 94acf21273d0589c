"""Shared by all tests: the repository's vectors and reference models, and lists from the registry."""

import os
import random
import sys
from pathlib import Path

import pytest

import hashwell

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

DIGESTS = [name for name, row in hashwell.algorithms.items() if row.kind == "digest"]
XOFS = [name for name, row in hashwell.algorithms.items() if row.kind == "xof"]
HMACS = [name for name, row in hashwell.algorithms.items() if row.hmac]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test with an argument `digest`, `xof`, `row`, `hmac_row` or `source` for all algorithms or sources of that
    kind."""
    lists = {
        "digest": DIGESTS,
        "xof": XOFS,
        "row": list(hashwell.algorithms),
        "hmac_row": HMACS,
        "source": hashwell.random_sources(),
    }
    for argument, names in lists.items():
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, names)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Records each skipped test for the last line of `make test`."""
    path = os.environ.get("HASHWELL_SKIPPED")
    if path and report.skipped and isinstance(report.longrepr, tuple):
        test, why = report.nodeid.split("[")[0], report.longrepr[2].removeprefix("Skipped: ")
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{test} ({why})\n")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random inputs that are the same in every run of a test."""
    return random.Random(request.node.nodeid)
