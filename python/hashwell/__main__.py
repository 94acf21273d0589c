"""`python -m hashwell` runs the command, which the package hashwell-cli installs."""

import os
import sys

from ._command import environment, find


def main() -> str:
    """Replace this process with the command. If this fails, return an error message."""
    try:
        os.execve(find(), ["hashwell", *sys.argv[1:]], environment())
    except (RuntimeError, OSError) as error:
        return f"hashwell: {error}"


if __name__ == "__main__":
    sys.exit(main())
