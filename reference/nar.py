"""The NAR serialization of Nix (Eelco Dolstra, "The Purely Functional Software Deployment Model", figure 5.2), and its hash.

`python3 reference/nar.py PATH…` prints the SHA-256 of each path in hexadecimal and in Nix's base32. The whole archive is in memory.
"""

import hashlib
import os
import stat
import sys


def string(value: bytes) -> bytes:
    return len(value).to_bytes(8, "little") + value + bytes(-len(value) % 8)


def strings(*values: bytes) -> bytes:
    return b"".join(map(string, values))


def node(path: bytes) -> bytes:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        content = strings(b"symlink", b"target", os.readlink(path))
    elif stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            data = file.read()
        executable = (b"executable", b"") if status.st_mode & stat.S_IXUSR else ()
        content = strings(b"regular", *executable, b"contents", data)
    elif stat.S_ISDIR(status.st_mode):
        content = string(b"directory")
        for name in sorted(os.listdir(path)):
            content += strings(b"entry", b"(", b"name", name, b"node") + node(os.path.join(path, name)) + string(b")")
    else:
        raise ValueError(f"{path!r} is neither a file nor a directory nor a link")
    return strings(b"(", b"type") + content + string(b")")


def archive(path: bytes) -> bytes:
    return string(b"nix-archive-1") + node(path)


def base32(digest: bytes) -> str:
    """Nix's base32: one little-endian number, with the most significant digit first."""
    number = int.from_bytes(digest, "little")
    count = -(-8 * len(digest) // 5)
    return "".join("0123456789abcdfghijklmnpqrsvwxyz"[number >> 5 * i & 31] for i in reversed(range(count)))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        digest = hashlib.sha256(archive(os.fsencode(argument))).digest()
        print(digest.hex(), base32(digest))
