"""sha256r_axis against the model: whole messages, one after another, with and without waiting."""

import random

import cocotb
from bench import begin_anew, receive, send, start
from cocotb.triggers import RisingEdge
from model import FAULTY, ROUNDS, SHA256, digest, published

def beats(dut, message: bytes, empty_end: bool = False):
    """The message as beats; `empty_end` adds a beat without bytes even if the last word is full."""
    end = len(message) + 1 if empty_end or not message else len(message)
    for at in range(0, end, 4):
        part = message[at : at + 4]
        # Lanes without a byte must be ignored, so they contain ones.
        data = int.from_bytes(part + b"\xff" * (4 - len(part)), "little")
        yield {dut.s_axis_tdata: data, dut.s_axis_tkeep: (1 << len(part)) - 1, dut.s_axis_tlast: int(at + 4 >= end)}


async def begin(dut) -> None:
    await start(*reset(dut))


def reset(dut) -> tuple:
    """Arguments of the reset: clock, reset signal, its active level, and the inputs to keep idle."""
    return dut.aclk, dut.aresetn, 0, [dut.s_axis_tvalid, dut.m_axis_tready]


async def digests(dut, beats, count: int, rng: random.Random, pause: float) -> list[tuple[bytes, bool]]:
    """Sends the beats and returns the digests of `count` messages, each with its m_axis_tuser."""
    cocotb.start_soon(send(dut.aclk, dut.s_axis_tvalid, dut.s_axis_tready, beats, rng, pause))
    data = [dut.m_axis_tdata, dut.m_axis_tlast, dut.m_axis_tuser]
    taken = await receive(dut.aclk, dut.m_axis_tvalid, dut.m_axis_tready, data, 8 * count, rng, pause)
    found = []
    for message in (taken[at : at + 8] for at in range(0, len(taken), 8)):
        assert [last for _, last, _ in message] == [0] * 7 + [1]
        assert len({user for _, _, user in message}) == 1
        found.append((b"".join(word.to_bytes(4, "little") for word, _, _ in message), bool(message[0][2])))
    return found


async def compare(dut, messages: list[bytes], pause: float, seed: int, family=SHA256) -> None:
    rng = random.Random(seed)
    stream = (beat for message in messages for beat in beats(dut, message, rng.random() < 0.5))
    for message, found in zip(messages, await digests(dut, stream, len(messages), rng, pause)):
        assert found == (digest(message, family), False), f"{len(message)} bytes"


@cocotb.test()
async def known_answers(dut):
    await begin(dut)
    known = published()
    stream = (beat for message in known for beat in beats(dut, message))
    found = await digests(dut, stream, len(known), random.Random(1), 0.0)
    assert found == [(value, False) for value in known.values()]


@cocotb.test()
async def every_length_without_waiting(dut):
    await begin(dut)
    rng = random.Random(2)
    await compare(dut, [rng.randbytes(length) for length in range(301 if ROUNDS == 90 else 130)], 0.0, 3)


@cocotb.test()
async def random_lengths_with_waiting(dut):
    await begin(dut)
    rng = random.Random(4)
    await compare(dut, [rng.randbytes(rng.randint(0, 130)) for _ in range(60)], 0.4, 5)


@cocotb.test(expect_fail=True)
async def a_wrong_constant_is_noticed(dut):
    await begin(dut)
    await compare(dut, [b"abc"], 0.0, 6, FAULTY)


@cocotb.test()
async def broken_rules_are_reported(dut):
    """Gaps in s_tkeep, or fewer than four bytes before the last beat, do not affect later messages."""
    await begin(dut)
    sound = b"sound"
    stream, broken = [], [[(0b1011, 1)], [(0b0111, 0), (0b1111, 1)], [(0b1111, 0), (0b0010, 1)], [(0b0000, 0), (0, 1)]]
    for message in broken:
        for keep, last in message:
            stream.append({dut.s_axis_tdata: 0, dut.s_axis_tkeep: keep, dut.s_axis_tlast: last})
        stream += beats(dut, sound)
    found = await digests(dut, stream, 2 * len(broken), random.Random(7), 0.2)
    assert [error for _, error in found] == [True, False] * len(broken)
    assert {value for value, error in found if not error} == {digest(sound)}


@cocotb.test()
async def a_reset_forgets_the_message(dut):
    await begin(dut)
    rng = random.Random(8)
    half = list(beats(dut, bytes(300)))[:40]
    await send(dut.aclk, dut.s_axis_tvalid, dut.s_axis_tready, half, rng, 0.0)
    await begin_anew(*reset(dut))
    await compare(dut, [b"abc", b""], 0.0, 9)
    for _ in range(2 * ROUNDS):
        await RisingEdge(dut.aclk)
        assert not dut.m_axis_tvalid.value
