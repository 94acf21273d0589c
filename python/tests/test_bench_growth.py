"""Tests that `make bench-growth` runs every operation, on tiny inputs: results are checked, and no speed is asserted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "bench" / "growth.py"
COMMAND = Path(sys.executable).with_name("hashwell")
SOME = ["sum: check", "sample: shuffle", "sample: `--merge`", "split: of 1000", "draw: `-m pps", "verify: draw of", "table: JSON lines",
        "diff: `--key id`, all", "process: hmm", "Python: choice, n of n"]  # fmt: skip


@pytest.mark.skipif(not COMMAND.exists(), reason="no command next to the interpreter")
def test_operations_run_and_are_recorded(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    chosen = [] if os.environ.get("SLOW") else [word for name in SOME for word in ("--only", name)]
    run = subprocess.run([sys.executable, str(SCRIPT), "--divide", "1000000", "--rounds", "1", "--folder", str(tmp_path / "files"),
                          "--record", str(record), *chosen, str(COMMAND)], capture_output=True, text=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    measured = json.loads(record.read_text(encoding="utf-8"))["measured"]
    names = {f"{row['group']}: {row['operation']}" for row in measured}
    assert all(any(name in found for found in names) for name in SOME)
    assert len(measured) == len(SOME) or len(measured) > 80
    for row in measured:
        sizes = [size for size, _, _ in row["figures"]]
        assert len(sizes) == 3 and sizes == sorted(sizes)
        assert all(cpu > 0 for _, cpu, _ in row["figures"]), row
    assert run.stdout.splitlines()[-1].split(" of ")[1].startswith(tuple("0123456789"))


@pytest.mark.skipif(not COMMAND.exists(), reason="no command next to the interpreter")
def test_a_wrong_result_is_not_timed(tmp_path: Path) -> None:
    wrong = tmp_path / "hashwell"
    wrong.write_text("#!/bin/sh\necho wrong\n", encoding="utf-8")
    wrong.chmod(0o755)
    run = subprocess.run([sys.executable, str(SCRIPT), "--divide", "1000000", "--rounds", "1", "--folder", str(tmp_path / "files"),
                          "--only", "sum: one file, sha256", str(wrong)], capture_output=True, text=True, check=False)  # fmt: skip
    assert run.returncode == 1
    assert "WRONG: the result for 4 bytes is wrong" in run.stdout or "WRONG: the result for 10 bytes is wrong" in run.stdout, run.stdout
