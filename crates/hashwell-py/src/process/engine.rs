//! The implementation of `hashwell.process.Process`: a process of any kind, and all its operations.

use super::faults::short;
use super::live::Live;
use super::many::Many;
use super::model::NativeModel;
use super::program::Program;
use super::seed::Origin;
use super::table::Table;
use super::term::as_draw;
use super::unfold::{Scheme, Unfold};
use crate::boundary::errors::{self, Nodes, States, Steps, Terms, exception};
use crate::boundary::immutable::add_private_class;
use hashwell_draw::RandomSource;
use hashwell_draw::process::interpret::{Depth, Limits};
use hashwell_draw::process::picture;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The implementation of hashwell.process.Process.
///
/// Its methods return tuples and lists, which the package converts to its result classes.
#[pyclass(frozen, name = "_ProcessEngine", module = "hashwell._native")]
pub(crate) struct Engine(Kind);

enum Kind {
    Program(Program),
    Unfold(Unfold),
    Table(Box<Table>),
    Native(NativeModel),
}

#[pymethods]
impl Engine {
    /// Make a process from a generator function and its arguments.
    #[staticmethod]
    fn program(function: Bound<'_, PyAny>, args: Bound<'_, PyTuple>, kwargs: Bound<'_, PyDict>) -> Self {
        let kwargs = if kwargs.is_empty() { None } else { Some(kwargs.unbind()) };
        Self(Kind::Program(Program { function: function.unbind(), args: args.unbind(), kwargs }))
    }

    /// Make a process from a step function and a first state. The scheme is ana, apo or futu.
    #[staticmethod]
    fn unfold(scheme: &str, step: Bound<'_, PyAny>, seed: Bound<'_, PyAny>) -> PyResult<Self> {
        let scheme = match scheme {
            "ana" => Scheme::Ana,
            "apo" => Scheme::Apo,
            _ => Scheme::Futu,
        };
        if !step.is_callable() {
            return Err(exception::<PyTypeError>(format!(
                "the step must be a function of the state, not {}",
                short(&step)
            )));
        }
        // The first state is checked now. Errors in later states are found when their steps are run.
        seed.hash()?;
        Ok(Self(Kind::Unfold(Unfold { scheme, step: step.unbind(), seed: seed.unbind() })))
    }

    /// Return a compiled coalgebra, whose table is empty at first.
    fn compile(&self, py: Python<'_>, states: States) -> PyResult<Self> {
        match &self.0 {
            Kind::Unfold(unfold) => {
                Ok(Self(Kind::Table(Box::new(Table::new(py, unfold.copy(py), states.0)))))
            }
            Kind::Table(_) => Err(exception::<PyTypeError>("this coalgebra is already compiled")),
            Kind::Program(_) => {
                Err(exception::<PyTypeError>("a program has no states: only coalgebras can be compiled"))
            }
            Kind::Native(_) => {
                Err(exception::<PyTypeError>("a built-in process is native: there is nothing to compile"))
            }
        }
    }

    /// Make a built-in process.
    #[staticmethod]
    fn built_in(name: &str, given: Bound<'_, PyDict>, encoding: Option<&str>) -> PyResult<Self> {
        NativeModel::new(name, &given, encoding).map(|model| Self(Kind::Native(model)))
    }

    /// The number of terms in the table so far, or None for a process without a table.
    #[getter]
    fn states(&self) -> Option<usize> {
        if let Kind::Table(table) = &self.0 { Some(table.len()) } else { None }
    }

    fn sample<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
        words: Option<&Bound<'py, PyAny>>,
        replicate: Option<&Bound<'py, PyAny>>,
        terms: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (origin, replicate, terms) =
            (Origin::of(seed, words)?, replicate_of(replicate)?, terms_of(terms)?);
        let mut words = origin.words(replicate)?;
        match self.process(py) {
            Process::Live(live) => live.sample(&mut *words, terms),
            Process::Native(model) => model.sample(py, words, terms),
        }
    }

    fn trace<'py>(
        &self,
        py: Python<'py>,
        seed: Option<&Bound<'py, PyAny>>,
        words: Option<&Bound<'py, PyAny>>,
        replicate: Option<&Bound<'py, PyAny>>,
        terms: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (origin, replicate, terms) =
            (Origin::of(seed, words)?, replicate_of(replicate)?, terms_of(terms)?);
        let mut words = origin.words(replicate)?;
        match self.process(py) {
            Process::Live(live) => live.trace(&mut *words, terms),
            Process::Native(model) => model.trace(py, words, terms),
        }
    }

    fn score(&self, py: Python<'_>, draws: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
        let outcomes = draws.try_iter()?.map(|draw| as_draw(&draw?)).collect::<PyResult<Vec<_>>>()?;
        let score = match self.process(py) {
            Process::Live(live) => live.score(&outcomes),
            Process::Native(model) => model.score(py, &outcomes),
        }?;
        Ok((score.log_probability, score.log_weight))
    }

    fn simulate<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
        words: Option<&Bound<'py, PyAny>>,
        how: How<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let many = many(n, seed, words, how)?;
        match (&self.0, many.origin) {
            (Kind::Table(table), Origin::Run(run)) => {
                let growing = Live::of_table(py, table);
                let grow =
                    |j, words: &mut dyn RandomSource| Ok(growing.replicate(j, words, many.terms)?.number);
                Ok(table.simulate(py, &run, &many, grow)?.into_any())
            }
            _ => match self.process(py) {
                Process::Live(live) => Ok(live.simulate(&many)?.into_any()),
                Process::Native(model) => model.simulate(py, &many),
            },
        }
    }

    fn weigh<'py>(
        &self,
        py: Python<'py>,
        n: &Bound<'py, PyAny>,
        seed: Option<&Bound<'py, PyAny>>,
        words: Option<&Bound<'py, PyAny>>,
        how: How<'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let many = many(n, seed, words, how)?;
        match self.process(py) {
            Process::Live(live) => live.weigh(&many),
            Process::Native(model) => model.weigh(py, &many),
        }
    }

    fn exact<'py>(
        &self,
        py: Python<'py>,
        mass: f64,
        steps: Steps,
        states: States,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let limits = Limits { mass, steps: steps.0, states: states.0, ..Limits::default() };
        match &self.0 {
            Kind::Native(model) => model.exact(py, &limits, false),
            _ => self.enumerated(py, states.0, |live| live.exact(&limits)),
        }
    }

    /// Return the tree of terms as text and as SVG.
    fn explain(&self, py: Python<'_>, terms: Terms, nodes: Nodes) -> PyResult<(String, String)> {
        const STATES: usize = 1 << 20;
        let depth = Depth { terms: terms.0, nodes: nodes.0 };
        let tree = match &self.0 {
            Kind::Native(model) => model.explain(py, &depth),
            _ => self.enumerated(py, STATES, |live| live.explain(&depth)),
        }?;
        Ok((tree.text(), picture::tree(&tree)))
    }

    /// Return the moments of a built-in process that have a closed form, as `[(name, value), …]`.
    fn moments(&self, py: Python<'_>) -> PyResult<Vec<(&'static str, f64)>> {
        Ok(self.model()?.moments(py))
    }

    /// Return the logarithm of a value's probability, or None if there is no closed form.
    fn log_probability(&self, value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        self.model()?.log_probability(value)
    }

    /// Return the distribution of the statistic, in the same form as `exact`.
    fn statistic_law<'py>(
        &self,
        py: Python<'py>,
        mass: f64,
        steps: Steps,
        states: States,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let limits = Limits { mass, steps: steps.0, states: states.0, ..Limits::default() };
        self.model()?.exact(py, &limits, true)
    }

    fn sticks(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        words: Option<&Bound<'_, PyAny>>,
        replicate: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Vec<f64>, f64)> {
        let model = self.model()?;
        model.sticks(py, Origin::of(seed, words)?.words(replicate_of(replicate)?)?)
    }

    fn smooth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.model()?.smooth(py)
    }

    /// Return a plot of a value as SVG.
    fn picture(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        self.model()?.picture(value)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.0 {
            Kind::Program(program) => {
                visit.call(&program.function)?;
                visit.call(&program.args)?;
                visit.call(&program.kwargs)
            }
            Kind::Unfold(unfold) => {
                visit.call(&unfold.step)?;
                visit.call(&unfold.seed)
            }
            Kind::Table(table) => table.traverse(&visit),
            Kind::Native(_) => Ok(()),
        }
    }
}

/// A process in the form that the interpreters need.
#[allow(clippy::large_enum_variant)] // one value for a call, which lives on the stack
enum Process<'a, 'py> {
    Live(Live<'a, 'py>),
    Native(&'a NativeModel),
}

impl Engine {
    fn process<'a, 'py>(&'a self, py: Python<'py>) -> Process<'a, 'py> {
        Process::Live(match &self.0 {
            Kind::Program(program) => Live::of_program(py, program),
            Kind::Unfold(unfold) => Live::of_unfold(py, unfold),
            Kind::Table(table) => Live::of_table(py, table),
            Kind::Native(model) => return Process::Native(model),
        })
    }

    /// Calls `ask` with the process in a form that can be enumerated. A program is replayed from its beginning for each
    /// path, and a coalgebra gets a temporary table.
    fn enumerated<'py, R>(
        &self,
        py: Python<'py>,
        states: usize,
        ask: impl Fn(&Live<'_, 'py>) -> PyResult<R>,
    ) -> PyResult<R> {
        match (&self.0, self.process(py)) {
            (Kind::Program(program), _) => ask(&Live::of_replays(py, program)),
            (Kind::Unfold(unfold), _) => ask(&Live::of_table(py, &Table::new(py, unfold.copy(py), states))),
            (_, Process::Live(live)) => ask(&live),
            (_, Process::Native(_)) => unreachable!("built-in processes are enumerated natively"),
        }
    }

    fn model(&self) -> PyResult<&NativeModel> {
        match &self.0 {
            Kind::Native(model) => Ok(model),
            _ => Err(exception::<PyTypeError>("only built-in processes have this method")),
        }
    }
}

/// `(first, threads, terms, progress)`: the settings for the simulation of replicates.
type How<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Py<PyAny>>);

fn many<'py>(
    n: &Bound<'py, PyAny>,
    seed: Option<&Bound<'py, PyAny>>,
    words: Option<&Bound<'py, PyAny>>,
    (first, threads, terms, progress): How<'py>,
) -> PyResult<Many> {
    let n = errors::whole::<u64>(n, "n", "0 to 2**63 - 1")?;
    let first = errors::whole::<u64>(&first, "first", "0 to 2**64 - 2")?;
    let end = first.checked_add(n).filter(|&end| end < u64::MAX);
    let end = end.ok_or_else(|| exception::<PyOverflowError>("first + n must be at most 2**64 - 2"))?;
    if isize::try_from(n).is_err() {
        return Err(exception::<PyValueError>(format!("n must be 0 to 2**63 - 1, not {n}")));
    }
    let (threads, terms) = (errors::whole(&threads, "threads", "0 or more")?, terms_of(&terms)?);
    let origin = Origin::of(seed, words)?;
    if matches!(origin, Origin::Mwc) && first > 0 {
        return Err(errors::mwc("first"));
    }
    Ok(Many { origin, replicates: first..end, threads, terms, progress })
}

fn terms_of(terms: &Bound<'_, PyAny>) -> PyResult<u64> {
    errors::whole(terms, "terms", "0 to 2**64 - 1")
}

/// Reads the number of a replicate.
fn replicate_of(replicate: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(number) = replicate else { return Ok(None) };
    let range = "0 to 2**64 - 2";
    match errors::whole(number, "replicate", range)? {
        u64::MAX => Err(errors::out_of_range("replicate", range, number)),
        replicate => Ok(Some(replicate)),
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // hashwell.process exports or uses these.
    super::term::add_to(module)?;
    add_private_class::<Engine>(module)?;
    super::picture::add_to(module)?;
    super::model::add_to(module)
}
