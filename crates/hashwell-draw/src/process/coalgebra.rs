//! The one form in which every interpreter takes a process.

use super::distribution::{Distribution, Outcome};

/// Whether a process goes on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flow<S, O> {
    /// From this state.
    More(S),
    /// No: this came of it. What an apomorphism calls its left.
    Done(O),
}

/// A process as a function of its state, which holds all the probability: the law of the next draw, and where each draw
/// leads. Nothing is boxed, so that a loop over a coalgebra costs what a loop written by hand does.
///
/// `law` and `next` are functions: equal states have equal laws and go on alike, whatever was before. Interpreters that
/// enumerate merge equal states and rely on it.
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
    /// What the rest of the process depends on.
    type State;
    /// What comes of the process.
    type Out;

    /// Where it begins; [`Flow::Done`] if there is nothing to draw at all.
    fn start(&self) -> Flow<Self::State, Self::Out>;

    /// The law of the next draw.
    fn distribution<'a>(&'a self, state: &'a Self::State) -> Distribution<'a>;

    /// Where a draw of that law leads.
    fn next(&self, state: Self::State, draw: Outcome) -> Flow<Self::State, Self::Out>;

    /// Returns true if a state is incomplete because memory was refused to its copy: then `next` isn't called with it, and an
    /// enumeration ends with [`Error::Memory`](crate::Error::Memory). A state whose `Clone` can't be refused memory, or ends the
    /// process as Rust's collections do, needs nothing here.
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
