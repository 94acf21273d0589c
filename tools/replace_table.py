"""Inserts a table of measurements, with the CPU that was used, between the markers of a document.

Usage: replace_table.py DOCUMENT TABLE
"""

import datetime
import pathlib
import platform
import sys


def cpu() -> str:
    """The CPU's name according to the operating system."""
    lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    fields = {name.strip(): value.strip() for name, value in fields.items()}
    family = ", ".join(f"{key} {fields[key]}" for key in ("cpu family", "model") if key in fields)
    return f"{fields.get('model name', platform.machine())} ({family})"


def replaced(text: str, name: str, content: str) -> str:
    """The document with new content between the markers of that name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return before + begin + content + end + after


def main() -> None:
    document, table = (pathlib.Path(name) for name in sys.argv[1:3])
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    if len(lines) < 3:
        sys.exit(f"{table} contains no table")
    head = f"Measured on {datetime.date.today()}, {cpu()}.\n\n"
    text = replaced(document.read_text(encoding="utf-8"), "table", head + "\n".join(lines) + "\n")
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
