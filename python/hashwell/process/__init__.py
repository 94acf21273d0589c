"""Recursive stochastic processes: one model, many interpreters.

A program or a coalgebra *denotes* a distribution; nothing is drawn until it is asked for.

    >>> from hashwell.process import process, bernoulli, apo, done
    >>> @process
    ... def geometric(p):
    ...     flips = 1
    ...     while not (yield bernoulli(p)):
    ...         flips += 1
    ...     return flips
    >>> geometric(0.1).sample(b"round 7") == geometric(0.1).sample(b"round 7")
    True
    >>> flips = apo(lambda n: bernoulli(0.5, lambda head: done(n) if head else n + 1), 1)
    >>> flips.exact(mass=0.1)[2]
    0.25

**Programs.** `@process` makes a process of a generator function: it yields terms and is sent what was drawn.

**Coalgebras.** `ana`, `apo` and `futu` take a step, a function of a hashable state, and the state to begin with. A step
gives a term with a continuation, `bernoulli(p, then)`, or `done(x)`; `then` gets the draw and gives what follows, a
*leaf*:

| scheme | a leaf is | as |
|---|---|---|
| `ana` | the next state | `bernoulli(p, lambda up: n + 1 if up else n - 1)` |
| `apo` | the next state, or `done(x)` | `bernoulli(p, lambda head: done(n) if head else n + 1)` |
| `futu` | the next state, `done(x)`, or a further term with its continuation | `bernoulli(p, lambda new: ... if new else below(c, seat))` |

Equal states must have equal steps: interpreters that enumerate merge them. `compile` makes a table of a coalgebra,
which runs without Python.

**Terms**, with what is drawn: `bernoulli(p)` a bool, `uniform()` and `gaussian(mean, sd)` and `beta(a, b)` a float,
`categorical(weights)` and `below(n)` an int, `observe(weight)` None.

**Interpreters** are methods of every `Process`. The same seed gives the same values in Rust, Python and the command, on
every machine and for any number of threads; see `docs/guides/processes.md`.
"""

from .._native import Done as Done
from .._native import Step as Step
from .._native import Term as Term
from .._native import bernoulli as bernoulli
from .._native import below as below
from .._native import beta as beta
from .._native import categorical as categorical
from .._native import done as done
from .._native import gaussian as gaussian
from .._native import observe as observe
from .._native import uniform as uniform
from ._built_in import *  # noqa: F403 - the list of names is the registry's
from ._make import ana as ana
from ._make import apo as apo
from ._make import compile as compile
from ._make import futu as futu
from ._make import process as process
from ._process import BuiltIn as BuiltIn
from ._process import Process as Process
from ._results import Exact as Exact
from ._results import Expectation as Expectation
from ._results import Explanation as Explanation
from ._results import Picture as Picture
from ._results import Ragged as Ragged
from ._results import Restaurant as Restaurant
from ._results import Score as Score
from ._results import Smoothed as Smoothed
from ._results import Trace as Trace
from ._results import Weighted as Weighted
