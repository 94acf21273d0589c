"""A pytest plugin that writes the result of each test and the number of calls of hashwell to $HASHWELL_RECORD as JSON.
"""

import json
import os

import sitecustomize

# A test that failed in any phase or subtest counts as failed, even if a later phase passes.
RANK = ("passed", "skipped", "failed")
outcomes: dict[str, str] = {}


def pytest_runtest_logreport(report):
    # Names begin with the class, because the path differs from machine to machine.
    test = report.nodeid.partition("::")[2].replace("::", ".")
    outcomes[test] = max(outcomes.get(test, "passed"), report.outcome, key=RANK.index)


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "failed"


def pytest_sessionfinish():
    with open(os.environ["HASHWELL_RECORD"], "w") as file:
        json.dump({"outcomes": outcomes, "calls": sitecustomize.calls}, file)
