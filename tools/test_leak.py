#!/usr/bin/env python3
"""The checks of `make test-leak` for a release build: memcheck, a scan of every kernel, and the controls of a short timing
measurement.

Memcheck runs on every kernel that Valgrind supports. The machine code of every kernel is scanned.

    tools/test_leak.py target/release/hashwell
"""

import json
import os
import subprocess
import sys
from pathlib import Path

SCAN = Path(__file__).with_name("scan_kernels.py")


def run(*command, quiet=False):
    """The exit code and the output. Valgrind's messages about the planted leaks are not shown."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True)
    return done.returncode, done.stdout


def measured(binary):
    """Returns true if the planted leaks were found. The results for the clean control and the targets are shown, but
    prove nothing here."""
    code, text = run(binary, "timing-test", "--samples", "20000", "--seconds", "30", "--json")
    if code not in (0, 1, 3):
        return False
    report = json.loads(text)
    for control in report["controls"]:
        kind = "planted" if control["planted"] else "clean"
        print(f"{kind} control {control['name']}: |t| = {abs(control['analysis']['t']):.1f}")
    above = [row for row in report["rows"] if abs(row["analysis"]["t"]) > 4.5]
    for row in above:
        print(f"for information: {row['path']} {row['algorithm']} {row['kernel']}: t = {row['analysis']['t']:.1f}")
    print(f"for information: {len(above)} of {len(report['rows'])} targets above |t| = 4.5")
    planted = [control["as_planted"] for control in report["controls"] if control["planted"]]
    return bool(planted) and all(planted)


def main(binary):
    checks = []
    for title, command, quiet in (
        ("memcheck", ("valgrind", "-q", binary, "timing-test", "--memcheck"), True),
        ("machine code", (sys.executable, str(SCAN), binary), False),
    ):
        code, text = run(*command, quiet=quiet)
        scanned = sum(line.startswith("scanned ") for line in text.splitlines())
        shown = [line for line in text.splitlines() if not line.startswith("scanned ")]
        print(f"{title}:", *shown, sep="\n  ")
        if scanned:
            print(f"  ({scanned} kernels by name; tools/scan_kernels.py lists them)")
        checks.append(code == 0)
    print("measurement:")
    checks.append(measured(binary))
    return 0 if all(checks) else 1


if __name__ == "__main__":
    os.environ.pop("HASHWELL_KERNEL", None)
    sys.exit(main(sys.argv[1]))
