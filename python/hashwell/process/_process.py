"""What can be asked of every process."""

from __future__ import annotations

import copy
import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._results import (
    Exact,
    Expectation,
    Explanation,
    Picture,
    Ragged,
    Restaurant,
    Score,
    Smoothed,
    Trace,
    Weighted,
    as_array,
    as_key,
    check_progress,
    numpy_module,
)

if TYPE_CHECKING:
    from .._native import _ProcessEngine as ProcessEngine
    from .._native import _Seed

T = TypeVar("T", covariant=True)

TERMS = 1 << 40
"""Terms of a run where nobody says how many: one that needs more is taken for endless."""
MASS, STEPS, STATES = 1e-12, 1 << 20, 1 << 20


def call_text(name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> str:
    """A call as an error's text or a title has it: large arguments are cut."""
    short = reprlib.repr
    return f"{name}({', '.join([*map(short, args), *(f'{known}={short(value)}' for known, value in kwargs.items())])})"


def _remade(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


class Process(Generic[T]):
    """A distribution by the program, coalgebra or parameters that denote it. Immutable: it can be asked as often as one
    likes, by several threads.

    **Seeds.** A str, bytes, an int, a sequence of ints or a SeedSequence, as for every function of the package;
    without one nobody can repeat the run. `words` names the source that words come from, one of
    `hashwell.random_sources()`; or it is "mwc", the generator that Haskell's mwc-random begins with when nobody seeds
    it: one stream, unfit for secrets, on which replicates follow one another.

    **Replicates.** `simulate` gives replicate j words of its own, so that `sample(seed, replicate=j)` replays it alone.

    **Errors.** A term that cannot be drawn is a ValueError with the number of the step; in a program it is raised where
    it was yielded. What the functions of a program or coalgebra raise comes out as it is.

    **Copies and pickles.** A process is made anew by the call that made it: its functions must be such as pickle takes,
    found by their names in a module, and a table begins empty.
    """

    __slots__ = ("_engine", "_made", "name")

    def __init__(
        self, engine: ProcessEngine, name: str, made: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    ) -> None:
        self._engine = engine
        self._made = made
        self.name = name

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _remade, self._made

    def __repr__(self) -> str:
        return f"<process {self.name}>"

    @property
    def states(self) -> int | None:
        """Terms in the table of a compiled coalgebra so far, of which a state has one or more; None of other processes.
        """
        return self._engine.states

    def sample(
        self,
        seed: _Seed | None = None,
        *,
        words: str | None = None,
        replicate: int | None = None,
        terms: int = TERMS,
    ) -> T:
        """What comes of one run; with `replicate=j` of that replicate of simulate(…, seed). Weights of observations are
        not looked at. A run that needs more than `terms` terms raises ValueError.
        """
        out: T = self._out(self._engine.sample(seed, words, replicate, terms))
        return out

    def simulate(
        self,
        n: int,
        seed: _Seed | None = None,
        *,
        words: str | None = None,
        threads: int = 0,
        first: int = 0,
        progress: Callable[[int, int], object] | None = None,
        terms: int = TERMS,
    ) -> Any:
        """What comes of the replicates first, …, first + n - 1, as a NumPy array with a row for each.

        The array is one of bool, int64 or float64, if all outcomes are such numbers (NumPy's among them) or tuples and
        lists of them of one length; else one of objects. Built-in processes give arrays of their own types: labels
        uint32, and `Ragged` where lengths differ. Programs and coalgebras run in the calling thread; compiled ones and
        built-in ones in `threads` threads (0: as many as there are), which change nothing. progress(done, n) is called
        now and then; what it raises ends the simulation, as Ctrl-C does.
        """
        # Known before all the work is done.
        numpy_module()
        how = (first, threads, terms, check_progress(progress))
        return self._outs(self._engine.simulate(n, seed, words, how))

    def exact(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """The law of what comes of it, by enumeration step by step with equal states merged, until at most `mass` is
        undecided, or for so many steps (terms). Outcomes must be hashable, and equal ones are one, as 1 and True are;
        terms with a density are refused. More than `states` states and outcomes at once raise ValueError; of a
        coalgebra so many terms altogether.

        A program is replayed from its beginning for each state, since a generator cannot be copied, and no two of its
        states are equal: small ones only. A coalgebra's states are merged.
        """
        return Exact(self.name, *self._engine.exact(mass, steps, states))

    def expect(
        self, f: Callable[[Any], float] = float, *, mass: float = MASS, steps: int = STEPS, states: int = STATES
    ) -> Expectation:
        """The mean of `f` over the law that `exact` gives, conditioned on what was observed, with the lost mass."""
        return self.exact(mass=mass, steps=steps, states=states).expect(f)

    def posterior(
        self,
        *,
        n: int | None = None,
        seed: _Seed | None = None,
        words: str | None = None,
        threads: int = 0,
        first: int = 0,
        progress: Callable[[int, int], object] | None = None,
        mass: float = MASS,
        steps: int = STEPS,
        states: int = STATES,
        terms: int = TERMS,
    ) -> Any:
        """The law of what comes of it given what was observed: exactly, as `exact` enumerates it (for a chain that is
        the forward pass); or, with `n`, from n weighted replicates (likelihood weighting), of at most `terms` terms
        each.
        """
        if n is None:
            if not (seed is None and words is None):
                raise TypeError("posterior(): a seed and words are of replicates: it needs n, too")
            return self.exact(mass=mass, steps=steps, states=states).posterior()
        weighed = self._engine.weigh(n, seed, words, (first, threads, terms, check_progress(progress)))
        return Weighted([self._out(out) for out in weighed[0]], *weighed[1:])

    def trace(
        self,
        seed: _Seed | None = None,
        *,
        words: str | None = None,
        replicate: int | None = None,
        terms: int = TERMS,
    ) -> Trace[T]:
        """As `sample`, with all terms and draws."""
        drawn, out, log_weight = self._engine.trace(seed, words, replicate, terms)
        return Trace(tuple(drawn), self._out(out), log_weight)

    def score(self, trace: Trace[Any] | Iterable[Any]) -> Score:
        """How likely it is that the process draws just this: a trace, or the draws alone, None for observations."""
        draws = [draw for _, draw in trace.terms] if isinstance(trace, Trace) else list(trace)
        return Score(*self._engine.score(draws))

    def explain(self, *, terms: int = 4, nodes: int = 100) -> Explanation:
        """The tree of its terms, so many deep (at most 100) and of so many nodes (at most 100000): as text, and as a
        picture in a notebook.
        """
        return Explanation(*self._engine.explain(terms, nodes))

    # What built-in processes make of values.

    def _out(self, out: Any) -> Any:
        return out

    def _outs(self, outs: Any) -> Any:
        return as_array(*outs) if isinstance(outs, tuple) else as_array(outs)


class BuiltIn(Process[T]):
    """A process of the registry: native, and simulated in threads.

    Values are ints, lists, and restaurants; as keys of `exact` tuples stand for lists and for labels.
    """

    __slots__ = ("_parameters",)

    def __init__(
        self,
        engine: ProcessEngine,
        name: str,
        parameters: dict[str, Any],
        function: Callable[..., Any],
        given: dict[str, Any],
    ) -> None:
        # The caller may change its lists, and is not given ours.
        super().__init__(engine, name, (function, (), _own(given)))
        self._parameters = _own(parameters)

    @property
    def parameters(self) -> dict[str, Any]:
        """What it was made with, defaults among it; a copy."""
        parameters: dict[str, Any] = _own(self._parameters)
        return parameters

    @property
    def moments(self) -> dict[str, float]:
        """What is known in closed form, as {"mean": 10.0, "variance": 90.0}. A partition's takes O(n), and none is
        known beyond 10**8; a hidden Markov model's is a forward pass. Other threads run meanwhile; Ctrl-C waits for its
        end.
        """
        return dict(self._engine.moments())

    def log_probability(self, value: Any) -> float | None:
        """The logarithm of a value's probability by its closed form; None where there is none."""
        return self._engine.log_probability(as_key(value))

    def statistic_law(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """As `exact`, the law of what sums the process up (its function's docstring says what that is), by states that
        are merged: for a restaurant the sizes of the tables, the largest first, which are far fewer than labellings.
        """
        return Exact(f"the statistic of {self.name}", *self._engine.statistic_law(mass, steps, states))

    def smooth(self) -> Smoothed:
        """Of a hidden Markov model: the posterior of the hidden state at each time, by a forward and a backward pass.
        Ctrl-C waits for their end.
        """
        states, probabilities, log_evidence = self._engine.smooth()
        return Smoothed(numpy_module().frombuffer(probabilities).reshape(-1, states), log_evidence)

    def sticks(
        self, seed: _Seed | None = None, *, words: str | None = None, replicate: int | None = None
    ) -> tuple[list[float], float]:
        """Of stick breaking: the lengths of the sticks that sample(seed) breaks, and what is left."""
        return self._engine.sticks(seed, words, replicate)

    def picture(self, value: Any) -> Picture:
        """The natural picture of a value: a restaurant, or a path."""
        return Picture(self._engine.picture(as_key(value)))

    def _out(self, out: Any) -> Any:
        return Restaurant(out) if isinstance(out, bytearray) else out

    def _outs(self, outs: Any) -> Any:
        data, dtype, width, offsets, replicates = outs
        numpy = numpy_module()
        values = numpy.frombuffer(data, dtype)
        if offsets is not None:
            return Ragged(values, numpy.frombuffer(offsets, "int64"))
        return values if width is None else values.reshape(replicates, width)


def _own(value: Any) -> Any:
    """A copy that nobody else has."""
    if isinstance(value, memoryview):
        return value.tolist()
    if isinstance(value, dict):
        return {known: _own(item) for known, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_own, value)] if isinstance(value, list) else (*map(_own, value),)
    return copy.deepcopy(value)
