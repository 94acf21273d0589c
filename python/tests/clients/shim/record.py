"""A pytest plugin: what became of each test, and how often hashwell was called, as JSON in $HASHWELL_RECORD."""

import json
import os

import sitecustomize

# A test that failed in any phase or subtest has failed, whatever is reported of it later.
RANK = ("passed", "skipped", "failed")
outcomes: dict[str, str] = {}


def pytest_runtest_logreport(report):
    # Names start at the class: the path differs from machine to machine.
    test = report.nodeid.partition("::")[2].replace("::", ".")
    outcomes[test] = max(outcomes.get(test, "passed"), report.outcome, key=RANK.index)


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "failed"


def pytest_sessionfinish():
    with open(os.environ["HASHWELL_RECORD"], "w") as file:
        json.dump({"outcomes": outcomes, "calls": sitecustomize.calls}, file)
