"""Allocation failures in calls of all public names.

In one run, a single allocation of CPython fails: the call must raise MemoryError and change nothing. In another run, all
later allocations fail as well: the call must raise MemoryError, or the process ends. This file lists the calls in which it
may end, and dev/verification.md gives the reasons.

`refusals.py` contains the calls, and runs them in child processes.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hashwell
from hashwell import process as hp

pytest.importorskip("_testcapi", reason="this Python has no module that refuses memory")
import refusals

NAMES = list(refusals.CALLS)

# Names without a case, with the reasons.
WITHOUT = {
    "FinalizedError": "an exception",
    "ReseedRequiredError": "an exception",
    "TagMismatchError": "an exception",
    "ArrowDigests.__arrow_array__": "calls pyarrow.chunked_array, which crashes by itself where its first list is refused",
    "Device": "no build that is tested has devices",
    "devices": "no build that is tested has devices",
    "Speed": "of the command, another process",
    "speed": "starts the command, another process",
    **{f"{state}.__reduce__": "raises TypeError" for state in ("Reservoir", "KeySampler", "Weighted")},
    "Change": "Python's own code on what diff returns",
    "TableDiff": "Python's own code on what diff returns",
    "Located": "Python's own code on what locate returns",
    "diff": "Python's own code on tables of pyarrow, which ends the process where memory is refused",
    "process.Exact": "Python's own code on what exact returns",
    "process.Expectation": "Python's own code on what expect returns",
    "process.Explanation": "Python's own code on what explain returns",
    "process.Picture": "Python's own code on what picture returns",
    "process.Ragged": "Python's own code on NumPy's arrays",
    "process.Restaurant": "Python's own code on what sample returns",
    "process.Score": "Python's own code on what score returns",
    "process.Smoothed": "Python's own code on what smooth returns",
    "process.Trace": "Python's own code on what trace returns",
    "process.Weighted": "Python's own code on what posterior returns",
}
# The built-in processes, which are all called in the same way. A case for one of them is enough.
ALIKE = {name for name in dir(hp) if not name.startswith("_") and name in hp._built_in.__all__}
# Special methods that need a case of their own.
SPECIAL = {
    "__repr__", "__eq__", "__hash__", "__reduce__", "__len__", "__getitem__", "__iter__", "__next__", "__reversed__",
    "__contains__", "__call__", "__bytes__", "__bool__", "__array__", "__arrow_array__", "__arrow_c_schema__",
    "__arrow_c_array__", "__arrow_c_stream__",
}  # fmt: skip


def attributes(name: str, value: object) -> set[str]:
    """The names of the attributes of a public class of hashwell."""
    if not isinstance(value, type):
        return set()
    classes = [of for of in value.__mro__ if of.__module__.startswith("hashwell")]
    own = [attribute for of in classes for attribute, held in vars(of).items() if held is not None]
    return {f"{name}.{attribute}" for attribute in own if not attribute.startswith("_") or attribute in SPECIAL}


def public() -> set[str]:
    """Every public name, and the attributes of the public classes."""
    names = set()
    for prefix, module in (("", hashwell), ("process.", hp)):
        for name in dir(module):
            if name.startswith("_") or type(getattr(module, name)).__name__ == "module":
                continue
            names.add(prefix + name)
            if prefix + name not in WITHOUT:
                names |= attributes(prefix + name, getattr(module, name))
    return names - set(WITHOUT) - {f"process.{name}" for name in ALIKE}


def covered() -> set[str]:
    """The names that have a case: the names of the cases, up to the first comma or space."""
    return {name.replace(" of a coalgebra", "").split(",")[0].split(" ")[0] for name in NAMES}


def test_every_public_name_has_a_case() -> None:
    have = covered()
    # A class is also called in the cases of its attributes.
    have |= {name.rsplit(".", 1)[0] for name in have if "." in name}
    have |= {name.replace("process.Process.", "process.BuiltIn.") for name in have}
    assert public() - have == set()


# Other exceptions instead of MemoryError: CPython raises one if it can't create a lock, and pickle if it can't find a
# function.
OTHERS = {
    name: {"RuntimeError"} if "BitGenerator" in name else {"PicklingError"}
    for name in NAMES
    if "BitGenerator" in name or "__reduce__" in name
}

# Functions with `except` in Python code, where CPython 3.11 can loop forever if it has no memory to record the place of
# the error.
GOES_ROUND = ("process.", "draw", "verify", "sample", "split", "shuffle", "choice", "Random", "Reservoir", "KeySampler", "Weighted")

# The names whose calls never end the process, even if all later allocations fail.
GO_ON = ("digest", "hexdigest", "new", "hash_many", "xof_many", "hmac_many", "Digest.")


def answers(mode: str, names: list[str], path: Path) -> dict[str, list]:
    """The results of the cases: the exceptions that they raised or how the process ended, and whether all reference
    counts are unchanged."""
    command = [sys.executable, str(Path(refusals.__file__)), str(path), mode, json.dumps(names)]
    environment = os.environ | {"RUST_BACKTRACE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return {name: rest for name, *rest in map(json.loads, path.read_text().splitlines())}


@pytest.fixture(scope="module")
def once(tmp_path_factory) -> dict[str, list]:
    return answers("once", [*NAMES, *refusals.ERRORS, *refusals.MISSING], tmp_path_factory.mktemp("refusals") / "once")


@pytest.fixture(scope="module")
def all_that_follow(tmp_path_factory) -> dict[str, list]:
    return answers("all", NAMES, tmp_path_factory.mktemp("refusals") / "all")


@pytest.mark.parametrize("name", NAMES)
def test_a_refused_allocation_is_a_memory_error(once, name) -> None:
    raised, nothing_lost = once[name]
    assert set(raised) <= {"MemoryError"} | OTHERS.get(name, set())
    assert nothing_lost


@pytest.mark.parametrize("name", refusals.ERRORS)
def test_a_refused_allocation_of_an_error(once, name) -> None:
    raised, nothing_lost = once[name]
    assert "MemoryError" in raised and set(raised) <= {"MemoryError", "SystemError"}
    assert nothing_lost


@pytest.mark.parametrize("name", refusals.MISSING)
def test_that_an_argument_is_missing_ends_the_process(once, name) -> None:
    """A limitation of PyO3 that dev/verification.md mentions. If PyO3 no longer has it, remove it there as well."""
    assert once[name][0] == ["ended by SIGABRT"]


def test_refusals_are_met(once) -> None:
    """The control: most calls allocate memory."""
    met = [name for name in NAMES if "MemoryError" in once[name][0]]
    assert len(met) > len(NAMES) * 0.8


@pytest.mark.parametrize("name", NAMES)
def test_no_memory_from_some_allocation_on(all_that_follow, name) -> None:
    raised, nothing_lost = all_that_follow[name]
    ends = [] if name.startswith(GO_ON) else [["ended by SIGABRT"]]
    ends += [["ended by SIGXCPU"]] if name.startswith(GOES_ROUND) or name.endswith("__reduce__") else []
    assert raised in ends or set(raised) <= {"MemoryError"} | OTHERS.get(name, set())
    assert nothing_lost
