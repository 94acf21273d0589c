"""The output of `progress=True`."""

import sys


def tell(rows: int, last: bool = False) -> None:
    """Rows so far, in a line on stderr that the next call writes over."""
    print(f"\r{rows:,} rows", end="\n" if last else "", file=sys.stderr, flush=True)
