//! The forward pass of enumerations: step by step over the states that can be reached, equal ones merged.
//!
//! Masses are summed in the order in which states were found, which is the processes' own, never that of a hash table: so
//! the last digit is the same in every run. Where observations make all masses very small or large, they are counted in
//! another power of two, which rounds nothing.

use super::limits::Limits;
use crate::Error;
use crate::error::shown;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::ops::RangeInclusive;

/// Masses of different things, in the order in which these were found, whatever the hasher. It is a quick one that does not
/// withstand keys made to collide: states come of the model, and a model that wants to be slow has no need of them.
pub(super) type Masses<T> = IndexMap<T, f64, FxBuildHasher>;

pub(super) const MEMORY: Error = Error::Memory { what: Limits::STATES };

/// Adds to the mass of a thing.
#[inline]
pub(super) fn add<T: Eq + Hash>(masses: &mut Masses<T>, thing: T, mass: f64) -> Result<(), Error> {
    masses.try_reserve(1).map_err(|_| MEMORY)?;
    *masses.entry(thing).or_insert(0.0) += mass;
    Ok(())
}

/// The sum in the order of discovery; of nothing it is 0, where Rust's is -0.
pub(super) fn sum<T>(masses: &Masses<T>) -> f64 {
    masses.values().fold(0.0, |sum, mass| sum + mass)
}

/// What takes outcomes.
pub(super) trait Decided<O> {
    fn add(&mut self, out: O, mass: f64) -> Result<(), Error>;
    /// The sum of all masses.
    fn total(&self) -> f64;
    /// Multiplies all masses by a power of two.
    fn scale(&mut self, factor: f64);
    /// Things that are held.
    fn held(&self) -> usize;
}

/// How far an enumeration came.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) lost: f64,
    pub(super) unit: i64,
    pub(super) steps: u64,
    pub(super) expanded: u64,
    /// Outcomes of terms that were followed.
    draws: u64,
}

/// Goes through all runs of the process and gives their outcomes to `decided`.
pub(super) fn forward<C>(
    process: &C,
    limits: &Limits<'_>,
    decided: &mut dyn Decided<C::Out>,
) -> Result<End, Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
{
    if !(0.0..=1.0).contains(&limits.mass) {
        return Err(Error::range("the undecided mass", "0 to 1", shown(limits.mass)));
    }
    let mut frontier = Masses::default();
    match process.start() {
        Flow::More(state) => add(&mut frontier, state, 1.0)?,
        Flow::Done(out) => decided.add(out, 1.0)?,
    }
    let mut end = End { lost: 0.0, unit: 0, steps: 0, expanded: 0, draws: 0 };
    let mut told = 0;
    let mut after = Masses::default();
    loop {
        end.lost = sum(&frontier);
        // Observations of no weight leave no states.
        if end.lost == 0.0 || end.steps >= limits.steps {
            break;
        }
        if limits.mass > 0.0 && end.lost <= limits.mass * (end.lost + decided.total()) {
            break;
        }
        let states = frontier.drain(..);
        if let Err(error) = step(process, states, limits, &mut after, decided, &mut end) {
            // The error allocates, and memory may have run out: the buffers are freed first.
            drop((frontier, after));
            // A stop comes between a draw and the next term.
            let step = end.steps + u64::from(error == Error::Stopped);
            return Err(error.at_step(step));
        }
        end.steps += 1;
        std::mem::swap(&mut frontier, &mut after);
        rescale(&mut frontier, decided, &mut end, &mut told)?;
    }
    // A state that memory was refused for is not lost as others are: what was to come of it might have been an outcome.
    for state in frontier.keys() {
        process.distribution(state).check_memory().map_err(|error| error.at_step(end.steps))?;
    }
    if end.unit != told {
        let factor = power_of_two(end.unit - told);
        end.lost *= factor;
        end.unit = told;
        decided.scale(factor);
    }
    Ok(end)
}

/// One term of each state.
#[inline]
fn step<C>(
    process: &C,
    states: impl Iterator<Item = (C::State, f64)>,
    limits: &Limits<'_>,
    after: &mut Masses<C::State>,
    decided: &mut dyn Decided<C::Out>,
    end: &mut End,
) -> Result<(), Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
{
    for (state, mass) in states {
        end.expanded += 1;
        expand(process, &state, mass, limits, after, decided, &mut end.draws)?;
        let held = after.len() + decided.held();
        if held > limits.states {
            let must = format!("at most {}", limits.states);
            return Err(Error::range(Limits::STATES, must, held));
        }
    }
    Ok(())
}

/// One term of one state.
#[inline]
fn expand<C>(
    process: &C,
    state: &C::State,
    mass: f64,
    limits: &Limits<'_>,
    after: &mut Masses<C::State>,
    decided: &mut dyn Decided<C::Out>,
    draws: &mut u64,
) -> Result<(), Error>
where
    C: Coalgebra,
    C::State: Clone + Eq + Hash,
{
    let mut lead = |draw: Outcome, probability: f64| {
        let mass = mass * probability;
        if mass == 0.0 {
            return Ok(());
        }
        let copy = state.clone();
        if process.lacks_memory(&copy) {
            return Err(MEMORY);
        }
        match process.next(copy, draw) {
            Flow::More(next) => add(after, next, mass)?,
            Flow::Done(out) => decided.add(out, mass)?,
        }
        let draw = *draws;
        *draws += 1;
        // A process whose state is invalid stops the watch: no other outcome is followed then.
        match limits.watch.stopped() {
            Some(_) => Err(Error::Stopped),
            None => Ok(limits.watch.check(draw)?),
        }
    };
    let law = process.distribution(state);
    // More choices than that, which differ in their states or outcomes, no limit would hold.
    if let Distribution::Below(n) = law
        && n > u64::from(u32::MAX)
    {
        return Err(Error::range("the number of choices of an enumerated term", "at most 2^32 - 1", n));
    }
    // Called, so that it is compiled once for a process and not once for each kind of term.
    let mut lead: &mut dyn FnMut(Outcome, f64) -> Result<(), Error> = &mut lead;
    law.each_outcome(&mut lead)
}

/// Keeps the sum of all masses below 2 and not far below 1, so that it is a float after the next observation, too, whatever
/// that weighs.
fn rescale<S, O>(
    frontier: &mut Masses<S>,
    decided: &mut dyn Decided<O>,
    end: &mut End,
    told: &mut i64,
) -> Result<(), Error> {
    for factor in factors(sum(frontier) + decided.total(), end, told)?.into_iter().flatten() {
        frontier.values_mut().for_each(|mass| *mass *= factor);
        decided.scale(factor);
    }
    Ok(())
}

/// The factors by which masses with this sum are multiplied. The unit that is told in the end is another only where the sum
/// leaves 2^-256 to 2^256 in it.
fn factors(total: f64, end: &mut End, told: &mut i64) -> Result<Option<[f64; 2]>, Error> {
    const NEAR: RangeInclusive<i64> = -32..=0;
    const TOLD: RangeInclusive<i64> = -256..=256;
    if !total.is_finite() {
        return Err(Error::range("the mass of an enumeration", "finite", total).at_step(end.steps));
    }
    if total == 0.0 {
        return Ok(None);
    }
    let power = (total.to_bits() >> 52) as i64 - 1023;
    let in_told = power + end.unit - *told;
    if !TOLD.contains(&in_told) {
        *told += in_told;
    }
    if NEAR.contains(&power) {
        return Ok(None);
    }
    // To a half and more, in two steps: the factor itself may be beyond a float's range.
    let power = power + 1;
    end.unit += power;
    Ok(Some([power / 2, power - power / 2].map(|power| power_of_two(-power))))
}

/// Of a power that floats have.
fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}
