#!/usr/bin/env python3
"""Writes known answers for the pure Haskell packages, one per line: cases.py VECTORS [OFFICIAL].

VECTORS is the repository's folder of that name. OFFICIAL contains the files of CAVP and Wycheproof; without it, their cases
are skipped. Lines are `hash ALGORITHM MESSAGE DIGEST` and `hmac ALGORITHM KEY MESSAGE TAG true|false` in hexadecimal, with `-`
for no bytes; false marks a wrong tag. A tag may be truncated. Lines of HMAC-DRBG are `drbg ALGORITHM ENTROPY NONCE
PERSONALIZATION` and then, for each request, `reseed ENTROPY ADDITIONAL` or `generate LENGTH ADDITIONAL OUTPUT`, with `?`
for an unknown output. Cases with random input and the answers of Python's hashlib come last. Prints the number of cases
from each source to stderr."""
import gzip
import hashlib
import hmac
import json
import pathlib
import random
import re
import sys

NAMES = {"sha224": "sha224", "sha256": "sha256", "sha384": "sha384", "sha512": "sha512",
         "sha512-224": "sha512_224", "sha512-256": "sha512_256"}
PATTERNS = {"mod251": lambda n: bytes(i % 251 for i in range(n)), "zeros": bytes, "ff": lambda n: b"\xff" * n}


def message(value):
    """The bytes of a field `input` (vectors/README.md)."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    if "hex" in value:
        return bytes.fromhex(value["hex"])
    if "ascii" in value:
        return value["ascii"].encode()
    pattern, length = value["pattern"], value["len"]
    return PATTERNS[pattern](length) if pattern in PATTERNS else bytes.fromhex(pattern[5:]) * length


def repository(vectors):
    for name in NAMES:
        for case in json.loads((vectors / f"{name}.json").read_text())["cases"]:
            data = message(case["input"])
            if len(data) <= 2_000_000:
                yield "hash", name, data, bytes.fromhex(case["expected"])


def drbg(vectors):
    for case in json.loads((vectors / "hmac-drbg.json").read_text())["cases"]:
        if case["algorithm"] not in NAMES:
            continue
        line = [bytes.fromhex(case.get(part, "")) for part in ("entropy", "nonce", "personalization")]
        for step in case["steps"]:
            additional, expected = bytes.fromhex(step.get("additional", "")), step.get("expected")
            if "reseed" in step:
                line += ["reseed", bytes.fromhex(step["reseed"]), additional]
                continue
            # Prediction resistance is equivalent to a reseed with the additional input, followed by a request without
            # it.
            if "entropy" in step:
                line += ["reseed", bytes.fromhex(step["entropy"]), additional]
                additional = b""
            line += ["generate", step["generate"], additional, bytes.fromhex(expected) if expected else "?"]
        yield "drbg", case["algorithm"], *line


def cavp(folder):
    for name in NAMES:
        for kind in ("ShortMsg", "LongMsg"):
            path = folder / f"cavp/SHA2/{name.upper().replace('-', '_')}{kind}.rsp.gz"
            if path.exists():
                text = gzip.open(path, "rt").read()
                for bits, data, digest in re.findall(r"Len = (\d+)\s+Msg = (\w+)\s+MD = (\w+)", text):
                    yield "hash", name, bytes.fromhex(data)[:int(bits) // 8], bytes.fromhex(digest)
    lengths = {28: "sha224", 32: "sha256", 48: "sha384", 64: "sha512"}
    for section in re.split(r"\[L=", gzip.open(folder / "cavp/HMAC/HMAC.rsp.gz", "rt").read())[1:]:
        name = lengths.get(int(section.split("]")[0]))
        if name:
            for key, data, tag in re.findall(r"Key = (\w+)\s+Msg = (\w+)\s+Mac = (\w+)", section):
                yield "hmac", name, *map(bytes.fromhex, (key, data, tag)), True


def wycheproof(folder):
    for name in NAMES:
        path = folder / f"wycheproof/hmac_{name.replace('-', '_')}_test.json.gz"
        for group in json.loads(gzip.open(path).read())["testGroups"]:
            for case in group["tests"]:
                yield "hmac", name, *(bytes.fromhex(case[part]) for part in ("key", "msg", "tag")), case["result"] == "valid"


def randomly():
    source = random.Random(44)
    for name, python in NAMES.items():
        for length in [*range(300), *(source.randrange(300, 5000) for _ in range(40)), 200_000]:
            data, key = source.randbytes(length), source.randbytes(source.randrange(200))
            yield "hash", name, data, hashlib.new(python, data).digest()
            yield "hmac", name, key, data, hmac.new(key, data, python).digest(), True


def main(vectors, official=None):
    origins = {"repository": repository(pathlib.Path(vectors)), "DRBGVS and other HMAC-DRBG": drbg(pathlib.Path(vectors)), "random": randomly()}
    if official and (pathlib.Path(official) / "cavp").is_dir():
        origins |= {"CAVP": cavp(pathlib.Path(official)), "Wycheproof": wycheproof(pathlib.Path(official))}
    else:
        print("SKIPPED: CAVP and Wycheproof (set HASHWELL_OFFICIAL to the folder with their files)", file=sys.stderr)
    for origin, cases in origins.items():
        count = 0
        for case in cases:
            show = lambda part: (part.hex() or "-") if isinstance(part, bytes) else str(part).lower()
            print(*map(show, case))
            count += 1
        print(f"{origin}: {count} cases", file=sys.stderr)
        if not count:
            sys.exit(f"no cases of {origin}")


if __name__ == "__main__":
    main(*sys.argv[1:])
