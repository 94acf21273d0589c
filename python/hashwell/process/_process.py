"""The class of all processes, and that of built-in ones."""

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
"""Terms of a run without a given maximum: a run that needs more is assumed to be endless."""
MASS, STEPS, STATES = 1e-12, 1 << 20, 1 << 20


def call_text(name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> str:
    """A call as an error's text or a title has it: large arguments are cut."""
    short = reprlib.repr
    return f"{name}({', '.join([*map(short, args), *(f'{known}={short(value)}' for known, value in kwargs.items())])})"


def _remade(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


class Process(Generic[T]):
    """A random process. It denotes a distribution, and nothing is drawn until you call a method.

    A process is immutable: you can call its methods as often as you like, and from several threads.

    **Seeds.** A str, bytes, an int, a sequence of ints or a SeedSequence, as for every function of this package. Without a
    seed a run is not reproducible. `words` is the random source: one of `hashwell.random_sources()`, or "mwc", the default
    generator of Haskell's mwc-random. "mwc" is one stream in which replicates follow one another, and unfit for secrets.

    **Replicates.** simulate() gives each replicate its own random numbers, so `sample(seed, replicate=j)` repeats replicate j.

    **Errors.** A term with invalid parameters raises ValueError with the number of the step; in a program it is raised at the
    yield. Exceptions of your own functions are passed on.

    **Copies and pickles.** A pickle stores the call that made the process, so its functions must be importable by name. The
    table of a compiled process is empty afterwards.

    Examples:
        >>> from hashwell import process
        >>> process.geometric(0.5).sample("seed")
        1
        >>> process.random_walk(10).simulate(3, "seed").shape
        (3, 11)
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
        """The number of terms in the table of a compiled process so far, or None for other processes."""
        return self._engine.states

    def sample(
        self,
        seed: _Seed | None = None,
        *,
        words: str | None = None,
        replicate: int | None = None,
        terms: int = TERMS,
    ) -> T:
        """Run the process once and return its outcome. Weights of observations are ignored.

        Args:
            seed: The seed. None takes a new seed from the operating system.
            words: The random source.
            replicate: With j, the outcome is that of replicate j of simulate() with the same seed.
            terms: The maximum number of terms.

        Returns:
            The outcome.

        Raises:
            ValueError: A term is invalid, or the run needs more than `terms` terms.
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
        """Run the process n times and return the outcomes.

        Args:
            n: The number of replicates.
            seed: The seed. None takes a new seed from the operating system.
            words: The random source.
            threads: The number of threads of compiled and built-in processes; 0 is one for each core. It does not change the
                result. Programs and coalgebras run in the calling thread.
            first: The number of the first replicate.
            progress: A function that is called with the number of finished replicates and n. An exception in it ends the
                simulation.
            terms: The maximum number of terms of a replicate.

        Returns:
            A NumPy array with one row for each replicate. Its type is bool, int64 or float64 if all outcomes are such numbers,
            or tuples or lists of them of one length, and object otherwise. Built-in processes have arrays of their own
            types: uint32 for labels, and Ragged if lengths differ.

        Raises:
            ValueError: A term is invalid, or a replicate needs more than `terms` terms.
            ImportError: NumPy is not installed.
        """
        # Known before all the work is done.
        numpy_module()
        how = (first, threads, terms, check_progress(progress))
        return self._outs(self._engine.simulate(n, seed, words, how))

    def exact(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """Compute the distribution of the outcome by enumeration, step by step.

        Equal states of a coalgebra are merged. A program is run from its beginning for each state, because a generator can't be
        copied, and its states are never merged, so this suits only small programs.

        Args:
            mass: Enumeration stops when the probability of undecided states is at most this.
            steps: The maximum number of steps (terms).
            states: The maximum number of states and outcomes at one time; for a coalgebra, of terms in all.

        Returns:
            The distribution. Equal outcomes are merged, such as 1 and True.

        Raises:
            ValueError: There are more than `states` states, or a term has a density.
            TypeError: An outcome is not hashable.
        """
        return Exact(self.name, *self._engine.exact(mass, steps, states))

    def expect(
        self, f: Callable[[Any], float] = float, *, mass: float = MASS, steps: int = STEPS, states: int = STATES
    ) -> Expectation:
        """Compute the mean of f over the distribution of exact(), conditional on the observations.

        Args:
            f: A function of an outcome.
            mass: As for exact().
            steps: As for exact().
            states: As for exact().

        Returns:
            The mean, and the probability that was not decided.

        Raises:
            ValueError: As for exact(), or the observations have probability 0.
        """
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
        """Compute the distribution of the outcome conditional on the observations.

        Args:
            n: None computes it exactly, as exact() does; for a chain this is the forward pass. A number estimates it from n
                weighted replicates (likelihood weighting).
            seed: As for simulate(); only with n.
            words: As for simulate(); only with n.
            threads: As for simulate().
            first: As for simulate().
            progress: As for simulate().
            mass: As for exact().
            steps: As for exact().
            states: As for exact().
            terms: As for simulate().

        Returns:
            An Exact, or with n a Weighted.

        Raises:
            ValueError: As for exact() and simulate(), or the observations have probability 0.
            TypeError: seed or words are given without n.
        """
        if n is None:
            if not (seed is None and words is None):
                raise TypeError("posterior() takes seed and words only together with n")
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
        """Run the process once and return its outcome with all terms and draws.

        Args:
            seed: As for sample().
            words: As for sample().
            replicate: As for sample().
            terms: As for sample().

        Returns:
            The trace.

        Raises:
            ValueError: As for sample().
        """
        drawn, out, log_weight = self._engine.trace(seed, words, replicate, terms)
        return Trace(tuple(drawn), self._out(out), log_weight)

    def score(self, trace: Trace[Any] | Iterable[Any]) -> Score:
        """Compute the probability that the process makes exactly these draws.

        Args:
            trace: A Trace, or an iterable of the draws, with None for each observation.

        Returns:
            The logarithms of the probability (or density) and of the weight of observations.

        Raises:
            ValueError: The draws are too few or too many.
        """
        draws = [draw for _, draw in trace.terms] if isinstance(trace, Trace) else list(trace)
        return Score(*self._engine.score(draws))

    def explain(self, *, terms: int = 4, nodes: int = 100) -> Explanation:
        """Return the tree of the process's terms, as text or, in a notebook, as a picture.

        Args:
            terms: The depth of the tree, at most 100.
            nodes: The maximum number of nodes, at most 100000.

        Returns:
            The tree.

        Raises:
            ValueError: An argument is out of range.
        """
        return Explanation(*self._engine.explain(terms, nodes))

    # What built-in processes make of values.

    def _out(self, out: Any) -> Any:
        return out

    def _outs(self, outs: Any) -> Any:
        return as_array(*outs) if isinstance(outs, tuple) else as_array(outs)


class BuiltIn(Process[T]):
    """A built-in process, such as process.crp(10, 1.5). It runs without Python, in parallel.

    Values are ints, lists and Restaurants. In the result of exact() tuples stand for lists and for the labels of a Restaurant.

        >>> from hashwell import process
        >>> process.crp(10, 1.5).moments["two together"]
        0.4
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
        """A copy of the parameters, including defaults."""
        parameters: dict[str, Any] = _own(self._parameters)
        return parameters

    @property
    def moments(self) -> dict[str, float]:
        """The moments with a closed form, such as {"mean": 10.0, "variance": 90.0}.

        Those of a partition take O(n), and there are none for n above 10**8. Those of a hidden Markov model are a forward pass.
        Other threads run meanwhile, and Ctrl-C waits for the end.
        """
        return dict(self._engine.moments())

    def log_probability(self, value: Any) -> float | None:
        """Return the logarithm of a value's probability by its closed form, or None if there is none."""
        return self._engine.log_probability(as_key(value))

    def statistic_law(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """Compute the distribution of the process's statistic, as exact() does for outcomes.

        The docstring of the process names its statistic. For a restaurant it is the sizes of the tables, the largest first, which
        have far fewer values than labelings. The arguments and errors are those of exact().
        """
        return Exact(f"the statistic of {self.name}", *self._engine.statistic_law(mass, steps, states))

    def smooth(self) -> Smoothed:
        """Return the posterior probabilities of the hidden state of a hidden Markov model at each time.

        They are computed by a forward and a backward pass. Ctrl-C waits for the end. Raises ValueError for other processes.
        """
        states, probabilities, log_evidence = self._engine.smooth()
        return Smoothed(numpy_module().frombuffer(probabilities).reshape(-1, states), log_evidence)

    def sticks(
        self, seed: _Seed | None = None, *, words: str | None = None, replicate: int | None = None
    ) -> tuple[list[float], float]:
        """Return the lengths of the sticks that sample(seed) of a stick-breaking process breaks, and the remaining length."""
        return self._engine.sticks(seed, words, replicate)

    def picture(self, value: Any) -> Picture:
        """Return a plot of a value: a restaurant, or a path."""
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
    """Return an independent copy."""
    if isinstance(value, memoryview):
        return value.tolist()
    if isinstance(value, dict):
        return {known: _own(item) for known, item in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_own, value)] if isinstance(value, list) else (*map(_own, value),)
    return copy.deepcopy(value)
