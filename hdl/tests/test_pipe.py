"""sha256r_pipe against the model: random blocks with random chaining values, with and without bubbles and stalls."""

import random

import cocotb
from bench import receive, send, start
from cocotb.triggers import RisingEdge
from model import FAULTY, ROUNDS, SHA256, chain_after


async def compare(dut, count: int, pause: float, seed: int, family=SHA256) -> None:
    rng = random.Random(seed)
    await start(dut.clk, dut.rst, 1, [dut.in_valid, dut.out_ready])
    jobs = [(rng.getrandbits(256), rng.getrandbits(512)) for _ in range(count)]
    beats = ({dut.in_chain: chain, dut.in_block: block} for chain, block in jobs)
    cocotb.start_soon(send(dut.clk, dut.in_valid, dut.in_ready, beats, rng, pause))
    results = await receive(dut.clk, dut.out_valid, dut.out_ready, [dut.out_chain], count, rng, pause)
    for (chain, block), (result,) in zip(jobs, results):
        assert result == chain_after(chain, block, family)


@cocotb.test()
async def blocks_without_waiting(dut):
    await compare(dut, 60, 0.0, 1)


@cocotb.test()
async def blocks_with_waiting(dut):
    await compare(dut, 140, 0.4, 2)


@cocotb.test(expect_fail=True)
async def a_wrong_constant_is_noticed(dut):
    await compare(dut, 3, 0.0, 3, FAULTY)


@cocotb.test()
async def a_block_a_clock(dut):
    """The first result comes after ROUNDS + 4 clocks, and then one in each clock."""
    await start(dut.clk, dut.rst, 1, [dut.in_valid, dut.in_block, dut.in_chain])
    dut.out_ready.value = 1
    dut.in_valid.value = 1
    seen = []
    for _ in range(ROUNDS + 10):
        await RisingEdge(dut.clk)
        seen.append(bool(dut.out_valid.value))
    assert seen == [False] * (ROUNDS + 4) + [True] * 6
