"""Every allocation that CPython makes during a call of any public name is refused once: MemoryError, and everything is as it
was. With all that follow refused, too: MemoryError, or the process ends; here is where, and dev/verification.md has why.

`refusals.py` has the calls, and makes them in children of this process.
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

# What has no case of its own, and why.
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
# Those that are made by calling them with what a registry has: a case for one of each is for all.
ALIKE = {name for name in dir(hp) if not name.startswith("_") and name in hp._built_in.__all__}
# Special methods that say something of their own.
SPECIAL = {
    "__repr__", "__eq__", "__hash__", "__reduce__", "__len__", "__getitem__", "__iter__", "__next__", "__reversed__",
    "__contains__", "__call__", "__bytes__", "__bool__", "__array__", "__arrow_array__", "__arrow_c_schema__",
    "__arrow_c_array__", "__arrow_c_stream__",
}  # fmt: skip


def attributes(name: str, value: object) -> set[str]:
    """What a public class of ours has, by name."""
    if not isinstance(value, type):
        return set()
    classes = [of for of in value.__mro__ if of.__module__.startswith("hashwell")]
    own = [attribute for of in classes for attribute, held in vars(of).items() if held is not None]
    return {f"{name}.{attribute}" for attribute in own if not attribute.startswith("_") or attribute in SPECIAL}


def public() -> set[str]:
    """Every public name, and what the classes among them have."""
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
    """What the cases are of: their names, without what comes after a comma or a blank."""
    return {name.replace(" of a coalgebra", "").split(",")[0].split(" ")[0] for name in NAMES}


def test_every_public_name_has_a_case() -> None:
    have = covered()
    # A class is called by the cases of what it has.
    have |= {name.rsplit(".", 1)[0] for name in have if "." in name}
    have |= {name.replace("process.Process.", "process.BuiltIn.") for name in have}
    assert public() - have == set()


# What others raise in the place of MemoryError: CPython where it can make no lock, pickle where it cannot find a function.
OTHERS = {
    name: {"RuntimeError"} if "BitGenerator" in name else {"PicklingError"}
    for name in NAMES
    if "BitGenerator" in name or "__reduce__" in name
}

# Python's code with `except` in it, at which CPython 3.11 may go round for ever where it has no memory to note the place.
GOES_ROUND = ("process.", "draw", "verify", "sample", "split", "shuffle", "choice", "Random", "Reservoir", "KeySampler", "Weighted")

# Where memory is refused for good, what goes by these never ends the process.
GO_ON = ("digest", "hexdigest", "new", "hash_many", "xof_many", "hmac_many", "Digest.")


def answers(mode: str, names: list[str], path: Path) -> dict[str, list]:
    """What the cases came to: what they raised, or how the process ended; and whether no reference was lost."""
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
    """A limit of PyO3's, which dev/verification.md names: if it has gone, so should that."""
    assert once[name][0] == ["ended by SIGABRT"]


def test_refusals_are_met(once) -> None:
    """The control: most calls ask for memory."""
    met = [name for name in NAMES if "MemoryError" in once[name][0]]
    assert len(met) > len(NAMES) * 0.8


@pytest.mark.parametrize("name", NAMES)
def test_no_memory_from_some_allocation_on(all_that_follow, name) -> None:
    raised, nothing_lost = all_that_follow[name]
    ends = [] if name.startswith(GO_ON) else [["ended by SIGABRT"]]
    ends += [["ended by SIGXCPU"]] if name.startswith(GOES_ROUND) or name.endswith("__reduce__") else []
    assert raised in ends or set(raised) <= {"MemoryError"} | OTHERS.get(name, set())
    assert nothing_lost
