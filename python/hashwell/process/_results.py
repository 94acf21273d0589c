"""The result classes of the methods of processes."""

from __future__ import annotations

import copy
import math
import reprlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from .._copies import Independent
from .._native import _mass_picture, _restaurant_picture

if TYPE_CHECKING:
    import numpy

    from .._native import Term

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Score(NamedTuple):
    """The result of score(): the logarithm of the probability (or density) of a run, and the logarithm of its weight.
    For an impossible run, log_probability is -inf.
    """

    log_probability: float
    log_weight: float


class Expectation(NamedTuple):
    """The result of expect(): a mean, and the probability that was not assigned to an outcome."""

    value: float
    lost: float


class Smoothed(NamedTuple):
    """The result of smooth().

    - probabilities has the probabilities of the hidden states, with one row for each time.
    - log_evidence is the logarithm of the probability of the observations.
    """

    probabilities: numpy.ndarray
    log_evidence: float

    def __copy__(self) -> Smoothed:
        return copy.deepcopy(self)


class Trace(Independent, Generic[T]):
    """The result of trace().

    - terms is a tuple of pairs of a term and its draw.
    - out is the outcome.
    - log_weight is the logarithm of the weight of the observations.
    """

    __slots__ = ("terms", "out", "log_weight")

    def __init__(self, terms: tuple[tuple[Term, Any], ...], out: T, log_weight: float) -> None:
        self.terms = terms
        self.out = out
        self.log_weight = log_weight

    def __reduce__(self) -> tuple[type[Trace[T]], tuple[Any, ...]]:
        return Trace, (self.terms, self.out, self.log_weight)

    def __repr__(self) -> str:
        return f"<trace of {len(self.terms)} terms: {reprlib.repr(self.out)}>"


class Picture:
    """A picture. Its attribute svg is the SVG text, which notebooks show."""

    __slots__ = ("svg",)

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg)} bytes of SVG>"


class Explanation(Picture):
    """The result of explain(): the tree of a process's terms. str() returns it as text."""

    __slots__ = ("text",)

    def __init__(self, text: str, svg: str) -> None:
        super().__init__(svg)
        self.text = text

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


class Exact(Independent, Mapping[K, float]):
    """The result of exact(): a mapping from outcomes to probabilities.

    Outcomes of built-in processes are sorted; others are in the order in which they were found. You can look up
    lists, arrays and restaurants directly or as tuples.

    - lost is the probability that was not assigned to an outcome.
    - evidence is the sum of all probabilities. Without observations, it is 1 - lost.
    - log_evidence is the logarithm of evidence. It is correct even if evidence is too small for a float, and so are
      the results of posterior() and expect().
    - steps is the number of steps.
    - expanded is the number of states whose next draw was enumerated.

    Examples:
        >>> from hashwell import process
        >>> process.geometric(0.5).exact(mass=0.01)[1]
        0.5
    """

    __slots__ = ("name", "log_evidence", "steps", "expanded", "_masses", "_lost", "_evidence", "_unit")

    def __init__(
        self,
        name: str,
        masses: Iterable[tuple[K, float]],
        lost: float,
        evidence: float,
        log_evidence: float,
        unit: int,
        steps: int,
        expanded: int,
    ) -> None:
        self.name = name
        # Probabilities are stored in units of 2**unit.
        self._lost = lost
        self._evidence = evidence
        self._unit = unit
        self.log_evidence = log_evidence
        self.steps = steps
        self.expanded = expanded
        self._masses = dict(masses)

    @property
    def lost(self) -> float:
        return _scaled(self._lost, self._unit)

    @property
    def evidence(self) -> float:
        return _scaled(self._evidence, self._unit)

    def __getitem__(self, outcome: Any) -> float:
        return _scaled(self._masses[as_key(outcome)], self._unit)

    def __iter__(self) -> Iterator[K]:
        return iter(self._masses)

    def __len__(self) -> int:
        return len(self._masses)

    def posterior(self) -> Exact[K]:
        """Return the distribution conditional on the observations.

        Returns:
            A distribution whose probabilities sum to 1. Its attribute evidence is 1, and log_evidence is the same as
            for this object. The attribute lost is the fraction of the probability that this object does not assign to
            an outcome.

        Raises:
            ValueError: The observations have probability 0.

        Examples:
            >>> from hashwell import process
            >>> process.geometric(0.5).exact(mass=0.01).posterior().evidence
            1.0
        """
        self._check_evidence()
        masses = ((outcome, mass / self._evidence) for outcome, mass in self._masses.items())
        return Exact(self.name, masses, self._lost_part(), 1.0, self.log_evidence, 0, self.steps, self.expanded)

    def expect(self, f: Callable[[K], float]) -> Expectation:
        """Return the mean of f over the outcomes that were found, conditional on the observations.

        Args:
            f: A function of an outcome that returns a number.

        Returns:
            The mean, and the fraction of the probability that was not assigned to an outcome.

        Raises:
            ValueError: The observations have probability 0.

        Examples:
            >>> from hashwell import process
            >>> round(process.geometric(0.5).exact().expect(float).value, 6)
            2.0
        """
        self._check_evidence()
        total = math.fsum(mass * f(outcome) for outcome, mass in self._masses.items())
        return Expectation(total / self._evidence, self._lost_part())

    def _check_evidence(self) -> None:
        if not self._evidence > 0:
            raise ValueError(f"the probability of the observations must be more than 0, not {self._evidence}")

    def _lost_part(self) -> float:
        """Return the fraction of the probability that was not assigned to an outcome."""
        return self._lost / (self._lost + self._evidence)

    def __repr__(self) -> str:
        return f"<exact distribution of {self.name}: {len(self)} outcomes, lost probability {self.lost:.3g}>"

    def _repr_svg_(self) -> str:
        return _mass_picture(self.name, [(outcome, mass) for outcome, mass in self.items()])


class Weighted(Independent, Generic[T]):
    """The result of posterior() with n: replicates with the weights of their observations.

    - outs has the outcomes.
    - weights has the weights of the outcomes. They sum to 1.
    - log_weights has the logarithms of the original weights.
    - effective_sample_size is the number of replicates with equal weights that would give equally precise means.
    - log_evidence is an estimate of the logarithm of the probability of the observations.

    If reliable is False, a few replicates dominate. In this case, don't use log_evidence or means.
    """

    __slots__ = ("outs", "log_weights", "weights", "effective_sample_size", "log_evidence")

    def __init__(
        self,
        outs: Sequence[T],
        log_weights: list[float],
        weights: list[float],
        effective_sample_size: float,
        log_evidence: float,
    ) -> None:
        self.outs = outs
        self.log_weights = log_weights
        self.weights = weights
        self.effective_sample_size = effective_sample_size
        self.log_evidence = log_evidence

    @property
    def reliable(self) -> bool:
        """True if the effective sample size is at least a tenth of the number of replicates."""
        return self.effective_sample_size * 10 >= len(self.log_weights)

    def mean(self, f: Callable[[T], float]) -> float:
        """Return the weighted mean of f over the outcomes. f is a function of an outcome that returns a number."""
        return math.fsum(weight * f(out) for out, weight in zip(self.outs, self.weights, strict=True))

    def masses(self) -> dict[Any, float]:
        """Return a dict that maps each outcome to the sum of its weights. Lists and restaurants are represented by tuples."""
        masses: dict[Any, float] = {}
        for out, weight in zip(map(as_key, self.outs), self.weights, strict=True):
            masses[out] = masses.get(out, 0.0) + weight
        return masses

    def __repr__(self) -> str:
        size = self.effective_sample_size
        return f"<{len(self.outs)} weighted replicates, effective sample size {size:.1f}{'' if self.reliable else ': unreliable'}>"


class Ragged(Independent):
    """A sequence of arrays of different lengths. Row j is values[offsets[j] : offsets[j + 1]]."""

    __slots__ = ("values", "offsets")

    def __init__(self, values: numpy.ndarray, offsets: numpy.ndarray) -> None:
        self.values = values
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, j: int) -> numpy.ndarray:
        if isinstance(j, slice):
            raise TypeError("cannot slice rows of different lengths: use an index")
        j = range(len(self))[j]
        return self.values[self.offsets[j] : self.offsets[j + 1]]

    def __iter__(self) -> Iterator[numpy.ndarray]:
        return (self[j] for j in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} arrays, {len(self.values)} values>"


class Restaurant:
    """The outcome of a Chinese restaurant process: customers at tables. Two outcomes are equal if their labels are equal."""

    __slots__ = ("_labels",)

    def __init__(self, labels: bytes | bytearray) -> None:
        self._labels = memoryview(labels).toreadonly().cast("I")

    @property
    def labels(self) -> numpy.ndarray:
        """The number of each customer's table, as a NumPy array of uint32.

        Tables are numbered from 0 in the order in which they were opened.
        """
        labels: numpy.ndarray = numpy_module().frombuffer(self._labels, "uint32")
        return labels

    @property
    def sizes(self) -> numpy.ndarray:
        """The number of customers at each table, as a NumPy array of int64."""
        sizes: numpy.ndarray = numpy_module().bincount(self.labels)
        return sizes

    @property
    def tables(self) -> list[list[int]]:
        """The customers at each table, with the newest customer first. Tables are in the order in which they were opened."""
        labels = self._labels.tolist()
        tables: list[list[int]] = [[] for _ in range(max(labels, default=-1) + 1)]
        for customer in range(len(labels) - 1, -1, -1):
            tables[labels[customer]].append(customer)
        return tables

    def __len__(self) -> int:
        return len(self._labels)

    def __reduce__(self) -> tuple[type[Restaurant], tuple[bytes]]:
        return Restaurant, (self._labels.tobytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Restaurant) and self._labels == other._labels

    def __hash__(self) -> int:
        return hash(self._labels.tobytes())

    def __repr__(self) -> str:
        return f"<restaurant of {len(self)} customers>"

    def _repr_svg_(self) -> str:
        return _restaurant_picture(self._labels.tolist())


def as_key(outcome: Any) -> Any:
    """Return the dictionary key of an outcome."""
    if isinstance(outcome, Restaurant):
        return tuple(outcome._labels.tolist())
    if isinstance(outcome, list) or (not isinstance(outcome, Hashable) and hasattr(outcome, "tolist")):
        return tuple(outcome if isinstance(outcome, list) else outcome.tolist())
    return outcome


def check_progress(progress: Any) -> Any:
    """Return `progress`, or raise TypeError if it isn't a function. Callers make this check before they start the
    simulation.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of two numbers, not {progress!r:.60}")
    return progress


def _scaled(mass: float, unit: int) -> float:
    try:
        return math.ldexp(mass, unit)
    except OverflowError:
        return math.inf


def numpy_module() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy: pip install numpy") from None
    return numpy


def as_array(outs: list[Any], numbers: bytearray | None = None) -> Any:
    """Return an array of outcomes.

    Its dtype is numeric if possible, and otherwise object. If `numbers` is given, it contains an index in `outs` for
    each row, as native 32-bit integers.
    """
    numpy = numpy_module()
    array = _array_of(numpy, outs)
    return array if numbers is None else array[numpy.frombuffer(numbers, "uint32")]


def _array_of(numpy: Any, outs: list[Any]) -> Any:
    kinds = set(map(type, outs))
    if kinds and kinds <= {tuple, list} and len({len(out) for out in outs}) == 1:
        kinds = {type(item) for out in outs for item in out}
    dtypes = {_dtype_of(numpy, kind) for kind in kinds}
    if len(dtypes) == 1 and (dtype := dtypes.pop()) is not None:
        try:
            return numpy.array(outs, dtype)
        except OverflowError:
            pass
    array = numpy.empty(len(outs), object)
    for index, out in enumerate(outs):
        array[index] = out
    return array


def _dtype_of(numpy: Any, kind: type) -> str | None:
    """Return the NumPy type of Python numbers and of NumPy scalars."""
    if issubclass(kind, numpy.generic) and numpy.dtype(kind).itemsize <= 8:
        kind = {"b": bool, "i": int, "u": int, "f": float}.get(numpy.dtype(kind).kind, kind)
    return {bool: "bool", int: "int64", float: "float64"}.get(kind)
