//! Chains of functions that are called one after another, stored as a tree that is rotated when its first function is
//! needed ("Reflection without Remorse", van der Ploeg and Kiselyov 2014). Each term has the same cost, and the stack
//! does not grow, regardless of how the binds of a program are nested. Values between functions are untyped here,
//! because each function has its own types.

use super::closures::Held;
use crate::process::distribution::{Distribution, Outcome};
use std::any::Any;
use std::rc::Rc;

pub(super) type Value = Box<dyn Any>;

/// A program whose value is untyped.
pub(super) enum Raw {
    Pure(Value),
    Free(Distribution<'static>, Bound),
}

/// The continuation after a draw: a function, then the functions of the chain.
#[derive(Clone)]
pub(super) struct Bound {
    first: Held<dyn Fn(Outcome) -> Raw>,
    rest: Option<Chain>,
}

/// One or more functions.
#[derive(Clone)]
pub(super) enum Chain {
    One(Held<dyn Fn(Value) -> Raw>),
    Two(Held<(Chain, Chain)>),
}

impl Chain {
    pub(super) fn of(function: impl Fn(Value) -> Raw + 'static) -> Self {
        Chain::One(Held::new(Rc::new(function)))
    }

    fn then(self, after: Chain) -> Self {
        Chain::Two(Held::new(Rc::new((self, after))))
    }

    /// Splits off the first function.
    fn split(self) -> (Held<dyn Fn(Value) -> Raw>, Option<Chain>) {
        let (mut left, mut rest) = (self, None);
        loop {
            match left {
                Chain::One(function) => return (function, rest),
                Chain::Two(pair) => {
                    let (first, after) = (*pair).clone();
                    rest = Some(match rest {
                        Some(rest) => after.then(rest),
                        None => after,
                    });
                    left = first;
                }
            }
        }
    }
}

impl Bound {
    pub(super) fn of(first: impl Fn(Outcome) -> Raw + 'static) -> Self {
        Self { first: Held::new(Rc::new(first)), rest: None }
    }

    /// This continuation, followed by the chain.
    pub(super) fn then(self, chain: Chain) -> Self {
        let rest = Some(match self.rest {
            Some(rest) => rest.then(chain),
            None => chain,
        });
        Self { rest, ..self }
    }

    /// Continues with this draw up to the next term.
    pub(super) fn after(&self, draw: Outcome) -> Raw {
        let mut program = (self.first)(draw);
        let mut rest = self.rest.clone();
        while let Some(chain) = rest {
            match program {
                Raw::Free(law, next) => return Raw::Free(law, next.then(chain)),
                Raw::Pure(value) => {
                    let (function, others) = chain.split();
                    program = function(value);
                    rest = others;
                }
            }
        }
        program
    }

    /// The addresses of this continuation's functions.
    pub(super) fn address(&self) -> [*const (); 2] {
        let rest = match &self.rest {
            None => std::ptr::null(),
            Some(Chain::One(function)) => function.address(),
            Some(Chain::Two(pair)) => pair.address(),
        };
        [self.first.address(), rest]
    }
}
