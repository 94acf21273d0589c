"""Digests of all lengths around the boundaries of blocks, chunks and groups: `vectors/sweep.json`, which other bindings
share."""

import hashlib
import json
import pathlib

import hashwell
import pytest

SWEEP = json.loads((pathlib.Path(__file__).parents[2] / "vectors/sweep.json").read_text())


def lengths():
    """The same lengths as in `web/test/checks.js`."""
    found, border = set(range(1101)), 1024
    while border <= 1 << 16:
        found |= {border - 1, border, border + 1}
        border += 512 if border < 1 << 14 else 4096
    for rate in (72, 104, 136, 144, 168):
        for n in range(8, 65, 7):
            found |= {n * rate + by for by in (-1, 0, 1)}
    return sorted(found)


def messages():
    everything = bytes(i % 251 for i in range(1 << 17))
    return [everything[n % 256 : n % 256 + n] for n in lengths()]


def digest_of_digests(algorithm, output_len, kernel=None):
    # For extendable-output functions, a length must be given.
    size = {} if hashwell.algorithms[algorithm].digest_size else {"digest_size": output_len}
    digests = hashwell.hash_many(algorithm, messages(), kernel=kernel, **size)
    return hashlib.sha256(b"".join(digests)).hexdigest()


def test_every_algorithm_is_there():
    assert [case["algorithm"] for case in SWEEP["cases"]] == list(hashwell.algorithms)


@pytest.mark.parametrize("case", SWEEP["cases"], ids=lambda case: case["algorithm"])
def test_digests(case):
    algorithm, output_len = case["algorithm"], case["output_len"]
    assert digest_of_digests(algorithm, output_len) == case["expected"]
    if algorithm != "blake3":
        assert digest_of_digests(algorithm, output_len, "soft") == case["expected"]
