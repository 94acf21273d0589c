"""docs/spec/state.md: saved states of hashes. The section names are those of that document.

`save(name, message, **parameters)` writes the state after a message, and `resume(state, rest)` reads one and finishes it. Both are
written from the specification and share no code with the crates. `python3 -m reference.state vectors/state.json` writes the vectors.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from struct import pack, unpack

from . import ascon, blake2, blake3, keccak, ripemd, sha1, sha2, sm3
from .vectors import data

MAGIC, VERSION, LONGEST = b"HWST", 1, 1 << 61
# Section "Layout": kinds.
HASH, KEYED_HASH, HMAC, KMAC = range(4)

# Section "Header": the number in the registry, and the number of output bytes.
ALGORITHMS = {
    "sha1": (1, 20), "sha224": (2, 28), "sha256": (3, 32), "sha384": (4, 48), "sha512": (5, 64),
    "sha512-224": (6, 28), "sha512-256": (7, 32), "sha3-224": (8, 28), "sha3-256": (9, 32), "sha3-384": (10, 48),
    "sha3-512": (11, 64), "shake128": (12, 32), "shake256": (13, 64), "cshake128": (14, 32), "cshake256": (15, 64),
    "turboshake128": (16, 32), "turboshake256": (17, 64), "kt128": (18, 32), "kt256": (19, 64),
    "blake2b-256": (20, 32), "blake2b-512": (21, 64), "blake2bp-512": (22, 64), "blake2s-256": (23, 32),
    "blake3": (24, 32), "ascon-hash256": (25, 32), "ascon-xof128": (26, 32), "ascon-cxof128": (27, 32),
    "ascon-xof-v1.2": (28, 32), "ascon-xofa-v1.2": (29, 32), "sha256-90r": (30, 32), "sm3": (31, 32),
    "blake2sp-256": (32, 32), "ripemd160": (33, 20),
}  # fmt: skip
# Section "Parameters": the number of each parameter, and whether its value is bytes.
PARAMETERS = {
    "output_len": (0, False), "key": (1, True), "salt": (2, True), "personal": (3, True), "customization": (4, True),
    "function_name": (5, True), "domain": (6, False), "context": (7, True), "fanout": (8, False), "max_depth": (9, False),
    "leaf_len": (10, False), "node_offset": (11, False), "node_depth": (12, False), "inner_len": (13, False),
    "last_node": (14, False),
}  # fmt: skip


class BadState(ValueError):
    """An error: the bytes are not a state according to the specification."""


class Fields:
    def __init__(self, rest: bytes):
        self.rest = rest

    def take(self, n: int) -> bytes:
        if n > len(self.rest):
            raise BadState("too short")
        field, self.rest = self.rest[:n], self.rest[n:]
        return field


class Md:
    """Section "Merkle-Damgård": the chaining value and the bytes of the incomplete block."""

    def __init__(self, compress: Callable, H: list[int], block: int, word: int, order: str, out_len: int):
        self.compress, self.H, self.block, self.word, self.order = compress, H, block, word, order
        self.out_len, self.length, self.buffer = out_len, 0, b""

    def update(self, message: bytes) -> None:
        self.length += len(message)
        self.buffer += message
        while len(self.buffer) >= self.block:
            self.H = self.compress(self.H, self.buffer[: self.block])
            self.buffer = self.buffer[self.block :]

    def value(self) -> bytes:
        return b"".join(h.to_bytes(self.word, self.order) for h in self.H)

    def save(self) -> bytes:
        return self.value() + self.buffer

    def restore(self, length: int, fields: Fields) -> None:
        H = fields.take(len(self.value()))
        if length < self.block and H != self.value():
            raise BadState("not the initial value")
        self.H = [int.from_bytes(H[i : i + self.word], self.order) for i in range(0, len(H), self.word)]
        self.length, self.buffer = length, fields.take(length % self.block)

    def finish(self) -> bytes:
        size = self.block // 8
        bits = (8 * self.length).to_bytes(16, self.order)
        bits = bits[:size] if self.order == "little" else bits[-size:]
        self.update(b"\x80" + bytes(-(len(self.buffer) + 1 + size) % self.block) + bits)
        return self.value()[: self.out_len]


class Sponge:
    """Section "Sponges": all words, with the bytes of the incomplete block already absorbed."""

    def __init__(self, permute: Callable, words: list[int], rate: int, order: str, suffix: int, last: int, out_len: int):
        self.permute, self.words, self.rate, self.order = permute, words, rate, order
        self.suffix, self.last, self.out_len, self.length = suffix, last, out_len, 0
        # Rounds after the last block, if they differ from those between blocks.
        self.finish_permute = permute

    def raw(self) -> bytearray:
        return bytearray(b"".join(w.to_bytes(8, self.order) for w in self.words))

    def set(self, raw: bytes) -> None:
        self.words = [int.from_bytes(raw[i : i + 8], self.order) for i in range(0, len(raw), 8)]

    def update(self, message: bytes) -> None:
        while message:
            at = self.length % self.rate
            part, message = message[: self.rate - at], message[self.rate - at :]
            raw = self.raw()
            for i, byte in enumerate(part):
                raw[at + i] ^= byte
            self.set(raw)
            self.length += len(part)
            if at + len(part) == self.rate:
                self.words = self.permute(self.words)

    def save(self) -> bytes:
        return bytes(self.raw())

    def restore(self, length: int, fields: Fields) -> None:
        raw = fields.take(len(self.raw()))
        if length < self.rate and raw[length:] != self.raw()[length:]:
            raise BadState("not the initial value")
        self.set(raw)
        self.length = length

    def finish(self) -> bytes:
        raw = self.raw()
        raw[self.length % self.rate] ^= self.suffix
        raw[self.rate - 1] ^= self.last
        self.set(raw)
        self.words = self.finish_permute(self.words)
        out = self.raw()[: self.rate]
        while len(out) < self.out_len:
            self.words = self.permute(self.words)
            out += self.raw()[: self.rate]
        return bytes(out[: self.out_len])


def keccak_sponge(strength: int, suffix: int, out_len: int, rounds: int = 24) -> Sponge:
    rate = keccak.rate_of(strength)
    return Sponge(lambda A: keccak.keccak_p(A, rounds), [0] * 25, rate, "little", suffix, 0x80, out_len)


def cshake(strength: int, out_len: int, function_name: bytes, customization: bytes) -> Sponge:
    if not function_name and not customization:
        return keccak_sponge(strength, 0x1F, out_len)
    sponge = keccak_sponge(strength, 0x04, out_len)
    strings = keccak.encode_string(function_name) + keccak.encode_string(customization)
    sponge.update(keccak.bytepad(strings, sponge.rate))
    sponge.length = 0
    return sponge


def ascon_sponge(v: ascon.Variant, out_len: int, words: list[int] | None = None) -> Sponge:
    words = words or ascon.initial(v)
    sponge = Sponge(lambda S: ascon.permute(S, v.b), words, 8, v.byteorder, v.pad[0], 0, out_len)
    sponge.finish_permute = lambda S: ascon.permute(S, v.a)
    return sponge


def cxof(out_len: int, customization: bytes) -> Sponge:
    v = ascon.CXOF128
    S = ascon.permute(ascon.xor_rate(ascon.initial(v), 8 * len(customization)), v.b)
    return ascon_sponge(v, out_len, ascon.absorb(v, S, customization))


class Kangaroo:
    """Section "KangarooTwelve": the final node, and the incomplete leaf."""

    def __init__(self, strength: int, out_len: int, customization: bytes):
        self.strength, self.customization, self.length = strength, customization, 0
        self.final = keccak_sponge(strength, 0x06, out_len, 12)
        self.leaf = self.new_leaf()

    def new_leaf(self) -> Sponge:
        return keccak_sponge(self.strength, 0x0B, self.strength // 4, 12)

    def leaves(self) -> int:
        return max(self.length - 1, 0) // 8192

    def update(self, message: bytes) -> None:
        while message:
            if self.length == 8192:
                self.final.update(b"\x03" + bytes(7))
            part, message = message[: 8192 - self.length % 8192], message[8192 - self.length % 8192 :]
            (self.leaf if self.length >= 8192 else self.final).update(part)
            self.length += len(part)
            if self.length > 8192 and self.length % 8192 == 0:
                self.end_leaf()

    def end_leaf(self) -> None:
        self.final.update(self.leaf.finish())
        self.leaf = self.new_leaf()

    def save(self) -> bytes:
        return self.final.save() + (self.leaf.save() if self.leaf.length else b"")

    def restore(self, length: int, fields: Fields) -> None:
        self.length = length
        if length <= 8192:
            self.final.restore(length, fields)
            return
        ended, in_leaf = divmod(length - 8192, 8192)
        self.final.restore(8192 + 8 + ended * self.strength // 4, fields)
        if in_leaf:
            self.leaf.restore(in_leaf, fields)

    def finish(self) -> bytes:
        self.update(self.customization + keccak.length_encode(len(self.customization)))
        if self.length <= 8192:
            self.final.suffix = 0x07
        else:
            count = self.leaves()
            if self.leaf.length:
                self.end_leaf()
            self.final.update(keccak.length_encode(count) + b"\xff\xff")
        return self.final.finish()


class Blake2:
    """Section "BLAKE2": the chaining value, and the last block, which is kept even if it is full."""

    def __init__(self, V: blake2.Variant, P: bytes, out_len: int, last_node: bool = False):
        self.V, self.out_len, self.last_node, self.length, self.buffer = V, out_len, last_node, 0, b""
        self.h = [iv ^ p for iv, p in zip(V.IV, blake2.words(P, V.w))]

    def update(self, message: bytes) -> None:
        self.buffer += message
        self.length += len(message)
        while len(self.buffer) > self.V.block_bytes:
            block, self.buffer = self.buffer[: self.V.block_bytes], self.buffer[self.V.block_bytes :]
            self.h = blake2.F(self.V, self.h, block, self.length - len(self.buffer), False, False)

    def value(self) -> bytes:
        return b"".join(x.to_bytes(self.V.w // 8, "little") for x in self.h)

    def save(self) -> bytes:
        return self.value() + self.buffer

    def restore(self, length: int, fields: Fields) -> None:
        h = fields.take(len(self.value()))
        if length <= self.V.block_bytes and h != self.value():
            raise BadState("not the initial value")
        waits = length and (length - 1) % self.V.block_bytes + 1
        self.h, self.length, self.buffer = blake2.words(h, self.V.w), length, fields.take(waits)

    def finish(self) -> bytes:
        block = self.buffer.ljust(self.V.block_bytes, b"\0")
        self.h = blake2.F(self.V, self.h, block, self.length, True, self.last_node)
        return self.value()[: self.out_len]


class Blake2Tree:
    """Section "BLAKE2bp and BLAKE2sp": the chaining values of all leaves, and the last one or two stripes."""

    def __init__(self, V: blake2.Variant, fanout: int, out_len: int, key: bytes):
        self.V, self.fanout, self.out_len, self.length, self.buffer = V, fanout, out_len, 0, b""
        self.key_length = len(key)
        self.stripe = fanout * V.block_bytes
        self.leaves = [
            Blake2(V, self.block(node_offset=i), V.max_bytes, i == fanout - 1) for i in range(fanout)
        ]
        self.update(blake2.key_block(V, key) * fanout)

    def block(self, **node: int) -> bytes:
        inner = self.V.max_bytes
        return blake2.parameters(self.V, self.out_len, self.key_length, fanout=self.fanout, depth=2, inner_length=inner, **node)

    def update(self, message: bytes) -> None:
        self.length += len(message)
        self.buffer += message
        while len(self.buffer) > 2 * self.stripe:
            t = (self.length - len(self.buffer)) // self.fanout + self.V.block_bytes
            for i, leaf in enumerate(self.leaves):
                block = self.buffer[i * self.V.block_bytes :][: self.V.block_bytes]
                leaf.h = blake2.F(self.V, leaf.h, block, t, False, False)
            self.buffer = self.buffer[self.stripe :]

    def save(self) -> bytes:
        return b"".join(leaf.value() for leaf in self.leaves) + self.buffer

    def restore(self, length: int, fields: Fields) -> None:
        waits = length if length <= self.stripe else self.stripe + (length - self.stripe - 1) % self.stripe + 1
        for leaf in self.leaves:
            h = fields.take(self.V.max_bytes)
            if length == waits and h != leaf.value():
                raise BadState("not the initial value")
            leaf.h = blake2.words(h, self.V.w)
        self.length, self.buffer = length, fields.take(waits)

    def finish(self) -> bytes:
        size = self.V.block_bytes
        blocks = [self.buffer[i : i + size] for i in range(0, len(self.buffer), size)]
        root = Blake2(self.V, self.block(node_depth=1), self.out_len, True)
        for i, leaf in enumerate(self.leaves):
            leaf.length = (self.length - len(self.buffer)) // self.fanout
            leaf.update(b"".join(blocks[i :: self.fanout]))
            root.update(leaf.finish())
        return root.finish()


class Blake3:
    """Section "BLAKE3": the values of subtrees from left to right, and the bytes of the incomplete chunk."""

    def __init__(self, out_len: int, key: bytes | None, context: bytes | None):
        self.out_len, self.length = out_len, 0
        self.key, self.flags = blake3.IV, 0
        if context is not None:
            key, self.flags = blake3.root_hash(context, blake3.IV, blake3.DERIVE_KEY_CONTEXT, 32), blake3.DERIVE_KEY_MATERIAL
        elif key is not None:
            self.flags = blake3.KEYED_HASH
        if key is not None:
            self.key = list(unpack("<8I", key))
        # (number of chunks, value) for each subtree.
        self.values: list[tuple[int, list[int]]] = []
        self.buffer = b""

    def chunks(self) -> int:
        return sum(chunks for chunks, _ in self.values)

    def node(self) -> blake3.Node:
        (_, left), (_, right) = self.values[-2:]
        return blake3.Node(self.key, left + right, 0, blake3.BLOCK, self.flags | blake3.PARENT)

    def merge(self) -> None:
        while len(self.values) > self.chunks().bit_count():
            node, chunks = self.node(), self.values[-1][0] + self.values[-2][0]
            self.values[-2:] = [(chunks, node.chaining_value())]

    def push(self, chunk: bytes) -> None:
        self.merge()
        self.values.append((1, blake3.chunk(chunk, self.key, self.chunks(), self.flags).chaining_value()))

    def update(self, message: bytes) -> None:
        self.buffer += message
        self.length += len(message)
        while len(self.buffer) > 1024:
            self.push(self.buffer[:1024])
            self.buffer = self.buffer[1024:]
        # A full chunk is kept only if it is the only one.
        if len(self.buffer) == 1024 and self.values:
            self.push(self.buffer)
            self.buffer = b""

    def save(self) -> bytes:
        self.normalize()
        return b"".join(pack("<8I", *value) for _, value in self.values) + self.buffer

    def normalize(self) -> None:
        """Merges all subtrees that can be merged at this length."""
        if self.buffer or self.chunks().bit_count() > 1:
            self.merge()
        while len(self.values) > 2 and not self.buffer and self.chunks().bit_count() == 1:
            node, chunks = self.node(), self.values[-1][0] + self.values[-2][0]
            self.values[-2:] = [(chunks, node.chaining_value())]

    def restore(self, length: int, fields: Fields) -> None:
        chunks = length // 1024 if length > 1024 else 0
        waits = length - 1024 * chunks
        sizes = [1 << bit for bit in reversed(range(chunks.bit_length())) if chunks >> bit & 1]
        if len(sizes) == 1 and not waits:
            sizes = [chunks // 2] * 2
        self.values = [(size, list(unpack("<8I", fields.take(32)))) for size in sizes]
        self.length, self.buffer = length, fields.take(waits)

    def finish(self) -> bytes:
        if not self.values:
            return blake3.chunk(self.buffer, self.key, 0, self.flags).output(0, self.out_len)
        if self.buffer:
            self.push(self.buffer)
        while len(self.values) > 2:
            self.values[-2:] = [(0, self.node().chaining_value())]
        return self.node().output(0, self.out_len)


def fresh(name: str, p: dict):
    out_len = p.get("output_len", ALGORITHMS[name][1])
    customization, key = p.get("customization", b""), p.get("key", b"")
    md32 = {"sha224": (sha2.H0_SHA224, 64), "sha256": (sha2.H0_SHA256, 64), "sha256-90r": (sha2.H0_SHA256, 90)}
    md64 = {"sha384": sha2.H0_SHA384, "sha512": sha2.H0_SHA512}
    md64 |= {"sha512-224": sha2.H0_SHA512_224, "sha512-256": sha2.H0_SHA512_256}
    match name.split("-")[0], name:
        case _, "sha1":
            return Md(sha1.compress, sha1.H0, 64, 4, "big", 20)
        case _, "ripemd160":
            return Md(ripemd.compress, sha1.H0, 64, 4, "little", 20)
        case _, "sm3":
            return Md(sm3.compress, sm3.IV, 64, 4, "big", 32)
        case _, name if name in md32:
            H, rounds = md32[name]
            return Md(lambda H, block: sha2.compress(sha2.SHA256, H, block, rounds), H, 64, 4, "big", out_len)
        case _, name if name in md64:
            return Md(lambda H, block: sha2.compress(sha2.SHA512, H, block, 80), md64[name], 128, 8, "big", out_len)
        case "sha3", _:
            return keccak_sponge(8 * out_len, 0x06, out_len)
        case "shake128" | "shake256", _:
            return keccak_sponge(int(name[-3:]), 0x1F, out_len)
        case "cshake128" | "cshake256", _:
            return cshake(int(name[-3:]), out_len, p.get("function_name", b""), customization)
        case "turboshake128" | "turboshake256", _:
            return keccak_sponge(int(name[-3:]), p.get("domain", 0x1F), out_len, 12)
        case "kt128" | "kt256", _:
            return Kangaroo(int(name[-3:]), out_len, customization)
        case "blake2b" | "blake2s" as family, _:
            V = blake2.BLAKE2B if family == "blake2b" else blake2.BLAKE2S
            P = blake2.parameters(V, out_len, len(key), p.get("salt", b""), p.get("personal", b""))
            state = Blake2(V, P, out_len)
            state.update(blake2.key_block(V, key))
            return state
        case "blake2bp", _:
            return Blake2Tree(blake2.BLAKE2B, 4, out_len, key)
        case "blake2sp", _:
            return Blake2Tree(blake2.BLAKE2S, 8, out_len, key)
        case "blake3", _:
            return Blake3(out_len, p.get("key"), p.get("context"))
        case _, "ascon-cxof128":
            return cxof(out_len, customization)
        case "ascon", _:
            variants = {"hash256": ascon.HASH256, "xof128": ascon.XOF128}
            variants |= {"xof-v1.2": ascon.XOF_V1_2, "xofa-v1.2": ascon.XOFA_V1_2}
            return ascon_sponge(variants[name.removeprefix("ascon-")], out_len)
    raise BadState(f"no algorithm {name}")


def encoded(name: str, p: dict) -> bytes:
    """Section "Parameters"."""
    out = b""
    for key, (number, is_bytes) in PARAMETERS.items():
        if key in p and not (key == "output_len" and p[key] == ALGORITHMS[name][1]):
            value = p[key] if is_bytes else p[key].to_bytes(8, "little")
            if value:
                out += pack("<BI", number, len(value)) + value
    return out


def check(body: bytes) -> bytes:
    return sha2.sha256(body)[:8]


def record(kind: int, name: str, parameters: bytes, length: int, state: bytes) -> bytes:
    """Section "Layout"."""
    body = MAGIC + pack("<BBHI", VERSION, kind, ALGORITHMS[name][0], len(parameters)) + parameters
    body += pack("<Q", length) + state
    return body + check(body)


def save(name: str, message: bytes, **p) -> bytes:
    """The saved state of a hash, with or without a key."""
    state = fresh(name, p)
    state.update(message)
    kind = KEYED_HASH if {"key", "context"} & p.keys() else HASH
    return record(kind, name, encoded(name, p), len(message), state.save())


def read(saved: bytes, kind: int) -> tuple[str, dict, int, Fields]:
    """The algorithm, its parameters, the counter, and the state."""
    body = saved[:-8]
    if saved[-8:] != check(body) or len(saved) < 28:
        raise BadState("check value")
    fields = Fields(body)
    magic, version, got, number, size = unpack("<4sBBHI", fields.take(12))
    names = [name for name, (known, _) in ALGORITHMS.items() if known == number]
    if (magic, version, got) != (MAGIC, VERSION, kind) or not names:
        raise BadState("header")
    parameters, p = Fields(fields.take(size)), {}
    while parameters.rest:
        number, size = unpack("<BI", parameters.take(5))
        found = [(key, is_bytes) for key, (known, is_bytes) in PARAMETERS.items() if known == number]
        value = parameters.take(size)
        if not found:
            raise BadState("parameter")
        key, is_bytes = found[0]
        p[key] = value if is_bytes else int.from_bytes(value, "little")
    if encoded(names[0], p) != body[12 : 12 + len(encoded(names[0], p))] or len(encoded(names[0], p)) != len(
        body[12:]
    ) - len(fields.rest):
        raise BadState("parameters")
    if bool({"key", "context"} & p.keys()) != (kind == KEYED_HASH):
        raise BadState("parameters")
    (length,) = unpack("<Q", fields.take(8))
    if length >= LONGEST:
        raise BadState("length")
    return names[0], p, length, fields


def resume(saved: bytes, rest: bytes, kind: int = HASH) -> bytes:
    """The digest of the saved message followed by `rest`."""
    name, p, length, fields = read(saved, kind)
    state = fresh(name, p)
    restore(state, state.save(), state.length, length, fields)
    state.update(rest)
    return state.finish()


def restore(state, start: bytes, before: int, length: int, fields: Fields) -> None:
    """Restores the last state of a record, which continues the state `start` after `before` bytes."""
    state.restore(before + length, fields)
    if fields.rest:
        raise BadState("too long")
    saved = state.save()
    if before and len(saved) == len(start) + length and not saved.startswith(start):
        raise BadState("not the key")


def padded_key(name: str, key: bytes) -> list[bytes]:
    """The two blocks of HMAC (RFC 2104)."""
    block = BLOCKS.get(name, 64)
    if len(key) > block:
        state = fresh(name, {})
        state.update(key)
        key = state.finish()
    return [bytes(byte ^ pad for byte in key.ljust(block, b"\0")) for pad in (0x36, 0x5C)]


def save_hmac(name: str, key: bytes, message: bytes) -> bytes:
    inner, outer = (fresh(name, {}) for _ in range(2))
    for state, block in zip((inner, outer), padded_key(name, key)):
        state.update(block)
    start = inner.save() + outer.save()
    inner.update(message)
    return record(HMAC, name, b"", len(message), start + inner.save())


def resume_hmac(saved: bytes, rest: bytes) -> bytes:
    """The tag of the saved message followed by `rest`."""
    name, _, length, fields = read(saved, HMAC)
    block = BLOCKS.get(name, 64)
    inner, outer, state = (fresh(name, {}) for _ in range(3))
    empty = len(inner.save())
    inner.restore(block, fields)
    outer.restore(block, fields)
    start, other = inner.save(), outer.save()
    if len(start) == empty + block:
        # The key itself is in the state.
        key = bytes(byte ^ 0x36 for byte in start[empty:])
        if other[empty:] != padded_key(name, key)[1]:
            raise BadState("different keys")
    restore(state, start, block, length, fields)
    state.update(rest)
    outer.update(state.finish())
    return outer.finish()


KMACS = {"kmac128": ("cshake128", 128), "kmac256": ("cshake256", 256)}


def save_kmac(name: str, key: bytes, message: bytes, customization: bytes) -> bytes:
    cshake_name, strength = KMACS[name]
    sponge = cshake(strength, 0, b"KMAC", customization)
    sponge.update(keccak.bytepad(keccak.encode_string(key), sponge.rate))
    start = sponge.save()
    sponge.update(message)
    return record(KMAC, cshake_name, b"", len(message), start + sponge.save())


def resume_kmac(saved: bytes, rest: bytes, out_len: int) -> bytes:
    """The tag of the saved message followed by `rest`."""
    name, _, length, fields = read(saved, KMAC)
    if name not in ("cshake128", "cshake256"):
        raise BadState("algorithm")
    sponge = keccak_sponge(int(name[-3:]), 0x04, out_len)
    sponge.set(fields.take(200))
    sponge.restore(length, fields)
    if fields.rest:
        raise BadState("too long")
    sponge.update(rest + keccak.right_encode(8 * out_len))
    return sponge.finish()


# For each family: lengths on both sides of the ends of blocks, stripes and chunks.
LENGTHS = {
    "kt128": [0, 1, 167, 168, 8191, 8192, 8193, 16383, 16384, 16385, 24580],
    "blake3": [0, 1, 64, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 4096, 4097, 7168, 8192],
    "blake2bp-512": [0, 1, 512, 513, 1024, 1025, 1536, 1537],
}
LENGTHS["kt256"], LENGTHS["blake2sp-256"] = LENGTHS["kt128"], LENGTHS["blake2bp-512"]
BLOCKS = {"sha384": 128, "sha512": 128, "sha512-224": 128, "sha512-256": 128, "blake2b-256": 128, "blake2b-512": 128}
BLOCKS |= {"blake2bp-512": 128, "sha3-224": 144, "sha3-256": 136, "sha3-384": 104, "sha3-512": 72}
BLOCKS |= {name: keccak.rate_of(int(name[-3:])) for name in ALGORITHMS if name.endswith(("shake128", "shake256"))}
BLOCKS |= {name: 8 for name in ALGORITHMS if name.startswith("ascon")}
WITH_PARAMETERS = [
    ("blake2b-512", {"output_len": 20, "salt": b"salt", "personal": b"hashwell"}),
    ("blake2s-256", {"salt": b"salt"}),
    ("cshake128", {"function_name": b"N", "customization": b"Email Signature"}),
    ("shake256", {"output_len": 10}),
    ("turboshake128", {"domain": 7}),
    ("kt128", {"customization": b"custom"}),
    ("ascon-cxof128", {"customization": b"Z" * 20}),
]
REST = 200


def cases() -> list[dict]:
    plain = [(name, {}) for name in ALGORITHMS]
    found = []
    for name, p in plain + WITH_PARAMETERS:
        B = BLOCKS.get(name, 64)
        lengths = LENGTHS.get(name, [0, 1, B - 1, B, B + 1, 2 * B, 2 * B + 1, 3 * B + 5])
        for n in lengths if not p else (0, 300):
            message = data({"pattern": "mod251", "len": n + REST})
            state = save(name, message[:n], **p)
            texts = {key: value.hex() if isinstance(value, bytes) else value for key, value in p.items()}
            whole = resume(state, message[n:])
            found.append({"algorithm": name, **texts, "len": n, "state": state.hex(), "expected": whole.hex()})
    return found


def rejected() -> list[dict]:
    """Impossible states with right check values. The messages are those of all languages except C and Haskell, which
    have codes."""
    body = save("sha512", b"abc")[:-8]

    def changed(at: int, new: bytes) -> bytes:
        return body[:at] + new + body[at + len(new) :]

    secret = "it contains a key, so only the functions for secret states read it"
    version, initial = "its version or its kind is not supported", "its chaining value must be the initial value"
    longer = "it is longer than the number of message bytes allows"
    initial += ", because no block was processed"
    found = [
        (changed(0, b"HWSU"), "it does not begin with HWST"),
        (changed(4, b"\2"), version),
        (changed(5, b"\xff"), version),
        (changed(5, b"\1"), secret),
        (save_hmac("sha256", b"key", b"abc")[:-8], secret),
        (save_kmac("kmac128", b"key", b"abc", b"")[:-8], secret),
        (save("blake3", b"abc", key=bytes(32))[:-8], secret),
        (save("blake3", b"abc", context=b"context")[:-8], secret),
        (changed(6, b"\xff\xff"), "its algorithm is unknown"),
        (changed(6, b"\7"), initial),
        (changed(20, b"\xff" * 64), initial),
        (body[:-1], "it is too short"),
        (body + b"\0", longer),
        (changed(12, b"\4"), "it is too short"),
        (changed(12, b"\2"), longer),
        (changed(12, LONGEST.to_bytes(8, "little")), "it counts more than 2^61 - 1 message bytes"),
        (changed(8, b"\1"), "it is too short"),
        (body[:8] + pack("<IBIQ", 13, 0, 8, 64) + body[12:], "its parameters are not in canonical form"),
        (body[:8] + pack("<IBIB", 6, 1, 1, 7) + body[12:], "its parameters are not in canonical form"),
        (body[:8] + pack("<IBIB", 6, 7, 1, 7) + body[12:], "its parameters are not in canonical form"),
    ]
    states = [(state + check(state), message) for state, message in found]
    unchecked = "its check value does not match: bytes are missing or wrong"
    states += [(b"short", "it is too short"), (body + bytes(8), unchecked), (body + check(body) + b"\n", unchecked)]
    return [{"state": state.hex(), "message": f"not an exported state: {message}"} for state, message in states]


SECRET_HASHES = [
    ("blake2b-512", {"key": b"key"}, [0, 1, 128, 129, 300]),
    ("blake2b-512", {"key": bytes(range(64)), "output_len": 20, "salt": b"salt"}, [0, 128, 129]),
    ("blake2s-256", {"key": bytes(range(32))}, [0, 64, 65]),
    ("blake2bp-512", {"key": b"key"}, [0, 1, 512, 513, 1024, 1025]),
    ("blake2sp-256", {"key": b"key"}, [0, 512, 1025]),
    ("blake3", {"key": bytes(range(32))}, [0, 1, 1024, 1025, 2048, 3072, 7169]),
    ("blake3", {"context": b"hashwell 2026 tests"}, [0, 1, 2048, 2049]),
]
SECRET_HMACS = {
    "sha1": [0, 1, 64], "sha256": [0, 1, 63, 64, 65, 200], "sha512": [0, 127, 128], "sm3": [0, 65], "sha3-256": [0, 1, 136],
    "blake2b-512": [0, 1, 128], "blake2s-256": [0, 65], "blake2bp-512": [0, 384, 385, 1000], "blake3": [0, 960, 961, 3000],
}  # fmt: skip


def secret_cases() -> list[dict]:
    found = []

    def add(kind: str, name: str, n: int, p: dict, state: bytes, resumed: bytes) -> None:
        texts = {key: value.hex() if isinstance(value, bytes) else value for key, value in p.items()}
        if "context" in p:
            texts["context"] = p["context"].decode()
        case = {"kind": kind, "algorithm": name, **texts, "len": n, "state": state.hex(), "expected": resumed.hex()}
        found.append(case)

    whole = data({"pattern": "mod251", "len": 10_000})
    for name, p, lengths in SECRET_HASHES:
        for n in lengths:
            state = save(name, whole[:n], **p)
            add("hash", name, n, p, state, resume(state, whole[n : n + REST], KEYED_HASH))
    for name, lengths in SECRET_HMACS.items():
        for key in (b"key", bytes(range(150))):
            for n in lengths:
                state = save_hmac(name, key, whole[:n])
                add("hmac", name, n, {"key": key}, state, resume_hmac(state, whole[n : n + REST]))
    for name in KMACS:
        for p in ({"key": b"key"}, {"key": bytes(range(200)), "customization": b"custom"}):
            for n in (0, 1, 135, 136, 168, 400):
                state = save_kmac(name, p["key"], whole[:n], p.get("customization", b""))
                add("kmac", name, n, p, state, resume_kmac(state, whole[n : n + REST], 32))
    return found


def rejected_secrets() -> list[dict]:
    """Like `rejected`, for the functions of secret states."""
    public, hash_ = save("sha256", b"abc")[:-8], save("blake2b-512", b"abc", key=b"key")[:-8]
    hmac, kmac = save_hmac("blake2b-512", b"key", b"abc")[:-8], save_kmac("kmac128", b"key", b"abc", b"")[:-8]
    empty = save("blake2b-512", b"", key=b"key")[:-8]
    parameters = "its parameters are not in canonical form"
    longer, short = "it is longer than the number of message bytes allows", "it is too short"
    begins = "it must begin with the key, because no block was processed after the key"
    no_key = "it contains no key, so the functions for secret states do not read it"
    of = {"hash": "it is the state of a hash with a key", "hmac": "it is the state of an HMAC"}
    of |= {"kmac": "it is the state of a KMAC"}

    def changed(body: bytes, at: int, new: bytes) -> bytes:
        at %= len(body)
        return body[:at] + new + body[at + len(new) :]

    found = [(kind, public, no_key) for kind in of]
    records = {"hash": hash_, "hmac": hmac, "kmac": kmac}
    found += [(kind, records[other], of[other]) for kind in of for other in of if kind != other]
    found += [(kind, body + b"\0", longer) for kind, body in records.items()]
    found += [(kind, body[:-1], short) for kind, body in records.items()]
    found += [
        ("hash", changed(public, 5, bytes([KEYED_HASH])), parameters),
        ("hash", changed(empty, -1, b"\1"), begins),
        ("hash", changed(empty, 17, b"K"), begins),
        ("hmac", changed(hmac, 8, pack("<IBIB", 6, 1, 1, 7)) + bytes(6), parameters),
        ("hmac", changed(hmac, -1 - 64 - 3, b"\1"), "its two states have different keys"),
        ("hmac", changed(save_hmac("blake2b-512", b"key", b"")[:-8], -1, b"\1"), begins),
        ("hmac", changed(save_hmac("sha256", b"key", b"abc")[:-8], -4, b"\1"), begins),
        ("kmac", changed(kmac, 6, b"\3"), "its algorithm is not used by KMAC"),
        ("kmac", changed(kmac, -1, b"\1"), "its chaining value must be the initial value, because no block was processed"),
    ]
    message = "not an exported state: "
    return [{"kind": kind, "state": (s + check(s)).hex(), "message": message + text} for kind, s, text in found]


NOTE = (
    "docs/spec/state.md. `state` is that of the first `len` bytes of the pattern mod251; `expected` is the output of "
    f"`len` + {REST} bytes of it, after going on from the state. Every `rejected` state is impossible. "
    "For states that contain a key, `secret` has the valid cases and `rejected_secret` has the impossible states. "
    "Tags of KMAC have 32 bytes."
)

if __name__ == "__main__":
    text = json.dumps({"source": "docs/spec/state.md; reference/state.py wrote it", "note": NOTE, "rest": REST})[:-1]
    lists = {"cases": cases(), "rejected": rejected(), "secret": secret_cases(), "rejected_secret": rejected_secrets()}
    for name, items in lists.items():
        text += f', "{name}": [\n' + ",\n".join("  " + json.dumps(item) for item in items) + "\n]"
    Path(sys.argv[1]).write_text(text + "}\n")
