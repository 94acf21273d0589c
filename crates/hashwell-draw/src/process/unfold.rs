//! Processes from functions, by three schemes of unfolding. All use the same mechanism: an apomorphism is a coalgebra,
//! an anamorphism is one with an additional function that detects the end, and a futumorphism is one whose states
//! contain the rest of a program.

use super::coalgebra::{Coalgebra, Flow};
use super::distribution::{Distribution, Outcome};
use super::program::{Next, Program};
use std::hash::{Hash, Hasher};

/// An anamorphism: a process with one term for each step; created by [`ana`].
#[derive(Clone, Debug)]
pub struct Ana<S, P, L, N> {
    seed: S,
    done: P,
    law: L,
    next: N,
}

/// Creates an anamorphism: a process with one term for each step. Its state is called the seed. `done` returns the
/// outcome if there is nothing more to draw, `law` returns the distribution of the next draw, and `next` returns the
/// seed that a draw leads to.
pub fn ana<S, O, P, L, N>(seed: S, done: P, law: L, next: N) -> Ana<S, P, L, N>
where
    S: Clone,
    P: Fn(&S) -> Option<O>,
    L: for<'a> Fn(&'a S) -> Distribution<'a>,
    N: Fn(S, Outcome) -> S,
{
    Ana { seed, done, law, next }
}

impl<S, O, P, L, N> Ana<S, P, L, N>
where
    P: Fn(&S) -> Option<O>,
{
    #[inline]
    fn flow(&self, seed: S) -> Flow<S, O> {
        match (self.done)(&seed) {
            Some(out) => Flow::Done(out),
            None => Flow::More(seed),
        }
    }
}

impl<S, O, P, L, N> Coalgebra for Ana<S, P, L, N>
where
    S: Clone,
    P: Fn(&S) -> Option<O>,
    L: for<'a> Fn(&'a S) -> Distribution<'a>,
    N: Fn(S, Outcome) -> S,
{
    type State = S;
    type Out = O;

    fn start(&self) -> Flow<S, O> {
        self.flow(self.seed.clone())
    }

    #[inline]
    fn distribution<'a>(&'a self, state: &'a S) -> Distribution<'a> {
        (self.law)(state)
    }

    #[inline]
    fn next(&self, state: S, draw: Outcome) -> Flow<S, O> {
        self.flow((self.next)(state, draw))
    }
}

/// An apomorphism: a process in which each draw may end the process; created by [`apo`].
#[derive(Clone, Debug)]
pub struct Apo<S, L, N> {
    seed: S,
    law: L,
    next: N,
}

/// Creates an apomorphism: a process with one term for each step, in which each draw may end the process. Its state is
/// called the seed. `law` returns the distribution of the next draw, and `next` returns the seed that a draw leads to,
/// or the outcome of the process.
pub fn apo<S, O, L, N>(seed: S, law: L, next: N) -> Apo<S, L, N>
where
    S: Clone,
    L: for<'a> Fn(&'a S) -> Distribution<'a>,
    N: Fn(S, Outcome) -> Flow<S, O>,
{
    Apo { seed, law, next }
}

impl<S, O, L, N> Coalgebra for Apo<S, L, N>
where
    S: Clone,
    L: for<'a> Fn(&'a S) -> Distribution<'a>,
    N: Fn(S, Outcome) -> Flow<S, O>,
{
    type State = S;
    type Out = O;

    fn start(&self) -> Flow<S, O> {
        Flow::More(self.seed.clone())
    }

    #[inline]
    fn distribution<'a>(&'a self, state: &'a S) -> Distribution<'a> {
        (self.law)(state)
    }

    #[inline]
    fn next(&self, state: S, draw: Outcome) -> Flow<S, O> {
        (self.next)(state, draw)
    }
}

/// A futumorphism: a process with several terms for each step; created by [`futu`].
#[derive(Clone, Debug)]
pub struct Futu<S, F> {
    seed: S,
    step: F,
}

/// Creates a futumorphism: a process with several terms for each step. Each step begins with a seed. From this seed,
/// `step` creates a program, which ends with the next seed or with the outcome of the process. A step that draws
/// nothing continues immediately.
pub fn futu<S, O: 'static, F>(seed: S, step: F) -> Futu<S, F>
where
    S: Clone + 'static,
    F: Fn(&S) -> Program<Flow<S, O>>,
{
    Futu { seed, step }
}

/// The state of a futumorphism: the seed of the current step, the draws since the step began, and the rest of the
/// step's program. Two states are equal if their seeds and their draws are equal, because these determine the rest of
/// the program.
pub struct Seed<S: 'static, O: 'static> {
    seed: S,
    drawn: Vec<Outcome>,
    law: Distribution<'static>,
    rest: Next<Flow<S, O>>,
}

impl<S: Clone, O> Clone for Seed<S, O> {
    fn clone(&self) -> Self {
        Self {
            seed: self.seed.clone(),
            drawn: self.drawn.clone(),
            law: self.law.clone(),
            rest: self.rest.clone(),
        }
    }
}

impl<S: PartialEq, O> PartialEq for Seed<S, O> {
    fn eq(&self, other: &Self) -> bool {
        self.seed == other.seed && self.drawn == other.drawn
    }
}

/// Compared draws are never NaN, because no distribution produces it.
impl<S: Eq, O> Eq for Seed<S, O> {}

impl<S: Hash, O> Hash for Seed<S, O> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seed.hash(state);
        for draw in &self.drawn {
            match draw {
                Outcome::Index(index) => index.hash(state),
                // 0 and -0 are equal.
                Outcome::Real(real) => (real + 0.0).to_bits().hash(state),
                Outcome::Nothing => {}
            }
        }
    }
}

impl<S, O: 'static, F> Futu<S, F>
where
    S: Clone + 'static,
    F: Fn(&S) -> Program<Flow<S, O>>,
{
    fn begin(&self, mut seed: S) -> Flow<Seed<S, O>, O> {
        loop {
            match (self.step)(&seed) {
                Program::Free(law, rest) => return Flow::More(Seed { seed, drawn: Vec::new(), law, rest }),
                Program::Pure(Flow::More(next)) => seed = next,
                Program::Pure(Flow::Done(out)) => return Flow::Done(out),
            }
        }
    }
}

impl<S, O: 'static, F> Coalgebra for Futu<S, F>
where
    S: Clone + 'static,
    F: Fn(&S) -> Program<Flow<S, O>>,
{
    type State = Seed<S, O>;
    type Out = O;

    fn start(&self) -> Flow<Seed<S, O>, O> {
        self.begin(self.seed.clone())
    }

    fn distribution<'a>(&'a self, state: &'a Seed<S, O>) -> Distribution<'a> {
        state.law.borrowed()
    }

    fn next(&self, mut state: Seed<S, O>, draw: Outcome) -> Flow<Seed<S, O>, O> {
        match state.rest.after(draw) {
            Program::Free(law, rest) => {
                state.drawn.push(draw);
                Flow::More(Seed { law, rest, ..state })
            }
            Program::Pure(Flow::More(seed)) => self.begin(seed),
            Program::Pure(Flow::Done(out)) => Flow::Done(out),
        }
    }
}
