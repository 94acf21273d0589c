"""Saved hashes: to_bytes, from_bytes, pickle and copies, and the vectors that all language bindings share."""

import copy
import json
import pathlib
import pickle

import pytest

import hashwell

FILE = json.loads((pathlib.Path(__file__).parents[2] / "vectors/state.json").read_text())
NAMES = {"salt": "salt", "personal": "person", "customization": "customization", "function_name": "function_name"}


def message(n: int) -> bytes:
    return (bytes(range(251)) * (n // 251 + 1))[:n]


def restored(state: bytes) -> hashwell.Digest | hashwell.Xof:
    try:
        return hashwell.Digest.from_bytes(state)
    except ValueError as error:
        assert "use Xof.from_bytes" in str(error)
        return hashwell.Xof.from_bytes(state)


@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: f"{case['algorithm']}-{case['len']}")
def test_vectors(case: dict) -> None:
    state, expected, n = bytes.fromhex(case["state"]), bytes.fromhex(case["expected"]), case["len"]
    one = restored(state)
    assert one.to_bytes() == state
    one.update(message(n + FILE["rest"])[n:])
    got = one.digest() if isinstance(one, hashwell.Digest) else one.digest(len(expected))
    assert got == expected
    if not {"output_len", "domain", *NAMES} & case.keys():
        fresh = hashwell.new(case["algorithm"])
        fresh.update(message(n))
        assert fresh.to_bytes() == state


@pytest.mark.parametrize("name", ["sha256", "blake3", "shake128", "kt128", "blake2b-512"])
@pytest.mark.parametrize("n", [0, 10, 5000])
def test_copies(name: str, n: int) -> None:
    one = hashwell.new(name)
    one.update(message(n))
    end = hashwell.new(name)
    end.update(message(n) + b"more")
    length = () if isinstance(one, hashwell.Digest) else (32,)
    for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), lambda one: one.copy()):
        made = way(one)
        assert type(made) is type(one) and made.name == one.name and made.digest_size == one.digest_size
        made.update(b"more")
        assert made.digest(*length) == end.digest(*length) != one.digest(*length)


@pytest.mark.parametrize(("name", "size"), [("blake3", 100), ("blake3", 32), ("shake128", 7), ("shake128", 32), ("kt128", 64)])
def test_digest_sizes_are_saved(name: str, size: int) -> None:
    one = hashwell.new(name, digest_size=size)
    one.update(b"abc")
    for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))):
        assert way(one).digest_size == size and way(one).digest() == one.digest() and len(one.digest()) == size
    restored = hashwell.Xof.from_bytes(one.to_bytes())
    # 32 bytes are the default of SHAKE128 in other languages, so a state doesn't contain this size.
    assert restored.digest_size == (0 if (name, size) == ("shake128", 32) else size)
    assert hashwell.Xof.from_bytes(one.to_bytes(), size).digest() == one.digest()


def test_keys_stay() -> None:
    for keyed in (hashwell.blake2b_512(key=b"k"), hashwell.blake3(key=bytes(32))):
        for way in (lambda one: one.to_bytes(), pickle.dumps):
            with pytest.raises(ValueError, match="depends on a key"):
                way(keyed)


@pytest.mark.parametrize("case", FILE["rejected"], ids=lambda case: case["message"][23:])
def test_impossible_states(case: dict) -> None:
    for load in (hashwell.Digest.from_bytes, hashwell.Xof.from_bytes):
        with pytest.raises(ValueError) as raised:
            load(bytes.fromhex(case["state"]))
        assert str(raised.value) == case["message"]


def test_what_is_refused() -> None:
    state = hashwell.sha256(b"abc").to_bytes()
    for bad in (b"", state[:-1], state + b"\0", bytes([state[0] ^ 1]) + state[1:]):
        with pytest.raises(ValueError, match="not an exported state"):
            hashwell.Digest.from_bytes(bad)
    with pytest.raises(ValueError, match="the state belongs to sha256: use Digest.from_bytes"):
        hashwell.Xof.from_bytes(state)
    with pytest.raises(TypeError):
        hashwell.Digest.from_bytes("text")
    read = hashwell.shake128(b"seed")
    read.read(1)
    with pytest.raises(TypeError, match="finalized"):
        read.to_bytes()
    with pytest.raises(TypeError, match="finalized"):
        pickle.dumps(read)


def secret_state(case: dict) -> tuple[object, object]:
    """The object of a case with a secret state after its first bytes, and the object restored from the state."""
    state, key = bytes.fromhex(case["state"]), bytes.fromhex(case.get("key", ""))
    match case["kind"]:
        case "hmac":
            made: object = hashwell.Hmac(case["algorithm"], key, message(case["len"]))
            return made, hashwell.Hmac.from_secret_bytes(state)
        case "kmac":
            customization = bytes.fromhex(case.get("customization", ""))
            made = hashwell.Kmac(case["algorithm"], key, message(case["len"]), customization=customization)
            return made, hashwell.Kmac.from_secret_bytes(state)
    parameters: dict = {"derive_key_context": case["context"]} if "context" in case else {"key": key}
    if "salt" in case:
        parameters |= {"salt": bytes.fromhex(case["salt"]), "digest_size": case["output_len"]}
    made = hashwell.new(case["algorithm"], message(case["len"]), **parameters)
    return made, type(made).from_secret_bytes(state)


@pytest.mark.parametrize("case", FILE["secret"], ids=lambda case: f"{case['kind']}-{case['algorithm']}-{case['len']}")
def test_secret_vectors(case: dict) -> None:
    made, one = secret_state(case)
    for secret in (made, one):
        assert secret.to_secret_bytes().hex() == case["state"]  # type: ignore[attr-defined]
    expected = bytes.fromhex(case["expected"])
    one.update(message(case["len"] + FILE["rest"])[case["len"] :])  # type: ignore[attr-defined]
    got = one.digest(len(expected)) if isinstance(one, hashwell.Xof | hashwell.Kmac) else one.digest()  # type: ignore[attr-defined]
    assert got == expected


@pytest.mark.parametrize("case", FILE["rejected_secret"], ids=lambda case: f"{case['kind']}-{case['message'][23:]}")
def test_impossible_secret_states(case: dict) -> None:
    classes = {"hash": [hashwell.Digest, hashwell.Xof], "hmac": [hashwell.Hmac], "kmac": [hashwell.Kmac]}
    for of in classes[case["kind"]]:
        with pytest.raises(ValueError) as raised:
            of.from_secret_bytes(bytes.fromhex(case["state"]))
        assert str(raised.value) == case["message"]


def test_secret_export_needs_a_key() -> None:
    for public in (hashwell.sha256(b"abc"), hashwell.shake128(b"abc")):
        with pytest.raises(ValueError, match="exporting a state without a key as secret bytes"):
            public.to_secret_bytes()
    stream = hashwell.blake3(key=bytes(32))
    with pytest.raises(ValueError, match="use Xof.from_secret_bytes"):
        hashwell.Digest.from_secret_bytes(stream.to_secret_bytes())
