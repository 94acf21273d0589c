"""Reports the parts of a check that are skipped."""

import os


def skipped(what: str, why: str) -> None:
    """Prints a line, and records it for the last line of `make test`, as tools/part does for whole parts."""
    print(f"SKIPPED: {what} ({why})", flush=True)
    if path := os.environ.get("HASHWELL_SKIPPED"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what} ({why})\n")
