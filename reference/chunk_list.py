"""docs/spec/chunk-list.md: the KT128 values of the chunks of a file, which show where it is damaged.

`save(message)` writes a list and `locate(file, list, digest)` compares a file with it. `python3 -m reference.chunk_list
vectors/chunk-list.json` writes the vectors.
"""

import json
import sys
from pathlib import Path
from struct import pack, unpack

from .keccak import kt, length_encode, turboshake
from .sha2 import sha256
from .vectors import data

CHUNK, VALUE = 8192, 32
MAGIC = b"HWCL\x01\0\0\0"


class BadList(ValueError):
    """An error: the bytes are not a list according to the specification."""


def values(message: bytes) -> list[bytes]:
    """Section "Values": the values of the chunks of S, which is the message, a zero byte, and length_encode(0)."""
    S = message + length_encode(0)
    return [turboshake(128, S[i : i + CHUNK], VALUE, 0x0B) for i in range(0, len(S), CHUNK)]


def check(body: bytes) -> bytes:
    """The check value of all preceding bytes."""
    return sha256(body)[:8]


def save(message: bytes) -> bytes:
    """Section "Layout"."""
    body = MAGIC + pack("<Q", len(message)) + kt(128, message, VALUE) + b"".join(values(message))
    return body + check(body)


def read(text: bytes) -> tuple[int, bytes, list[bytes], bool]:
    """Section "Reading": the length, the digest, the values, and whether the check value is right."""
    if len(text) < 88 or text[:8] != MAGIC:
        raise BadList("first bytes")
    length = unpack("<Q", text[8:16])[0]
    if length >= 1 << 61 or len(text) != 48 + (length // CHUNK + 1) * VALUE + 8:
        raise BadList("size")
    found = [text[i : i + VALUE] for i in range(48, len(text) - 8, VALUE)]
    return length, text[16:48], found, check(text[:-8]) == text[-8:]


def digest_from(first: bytes, found: list[bytes]) -> bytes:
    """RFC 9861 section 3.2: the digest from the first chunk and the values of the others, of which there must be at
    least one."""
    node = first + b"\x03" + bytes(7) + b"".join(found[1:]) + length_encode(len(found) - 1) + b"\xff\xff"
    return turboshake(128, node, VALUE, 0x06)


def locate(file: bytes, text: bytes, digest: bytes) -> tuple[list[int] | None, str]:
    """Section "Locating damage": the damaged chunks, or None if they are unknown, and the method that found the
    result."""
    length, stored, found, consistent = read(text)
    message = file[:length]
    complete = len(message) == length
    if complete and kt(128, message, VALUE) == digest:
        return [], "list damaged" if save(message) != text else "intact"
    if len(found) == 1:
        return [0], "proven"
    actual = values(message) if complete else [turboshake(128, message[i : i + CHUNK], VALUE, 0x0B)
                                               for i in range(0, len(message) - CHUNK + 1, CHUNK)]  # fmt: skip
    actual += [b""] * (len(found) - len(actual))
    wrong = [i for i, value in enumerate(found) if actual[i] != value]
    if len(message) >= CHUNK and digest_from(message[:CHUNK], found) == digest:
        return [i for i in wrong if i], "proven"
    return (wrong, "unproven") if consistent and stored == digest and wrong else (None, "unknown")


LENGTHS = (0, 1, 8191, 8192, 8193, 16383, 16384, 16385, 40000, 65536)


def cases() -> list[dict[str, object]]:
    found = []
    for n in LENGTHS:
        text = save(data({"pattern": "mod251", "len": n}))
        found.append({"len": n, "list": text.hex()})
    return found


NOTE = "docs/spec/chunk-list.md. `list` is the list of the first `len` bytes of the pattern mod251."

if __name__ == "__main__":
    lines = ",\n".join("  " + json.dumps(case) for case in cases())
    head = {"source": "docs/spec/chunk-list.md; reference/chunk_list.py wrote it", "note": NOTE}
    Path(sys.argv[1]).write_text(json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n")
