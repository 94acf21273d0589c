"""What a check leaves out, said aloud."""

import os


def skipped(what: str, why: str) -> None:
    """Says it in a line, and notes it for the last line of `make test`, as tools/part does for whole parts."""
    print(f"SKIPPED: {what} ({why})", flush=True)
    if path := os.environ.get("HASHWELL_SKIPPED"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{what} ({why})\n")
