"""Holds the dependencies against RustSec's list of known weaknesses, where that list can be had: it comes from no package
registry, but by git. Without it this says so, and fails nothing.

`python tools/advisories.py CARGO_DENY`
"""

import subprocess
import sys

from skipped import skipped

NO_LIST = "failed to fetch advisory database"


def main() -> int:
    command = [sys.argv[1], "--locked", "check", "advisories"]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)
    if checked.returncode and NO_LIST in checked.stderr:
        skipped("known weaknesses of dependencies", "their list cannot be fetched here")
        return 0
    print(checked.stdout, checked.stderr, sep="", end="", file=sys.stderr if checked.returncode else sys.stdout)
    return checked.returncode


if __name__ == "__main__":
    sys.exit(main())
