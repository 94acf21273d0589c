"""Where processes come from: generator functions, the three schemes of unfolding, and tables."""

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
    """Makes processes of a generator function: `x = yield bernoulli(p)`; what it returns comes of the process.

    Whatever the function does must follow from its arguments and from what it is sent: each run calls it anew, and
    `exact` and `explain` reach each of their states by a run from the beginning.
    """

    @functools.wraps(function)
    def make(*args: P.args, **kwargs: P.kwargs) -> Process[T]:
        name = getattr(function, "__name__", "program")
        engine = ProcessEngine.program(function, args, kwargs)
        return Process(engine, call_text(name, args, kwargs), (make, args, kwargs))

    return make


def ana(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """One term a step: a continuation gives the next state. It ends where the step gives `done(x)` in place of a term.
    """
    return _unfold("ana", step, seed)


def apo(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """As `ana`, and a continuation may end the process with `done(x)`."""
    return _unfold("apo", step, seed)


def futu(step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    """As `apo`, and a continuation may give a further term: several terms a step."""
    return _unfold("futu", step, seed)


def _unfold(scheme: str, step: Callable[[S], Step | Done], seed: S) -> Process[Any]:
    name = getattr(step, "__name__", None) or reprlib.repr(step)
    engine = ProcessEngine.unfold(scheme, step, seed)
    return Process(engine, f"{scheme}({name}, {reprlib.repr(seed)})", (_unfold, (scheme, step, seed), {}))


def compile(coalgebra: Process[T], *, states: int = 1_000_000) -> Process[T]:
    """The coalgebra as a table, which runs without Python, in threads as well. A state is asked for its step when it is
    first reached, each continuation when a draw of it first comes, and again only where threads come there at the same
    time. Terms must have finitely many draws, at most 2**20, and outcomes must be hashable. More than `states` terms in
    the table are an error, and so are more than 2**26 draws of them all. Equal outcomes are one, as 1, True and 1.0
    are: the first of them that came.
    """
    name = f"compile({coalgebra.name})"
    return Process(coalgebra._engine.compile(states), name, (compile, (coalgebra,), {"states": states}))
