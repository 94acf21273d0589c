"""Proves the handshakes of each module by induction, with yosys and yosys-smtbmc, which is what SymbiYosys drives.

Usage: prove.py BUILD_FOLDER

There are two runs for each module. The first proves that its properties (formal/MODULE.vh) hold in every reachable state,
without a bound on time. The second is a control that must not succeed: CARELESS is defined for this module, but not for
modules inside it. It removes the assumption about the environment or, if there is none, makes the count of outstanding
transfers wrong (formal/counted.vh). All runs use 17 rounds, the minimum, because the control logic only counts rounds.
"""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HDL = Path(__file__).resolve().parent.parent
DEPTH = 3
# Handshakes must not depend on the outputs of these modules. They are unconstrained in the proofs, which proves more and is faster.
ARITHMETIC = {"sha256r_constant", "sha256r_schedule", "sha256r_step"}


class Task(NamedTuple):
    module: str
    rounds: bool  # the module has the parameter ROUNDS


TASKS = [
    Task("sha256r_pad", False),
    Task("sha256r_iter", True),
    Task("sha256r_axis", True),
    Task("sha256r_pipe", True),
]


def model(task: Task, folder: Path, careless: bool) -> Path:
    """The module as an SMT problem."""
    target = folder / f"{task.module}{'_careless' if careless else ''}.smt2"
    sources = sorted((HDL / "rtl").glob("*.v"))
    free = " ".join(str(path) for path in sources if path.stem in ARITHMETIC)
    inside = " ".join(str(path) for path in sources if path.stem not in ARITHMETIC | {task.module})
    read = f"read_verilog -formal -I{HDL / 'formal'}"
    script = [
        f"read_verilog -lib {free}",
        f"{read} {inside}",
        f"{read} {'-DCARELESS' if careless else ''} {HDL / 'rtl' / task.module}.v",
        f"chparam -set ROUNDS 17 {task.module}" if task.rounds else "",
        f"prep -flatten -top {task.module}; cutpoint t:sha256r_*",
        f"async2sync; dffunmap; opt_clean; write_smt2 -wires {target}",
    ]
    subprocess.run(["yosys", "-q", "-p", "; ".join(script)], check=True, stderr=subprocess.PIPE)
    return target


def holds(problem: Path, *options: str) -> bool:
    """Returns true if yosys-smtbmc proves the problem; its output is stored next to the problem."""
    command = ["yosys-smtbmc", "-s", "z3", *options, str(problem)]
    with problem.with_suffix(f".{''.join(options)}.log").open("w+", encoding="utf-8") as log:
        code = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
        log.seek(0)
        text = log.read()
    passed = "Status: PASSED" in text
    if passed != (code == 0) or (not passed and "Status: FAILED" not in text):
        sys.exit(f"{' '.join(command)} came to no end:\n{text}")
    return passed


def proved(problem: Path) -> bool:
    return holds(problem, "-t", str(DEPTH)) and holds(problem, "-i", "-t", str(DEPTH))


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for task in TASKS:
        right = proved(model(task, folder, careless=False))
        control = not proved(model(task, folder, careless=True))
        print(f"{task.module}: handshake {'' if right else 'NOT '}proved", end="")
        print("" if control else ", and so is what is wrong", flush=True)
        failed |= not (right and control)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
