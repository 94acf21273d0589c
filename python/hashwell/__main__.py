"""The hashwell command: `python -m hashwell`, or `hashwell` once installed."""

import signal
import sys

from ._native import run_command


def main() -> int:
    # Python's handler only sets a flag, which nobody reads while the command runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["hashwell", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
