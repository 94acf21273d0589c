"""Helpers of the test benches: the clock, the reset, and the two sides of a handshake that wait at random.

The clock's unit is "step", since the RTL has no `timescale`.
"""

import random
from collections.abc import Iterable

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge


async def start(clock, reset, active: int, idle: Iterable) -> None:
    """Starts the clock and resets the core."""
    cocotb.start_soon(Clock(clock, 2, unit="step").start())
    await begin_anew(clock, reset, active, idle)


async def begin_anew(clock, reset, active: int, idle: Iterable) -> None:
    """Keeps the reset active for two clock edges, and sets the inputs in `idle` to zero."""
    for signal in idle:
        signal.value = 0
    reset.value = active
    for _ in range(3):
        await RisingEdge(clock)
    reset.value = 1 - active


async def send(clock, valid, ready, beats: Iterable[dict], rng: random.Random, pause: float) -> None:
    """Sends beats, given as values by signal. Before each, waits for another clock with probability `pause`, repeatedly."""
    for beat in beats:
        while rng.random() < pause:
            await RisingEdge(clock)
        for signal, value in beat.items():
            signal.value = value
        valid.value = 1
        await RisingEdge(clock)
        while not ready.value:
            await RisingEdge(clock)
        valid.value = 0


async def receive(clock, valid, ready, data: Iterable, count: int, rng: random.Random, pause: float) -> list[tuple]:
    """Receives `count` beats, and stalls in each clock with probability `pause`. A beat must be stable until it is received."""
    taken, offered = [], None
    while len(taken) < count:
        ready.value = accept = int(rng.random() >= pause)
        await RisingEdge(clock)
        if not valid.value:
            assert offered is None, "what was offered is gone"
            continue
        now = tuple(int(signal.value) for signal in data)
        assert offered in (None, now), "what was offered has changed"
        offered = None if accept else now
        if accept:
            taken.append(now)
    ready.value = 0
    return taken
