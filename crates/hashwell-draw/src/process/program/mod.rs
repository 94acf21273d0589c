//! Programs as values: the free monad of the terms.

mod chain;
mod closures;

use super::coalgebra::{Coalgebra, Flow};
use super::distribution::{Distribution, Outcome};
use chain::{Bound, Chain, Raw, Value};
use closures::Held;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A program: done, or a term and what follows each of its draws. For programs that are put together at run time, and for
/// the steps of [`futu`](super::futu); each term costs some allocations, which a [`Coalgebra`] of one's own does not.
///
/// It can be run as often as one likes, and by every interpreter, being a coalgebra whose states are programs. It stays in
/// its thread; a futumorphism of one step, whose function makes it, goes into many.
///
/// ```
/// use hashwell_draw::process::interpret::{Limits, exact};
/// use hashwell_draw::process::{Distribution, Program};
///
/// /// Two dice, of which one sees the sum.
/// let die = || Program::term(Distribution::Below(6), |draw| Program::Pure(draw.index() + 1));
/// let sum = die().and_then(move |one| die().and_then(move |other| Program::Pure(one + other)));
/// let law = exact(&sum, &Limits::default())?.sorted();
/// assert_eq!(law.outcomes[5].0, 7);
/// assert!((law.outcomes[5].1 - 1.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
pub enum Program<T: 'static> {
    /// Nothing more to draw.
    Pure(T),
    /// A term.
    Free(Distribution<'static>, Next<T>),
}

/// What follows the draws of a term; made by [`Program::term`] and [`Program::and_then`].
pub struct Next<T: 'static>(Kind<T>);

enum Kind<T: 'static> {
    /// One function.
    Plain(Held<dyn Fn(Outcome) -> Program<T>>),
    /// Functions one after another.
    Bound(Bound),
}

impl<T> Clone for Next<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Kind::Plain(function) => Kind::Plain(function.clone()),
            Kind::Bound(bound) => Kind::Bound(bound.clone()),
        })
    }
}

impl<T: Clone> Clone for Program<T> {
    fn clone(&self) -> Self {
        match self {
            Program::Pure(value) => Program::Pure(value.clone()),
            Program::Free(law, next) => Program::Free(law.clone(), next.clone()),
        }
    }
}

impl<T> Next<T> {
    /// What follows this draw.
    pub(super) fn after(&self, draw: Outcome) -> Program<T> {
        match &self.0 {
            Kind::Plain(function) => function(draw),
            Kind::Bound(bound) => Program::typed(bound.after(draw)),
        }
    }

    fn bound(self) -> Bound {
        match self.0 {
            Kind::Plain(function) => Bound::of(move |draw| function(draw).raw()),
            Kind::Bound(bound) => bound,
        }
    }

    /// Where its functions are.
    fn address(&self) -> [*const (); 2] {
        match &self.0 {
            Kind::Plain(function) => [function.address(), std::ptr::null()],
            Kind::Bound(bound) => bound.address(),
        }
    }
}

impl<T> Program<T> {
    /// A term, and the program that follows it.
    pub fn term(law: Distribution<'static>, next: impl Fn(Outcome) -> Program<T> + 'static) -> Self {
        Program::Free(law, Next(Kind::Plain(Held::new(Rc::new(next)))))
    }

    /// This program, then what is made of its value. However long a chain of these is, and to which side it leans, a term
    /// costs the same, and the stack does not grow with it.
    #[must_use]
    pub fn and_then<U>(self, then: impl Fn(T) -> Program<U> + 'static) -> Program<U> {
        match self {
            Program::Pure(value) => then(value),
            Program::Free(law, next) => {
                let chain = Chain::of(move |value| then(own(value)).raw());
                Program::Free(law, Next(Kind::Bound(next.bound().then(chain))))
            }
        }
    }

    fn raw(self) -> Raw {
        match self {
            Program::Pure(value) => Raw::Pure(Box::new(value)),
            Program::Free(law, next) => Raw::Free(law, next.bound()),
        }
    }

    fn typed(raw: Raw) -> Self {
        match raw {
            Raw::Pure(value) => Program::Pure(own(value)),
            Raw::Free(law, bound) => Program::Free(law, Next(Kind::Bound(bound))),
        }
    }

    fn flow(self) -> Flow<Rest<T>, T> {
        match self {
            Program::Pure(value) => Flow::Done(value),
            Program::Free(law, next) => Flow::More(Rest { law, next }),
        }
    }
}

/// The value that the function before gave, of the type that `and_then` saw to.
fn own<T: 'static>(value: Value) -> T {
    *value.downcast().expect("and_then joins functions of one type")
}

/// Where a program stands. Two are equal where they share their functions, so that an enumeration takes those for one state
/// that a program holds twice; other parts of a program, which may be equal for all that anybody can see, are different
/// ones.
pub struct Rest<T: 'static> {
    law: Distribution<'static>,
    next: Next<T>,
}

impl<T> Clone for Rest<T> {
    fn clone(&self) -> Self {
        Self { law: self.law.clone(), next: self.next.clone() }
    }
}

impl<T> PartialEq for Rest<T> {
    fn eq(&self, other: &Self) -> bool {
        self.next.address() == other.next.address() && self.law == other.law
    }
}

/// No law that can be drawn has a NaN; states of one that has are not merged, which is no harm.
impl<T> Eq for Rest<T> {}

impl<T> Hash for Rest<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.next.address().hash(state);
    }
}

impl<T: Clone> Coalgebra for Program<T> {
    type State = Rest<T>;
    type Out = T;

    fn start(&self) -> Flow<Rest<T>, T> {
        self.clone().flow()
    }

    fn distribution<'a>(&'a self, rest: &'a Rest<T>) -> Distribution<'a> {
        rest.law.borrowed()
    }

    fn next(&self, rest: Rest<T>, draw: Outcome) -> Flow<Rest<T>, T> {
        rest.next.after(draw).flow()
    }
}
