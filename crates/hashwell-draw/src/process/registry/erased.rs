//! A built-in process without its types. What need not be quick goes this way, so that the interpreters are compiled for one
//! coalgebra and not for each process.

use super::built_in::BuiltIn;
use super::value::Value;
use crate::Error;
use crate::process::{Coalgebra, Draw, Flow, Law};
use std::ops::ControlFlow;

/// A process whose types are known at run time only.
pub(super) struct Erased<'p>(&'p (dyn Begin + Sync));

impl<'p> Erased<'p> {
    pub(super) fn new<P: BuiltIn + 'static>(process: &'p P) -> Self {
        Self(process)
    }
}

/// The same with somebody who is asked at each term whether to go on; a no is a term that nobody can draw.
pub(super) struct Asking<'p>(pub(super) Erased<'p>, pub(super) &'p dyn Fn() -> ControlFlow<()>);

impl<'p> Coalgebra for Asking<'p> {
    type State = Place<'p>;
    type Out = Value;

    fn start(&self) -> Flow<Place<'p>, Value> {
        self.0.start()
    }

    fn law<'a>(&'a self, place: &'a Place<'p>) -> Law<'a> {
        match (self.1)() {
            ControlFlow::Continue(()) => self.0.law(place),
            ControlFlow::Break(()) => Law::Fail(Box::new(Error::Stopped)),
        }
    }

    fn next(&self, place: Place<'p>, draw: Draw) -> Flow<Place<'p>, Value> {
        self.0.next(place, draw)
    }
}

/// Where it stands.
pub(super) struct Place<'p>(Box<dyn Stand<'p> + 'p>);

impl Clone for Place<'_> {
    fn clone(&self) -> Self {
        self.0.copy()
    }
}

trait Begin {
    fn begin(&self) -> Flow<Place<'_>, Value>;
}

trait Stand<'p> {
    fn law(&self) -> Law<'_>;
    fn next(self: Box<Self>, draw: Draw) -> Flow<Place<'p>, Value>;
    fn copy(&self) -> Place<'p>;
}

/// A process and its state, which goes out and comes back within one box: a step makes no memory of its own.
struct Standing<'p, P: BuiltIn> {
    process: &'p P,
    state: Option<P::State>,
}

impl<P: BuiltIn + 'static> Begin for P {
    fn begin(&self) -> Flow<Place<'_>, Value> {
        match self.start() {
            Flow::More(state) => Flow::More(Place(Box::new(Standing { process: self, state: Some(state) }))),
            Flow::Done(out) => Flow::Done(P::value(out)),
        }
    }
}

impl<'p, P: BuiltIn + 'static> Stand<'p> for Standing<'p, P> {
    fn law(&self) -> Law<'_> {
        self.process.law(self.state.as_ref().expect("it comes back with each step"))
    }

    fn next(mut self: Box<Self>, draw: Draw) -> Flow<Place<'p>, Value> {
        let state = self.state.take().expect("it comes back with each step");
        match self.process.next(state, draw) {
            Flow::More(state) => {
                self.state = Some(state);
                Flow::More(Place(self))
            }
            Flow::Done(out) => Flow::Done(P::value(out)),
        }
    }

    fn copy(&self) -> Place<'p> {
        Place(Box::new(Self { process: self.process, state: self.state.clone() }))
    }
}

impl<'p> Coalgebra for Erased<'p> {
    type State = Place<'p>;
    type Out = Value;

    fn start(&self) -> Flow<Place<'p>, Value> {
        self.0.begin()
    }

    fn law<'a>(&'a self, place: &'a Place<'p>) -> Law<'a> {
        place.0.law()
    }

    fn next(&self, place: Place<'p>, draw: Draw) -> Flow<Place<'p>, Value> {
        place.0.next(draw)
    }
}
