//! Programs as values: the free monad of the terms.

use super::coalgebra::{Coalgebra, Flow};
use super::law::{Draw, Law};
use std::rc::Rc;

/// A program: done, or a term and what follows each of its draws. For programs that are put together at run time, and for
/// the steps of [`futu`](super::futu); each term costs an allocation, which a [`Coalgebra`] of one's own does not.
///
/// It can be run as often as one likes, and by every interpreter, being a coalgebra whose states are programs.
pub enum Program<T> {
    /// Nothing more to draw.
    Pure(T),
    /// A term.
    Free(Law<'static>, Next<T>),
}

/// What follows a draw.
type Next<T> = Rc<dyn Fn(Draw) -> Program<T>>;

impl<T: Clone> Clone for Program<T> {
    fn clone(&self) -> Self {
        match self {
            Program::Pure(value) => Program::Pure(value.clone()),
            Program::Free(law, next) => Program::Free(law.clone(), Rc::clone(next)),
        }
    }
}

impl<T: 'static> Program<T> {
    /// A term, and the program that follows it.
    pub fn term(law: Law<'static>, next: impl Fn(Draw) -> Program<T> + 'static) -> Self {
        Program::Free(law, Rc::new(next))
    }

    /// This program, then what is made of its value.
    ///
    /// Of a chain that leans to the left, as a loop which binds to what it has so far makes it, each term passes through as
    /// many functions as were bound before it: nest to the right where it is long.
    #[must_use]
    pub fn and_then<U: 'static>(self, then: impl Fn(T) -> Program<U> + 'static) -> Program<U> {
        self.bind(Rc::new(then))
    }

    fn bind<U: 'static>(self, then: Rc<dyn Fn(T) -> Program<U>>) -> Program<U> {
        match self {
            Program::Pure(value) => then(value),
            Program::Free(law, next) => {
                Program::Free(law, Rc::new(move |draw| next(draw).bind(Rc::clone(&then))))
            }
        }
    }
}

impl<T> Program<T> {
    pub(super) fn flow(self) -> Flow<(Law<'static>, Next<T>), T> {
        match self {
            Program::Pure(value) => Flow::Done(value),
            Program::Free(law, next) => Flow::More((law, next)),
        }
    }
}

impl<T: Clone> Coalgebra for Program<T> {
    type State = (Law<'static>, Next<T>);
    type Out = T;

    fn start(&self) -> Flow<Self::State, T> {
        self.clone().flow()
    }

    fn law<'a>(&'a self, (law, _): &'a Self::State) -> Law<'a> {
        law.clone()
    }

    fn next(&self, (_, next): Self::State, draw: Draw) -> Flow<Self::State, T> {
        next(draw).flow()
    }
}
