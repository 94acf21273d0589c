//! Terms as Python objects, such as `bernoulli(0.5)`, with or without a continuation.

use crate::boundary::builtin::{self, Builtin, Given};
use crate::boundary::errors::{self, exception};
use hashwell_draw::process::{Distribution, Outcome};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyTuple};
use std::borrow::Cow;
use std::cell::Cell;
use std::mem::discriminant;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// The distribution of the next draw of a process. Generator functions yield terms.
///
/// Make terms with the functions bernoulli, uniform, categorical, below, gaussian, beta and observe.
///
/// Examples:
///     >>> from hashwell.process import bernoulli
///     >>> bernoulli(0.5) == bernoulli(0.5)
///     True
#[pyclass(frozen, module = "hashwell.process")]
pub(crate) struct Term {
    law: Distribution<'static>,
    /// For a Bernoulli term or an observation, the bits of its current p or weight, which can differ from the number in
    /// `law`. A term without other references is reused with a different number, see [`of_number`].
    number: AtomicU64,
}

impl Term {
    pub(crate) fn new(law: Distribution<'static>) -> Self {
        let number = match law {
            Distribution::Bernoulli(number) | Distribution::Observe(number) => number,
            _ => 0.0,
        };
        Self { law, number: AtomicU64::new(number.to_bits()) }
    }

    #[inline]
    pub(crate) fn distribution(&self) -> Distribution<'_> {
        let number = || f64::from_bits(self.number.load(Relaxed));
        match &self.law {
            Distribution::Bernoulli(_) => Distribution::Bernoulli(number()),
            Distribution::Observe(_) => Distribution::Observe(number()),
            law => law.borrowed(),
        }
    }
}

#[pymethods]
impl Term {
    fn __repr__(&self) -> String {
        text(&self.distribution())
    }

    /// Supports copies and pickles.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (maker, values) = maker_of(py, &self.distribution())?;
        Ok((py.import("hashwell._native")?.getattr(maker)?, values))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast_exact::<Self>().is_ok_and(|other| other.get().distribution() == self.distribution())
    }

    /// Equal terms have equal texts, except for the sign of a zero.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.__repr__().replace("-0.0", "0.0").into_pyobject(py)?.hash()
    }

    /// Return this term with a continuation: the result of a coalgebra's step function.
    fn __call__(&self, then: Bound<'_, PyAny>) -> Step {
        Step { law: self.distribution().into_owned(), then: then.unbind() }
    }
}

/// A term with its continuation. The step functions of ana(), apo() and futu() return these objects.
///
/// The continuation is a function of the draw.
#[pyclass(frozen, module = "hashwell.process")]
pub(crate) struct Step {
    law: Distribution<'static>,
    then: Py<PyAny>,
}

impl Step {
    #[inline]
    pub(crate) fn distribution(&self) -> Distribution<'_> {
        self.law.borrowed()
    }

    pub(crate) fn then<'py>(&self, py: Python<'py>, draw: Outcome) -> PyResult<Bound<'py, PyAny>> {
        self.then.bind(py).call1((as_object(py, &self.law, draw)?,))
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = text(&self.law);
        text.pop();
        let comma = if text.ends_with('(') { "" } else { ", " };
        Ok(format!("{text}{comma}then={})", self.then.bind(py).repr()?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.then)
    }
}

/// The final state of a process, with its outcome. Make it with done().
#[pyclass(frozen, module = "hashwell.process")]
pub(crate) struct Done {
    /// The outcome of the process.
    #[pyo3(get)]
    out: Py<PyAny>,
}

impl Done {
    pub(crate) fn out<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.out.bind(py).clone()
    }
}

#[pymethods]
impl Done {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("done({})", self.out.bind(py).repr()?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.out)
    }
}

/// End a process with an outcome.
///
/// Args:
///     out: The outcome of the process.
///
/// Returns:
///     A Done, which step functions and continuations return.
///
/// Examples:
///     >>> from hashwell.process import done
///     >>> done(3).out
///     3
#[pyfunction]
fn done(out: Bound<'_, PyAny>) -> Done {
    Done { out: out.unbind() }
}

/// Converts a draw to a Python object: a bool, an int, a float, or None for an observation.
#[inline]
pub(crate) fn as_object<'py>(
    py: Python<'py>,
    law: &Distribution<'_>,
    draw: Outcome,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match draw {
        Outcome::Index(index) if matches!(law, Distribution::Bernoulli(_)) => {
            PyBool::new(py, index != 0).to_owned().into_any()
        }
        Outcome::Index(index) => index.into_pyobject(py)?.into_any(),
        Outcome::Real(real) => PyFloat::new(py, real).into_any(),
        Outcome::Nothing => py.None().into_bound(py),
    })
}

/// Returns terms with their draws as Python objects.
pub(crate) fn drawn<'py>(
    py: Python<'py>,
    terms: Vec<(Distribution<'static>, Outcome)>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (law, draw) in terms {
        let draw = as_object(py, &law, draw)?;
        list.append((Bound::new(py, Term::new(law))?, draw))?;
    }
    Ok(list)
}

/// Converts a Python object to a draw.
pub(crate) fn as_draw(object: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    if object.is_none() {
        return Ok(Outcome::Nothing);
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Outcome::Index(errors::number(object, "a draw", "0 to 2**64 - 1")?));
    }
    // NumPy's bool is not a Python number.
    if let Ok(flag) = object.extract::<bool>() {
        return Ok(Outcome::Index(flag.into()));
    }
    match object.extract::<u64>() {
        Ok(index) => Ok(Outcome::Index(index)),
        Err(_) => object.extract().map(Outcome::Real),
    }
}

/// Formats a distribution as a Python expression.
fn text(law: &Distribution<'_>) -> String {
    match law {
        Distribution::Bernoulli(p) => format!("bernoulli({p:?})"),
        Distribution::Uniform => "uniform()".into(),
        Distribution::Categorical(weights) => format!("categorical({weights:?})"),
        Distribution::Below(n) => format!("below({n})"),
        Distribution::Gaussian { mean, deviation } => format!("gaussian({mean:?}, {deviation:?})"),
        Distribution::Beta { a, b } => format!("beta({a:?}, {b:?})"),
        Distribution::Observe(weight) => format!("observe({weight:?})"),
        law => law.to_string(),
    }
}

/// Returns the function that creates a term of this distribution, and its arguments.
fn maker_of<'py>(py: Python<'py>, law: &Distribution<'_>) -> PyResult<(&'static str, Bound<'py, PyTuple>)> {
    Ok(match law {
        Distribution::Bernoulli(p) => ("bernoulli", (*p,).into_pyobject(py)?),
        Distribution::Uniform => ("uniform", PyTuple::empty(py)),
        Distribution::Categorical(weights) => {
            ("categorical", (PyList::new(py, weights.iter())?,).into_pyobject(py)?)
        }
        Distribution::Below(n) => ("below", (*n,).into_pyobject(py)?),
        Distribution::Gaussian { mean, deviation } => ("gaussian", (*mean, *deviation).into_pyobject(py)?),
        Distribution::Beta { a, b } => ("beta", (*a, *b).into_pyobject(py)?),
        Distribution::Observe(weight) => ("observe", (*weight,).into_pyobject(py)?),
        law => return Err(exception::<PyTypeError>(format!("a term cannot be pickled: {law}"))),
    })
}

/// A function that creates terms.
trait Maker {
    const NAME: &'static str;
    /// The parameters before `then`.
    const PARAMETERS: &'static [&'static str];
    const DOC: &'static str;

    fn distribution(values: &[&Bound<'_, PyAny>]) -> PyResult<Distribution<'static>>;
}

/// The builtin function of a maker.
struct Made<M>(M);

impl<M: Maker> Builtin for Made<M> {
    #[inline]
    fn call<'py>(
        py: Python<'py>,
        _: Option<Borrowed<'_, 'py, PyAny>>,
        given: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if given.positional.len() == M::PARAMETERS.len() && !given.has_keywords() {
            // The fast path for the most frequent call in programs: no continuation and no keywords.
            return match given.positional {
                [] => term(py, M::distribution(&[])?),
                [one] => {
                    let law = M::distribution(&[one])?;
                    match law {
                        Distribution::Bernoulli(number) | Distribution::Observe(number) => {
                            of_number(py, law, number)
                        }
                        _ => term(py, law),
                    }
                }
                [one, two] => term(py, M::distribution(&[one, two])?),
                _ => unreachable!("no term has more parameters"),
            };
        }
        call_with_more::<M>(py, given)
    }
}

#[inline]
fn term<'py>(py: Python<'py>, law: Distribution<'static>) -> PyResult<Bound<'py, PyAny>> {
    Ok(Bound::new(py, Term::new(law))?.into_any())
}

thread_local! {
    /// The last term that was created whose distribution has one number as a parameter. A program usually drops a term
    /// before it creates the next one, and creating an object takes as long as the rest of the work for a term. So the
    /// same object is used for the next term.
    static LATEST: Cell<Option<Py<Term>>> = const { Cell::new(None) };
}

/// Returns a term whose distribution has one number as a parameter.
#[inline]
fn of_number<'py>(py: Python<'py>, law: Distribution<'static>, number: f64) -> PyResult<Bound<'py, PyAny>> {
    if let Some(latest) = LATEST.take() {
        // True if there are no other references to the term.
        let free =
            builtin::references(&latest, py) == 1 && discriminant(&latest.get().law) == discriminant(&law);
        // Bound to the interpreter, so that the reference is released immediately. PyO3 would defer the release of an
        // unbound reference.
        let latest = latest.into_bound(py);
        if free {
            latest.get().number.store(number.to_bits(), Relaxed);
            LATEST.set(Some(latest.clone().unbind()));
            return Ok(latest.into_any());
        }
    }
    let term = Bound::new(py, Term::new(law))?;
    LATEST.set(Some(term.clone().unbind()));
    Ok(term.into_any())
}

/// Handles calls with a continuation or keywords, and invalid calls.
#[cold]
fn call_with_more<'py, M: Maker>(py: Python<'py>, given: Given<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let most = M::PARAMETERS.len() + 1;
    if given.positional.len() > most {
        return Err(errors::too_many_arguments(M::NAME, most, given.positional.len()));
    }
    let mut values = vec![None; most];
    for (slot, value) in values.iter_mut().zip(given.positional) {
        *slot = Some(&**value);
    }
    for (keyword, value) in given.named() {
        let name = keyword.to_cow()?;
        let at = M::PARAMETERS.iter().chain(&["then"]).position(|known| *known == name);
        let slot = at.map(|at| &mut values[at]);
        match slot.ok_or_else(|| errors::unexpected_keyword(M::NAME, &name))? {
            Some(_) => return Err(errors::two_values(M::NAME, &name)),
            slot => *slot = Some(value),
        }
    }
    let then = values.pop().flatten().filter(|then| !then.is_none());
    let missing = |name: &&str| errors::missing_argument(M::NAME, name);
    let values = values.into_iter().zip(M::PARAMETERS);
    let values =
        values.map(|(value, name)| value.ok_or_else(|| missing(name))).collect::<PyResult<Vec<_>>>()?;
    let law = M::distribution(&values)?;
    match then {
        None => term(py, law),
        Some(then) if then.is_callable() => {
            Ok(Bound::new(py, Step { law, then: then.clone().unbind() })?.into_any())
        }
        Some(then) => Err(errors::not_a_function(M::NAME, then)),
    }
}

macro_rules! makers {
    ($($maker:ident $name:literal ($($parameter:literal),*) $doc:literal => |$values:ident| $law:expr;)*) => {
        $(
            struct $maker;

            impl Maker for $maker {
                const NAME: &'static str = $name;
                const PARAMETERS: &'static [&'static str] = &[$($parameter),*];
                const DOC: &'static str = $doc;

                #[inline]
                fn distribution($values: &[&Bound<'_, PyAny>]) -> PyResult<Distribution<'static>> {
                    Ok($law)
                }
            }
        )*

        fn add_makers(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                let parameters = $maker::PARAMETERS.join(", ");
                let comma = if parameters.is_empty() { "" } else { ", " };
                let signature = format!("{parameters}{comma}then=None");
                let function = builtin::make::<Made<$maker>>(
                    module.py(), "hashwell.process", $maker::NAME, &signature, $maker::DOC,
                )?;
                module.setattr($maker::NAME, function)?;
            )*
            Ok(())
        }
    };
}

makers! {
    Bernoulli "bernoulli" ("p") "Draw True with probability p, and otherwise False. The draw consumes one random number.\n\nArgs:\n    \
              p: The probability, from 0 to 1.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Bernoulli(values[0].extract()?);
    Uniform "uniform" () "Draw a float u with 0.0 <= u < 1.0, a multiple of 2**-53. The draw consumes one random number.\n\nArgs:\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |_values| Distribution::Uniform;
    Categorical "categorical" ("weights") "Draw the index of a weight, with a probability proportional to the weight. The draw consumes one random number.\n\nArgs:\n    \
              weights: The weights, which must be finite, non-negative and not all 0.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Categorical(Cow::Owned(values[0].extract()?));
    Below "below" ("n") "Draw an int x with 0 <= x < n. The draw consumes one random number, rarely more.\n\nArgs:\n    \
              n: The exclusive upper bound, from 1 to 2**64 - 1.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Below(errors::number(values[0], "n", "1 to 2**64 - 1")?);
    Gaussian "gaussian" ("mean", "sd") "Draw a float from a normal distribution.\n\nArgs:\n    \
              mean: The mean.\n    \
              sd: The standard deviation, which must be positive.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Gaussian { mean: values[0].extract()?, deviation: values[1].extract()? };
    Beta "beta" ("a", "b") "Draw a float from a beta distribution, from 0.0 to 1.0.\n\nArgs:\n    \
              a: The first shape parameter, which must be positive.\n    \
              b: The second shape parameter, which must be positive.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Beta { a: values[0].extract()?, b: values[1].extract()? };
    Observe "observe" ("weight") "Multiply the weight of the run by the likelihood of an observation. The draw is None.\n\nArgs:\n    \
              weight: The likelihood, which must be finite and non-negative.\n    \
              then: The continuation, which is a function of the draw. It is required in the step function of\n        \
              ana(), apo() and futu().\n\nReturns:\n    \
              A Term, or a Step if a continuation is given."
        => |values| Distribution::Observe(values[0].extract()?);
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_makers(module)?;
    module.setattr("done", wrap_pyfunction!(done, module)?)?;
    for class in
        [module.py().get_type::<Term>(), module.py().get_type::<Step>(), module.py().get_type::<Done>()]
    {
        module.setattr(class.name()?, &class)?;
    }
    Ok(())
}
