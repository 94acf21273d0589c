//! The interface between processes and interpreters.

use super::distribution::{Distribution, Outcome};

/// The result of a step: the process continues or has ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flow<S, O> {
    /// The process continues from this state.
    More(S),
    /// The process has ended with this outcome. In the literature, an apomorphism calls this case `Left`.
    Done(O),
}

/// A process as a function of its state: the state determines the distribution of the next draw and the state that
/// follows from each draw. Nothing is boxed, so a loop over a coalgebra is as fast as a hand-written one.
///
/// `distribution` and `next` must be functions of the state: equal states have equal distributions and continue in the
/// same way, independently of what happened before. Interpreters that enumerate merge equal states and rely on this.
///
/// ```
/// use hashwell_draw::process::{Coalgebra, Outcome, Flow, Distribution};
///
/// /// How many flips of a coin it takes to see a head, as an apomorphism from 1.
/// struct Flips;
///
/// impl Coalgebra for Flips {
///     type State = u64;
///     type Out = u64;
///
///     fn start(&self) -> Flow<u64, u64> {
///         Flow::More(1)
///     }
///
///     fn distribution<'a>(&'a self, _flip: &'a u64) -> Distribution<'a> {
///         Distribution::Bernoulli(0.5)
///     }
///
///     fn next(&self, flip: u64, draw: Outcome) -> Flow<u64, u64> {
///         if draw.flag() { Flow::Done(flip) } else { Flow::More(flip + 1) }
///     }
/// }
/// # let run = hashwell_draw::process::Run::seeded(b"docs")?;
/// # assert!(hashwell_draw::process::interpret::sample(&Flips, &mut run.words()?, &Default::default())? >= 1);
/// # Ok::<(), hashwell_draw::Error>(())
/// ```
pub trait Coalgebra {
    /// The state, on which the rest of the process depends.
    type State;
    /// The outcome of the process.
    type Out;

    /// The initial state, or [`Flow::Done`] if there is nothing to draw.
    fn start(&self) -> Flow<Self::State, Self::Out>;

    /// The distribution of the next draw.
    fn distribution<'a>(&'a self, state: &'a Self::State) -> Distribution<'a>;

    /// The next state or the outcome that follows from a draw.
    fn next(&self, state: Self::State, draw: Outcome) -> Flow<Self::State, Self::Out>;

    /// Returns true if a state is incomplete because there was not enough memory to copy it. `next` isn't called with
    /// such a state, and an enumeration ends with [`Error::Memory`](crate::Error::Memory). You don't need to implement
    /// this method if cloning a state cannot fail, or if a failure aborts the program, as in Rust's collections.
    #[inline]
    fn lacks_memory(&self, _state: &Self::State) -> bool {
        false
    }
}

impl<C: Coalgebra + ?Sized> Coalgebra for &C {
    type State = C::State;
    type Out = C::Out;

    #[inline]
    fn start(&self) -> Flow<C::State, C::Out> {
        (**self).start()
    }

    #[inline]
    fn distribution<'a>(&'a self, state: &'a C::State) -> Distribution<'a> {
        (**self).distribution(state)
    }

    #[inline]
    fn next(&self, state: C::State, draw: Outcome) -> Flow<C::State, C::Out> {
        (**self).next(state, draw)
    }

    #[inline]
    fn lacks_memory(&self, state: &C::State) -> bool {
        (**self).lacks_memory(state)
    }
}
