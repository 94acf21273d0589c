"""Writes the constructors into python/hashwell/_native.pyi, one per registry row: run it after adding a row.

`python tools/generate_stubs.py` rewrites the part between the two marks from the installed extension;
with `--check` it writes nothing and exits with 1 if the part is out of date.
"""

import argparse
import inspect
import sys
from pathlib import Path

from hashwell import _native

STUB = Path(__file__).parents[1] / "python" / "hashwell" / "_native.pyi"
BEGIN, END = "# Constructors, written by tools/generate_stubs.py.\n", "# End of constructors.\n"
TYPES = {
    "data": "Buffer",
    "digest_size": "int | None",
    "key": "Buffer | None",
    "salt": "Buffer | None",
    "person": "Buffer | None",
    "customization": "Buffer | None",
    "function_name": "Buffer | None",
    "domain": "int | None",
    "derive_key_context": "str | None",
    "kernel": "str | None",
    "usedforsecurity": "bool",
}


def constructors() -> str:
    lines = []
    for name in _native.__all__:
        function = getattr(_native, name)
        row = getattr(function, "__self__", None)
        if not isinstance(row, _native.Algorithm):
            continue
        parameters = [
            parameter.replace(annotation=f"@{parameter.name}@")
            for parameter in inspect.signature(function).parameters.values()
        ]
        result = "Digest" if row.kind == "digest" else "Xof"
        text = f"def {name}{inspect.Signature(parameters)} -> {result}: ...\n"
        for keyword, annotation in TYPES.items():
            text = text.replace(f"'@{keyword}@'", annotation)
        lines.append(text)
    return "".join(lines)


def exported() -> str:
    names = "".join(f'    "{name}",\n' for name in _native.__all__)
    return f"__all__ = [\n{names}]\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    old = STUB.read_text()
    before, rest = old.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + exported() + "\n" + constructors() + END + after
    if parser.parse_args().check:
        if new != old:
            print(f"{STUB} is out of date: run {__file__}")
        return int(new != old)
    STUB.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
