"""Reads the files in vectors/; vectors/README.md describes their form."""

import json
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent / "vectors"
BYTES_PARAMS = ("key", "salt", "personal", "customization", "function_name")
OTHER_PARAMS = ("domain", "context")


def load(name: str) -> dict:
    return json.loads((VECTORS / f"{name}.json").read_text())


def data(spec: dict) -> bytes:
    """The bytes that an input describes."""
    match spec:
        case {"hex": text}:
            return bytes.fromhex(text)
        case {"ascii": text}:
            return text.encode("ascii")
        case {"pattern": "mod251", "len": n}:
            return (bytes(range(251)) * (n // 251 + 1))[:n]
        case {"pattern": "zeros", "len": n}:
            return bytes(n)
        case {"pattern": "ff", "len": n}:
            return b"\xff" * n
        case {"pattern": pattern, "len": n} if pattern.startswith("byte:"):
            return bytes.fromhex(pattern.removeprefix("byte:")) * n
    raise ValueError(f"unknown input {spec}")


def params(case: dict) -> dict:
    """The keyword arguments that a case gives its model."""
    found = {name: bytes.fromhex(case[name]) for name in BYTES_PARAMS if name in case}
    found |= {name: case[name] for name in OTHER_PARAMS if name in case}
    if "customization_pattern" in case:
        found["customization"] = data(case["customization_pattern"])
    return found
