//! Processes from functions, by the three schemes of unfolding. One unfolder serves all: an apomorphism is a coalgebra as
//! it stands, an anamorphism one that is asked whether it is done, a futumorphism one whose states hold the rest of a
//! program.

use super::coalgebra::{Coalgebra, Flow};
use super::distribution::{Distribution, Outcome};
use super::program::{Next, Program};
use std::hash::{Hash, Hasher};

/// An anamorphism; made by [`ana`].
#[derive(Clone, Debug)]
pub struct Ana<S, P, L, N> {
    seed: S,
    done: P,
    law: L,
    next: N,
}

/// One term a step: `done` says what came of it where there is nothing more to draw, `law` which term comes next, `next`
/// the seed that a draw leads to.
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

/// An apomorphism; made by [`apo`].
#[derive(Clone, Debug)]
pub struct Apo<S, L, N> {
    seed: S,
    law: L,
    next: N,
}

/// One term a step, each draw of which may end the process.
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

/// A futumorphism; made by [`futu`].
#[derive(Clone, Debug)]
pub struct Futu<S, F> {
    seed: S,
    step: F,
}

/// Several terms a step: each seed gives a program, which ends in the next seed or in what came of the process. A step
/// that draws nothing goes on at once.
pub fn futu<S, O: 'static, F>(seed: S, step: F) -> Futu<S, F>
where
    S: Clone + 'static,
    F: Fn(&S) -> Program<Flow<S, O>>,
{
    Futu { seed, step }
}

/// Where a futumorphism stands: the seed of its step, what was drawn since, and the rest of the step's program. Two are
/// equal if seed and draws are, the program being a function of them.
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

/// No draw that is compared is NaN: a law gives none.
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
