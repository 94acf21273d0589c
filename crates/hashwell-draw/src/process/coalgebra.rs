//! The one form in which every interpreter takes a process.

use super::law::{Draw, Law};

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
/// use hashwell_draw::process::{Coalgebra, Draw, Flow, Law};
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
///     fn law<'a>(&'a self, _flip: &'a u64) -> Law<'a> {
///         Law::Bernoulli(0.5)
///     }
///
///     fn next(&self, flip: u64, draw: Draw) -> Flow<u64, u64> {
///         if draw.flag() { Flow::Done(flip) } else { Flow::More(flip + 1) }
///     }
/// }
/// # let run = hashwell_draw::process::Run::seeded(b"docs")?;
/// # assert!(hashwell_draw::process::interpret::sample(&Flips, &mut run.words()?)? >= 1);
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
    fn law<'a>(&'a self, state: &'a Self::State) -> Law<'a>;

    /// Where a draw of that law leads.
    fn next(&self, state: Self::State, draw: Draw) -> Flow<Self::State, Self::Out>;
}

impl<C: Coalgebra + ?Sized> Coalgebra for &C {
    type State = C::State;
    type Out = C::Out;

    #[inline]
    fn start(&self) -> Flow<C::State, C::Out> {
        (**self).start()
    }

    #[inline]
    fn law<'a>(&'a self, state: &'a C::State) -> Law<'a> {
        (**self).law(state)
    }

    #[inline]
    fn next(&self, state: C::State, draw: Draw) -> Flow<C::State, C::Out> {
        (**self).next(state, draw)
    }
}
