//! Programs as values: the free monad over the terms.

mod chain;
mod closures;

use super::coalgebra::{Coalgebra, Flow};
use super::distribution::{Distribution, Outcome};
use chain::{Bound, Chain, Raw, Value};
use closures::Held;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A program, which is either done, or a term with a continuation for each of its draws. Use this type for programs
/// that are composed at run time, and for the steps of [`futu`](super::futu). Each term costs a few allocations. To
/// avoid them, implement [`Coalgebra`] yourself.
///
/// A program can be run any number of times and by every interpreter, because it is a coalgebra whose states are
/// programs. A program cannot be sent to another thread. If you need several threads, use [`futu`](super::futu) with a
/// single step, whose function creates the program.
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
    /// The program is done, with this value.
    Pure(T),
    /// A term, and the continuation after it.
    Free(Distribution<'static>, Next<T>),
}

/// The continuation after a term's draw; created by [`Program::term`] and [`Program::and_then`].
pub struct Next<T: 'static>(Kind<T>);

enum Kind<T: 'static> {
    /// A single function.
    Plain(Held<dyn Fn(Outcome) -> Program<T>>),
    /// Several functions, one after another.
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
    /// Continues with this draw.
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

    /// The addresses of the functions that follow.
    fn address(&self) -> [*const (); 2] {
        match &self.0 {
            Kind::Plain(function) => [function.address(), std::ptr::null()],
            Kind::Bound(bound) => bound.address(),
        }
    }
}

impl<T> Program<T> {
    /// Creates a program that draws from this term and continues with `next`.
    pub fn term(law: Distribution<'static>, next: impl Fn(Outcome) -> Program<T> + 'static) -> Self {
        Program::Free(law, Next(Kind::Plain(Held::new(Rc::new(next)))))
    }

    /// Returns a program that runs this program, and then the program that `then` creates from its value. Each term has
    /// the same cost, no matter how long or nested such a chain is, and the stack does not grow.
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

/// The value returned by the previous function; `and_then` ensures its type.
fn own<T: 'static>(value: Value) -> T {
    *value.downcast().expect("and_then joins functions of one type")
}

/// The state of a program. Two states are equal if their terms are equal and they share the same functions in memory.
/// An enumeration therefore merges parts of a program that are copies of each other. Parts that were created separately
/// differ, even if they behave identically.
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

/// A distribution that can be drawn contains no NaN. States of a distribution that contains NaN are not merged, which
/// is harmless.
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
