"""hashwell.outboard, locate, make_slice and decode_slice: the same answers as in the tests in Rust, and errors."""

import io
import json
import pathlib
import random

import pytest

import hashwell

ROOT = pathlib.Path(__file__).parents[2]
LISTS = json.loads((ROOT / "vectors/chunk-list.json").read_text())["cases"]
# Digests of slices that the crate bao-tree made: group, length, start, count, length of the slice, BLAKE3 digest of the
# slice.
SLICES = [line.split(" ") for line in (ROOT / "crates/hashwell/tests/bao_tree_slices.txt").read_text().splitlines() if line[0] != "#"]


def message(n: int) -> bytes:
    return (bytes(range(251)) * (n // 251 + 1))[:n]


def file(content: bytes) -> io.BytesIO:
    return io.BytesIO(content)


@pytest.mark.parametrize("case", LISTS, ids=lambda case: str(case["len"]))
def test_lists_are_those_of_the_specification(case: dict) -> None:
    content = message(case["len"])
    assert hashwell.outboard(file(content), "kt128") == (bytes.fromhex(case["list"]), hashwell.kt128(content).digest(32))


def test_slices_are_those_of_bao_tree() -> None:
    trees = {}
    for group, length, start, count, size, expected in SLICES:
        content = message(int(length))
        key = group, length
        tree, digest = trees[key] = trees.get(key) or hashwell.outboard(file(content), group=int(group))
        part = hashwell.make_slice(file(content), tree, int(start), int(count))
        assert (len(part), hashwell.blake3(part).hexdigest()) == (int(size), expected)
        found, end = hashwell.decode_slice(part, digest, int(start), int(count), group=int(group))
        assert found == content[int(start) : int(start) + int(count)]
        assert end in (None, len(content))


@pytest.mark.parametrize("algorithm", ["blake3", "kt128"])
def test_paths_and_open_files(tmp_path: pathlib.Path, algorithm: str) -> None:
    content = message(300_000)
    path = tmp_path / "file"
    path.write_bytes(content)
    tree, digest = hashwell.outboard(path, algorithm)
    constructor = hashwell.new(algorithm)
    constructor.update(content)
    assert digest == constructor.digest(*([32] if algorithm == "kt128" else []))
    with path.open("rb", buffering=0) as opened:
        assert hashwell.outboard(opened, algorithm) == (tree, digest)
    damaged = bytearray(content)
    damaged[100_000] ^= 1
    damaged[299_999] ^= 1
    path.write_bytes(damaged)
    found = hashwell.locate(path, tree, digest, algorithm=algorithm)
    unit = 16384 if algorithm == "blake3" else 8192
    expected = [range(i // unit * unit, min(i // unit * unit + unit, 300_000)) for i in (100_000, 299_999)]
    assert found == hashwell.Located(expected, [], 0, False) and not found.is_intact
    assert hashwell.locate(file(damaged), tree, algorithm=algorithm) == found
    assert hashwell.locate(file(content), tree, digest, algorithm=algorithm).is_intact
    unknown = hashwell.locate(file(content), tree, bytes(32), algorithm=algorithm)
    assert unknown.unknown == [range(300_000)] and not unknown.is_intact


def test_slices_of_paths(tmp_path: pathlib.Path) -> None:
    content = message(300_000)
    path = tmp_path / "file"
    path.write_bytes(content)
    tree, digest = hashwell.outboard(path)
    part = hashwell.make_slice(path, tree, 70_000, 1000, digest=digest)
    with path.open("rb") as opened:
        assert hashwell.make_slice(opened, bytearray(tree), 70_000, 1000) == part
    assert hashwell.decode_slice(memoryview(part), digest, 70_000, 1000) == (content[70_000:71_000], None)
    assert hashwell.decode_slice(hashwell.make_slice(path, tree, 2**64 - 1, 0), digest, 2**64 - 1, 0) == (b"", 300_000)
    path.write_bytes(content[:70_100])
    with pytest.raises(ValueError, match="the file ends at byte 70100, but the outboard is for a file of 300000 bytes"):
        hashwell.make_slice(path, tree, 70_000, 1000)
    damaged = bytearray(content)
    damaged[70_000] ^= 1
    with pytest.raises(ValueError, match="the slice is wrong at byte .*: data does not match the digest"):
        hashwell.make_slice(file(damaged), tree, 70_000, 1000)
    with pytest.raises(ValueError, match="a node does not match the digest"):
        hashwell.make_slice(file(content), tree, 70_000, 1000, digest=bytes(32))


def test_hostile_slices() -> None:
    rng = random.Random(1)
    content = message(50_000)
    tree, digest = hashwell.outboard(file(content), group=1024)
    part = hashwell.make_slice(file(content), tree, 20_000, 9_000)
    for _ in range(2000):
        bad = bytearray(part)
        bad[rng.randrange(8, len(bad))] ^= 1 << rng.randrange(8)
        with pytest.raises(ValueError, match="the slice is wrong at byte"):
            hashwell.decode_slice(bad, digest, 20_000, 9_000, group=1024)
        with pytest.raises(ValueError, match="the slice is wrong at byte"):
            hashwell.decode_slice(part[: rng.randrange(len(part))], digest, 20_000, 9_000, group=1024)
    for bad in [b"", (2**63).to_bytes(8, "little") + part[8:], b"\xff" * 8]:
        with pytest.raises(ValueError, match="the slice is wrong at byte"):
            hashwell.decode_slice(bad, digest, 20_000, 9_000, group=1024)
    with pytest.raises(ValueError, match="there are 3 more bytes after the end of the slice"):
        hashwell.decode_slice(part + b"end", digest, 20_000, 9_000, group=1024)


def test_errors() -> None:
    tree, digest = hashwell.outboard(file(b"short"))
    for call, error, text in [
        (lambda: hashwell.outboard(file(b""), "sha256"), ValueError, "algorithm must be blake3 or kt128, not sha256"),
        (lambda: hashwell.outboard(file(b""), "none"), ValueError, "unknown algorithm 'none'"),
        (lambda: hashwell.outboard(file(b""), group=3000), ValueError, "group size, a power of two"),
        (lambda: hashwell.outboard(file(b""), group=-1), OverflowError, "group must be 0 to"),
        (lambda: hashwell.outboard("/nonexistent"), FileNotFoundError, "nonexistent"),
        (lambda: hashwell.outboard(io.StringIO("text")), ValueError, "file"),
        (lambda: hashwell.locate(file(b""), tree), ValueError, "only one group, so the outboard contains no digest: pass digest="),
        (lambda: hashwell.locate(file(b""), b"tree", digest), ValueError, "no group size fits"),
        (lambda: hashwell.locate(file(b""), b"tree", algorithm="kt128"), ValueError, "at least 88 bytes"),
        (lambda: hashwell.locate(file(b""), tree, b"digest"), ValueError, "digest must have 32 bytes, not 6"),
        (lambda: hashwell.make_slice(file(b""), tree, -1, 1), OverflowError, "start must be 0 to"),
        (lambda: hashwell.make_slice(file(b""), tree, 0, 2**64), OverflowError, "length must be 0 to"),
        (lambda: hashwell.make_slice("/nonexistent", tree, 0, 1), FileNotFoundError, "nonexistent"),
        (lambda: hashwell.decode_slice(b"", b"", 0, 1), ValueError, "digest must have 32 bytes, not 0"),
    ]:
        with pytest.raises(error, match=text):
            call()
    assert hashwell.locate(file(b"short"), tree, digest).is_intact
    assert hashwell.locate(file(b"other"), tree, digest).damaged == [range(5)]
