"""The class of all processes, and the class of built-in processes."""

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
"""The default maximum number of terms of a run. A run that needs more is assumed to be endless."""
MASS, STEPS, STATES = 1e-12, 1 << 20, 1 << 20


def call_text(name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> str:
    """Return a call as text for errors and titles. Large arguments are shortened."""
    short = reprlib.repr
    return f"{name}({', '.join([*map(short, args), *(f'{known}={short(value)}' for known, value in kwargs.items())])})"


def _remade(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


class Process(Generic[T]):
    """A random process. It describes a distribution, and nothing is drawn until you call a method.

    A process is immutable. You can call its methods as often as you like, and from several threads.

    **Seeds.** A seed is a str, bytes, an int, a sequence of ints or a SeedSequence. Without a seed, a run is not
    reproducible. The argument `words` selects the random source: one of `hashwell.random_sources()`, or "mwc", the
    default generator of Haskell's mwc-random. "mwc" is a single stream from which the replicates are drawn one
    after the other. It is not suitable for secrets.

    **Replicates.** The runs of simulate() are called replicates. Each has its own random numbers, so
    `sample(seed, replicate=j)` repeats replicate j.

    **Errors.** A term with invalid parameters raises ValueError with the number of the step; in a program, the
    exception is raised at the yield. Exceptions of your own functions are passed on.

    **Copies and pickles.** A pickle stores the call that made the process, so its functions must be importable by name.
    The table of a compiled process is not stored, so the restored process has an empty table.

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
        """Run the process once and return its outcome. The weights of observations are ignored.

        Args:
            seed: The seed. With None, the operating system provides a new seed.
            words: The name of the random source.
            replicate: The number of a replicate. The outcome is then the one that this replicate of simulate() has with
                the same seed.
            terms: The maximum number of terms.

        Returns:
            The outcome.

        Raises:
            ValueError: A term is invalid, the run needs more than `terms` terms, or there is no such random source.

        Examples:
            >>> from hashwell import process
            >>> process.geometric(0.5).sample("seed")
            1
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
            seed: The seed. With None, the operating system provides a new seed.
            words: The name of the random source.
            threads: The number of threads for compiled and built-in processes. 0 uses one thread per core. The number
                of threads does not change the result. Programs and coalgebras run in the calling thread.
            first: The number of the first replicate.
            progress: A function that is called with the number of finished replicates and n. If it raises an
                exception, the simulation stops.
            terms: The maximum number of terms of a replicate.

        Returns:
            A NumPy array with one row for each replicate. If all outcomes are numbers of one kind, or equally long
            tuples or lists of such numbers, its dtype is bool, int64 or float64. Otherwise, its dtype is object.
            Built-in processes return uint32 arrays for labels, and a Ragged if the lengths of the outcomes differ.

        Raises:
            ValueError: A term is invalid, a replicate needs more than `terms` terms, or there is no such random
                source.
            ImportError: NumPy is not installed.

        Examples:
            >>> from hashwell import process
            >>> process.random_walk(10).simulate(3, "seed").shape
            (3, 11)
        """
        # A missing NumPy is reported before the simulation.
        numpy_module()
        how = (first, threads, terms, check_progress(progress))
        return self._outs(self._engine.simulate(n, seed, words, how))

    def exact(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """Compute the distribution of the outcome by enumeration, step by step.

        Equal states of a coalgebra are merged. The states of a program are never merged. For each of them, the program
        is run from its beginning, because a generator can't be copied. Therefore, use this method only for small
        programs.

        Args:
            mass: The enumeration stops when the probability that is not yet assigned to an outcome is at most this
                value.
            steps: The maximum number of steps (terms).
            states: The maximum number of states and outcomes at any one time. For a coalgebra, it is the maximum number
                of terms in total.

        Returns:
            The distribution. Outcomes that are equal in Python, such as 1 and True, are merged.

        Raises:
            ValueError: There are more than `states` states, or a term has a continuous distribution.
            TypeError: An outcome is not hashable.

        Examples:
            >>> from hashwell import process
            >>> process.geometric(0.5).exact(mass=0.01)[2]
            0.25
        """
        return Exact(self.name, *self._engine.exact(mass, steps, states))

    def expect(
        self, f: Callable[[Any], float] = float, *, mass: float = MASS, steps: int = STEPS, states: int = STATES
    ) -> Expectation:
        """Compute the mean of f over the distribution that exact() returns, conditional on the observations.

        Args:
            f: A function of an outcome that returns a number.
            mass: The enumeration stops when the probability that is not yet assigned to an outcome is at most this
                value.
            steps: The maximum number of steps (terms).
            states: The maximum number of states, in the same sense as for exact().

        Returns:
            The mean, and the probability that was not assigned to an outcome.

        Raises:
            ValueError: There are more than `states` states, a term has a continuous distribution, or the observations
                have probability 0.
            TypeError: An outcome is not hashable.

        Examples:
            >>> from hashwell import process
            >>> round(process.geometric(0.5).expect().value, 6)
            2.0
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

        Without n, the distribution is computed exactly by enumeration; for a Markov chain this is the forward pass.
        With n, it is estimated from n weighted replicates (likelihood weighting).

        Args:
            n: The number of replicates, or None for an exact result.
            seed: The seed of the replicates. It requires n.
            words: The name of the random source. It requires n.
            threads: The number of threads for compiled and built-in processes. 0 uses one thread per core.
            first: The number of the first replicate.
            progress: A function that is called with the number of finished replicates and n.
            mass: The enumeration stops when the probability that is not yet assigned to an outcome is at most this
                value.
            steps: The maximum number of steps (terms) of the enumeration.
            states: The maximum number of states of the enumeration, in the same sense as for exact().
            terms: The maximum number of terms of a replicate.

        Returns:
            An Exact, or a Weighted if n is given.

        Raises:
            ValueError: A limit is exceeded, a term is invalid, or the observations have probability 0.
            TypeError: seed or words is given without n, or an outcome is not hashable.

        Examples:
            >>> from hashwell.process import bernoulli, observe, process
            >>> @process
            ... def coin():
            ...     heads = yield bernoulli(0.5)
            ...     yield observe(0.9 if heads else 0.1)
            ...     return heads
            >>> round(coin().posterior()[True], 6)
            0.9
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
            seed: The seed. With None, the operating system provides a new seed.
            words: The name of the random source.
            replicate: The number of a replicate of simulate().
            terms: The maximum number of terms.

        Returns:
            The trace.

        Raises:
            ValueError: A term is invalid, the run needs more than `terms` terms, or there is no such random source.

        Examples:
            >>> from hashwell.process import bernoulli, process
            >>> @process
            ... def coin():
            ...     return (yield bernoulli(1.0))
            >>> coin().trace("seed").terms
            ((bernoulli(1.0), True),)
        """
        drawn, out, log_weight = self._engine.trace(seed, words, replicate, terms)
        return Trace(tuple(drawn), self._out(out), log_weight)

    def score(self, trace: Trace[Any] | Iterable[Any]) -> Score:
        """Compute the probability that the process makes exactly these draws.

        Args:
            trace: A Trace, or an iterable of the draws, with None for each observation.

        Returns:
            The logarithm of the probability (or density), and the logarithm of the weight of the observations.

        Raises:
            ValueError: There are too few or too many draws.

        Examples:
            >>> from hashwell.process import bernoulli, process
            >>> @process
            ... def coin():
            ...     return (yield bernoulli(0.5))
            >>> round(coin().score([True]).log_probability, 6)
            -0.693147
        """
        draws = [draw for _, draw in trace.terms] if isinstance(trace, Trace) else list(trace)
        return Score(*self._engine.score(draws))

    def explain(self, *, terms: int = 4, nodes: int = 100) -> Explanation:
        """Return the tree of the process's terms as text. Notebooks show it as a picture.

        Args:
            terms: The depth of the tree, at most 100.
            nodes: The maximum number of nodes, at most 100000.

        Returns:
            The tree.

        Raises:
            ValueError: An argument is out of range.

        Examples:
            >>> from hashwell import process
            >>> print(process.geometric(0.5).explain(terms=1))                                  # doctest: +SKIP
        """
        return Explanation(*self._engine.explain(terms, nodes))

    # Conversions of outcomes, which built-in processes override.

    def _out(self, out: Any) -> Any:
        return out

    def _outs(self, outs: Any) -> Any:
        return as_array(*outs) if isinstance(outs, tuple) else as_array(outs)


class BuiltIn(Process[T]):
    """A built-in process, such as process.crp(10, 1.5). It runs without Python, in parallel.

    Its outcomes are ints, lists or Restaurants. In the result of exact(), lists and the labels of a Restaurant are
    represented by tuples.

    Examples:
        >>> from hashwell import process
        >>> process.crp(10, 1.5).moments["probability that two customers share a table"]
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
        # Copies, so that the caller's lists and those of this object are independent.
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

        If the outcomes are Restaurants, computing the moments takes O(n) time, and the result is empty if n is above
        10**8. For a hidden Markov model, they are computed by a forward pass. Other threads can run during the
        computation, but Ctrl-C takes effect only at its end.
        """
        return dict(self._engine.moments())

    def log_probability(self, value: Any) -> float | None:
        """Return the logarithm of a value's probability, computed by a closed form.

        Args:
            value: An outcome of the process.

        Returns:
            The logarithm, or None if there is no closed form.

        Raises:
            TypeError: The value is not of the type of the outcomes.

        Examples:
            >>> from hashwell import process
            >>> round(process.geometric(0.5).log_probability(1), 6)
            -0.693147
        """
        return self._engine.log_probability(as_key(value))

    def statistic_law(self, *, mass: float = MASS, steps: int = STEPS, states: int = STATES) -> Exact[Any]:
        """Compute the distribution of the process's statistic by enumeration.

        The docstring of each process names its statistic. For a restaurant, it is the list of table sizes in
        descending order, which has far fewer possible values than the labels.

        Args:
            mass: The enumeration stops when the probability that is not yet assigned to an outcome is at most this
                value.
            steps: The maximum number of steps.
            states: The maximum number of states at any one time.

        Returns:
            The distribution.

        Raises:
            ValueError: There are more than `states` states.

        Examples:
            >>> from hashwell import process
            >>> round(process.crp(3, 1.0).statistic_law()[3,], 6)
            0.333333
        """
        return Exact(f"the statistic of {self.name}", *self._engine.statistic_law(mass, steps, states))

    def smooth(self) -> Smoothed:
        """Return the posterior probabilities of the hidden states of a hidden Markov model at each time.

        They are computed by a forward and a backward pass. Ctrl-C takes effect only at the end of the computation.

        Returns:
            The probabilities, and the logarithm of the probability of the observations.

        Raises:
            TypeError: The process is not a hidden Markov model.

        Examples:
            >>> from hashwell import process
            >>> model = process.hmm([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], [[0.8, 0.2], [0.2, 0.8]], [0, 0, 1])
            >>> model.smooth().probabilities.shape
            (3, 2)
        """
        states, probabilities, log_evidence = self._engine.smooth()
        return Smoothed(numpy_module().frombuffer(probabilities).reshape(-1, states), log_evidence)

    def sticks(
        self, seed: _Seed | None = None, *, words: str | None = None, replicate: int | None = None
    ) -> tuple[list[float], float]:
        """Return the lengths of the pieces that sample(seed) of a stick-breaking process breaks off.

        Args:
            seed: The seed. With None, the operating system provides a new seed.
            words: The name of the random source.
            replicate: The number of a replicate of simulate().

        Returns:
            The lengths of the pieces, and the length of the remaining stick.

        Raises:
            TypeError: The process is not a stick-breaking process.

        Examples:
            >>> from hashwell import process
            >>> lengths, rest = process.stick_breaking(10).sticks("seed")
            >>> round(sum(lengths) + rest, 6)
            1.0
        """
        return self._engine.sticks(seed, words, replicate)

    def picture(self, value: Any) -> Picture:
        """Return a plot of an outcome, which is a restaurant or a path.

        Args:
            value: An outcome of the process.

        Returns:
            The plot, which notebooks show.

        Raises:
            TypeError: The value is not of the type of the outcomes.

        Examples:
            >>> from hashwell import process
            >>> crp = process.crp(10, 1.5)
            >>> crp.picture(crp.sample("seed")).svg[:4]
            '<svg'
        """
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
