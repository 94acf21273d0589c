"""Compares the dependencies with RustSec's list of known vulnerabilities.

The list does not come from a package registry, but through git. If it is not available, this prints a message and
does not fail.

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
