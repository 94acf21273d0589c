"""HMAC-DRBG: known answers, CAVP, limits, generators that the operating system seeds, forks, threads."""

import copy
import gzip
import multiprocessing
import os
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import HMACS, ROOT
from streams import both_sides_of_a_fork

import hashwell
from reference import vectors

SEED = bytes(range(32)), bytes(16)


def run(drbg: hashwell.HmacDrbg, step: dict) -> bytes | None:
    additional = bytes.fromhex(step.get("additional", ""))
    if "reseed" in step:
        return drbg.reseed(bytes.fromhex(step["reseed"]), additional)
    if "entropy" not in step:
        return drbg.generate(step["generate"], additional)
    entropy = bytes.fromhex(step["entropy"])
    return drbg.generate(step["generate"], additional, prediction_resistance=True, entropy=entropy)


def test_vectors() -> None:
    seen = set()
    for case in vectors.load("hmac-drbg")["cases"]:
        seed = (bytes.fromhex(case.get(name, "")) for name in ("entropy", "nonce", "personalization"))
        resistant = any("entropy" in step for step in case["steps"])
        drbg = hashwell.HmacDrbg.from_seed_unchecked(case["algorithm"], *seed, prediction_resistance=resistant)
        for step in case["steps"]:
            output = run(drbg, step)
            if "expected" in step:
                assert output is not None and output.hex() == step["expected"]
        seen.add(case["algorithm"])
    assert seen == set(HMACS)


CAVP = Path(os.environ.get("HASHWELL_SHARED", ROOT.parent / "shared")) / "vectors" / "cavp" / "HMAC_DRBG"
if not CAVP.exists():
    print(f"test_drbg.py: CAVP's HMAC_DRBG files are skipped, there is no {CAVP}")


def cases(path: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The name of the hash, and the `key = value` lines in order; some keys occur twice."""
    name = ""
    for block in gzip.open(path, "rt").read().replace("\r", "").split("\n\n"):
        lines = block.strip().splitlines()
        if lines and lines[0].startswith("[") and " = " not in lines[0]:
            name = lines[0].strip("[]")
        elif lines and lines[0].startswith("COUNT"):
            yield name, [(key.strip(), value.strip()) for key, _, value in (line.partition("=") for line in lines)]


@pytest.mark.skipif(not CAVP.exists(), reason=f"no {CAVP}")
@pytest.mark.parametrize("file", ["no_reseed", "pr_false", "pr_true"])
def test_cavp(file) -> None:
    count = 0
    for name, lines in cases(CAVP / f"{file}.rsp.gz"):
        value = {key: bytes.fromhex(text) for key, text in lines if key != "COUNT"}
        seed = value["EntropyInput"], value["Nonce"], value["PersonalizationString"]
        drbg = hashwell.HmacDrbg(name, *seed, prediction_resistance=file == "pr_true")
        if "EntropyInputReseed" in value:
            drbg.reseed(value["EntropyInputReseed"], value["AdditionalInputReseed"])
        every = [bytes.fromhex(text) for key, text in lines if key == "AdditionalInput"]
        entropies = [bytes.fromhex(text) for key, text in lines if key == "EntropyInputPR"] or [None, None]
        for additional, entropy in zip(every, entropies, strict=True):
            output = drbg.generate(
                len(value["ReturnedBits"]), additional, prediction_resistance=entropy is not None, entropy=entropy
            )
        assert output == value["ReturnedBits"]
        count += 1
    assert count == 15 * 16 * 7


def test_long_requests_are_split() -> None:
    long, short = (hashwell.HmacDrbg("sha256", *SEED) for _ in range(2))
    pieces = [short.generate(n, b"more") for n in (65536, 65536, 5)]
    assert long.generate(2 * 65536 + 5, b"more") == b"".join(pieces)
    assert long.requests_left == short.requests_left == long.reseed_interval - 3 == 2**48 - 3


def test_limits_are_named() -> None:
    make = hashwell.HmacDrbg
    for call, message in [
        (lambda: make("sha256", bytes(31), bytes(16)), "entropy input must be 32 to 4294967296 bytes, not 31"),
        (lambda: make("sha256", bytes(32), bytes(15)), "nonce must be 16 to 4294967296 bytes, not 15"),
        (lambda: make("sha256", bytes(32)), "nonce must be 16 to 4294967296 bytes, not 0"),
        (lambda: make("sha256", bytes(16), bytes(7), strength=128), "nonce must be 8 to 4294967296 bytes, not 7"),
        (lambda: make("sha1", strength=129), "strength must be 1 to 128 bits, not 129"),
        (lambda: make("sha1", reseed_interval=2**48 + 1), "must be 1 to 281474976710656 requests, not"),
        (lambda: make("sha256", *SEED).reseed(bytes(31)), "entropy input must be 32 to 4294967296 bytes, not 31"),
        (lambda: make("sha256", *SEED).generate(1, prediction_resistance=True), "without prediction resistance"),
        (lambda: make("sha256").generate(1, prediction_resistance=True), "without prediction resistance"),
        (lambda: make("shake128"), "shake128 does not support HMAC"),
        (lambda: make("sha256").reseed(bytes(32)), "does not support entropy from the caller"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(ValueError, match="must be 0 to 65536 bytes, not 65537"):
        resistant = make("sha256", *SEED, prediction_resistance=True)
        resistant.generate(65537, prediction_resistance=True, entropy=bytes(32))
    with pytest.raises(TypeError, match="nonce can only be passed together with entropy"):
        make("sha256", nonce=bytes(16))
    with pytest.raises(TypeError, match="entropy requires prediction_resistance=True"):
        make("sha256", *SEED).generate(1, entropy=bytes(32))
    with pytest.raises(TypeError):
        make("sha256", "text", bytes(16))
    unchecked = make.from_seed_unchecked("sha256", b"")
    unchecked.reseed(b"")
    assert len(unchecked.generate(5)) == 5


def test_a_failed_call_changes_nothing() -> None:
    drbg, twin = (hashwell.HmacDrbg("sha256", *SEED, reseed_interval=2) for _ in range(2))
    for call in (lambda: drbg.reseed(bytes(5)), lambda: drbg.generate(3 * 65536)):
        with pytest.raises(ValueError):
            call()
    assert drbg.generate(32) == twin.generate(32)


def test_reseed_required() -> None:
    drbg = hashwell.HmacDrbg("sha256", *SEED, reseed_interval=2)
    drbg.generate(1), drbg.generate(1)
    with pytest.raises(hashwell.ReseedRequiredError, match="must be reseeded after 2 requests"):
        drbg.generate(1)
    assert issubclass(hashwell.ReseedRequiredError, ValueError) and drbg.requests_left == 0
    drbg.reseed(bytes(32))
    assert len(drbg.generate(1)) == 1
    drbg.reseed()
    assert drbg.requests_left == 2


def test_entropy_of_the_system_is_fresh() -> None:
    """A generator with a seed is no longer reproducible after it uses entropy of the operating system."""
    for refresh in (
        lambda drbg: drbg.reseed(),
        lambda drbg: drbg.generate(1, prediction_resistance=True),
    ):
        drbg, twin = (hashwell.HmacDrbg("sha256", *SEED, prediction_resistance=True) for _ in range(2))
        refresh(drbg), refresh(twin)
        assert drbg.generate(32) != twin.generate(32)


def test_os_seeded(hmac_row) -> None:
    drbg, other = hashwell.HmacDrbg(hmac_row), hashwell.HmacDrbg(hmac_row, personalization=b"use", strength=112)
    assert drbg.os_seeded and drbg.reseed_interval == 4096 and drbg.name == f"hmac-drbg-{hmac_row}"
    assert drbg.generate(32) != other.generate(32) != other.generate(32)
    assert len(drbg.generate(200_000)) == 200_000
    assert other.strength == 112 and drbg.strength in (128, 192, 256)
    resistant = hashwell.HmacDrbg(hmac_row, prediction_resistance=True)
    assert len(resistant.generate(9, b"more", prediction_resistance=True)) == 9
    hashwell.HmacDrbg.self_test(hmac_row)


def test_os_seeded_reseeds_by_itself() -> None:
    drbg = hashwell.HmacDrbg("sha256", reseed_interval=2)
    left = [(drbg.generate(1), drbg.requests_left)[1] for _ in range(5)]
    assert left == [1, 0, 1, 0, 1]


def test_wiped() -> None:
    for drbg in (hashwell.HmacDrbg("sha256"), hashwell.HmacDrbg("sha256", *SEED)):
        drbg.wipe()
        drbg.wipe()
        for call in (lambda: drbg.generate(1), lambda: drbg.reseed(None if drbg.os_seeded else bytes(32))):
            with pytest.raises(ValueError, match="was wiped and must be instantiated again"):
                call()
        assert repr(drbg) == "<hashwell.HmacDrbg 'sha256', wiped>"


def test_shows_nothing_and_is_not_copied() -> None:
    assert repr(hashwell.HmacDrbg("sha256", *SEED)) == "<hashwell.HmacDrbg 'sha256', seeded>"
    assert repr(hashwell.HmacDrbg("sha256")) == "<hashwell.HmacDrbg 'sha256', OS-seeded>"
    for drbg in (hashwell.HmacDrbg("sha256"), hashwell.HmacDrbg("sha256", *SEED)):
        for take in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot pickle"):
                take(drbg)


def test_fork() -> None:
    for secret, drbg in ((True, hashwell.HmacDrbg("sha256")), (False, hashwell.HmacDrbg("sha256", *SEED))):
        drbg.generate(10)
        ours, theirs = both_sides_of_a_fork(lambda: drbg.generate(32))
        assert len(theirs) == 32 and (ours != theirs) == secret


DRBG = hashwell.HmacDrbg("sha256")


def draw(_: int) -> bytes:
    return DRBG.generate(16)


def test_multiprocessing() -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        drawn = pool.map(draw, range(40), chunksize=1)
    assert len(set(drawn)) == 40


def test_threads_share_one() -> None:
    """Short requests keep the GIL, long ones release it. Each request returns contiguous bytes of one stream."""
    lengths = [16, 3000] * 100
    drbg, twin = (hashwell.HmacDrbg("sha256", *SEED) for _ in range(2))
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(drbg.generate, [3000] * 200))
    assert sorted(drawn) == sorted(twin.generate(3000) for _ in range(200))
    shared = hashwell.HmacDrbg("sha256")
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(shared.generate, lengths))) == 200
