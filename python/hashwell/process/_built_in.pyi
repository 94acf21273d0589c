# Written by tools/generate_stubs.py.
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy

from ._process import BuiltIn
from ._results import Restaurant

_Numbers: TypeAlias = Sequence[float] | numpy.ndarray[Any, Any]
_Matrix: TypeAlias = Sequence[Sequence[float]] | numpy.ndarray[Any, Any]

__all__ = [
    "geometric",
    "negative_binomial",
    "crp",
    "pitman_yor",
    "stick_breaking",
    "polya_urn",
    "hoppe_urn",
    "random_walk",
    "gamblers_ruin",
    "markov_chain",
    "hmm",
    "ar1",
    "galton_watson",
    "moran",
]

def geometric(p: float) -> BuiltIn[int]:
    """Geometric distribution: The number of trials up to and including the first success: P(k) = p (1 - p)^(k - 1),
    k = 1, 2, ….

    Args:
        p: Probability of success in each trial. Range: greater than 0, at most 1.

    Returns:
        The process. Its outcome is of type int. statistic_law() returns the distribution of the number of trials.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: 1 / p random numbers on average.
    Source: J. Tobin, Recursive stochastic processes (2017): an apomorphism from 1.
    """

def negative_binomial(r: int, p: float) -> BuiltIn[int]:
    """Negative binomial distribution: The number of failures before the r-th success: P(k) = C(k + r - 1, k) p^r (1
    - p)^k, k = 0, 1, 2, ….

    Args:
        r: Number of successes to wait for. Range: 1 to 2^32 - 1.
        p: Probability of success in each trial. Range: greater than 0, at most 1.

    Returns:
        The process. Its outcome is of type int. statistic_law() returns the distribution of the number of
        failures.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: r / p random numbers on average.
    Source: W. Feller, An Introduction to Probability Theory I, VI.8.
    """

def crp(n: int, alpha: float = 1.0, *, encoding: Literal["urn", "futu", "ana", "futu-categorical"] = "urn") -> BuiltIn[Restaurant]:
    """Chinese restaurant process: With i customers seated, the next customer joins a table with s customers with
    probability s / (i + α) and opens a new table with probability α / (i + α). P(partition) = α^K Π (s - 1)! / (α
    (α + 1) … (α + n - 1)) for K tables.

    Args:
        n: Number of customers. Range: 0 to 2^32 - 1.
        alpha: Weight of a new table. Range: greater than 0.
        encoding: The encoding: urn, futu, ana, futu-categorical. All encodings have the same distribution.

    Returns:
        The process. Its outcome is of type Restaurant. statistic_law() returns the distribution of the table
        sizes, largest first.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: urn: one random number and constant time per customer. Other encodings: O(K) time per customer for K
    tables, and one random number (ana) or at most two (the others). The first customer needs no random number.
    Source: D. Aldous, Exchangeability and related topics (1985), section 11; W. Ewens, The sampling theory of
    selectively neutral alleles (1972).
    """

def pitman_yor(n: int, *, theta: float = 1.0, discount: float) -> BuiltIn[Restaurant]:
    """Pitman-Yor process: With i customers seated at K tables, the next customer joins a table with s customers with
    probability (s - d) / (i + θ) and opens a new table with probability (θ + d K) / (i + θ), where θ is the
    strength and d the discount.

    Args:
        n: Number of customers. Range: 0 to 2^32 - 1.
        theta: Strength; larger values give more tables. Range: greater than -discount.
        discount: Subtracted from the weight of each table and added to the weight of a new table. Range: 0 to 1,
            excluding 1.

    Returns:
        The process. Its outcome is of type Restaurant. statistic_law() returns the distribution of the table
        sizes, largest first.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one or two random numbers and constant time per customer; the first customer needs no random number.
    Source: J. Pitman, M. Yor, The two-parameter Poisson-Dirichlet distribution derived from a stable subordinator
    (1997); J. Pitman, Exchangeable and partially exchangeable random partitions (1995), formula 16.
    """

def stick_breaking(n: int, theta: float = 1.0, discount: float = 0.0) -> BuiltIn[Restaurant]:
    """Stick-breaking: n points fall uniformly on a stick of length 1. Piece k is a fraction V_k of the remaining
    stick, where V_k has the distribution Beta(1 - d, θ + k d) with the strength θ and the discount d. Pieces are
    broken off until every point lies on a piece. Points on the same piece share a label. The labels have the same
    distribution as those of pitman-yor (for d = 0, those of crp).

    Args:
        n: Number of points on the stick. Range: 0 to 2^27.
        theta: Strength; larger values give more pieces. Range: at least -discount + 10^-300, at most 10^6.
        discount: The d of the Beta distribution; larger values give more pieces. Range: 0 to 1, excluding 1.

    Returns:
        The process. Its outcome is of type Restaurant. statistic_law() returns the distribution of the number of
        points on each piece, largest first.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number and O(log pieces) time per point; for each piece, one random number if d = 0 and a few
    otherwise. There are about θ ln n pieces for d = 0, and on the order of n^(d / (1 - d)) for d > 0, at most
    2^23.
    Source: J. Sethuraman, A constructive definition of Dirichlet priors (1994); J. Pitman, M. Yor, The two-
    parameter Poisson-Dirichlet distribution derived from a stable subordinator (1997).
    """

def polya_urn(*, balls: _Numbers = (1.0, 1.0), n: int, add: float = 1.0) -> BuiltIn[list[int]]:
    """Pólya's urn: Each draw picks a color with probability proportional to its weight and then increases that
    weight by `add`. The counts of the colors have the Dirichlet-multinomial distribution with parameters weight /
    `add` (beta-binomial for two colors).

    Args:
        balls: Initial weight of each color. Range: at least one weight, each greater than 0.
        n: Number of draws. Range: 0 to 2^27.
        add: Weight added to the drawn color after each draw. Range: at least 0.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the number of
        draws of each color.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number and O(colors) time per draw.
    Source: F. Eggenberger, G. Pólya, Über die Statistik verketteter Vorgänge (1923).
    """

def hoppe_urn(n: int, theta: float = 1.0) -> BuiltIn[Restaurant]:
    """Hoppe's urn: After i draws, the urn contains a black ball of weight θ and i colored balls of weight 1. If the
    black ball is drawn, it is returned together with a ball of a new color; if a colored ball is drawn, it is
    returned with another ball of the same color. The colors have the distribution of crp with α = θ.

    Args:
        n: Number of draws. Range: 0 to 2^32 - 1.
        theta: Weight of the black ball. Range: greater than 0.

    Returns:
        The process. Its outcome is of type Restaurant. statistic_law() returns the distribution of the number of
        balls of each color, largest first.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one or two random numbers and constant time per draw.
    Source: F. Hoppe, Pólya-like urns and the Ewens' sampling formula (1984).
    """

def random_walk(n: int, p: float = 0.5, start: int = 0) -> BuiltIn[list[int]]:
    """Random walk: A walk of n steps. Each step is +1 with probability p and -1 otherwise, so P(end = start + 2 k -
    n) = C(n, k) p^k (1 - p)^(n - k). The value is the path, including the start.

    Args:
        n: Number of steps. Range: 0 to 2^27 - 1.
        p: Probability of a step up. Range: 0 to 1.
        start: Initial position. Range: an integer whose absolute value is below 2^53.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the final
        position.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number per step.
    Source: W. Feller, An Introduction to Probability Theory I, III.
    """

def gamblers_ruin(start: int, target: int, p: float = 0.5) -> BuiltIn[list[int]]:
    """Gambler's ruin: A fortune, initially i, changes by +1 with probability p and by -1 otherwise, until it is 0 or
    the target N. P(ruin) = (r^i - r^N) / (1 - r^N) with r = (1 - p) / p, and 1 - i / N for p = 1/2. The value is
    the sequence of fortunes.

    Args:
        start: Initial fortune. Range: 0 to the target.
        target: Fortune at which the game ends. Range: 0 to 2^32 - 1.
        p: Probability of winning a game. Range: 0 to 1.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the final
        fortune.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number per game; on average i (N - i) games for p = 1/2, otherwise (i - N P(target)) / (1 - 2
    p).
    Source: W. Feller, An Introduction to Probability Theory I, XIV.2 and XIV.3.
    """

def markov_chain(transition: _Matrix, n: int, start: int = 0) -> BuiltIn[list[int]]:
    """Markov chain: A chain of n steps on the states 0 to S - 1. The entry in row i and column j of the matrix is
    the probability of going from state i to state j. The value is the sequence of states, including the first.

    Args:
        transition: Transition probabilities, one row per state. Range: S rows of S probabilities that sum to 1.
        n: Number of steps. Range: 0 to 2^27 - 1.
        start: Initial state. Range: 0 to S - 1.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the final
        state.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number and O(S) time per step.
    Source: W. Feller, An Introduction to Probability Theory I, XV.
    """

def hmm(initial: _Numbers, transition: _Matrix, emission: _Matrix, observed: _Numbers) -> BuiltIn[list[int]]:
    """Hidden Markov model: The hidden states form a Markov chain. At each time, a symbol is emitted with the
    probabilities in the row of `emission` for the current hidden state. The value is the path of hidden states,
    weighted by the probability of the observed symbols.

    Args:
        initial: Distribution of the first hidden state. Range: S probabilities that sum to 1.
        transition: Transition probabilities, one row per hidden state. Range: S rows of S probabilities that sum
            to 1.
        emission: Emission probabilities, one row per hidden state. Range: S rows with one probability per symbol,
            each row summing to 1.
        observed: Observed symbols. Range: symbol numbers, counted from 0.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the last hidden
        state.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number and O(S) time per observation; the posterior takes O(S²) time per observation, forward
    and backward.
    Source: L. Rabiner, A tutorial on hidden Markov models and selected applications in speech recognition (1989),
    III.
    """

def ar1(n: int, phi: float, sigma: float = 1.0, c: float = 0.0, start: float = 0.0) -> BuiltIn[list[float]]:
    """Autoregressive process of order 1: x_(t+1) = c + φ x_t + σ ε_t with independent standard normal ε_t, for n
    steps from the start. The value is the sequence of all x_t. For |φ| < 1 the covariance of values h steps apart
    tends to φ^h σ² / (1 - φ²).

    Args:
        n: Number of steps. Range: 0 to 2^27 - 1.
        phi: Coefficient of the previous value. Range: a finite number.
        sigma: Standard deviation of the noise. Range: greater than 0, at most 10^307.
        c: Constant added at each step. Range: a finite number.
        start: First value. Range: a finite number.

    Returns:
        The process. Its outcome is of type list[float].

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: 2.74 random numbers per step on average.
    Source: U. Yule, On a method of investigating periodicities in disturbed series (1927); G. Box, G. Jenkins,
    Time Series Analysis (1970), 3.2.
    """

def galton_watson(offspring: _Numbers, generations: int, start: int = 1, most: int = 1000000) -> BuiltIn[list[int]]:
    """Galton-Watson process: Each individual of a generation independently has k children with probability
    offspring[k]. The value is the sequence of generation sizes, including the first. P(extinct by generation g) =
    f(f(… f(0))) for one ancestor, where f is the generating function of the offspring distribution.

    Args:
        offspring: Probabilities of 0, 1, 2, … children. Range: probabilities that sum to 1.
        generations: Number of generations after the first. Range: 0 to 2^27 - 1.
        start: Size of the first generation. Range: 0 to most.
        most: Maximum size of a generation; a larger one is an error. Range: 0 to 2^53.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the size of the
        last generation.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number and O(length of offspring) time per individual.
    Source: F. Galton, H. Watson, On the probability of the extinction of families (1875); T. Harris, The Theory
    of Branching Processes (1963), I.
    """

def moran(n: int, start: int = 1, fitness: float = 1.0) -> BuiltIn[list[int]]:
    """Moran process: A population of n individuals, of whom i carry a gene. At each step one individual reproduces,
    with weight r for carriers and 1 for others, and its child replaces an individual chosen uniformly. The
    process ends when all or none carry the gene. P(all) = (1 - r^-i) / (1 - r^-n), and i / n for r = 1. The value
    is the sequence of carrier counts.

    Args:
        n: Number of individuals. Range: 1 to 2^31.
        start: Initial number of carriers. Range: 0 to n.
        fitness: Reproductive weight of a carrier. Range: 1e-9 to 1e9.

    Returns:
        The process. Its outcome is of type list[int]. statistic_law() returns the distribution of the final
        number of carriers.

    Raises:
        ValueError: A parameter is out of its range.
        TypeError: A parameter is missing or has the wrong type.

    Cost: one random number per step; for r = 1, on average n (1 + 1/2 + … + 1/(n - 1)) steps from one carrier,
    and about 0.69 n² from n / 2.
    Source: P. Moran, Random processes in genetics (1958).
    """
