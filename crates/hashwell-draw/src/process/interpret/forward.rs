//! The forward pass of enumerations, step by step over the reachable states, with equal states merged.
//!
//! Masses are summed in the order in which states were found, which depends only on the process and not on a hash
//! table. The result is therefore the same in every run, to the last digit. If observations make all masses very small
//! or large, the masses are counted in units of a different power of two, which causes no rounding.

use super::limits::Limits;
use crate::Error;
use crate::error::shown;
use crate::process::{Coalgebra, Distribution, Flow, Outcome};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::ops::RangeInclusive;

/// Masses by key, in the order in which the keys were found, independent of the hasher. The hasher is fast but does not
/// resist keys that are made to collide. This is acceptable because states come from the model, and a malicious model
/// could be slow without collisions.
pub(super) type Masses<T> = IndexMap<T, f64, FxBuildHasher>;

pub(super) const MEMORY: Error = Error::Memory { what: Limits::STATES };

/// Adds to the mass of a key.
#[inline]
pub(super) fn add<T: Eq + Hash>(masses: &mut Masses<T>, thing: T, mass: f64) -> Result<(), Error> {
    masses.try_reserve(1).map_err(|_| MEMORY)?;
    *masses.entry(thing).or_insert(0.0) += mass;
    Ok(())
}

/// The sum in the order of discovery. The sum of nothing is 0, whereas Rust's `sum` returns -0.
pub(super) fn sum<T>(masses: &Masses<T>) -> f64 {
    masses.values().fold(0.0, |sum, mass| sum + mass)
}

/// A collector of outcomes.
pub(super) trait Decided<O> {
    fn add(&mut self, out: O, mass: f64) -> Result<(), Error>;
    /// The sum of all masses.
    fn total(&self) -> f64;
    /// Multiplies all masses by a power of two.
    fn scale(&mut self, factor: f64);
    /// The number of outcomes stored.
    fn held(&self) -> usize;
}

/// The result of an enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) lost: f64,
    pub(super) unit: i64,
    pub(super) steps: u64,
    pub(super) expanded: u64,
    /// The number of draws that were followed.
    draws: u64,
}

/// Enumerates all runs of the process and passes their outcomes to `decided`.
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
        return Err(Error::range("the unassigned mass", "0 to 1", shown(limits.mass)));
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
        // Observations of weight 0 leave no states.
        if end.lost == 0.0 || end.steps >= limits.steps {
            break;
        }
        if limits.mass > 0.0 && end.lost <= limits.mass * (end.lost + decided.total()) {
            break;
        }
        let states = frontier.drain(..);
        if let Err(error) = step(process, states, limits, &mut after, decided, &mut end) {
            // The buffers are freed first, because creating the error allocates memory, which may have run out.
            drop((frontier, after));
            // A stop occurs between a draw and the next term, so it is reported at the next term.
            let step = end.steps + u64::from(error == Error::Stopped);
            return Err(error.at_step(step));
        }
        end.steps += 1;
        std::mem::swap(&mut frontier, &mut after);
        rescale(&mut frontier, decided, &mut end, &mut told)?;
    }
    // A state for which there was no memory does not simply count as lost mass: it might have led to an outcome.
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

/// Expands each state by one term.
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

/// Expands one state by one term.
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
        // A process whose state is invalid stops the watch; then no other outcome is followed.
        match limits.watch.stopped() {
            Some(_) => Err(Error::Stopped),
            None => Ok(limits.watch.check(draw)?),
        }
    };
    let law = process.distribution(state);
    // With more choices, no limit could keep the number of different states or outcomes small.
    if let Distribution::Below(n) = law
        && n > u64::from(u32::MAX)
    {
        return Err(Error::range("the number of choices of an enumerated term", "at most 2^32 - 1", n));
    }
    // `lead` is a trait object, so that `each_outcome` is compiled once for each process and not once for each kind of
    // term.
    let mut lead: &mut dyn FnMut(Outcome, f64) -> Result<(), Error> = &mut lead;
    law.each_outcome(&mut lead)
}

/// Keeps the sum of all masses below 2 and not far below 1, so that the masses stay in the range of floats after any
/// further observation.
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

/// The factors by which masses with this sum are multiplied. The unit that is finally reported changes only if the sum
/// in this unit leaves the range 2^-256 to 2^256.
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
    // Scales the sum to at least 1/2. This takes two factors, because a single one may be out of the range of floats.
    let power = power + 1;
    end.unit += power;
    Ok(Some([power / 2, power - power / 2].map(|power| power_of_two(-power))))
}

/// 2^power, for exponents in the range of floats.
fn power_of_two(power: i64) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}
