"""The output of `progress=True`."""

import sys


def tell(rows: int, last: bool = False) -> None:
    """Show the number of rows read so far in a line on stderr, which the next call overwrites."""
    print(f"\r{rows:,} rows", end="\n" if last else "", file=sys.stderr, flush=True)
