"""Devices in Python. `make test-accel` runs this with a build that supports them; other builds report that there are
none."""

import os
import threading

import numpy
import pytest

import hashwell

MESSAGES = [bytes((i * i + length) % 256 for i in range(length)) for length in (*range(300), 70_000, 3_000_000)]


def known() -> tuple[hashwell.Device, ...] | None:
    try:
        return hashwell.devices()
    except RuntimeError as error:
        assert str(error) == "this build does not support devices: it was compiled without the feature 'accel'"
        return None


KNOWN = known()
NEEDED = os.environ.get("HASHWELL_DEVICES")  # `make test-accel` sets this variable
accel = pytest.mark.skipif(KNOWN is None and not NEEDED, reason="built without the feature accel: make test-accel")


@pytest.mark.skipif(KNOWN is not None, reason="built with the feature accel")
@pytest.mark.parametrize("device", ["cpu:0", "jit:0", "", "nothing"])
def test_a_build_without_devices_says_so(device: str) -> None:
    with pytest.raises(RuntimeError, match="compiled without the feature 'accel'"):
        hashwell.hash_many("sha256", [b"abc"], device=device)
    with pytest.raises(TypeError):
        hashwell.hash_many("sha256", [b"abc"], device=1)
    assert hashwell.hash_many("sha256", [b"abc"], device=None) == hashwell.hash_many("sha256", [b"abc"])


@accel
def test_what_is_here() -> None:
    devices = hashwell.devices()
    assert [device.id for device in devices[:2]] == ["cpu:0", "jit:0"]
    assert len({device.id for device in devices}) == len(devices)
    for device in devices:
        assert device.kind in {"processor", "code", "card", "simulation"}
        assert device.name and device.platform and (device.units is None or device.units > 0)


@accel
@pytest.mark.parametrize("name", ["sha256", "sha256-90r"])
def test_every_device_gives_the_same_digests(name: str) -> None:
    expected = hashwell.hash_many(name, MESSAGES)
    for device in hashwell.devices():
        if device.kind != "simulation":
            assert hashwell.hash_many(name, MESSAGES, device=device.id) == expected
            assert hashwell.hash_many(name, [], device=device.id) == []


@accel
def test_every_form_of_messages_and_digests() -> None:
    rows = numpy.random.default_rng(1).integers(0, 256, (5000, 33), dtype=numpy.uint8)
    expected = hashwell.hash_many("sha256-90r", rows)
    digests = hashwell.hash_many("sha256-90r", rows, device="jit:0")
    assert isinstance(digests, numpy.ndarray) and (digests == expected).all()
    together = hashwell.hash_many("sha256-90r", rows, device="jit:0", contiguous=True)
    assert together == expected.tobytes()
    out = bytearray(len(together))
    assert hashwell.hash_many("sha256-90r", rows, device="jit:0", out=out) is out and out == together
    texts = ["a", "bc", "ä"]
    assert hashwell.hash_many("sha256", texts, encoding="utf-8", hex=True, device="jit:0") == [
        hashwell.sha256(text.encode()).hexdigest() for text in texts
    ]


@accel
def test_threads_may_share_a_device() -> None:
    expected = hashwell.hash_many("sha256-90r", MESSAGES[:200])
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(hashwell.hash_many("sha256-90r", MESSAGES[:200], device="jit:0")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@accel
@pytest.mark.parametrize("device", ["", "jit", "jit:1", "nothing:0", "cpu:0 ", "a\nb"])
def test_an_unknown_device_is_one_line_with_those_that_are_known(device: str) -> None:
    with pytest.raises(ValueError, match=r"^unknown device '.*' \(known devices: cpu:0, jit:0") as caught:
        hashwell.hash_many("sha256", [b"abc"], device=device)
    assert "\n" not in str(caught.value)


@accel
@pytest.mark.parametrize(
    ("name", "params", "expected"),
    [
        ("sha512", {}, "engine 'jit:0' does not support sha512 with these parameters"),
        ("blake2b-512", {"key": b"secret"}, "engine 'jit:0' does not support blake2b-512"),
        ("sha256", {"kernel": "soft"}, "engine 'jit:0' does not support sha256 with a CPU kernel"),
        ("sha256", {"threads": 2}, "threads and device cannot be used together"),
    ],
)
def test_what_a_device_does_not_hash_is_not_hashed_elsewhere(name: str, params: dict[str, object], expected: str) -> None:
    out = bytearray(hashwell.algorithms[name].digest_size or 32)
    with pytest.raises(ValueError, match="^" + expected):
        hashwell.hash_many(name, [b"abc"], device="jit:0", out=out, **params)
    assert not any(out)
