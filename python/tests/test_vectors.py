"""Known-answer tests: the project's own for every algorithm, and NIST's CAVP files if the package that contains them is
installed."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

import hashwell
from reference import vectors

KEYWORDS = {"personal": "person", "context": "derive_key_context"}


def parameters(case: dict) -> dict:
    return {KEYWORDS.get(name, name): value for name, value in vectors.params(case).items()}


def test_every_row_has_vectors(row) -> None:
    known = vectors.load(row)
    assert known["algorithm"] == row and known["cases"]
    for case in known["cases"]:
        data, expected, skip = vectors.data(case["input"]), bytes.fromhex(case["expected"]), case.get("skip", 0)
        options = parameters(case)
        if hashwell.algorithms[row].kind == "digest":
            if len(expected) != hashwell.algorithms[row].digest_size:
                options["digest_size"] = len(expected)
            assert hashwell.digest(row, data, **options) == expected
            assert hashwell.new(row, data, **options).hexdigest() == case["expected"]
        else:
            stream = hashwell.new(row, data, **options)
            if skip and stream.seekable():
                stream.seek(skip)
            else:
                stream.read(skip)
            assert stream.read(case["output_len"] - skip) == expected


def test_hmac() -> None:
    for case in vectors.load("hmac")["cases"]:
        key, data = bytes.fromhex(case["key"]), vectors.data(case["input"])
        expected, length = bytes.fromhex(case["expected"]), case.get("truncate")
        assert hashwell.hmac(case["algorithm"], key, data)[:length] == expected
        hashwell.Hmac(case["algorithm"], key, data).verify(expected, length=length)


def test_hkdf() -> None:
    for case in vectors.load("hkdf")["cases"]:
        ikm, salt, info, prk, okm = (bytes.fromhex(case[name]) for name in ("ikm", "salt", "info", "prk", "okm"))
        assert hashwell.hkdf_extract(case["algorithm"], ikm, salt=salt) == prk
        assert hashwell.hkdf_expand(case["algorithm"], prk, case["length"], info=info) == okm
        assert hashwell.hkdf(case["algorithm"], ikm, case["length"], salt=salt, info=info) == okm


def test_kmac() -> None:
    for case in vectors.load("kmac")["cases"]:
        key, data, custom = bytes.fromhex(case["key"]), vectors.data(case["input"]), bytes.fromhex(case["customization"])
        expected, mac = bytes.fromhex(case["expected"]), hashwell.Kmac(case["algorithm"], key, data, customization=custom)
        if case["xof"]:
            assert mac.xof().read(case["output_len"]) == expected
        else:
            assert mac.digest(case["output_len"]) == expected
            assert getattr(hashwell, case["algorithm"])(key, data, case["output_len"], custom) == expected
            mac.verify(expected, length=len(expected))


def test_every_file_is_read() -> None:
    names = {path.stem for path in (ROOT / "vectors").glob("*.json")}
    others = {name for name in names if re.match("chunk-list|draw|sampl|hmac|hkdf|kmac|process|random|rows|state|sweep|uniform", name)}
    assert names - others <= set(hashwell.algorithms)


PACKAGE = importlib.util.find_spec("cryptography_vectors")
FILES = Path(PACKAGE.origin).parent if PACKAGE and PACKAGE.origin else None
if FILES is None:
    print("test_vectors.py: CAVP files are skipped, the package cryptography-vectors is not installed")
needs_files = pytest.mark.skipif(FILES is None, reason="the package cryptography-vectors is not installed")


def records(path: str) -> Iterator[dict[str, str]]:
    """Blocks of `name = value` lines in a file. Values in brackets apply to all blocks that follow."""
    assert FILES
    common, record = {}, {}
    for line in [*(FILES / path).read_text().splitlines(), ""]:
        if line.startswith("#"):
            continue
        if match := re.fullmatch(r"\[?([^=\]]+?)\s*=\s*([^\]]*?)\]?", line.strip()):
            (common if line.startswith("[") else record)[match[1].strip()] = match[2].strip()
        elif record:
            yield common | record
            record = {}


CAVP = {
    **{f"sha{n}": f"SHA2/SHA{n}" for n in (224, 256, 384, 512)},
    **{f"sha512_{n}": f"SHA2/SHA512_{n}" for n in (224, 256)},
    **{f"sha3_{n}": f"SHA3/SHA3_{n}" for n in (224, 256, 384, 512)},
    "sha1": "SHA1/SHA1",
}


@needs_files
@pytest.mark.parametrize("name", CAVP)
def test_cavp_messages(name) -> None:
    count = 0
    for length in ("Short", "Long"):
        for record in records(f"hashes/{CAVP[name]}{length}Msg.rsp"):
            message = bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8]
            assert hashwell.hexdigest(name, message) == record["MD"].lower()
            count += 1
    assert count > 100


@needs_files
@pytest.mark.parametrize("name", CAVP)
def test_cavp_chain(name) -> None:
    digest, constructor, count = b"", getattr(hashwell, name), 0
    for record in records(f"hashes/{CAVP[name]}Monte.rsp"):
        if "Seed" in record:
            digest = bytes.fromhex(record["Seed"])
        if "COUNT" not in record:
            continue
        last = [digest] * 3
        for _ in range(1000):
            message = digest if name.startswith("sha3_") else b"".join(last)
            digest = constructor(message).digest()
            last = [*last[1:], digest]
        assert digest.hex() == record["MD"].lower()
        count += 1
    assert count == 100


@needs_files
@pytest.mark.parametrize("bits", [128, 256])
def test_cavp_shake(bits) -> None:
    count = 0
    for kind in ("ShortMsg", "LongMsg", "VariableOut"):
        for record in records(f"hashes/SHAKE/SHAKE{bits}{kind}.rsp"):
            if "Msg" in record:
                length = int(record.get("Len", record.get("Input Length", "0"))) // 8
                expected = bytes.fromhex(record["Output"])
                assert hashwell.new(f"shake{bits}", bytes.fromhex(record["Msg"])[:length]).read(len(expected)) == expected
                count += 1
    assert count > 1000


@needs_files
@pytest.mark.parametrize("bits", [128, 256])
def test_cavp_shake_chain(bits) -> None:
    output, size, count = b"", 0, 0
    for record in records(f"hashes/SHAKE/SHAKE{bits}Monte.rsp"):
        low, high = (int(record[f"{word} Output Length (bits)"]) // 8 for word in ("Minimum", "Maximum"))
        if "Msg" in record:
            output, size = bytes.fromhex(record["Msg"]), high
        if "COUNT" not in record:
            continue
        for _ in range(1000):
            output = hashwell.new(f"shake{bits}", (output + bytes(16))[:16]).read(size)
            used, size = size, low + int.from_bytes(output[-2:], "big") % (high - low + 1)
        assert output.hex() == record["Output"] and used == int(record["Outputlen"]) // 8
        count += 1
    assert count == 100


@needs_files
@pytest.mark.parametrize("name", ["blake2b", "blake2s"])
def test_blake2_messages(name) -> None:
    seen = [record for record in records(f"hashes/blake2/{name}.txt")]
    for record in seen:
        assert hashwell.hexdigest(name, bytes.fromhex(record["Msg"])[: int(record["Len"]) // 8]) == record["MD"]
    assert len(seen) > 5


@needs_files
@pytest.mark.parametrize("name", ["sha1", "sha224", "sha256", "sha384", "sha512"])
def test_rfc_hmac(name) -> None:
    seen = list(records(f"HMAC/rfc-{'2202' if name == 'sha1' else '4231'}-{name}.txt"))
    for record in seen:
        tag = hashwell.hmac(name, bytes.fromhex(record["Key"]), bytes.fromhex(record["Msg"]))
        assert tag.hex().startswith(record["MD"].lower())
    assert len(seen) >= 6


@needs_files
@pytest.mark.parametrize("name", ["sha1", "sha256"])
def test_rfc_hkdf(name) -> None:
    # A case consists of two or three blocks. The first block is its number.
    seen: list[dict[str, str]] = []
    for block in records(f"KDF/rfc-5869-HKDF-{name.upper()}.txt"):
        if "COUNT" in block:
            seen.append({})
        seen[-1] |= block
    for record in seen:
        ikm, salt, info = (bytes.fromhex(record.get(key, "")) for key in ("IKM", "salt", "info"))
        assert hashwell.hkdf(name, ikm, int(record["L"]), salt=salt, info=info).hex() == record["OKM"]
        assert hashwell.hkdf_extract(name, ikm, salt=salt).hex() == record["PRK"]
    assert len(seen) >= 3
