"""sha256r_iter against the model: chains of random blocks from random chaining values, with and without waiting."""

import random

import cocotb
from bench import receive, send, start
from cocotb.triggers import RisingEdge
from model import FAULTY, ROUNDS, SHA256, chain_after, random_chains, words


def beats(dut, chains):
    for chain, blocks in chains:
        for number, block in enumerate(blocks, 1):
            for word in words(block, 16):
                yield {dut.in_word: word, dut.in_last: int(number == len(blocks)), dut.in_chain: chain}


async def compare(dut, blocks: int, pause: float, seed: int, family=SHA256) -> None:
    rng = random.Random(seed)
    await start(dut.clk, dut.rst, 1, [dut.in_valid, dut.out_ready])
    chains = random_chains(rng, blocks)
    cocotb.start_soon(send(dut.clk, dut.in_valid, dut.in_ready, beats(dut, chains), rng, pause))
    results = await receive(dut.clk, dut.out_valid, dut.out_ready, [dut.out_chain], len(chains), rng, pause)
    for (chain, blocks), (result,) in zip(chains, results):
        for block in blocks:
            chain = chain_after(chain, block, family)
        assert result == chain


@cocotb.test()
async def blocks_without_waiting(dut):
    await compare(dut, 60, 0.0, 1)


@cocotb.test()
async def blocks_with_waiting(dut):
    await compare(dut, 140, 0.3, 2)


@cocotb.test(expect_fail=True)
async def a_wrong_constant_is_noticed(dut):
    await compare(dut, 3, 0.0, 3, FAULTY)


@cocotb.test()
async def a_chain_takes_as_long_as_promised(dut):
    """There are n * (ROUNDS + 2) + 4 clocks between two results if neither side waits."""
    await start(dut.clk, dut.rst, 1, [dut.in_valid, dut.out_ready])
    counts, ends, clocks = [1, 3, 1, 2], [], 0
    chains = [(0, [0] * count) for count in counts]
    cocotb.start_soon(send(dut.clk, dut.in_valid, dut.in_ready, beats(dut, chains), random.Random(4), 0.0))
    dut.out_ready.value = 1
    while len(ends) < len(counts):
        await RisingEdge(dut.clk)
        clocks += 1
        if dut.out_valid.value:
            ends.append(clocks)
    assert [b - a for a, b in zip(ends, ends[1:])] == [n * (ROUNDS + 2) + 4 for n in counts[1:]]
