//! Type erasure: the registry stores processes of all types as trait objects. Operations that need not be fast run on
//! [`DynCoalgebra`], so that the interpreters are compiled once and not for each process.

use super::columns::Data;
use super::registered::{Facts, Registered};
use super::value::Value;
use crate::Error;
use crate::process::interpret::{Limits, sample};
use crate::process::{Coalgebra, Distribution, Flow, Outcome, ReplicateRng};
use hashwell::RandomSource;

/// A [`Registered`] process of any type, as a trait object.
pub(super) trait AnyProcess: Facts {
    /// Like [`Coalgebra::start`], with a boxed state.
    fn begin(&self) -> Flow<BoxedState<'_>, Value>;

    /// Like [`Registered::labels`].
    fn any_labels(
        &self,
        words: &mut dyn RandomSource,
        limits: &Limits<'_>,
        labels: &mut Vec<u32>,
    ) -> Option<Result<(), Error>>;

    /// Samples the process once and appends the items of its value.
    fn gather(&self, words: &mut ReplicateRng, limits: &Limits<'_>, data: &mut Data) -> Result<(), Error>;
}

impl<P: Registered + 'static> AnyProcess for P {
    fn begin(&self) -> Flow<BoxedState<'_>, Value> {
        match self.start() {
            Flow::More(state) => {
                Flow::More(BoxedState(Box::new(Running { process: self, state: Some(state) })))
            }
            Flow::Done(out) => Flow::Done(P::value(out)),
        }
    }

    fn any_labels(
        &self,
        words: &mut dyn RandomSource,
        limits: &Limits<'_>,
        labels: &mut Vec<u32>,
    ) -> Option<Result<(), Error>> {
        self.labels(words, limits, labels)
    }

    fn gather(&self, words: &mut ReplicateRng, limits: &Limits<'_>, data: &mut Data) -> Result<(), Error> {
        if cfg!(target_arch = "wasm32") {
            // In WebAssembly, code size matters more than the cost of calls.
            let mut labels = Vec::new();
            return match self.any_labels(words, limits, &mut labels) {
                Some(done) => done.and_then(|()| data.push(&Value::Labels(labels))),
                None => data.push(&sample(&DynCoalgebra(self), words as &mut dyn RandomSource, limits)?),
            };
        }
        if let Data::U32(labels) = data
            && let Some(done) = self.labels(words, limits, labels)
        {
            return done;
        }
        data.push(&P::value(sample(self, words, limits)?))
    }
}

/// A process of any type, as a coalgebra.
pub(super) struct DynCoalgebra<'p>(pub(super) &'p dyn AnyProcess);

/// The state of a [`DynCoalgebra`].
pub(super) struct BoxedState<'p>(Box<dyn AnyState<'p> + 'p>);

impl Clone for BoxedState<'_> {
    fn clone(&self) -> Self {
        self.0.copy()
    }
}

/// A process together with its state, whose type is erased.
trait AnyState<'p> {
    fn distribution(&self) -> Distribution<'_>;
    fn next(self: Box<Self>, outcome: Outcome) -> Flow<BoxedState<'p>, Value>;
    fn copy(&self) -> BoxedState<'p>;
    fn lacks_memory(&self) -> bool;
}

/// Each step takes the state out of the box and puts the next one into the same box, so that steps allocate no memory.
struct Running<'p, P: Registered> {
    process: &'p P,
    state: Option<P::State>,
}

impl<'p, P: Registered + 'static> AnyState<'p> for Running<'p, P> {
    fn distribution(&self) -> Distribution<'_> {
        self.process.distribution(self.state.as_ref().expect("each step puts a state back"))
    }

    fn next(mut self: Box<Self>, outcome: Outcome) -> Flow<BoxedState<'p>, Value> {
        let state = self.state.take().expect("each step puts a state back");
        match self.process.next(state, outcome) {
            Flow::More(state) => {
                self.state = Some(state);
                Flow::More(BoxedState(self))
            }
            Flow::Done(out) => Flow::Done(P::value(out)),
        }
    }

    fn copy(&self) -> BoxedState<'p> {
        BoxedState(Box::new(Self { process: self.process, state: self.state.clone() }))
    }

    fn lacks_memory(&self) -> bool {
        self.state.as_ref().is_some_and(|state| self.process.lacks_memory(state))
    }
}

impl<'p> Coalgebra for DynCoalgebra<'p> {
    type State = BoxedState<'p>;
    type Out = Value;

    fn start(&self) -> Flow<BoxedState<'p>, Value> {
        self.0.begin()
    }

    fn distribution<'a>(&'a self, state: &'a BoxedState<'p>) -> Distribution<'a> {
        state.0.distribution()
    }

    fn next(&self, state: BoxedState<'p>, outcome: Outcome) -> Flow<BoxedState<'p>, Value> {
        state.0.next(outcome)
    }

    fn lacks_memory(&self, state: &BoxedState<'p>) -> bool {
        state.0.lacks_memory()
    }
}
