"""Runs the cocotb tests on Icarus Verilog, every core with 64 and 90 rounds. Usage: run.py BUILD_FOLDER [TEST ...]"""

import os
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HDL = Path(__file__).resolve().parent.parent
CORES = {"test_iter": "sha256r_iter", "test_pipe": "sha256r_pipe", "test_axis": "sha256r_axis"}


def run(folder: Path, test: str, rounds: int) -> tuple[int, int]:
    """The number of tests, and the number of failed tests."""
    runner = get_runner("icarus")
    build = folder / f"{test}_{rounds}"
    runner.build(
        sources=sorted((HDL / "rtl").glob("*.v")),
        hdl_toplevel=CORES[test],
        parameters={"ROUNDS": rounds},
        build_args=["-g2001", "-Wall"],
        build_dir=build,
        log_file=build.with_suffix(".build.log"),
    )
    os.environ["PYTHONPATH"] = str(HDL / "tests")
    results = runner.test(
        test_module=test,
        hdl_toplevel=CORES[test],
        build_dir=build,
        test_dir=build,
        extra_env={"ROUNDS": str(rounds), "COCOTB_LOG_LEVEL": "WARNING"},
        log_file=build.with_suffix(".log"),
    )
    return get_results(results)


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    for test in sys.argv[2:] or CORES:
        for rounds in (64, 90):
            ran, failed = run(folder, test, rounds)
            print(f"{test}, {rounds} rounds, Icarus: {ran - failed} of {ran} passed", flush=True)
            if failed or not ran:
                failures += 1
                print((folder / f"{test}_{rounds}.log").read_text(encoding="utf-8"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
