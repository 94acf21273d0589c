"""Functions that make processes from generator functions and from step functions, and that compile processes."""

from __future__ import annotations

import functools
import reprlib
from collections.abc import Callable, Generator, Hashable
from typing import Any, ParamSpec, TypeVar

from .._native import Done, Step, Term
from .._native import _ProcessEngine as ProcessEngine
from ._process import Process, call_text

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound=Hashable)


def process(function: Callable[P, Generator[Term, Any, T]]) -> Callable[P, Process[T]]:
    """Convert a generator function to a function that makes processes. Use it as a decorator.

    The generator yields terms, such as `x = yield bernoulli(p)`, and receives the values that were drawn. Its
    return value is the outcome. The function must be deterministic: it may depend only on its arguments and on the
    draws, because each run calls it again.

    Args:
        function: The generator function.

    Returns:
        A function with the same parameters that returns a Process.

    Examples:
        >>> from hashwell.process import bernoulli, process
        >>> @process
        ... def coins(n):
        ...     heads = 0
        ...     for _ in range(n):
        ...         heads += yield bernoulli(0.5)
        ...     return heads
        >>> coins(2).exact()[1]
        0.5
    """

    @functools.wraps(function)
    def make(*args: P.args, **kwargs: P.kwargs) -> Process[T]:
        name = getattr(function, "__name__", "program")
        engine = ProcessEngine.program(function, args, kwargs)
        return Process(engine, call_text(name, args, kwargs), (make, args, kwargs))

    return make


def ana(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """Make a process from a step function: an anamorphism, in which each continuation returns the next state.

    Args:
        step: A function of a state. It returns a term with a continuation, such as `bernoulli(p, then)`. To end the
            process with the outcome x, it returns `done(x)`. Equal states must have equal steps.
        seed: The first state. All states must be hashable.

    Returns:
        The process.

    Examples:
        >>> from hashwell.process import ana, bernoulli, done
        >>> walk = ana(lambda n: done(n) if abs(n) == 2 else bernoulli(0.5, lambda up: n + 1 if up else n - 1), 0)
        >>> round(walk.exact()[2], 6)
        0.5
    """
    return _unfold("ana", step, seed)


def apo(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """Make a process from a step function: an apomorphism, in which a continuation may also return `done(x)`.

    Args:
        step: A step function like the one for ana(). A continuation returns the next state, or `done(x)`, which ends
            the process with the outcome x.
        seed: The first state. All states must be hashable.

    Returns:
        The process.

    Examples:
        >>> from hashwell.process import apo, bernoulli, done
        >>> flips = apo(lambda n: bernoulli(0.5, lambda head: done(n) if head else n + 1), 1)
        >>> flips.exact(mass=0.1)[2]
        0.25
    """
    return _unfold("apo", step, seed)


def futu(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """Make a process from a step function: a futumorphism, in which a continuation may also return another term.

    Args:
        step: A step function like the one for apo(). A continuation may also return another term with its own
            continuation, so one step can have several terms.
        seed: The first state. All states must be hashable.

    Returns:
        The process.

    Examples:
        >>> from hashwell.process import bernoulli, done, futu
        >>> pair = futu(lambda _: bernoulli(0.5, lambda a: bernoulli(0.5, lambda b: done((a, b)))), None)
        >>> pair.exact()[True, False]
        0.25
    """
    return _unfold("futu", step, seed)


def _unfold(scheme: str, step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    name = getattr(step, "__name__", None) or reprlib.repr(step)
    engine = ProcessEngine.unfold(scheme, step, seed)
    return Process(engine, f"{scheme}({name}, {reprlib.repr(seed)})", (_unfold, (scheme, step, seed), {}))


def compile(coalgebra: Process[T], *, states: int = 1_000_000) -> Process[T]:
    """Compile a coalgebra into a table that runs without Python and in parallel.

    The step function is called for a state when the state is first reached, and a continuation is called for each draw
    when this draw first occurs. These calls can be repeated if several threads reach a state at the same time. Outcomes
    that are equal in Python, such as 1, True and 1.0, are replaced by the first of them.

    Args:
        coalgebra: A process made by ana(), apo() or futu(). Each of its terms may have at most 2**20 different
            draws, and its outcomes must be hashable.
        states: The maximum number of terms in the table. The total number of draws in the table is at most 2**26.

    Returns:
        The compiled process. It has the same distribution, and the same seed gives the same outcome.

    Raises:
        TypeError: The process is not a coalgebra.

    Examples:
        >>> from hashwell.process import apo, bernoulli, compile, done
        >>> flips = apo(lambda n: bernoulli(0.5, lambda head: done(n) if head else n + 1), 1)
        >>> compile(flips).sample("seed") == flips.sample("seed")
        True
    """
    name = f"compile({coalgebra.name})"
    return Process(coalgebra._engine.compile(states), name, (compile, (coalgebra,), {"states": states}))
