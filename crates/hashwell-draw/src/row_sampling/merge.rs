//! Merges several samples into one, as if a single sampler had seen all rows.

use super::keys::Keys;
use super::kind::Kind;
use super::methods::Merging;
use super::part;
use super::row::Kept;
use super::sample::{Sample, Shape};
use super::sampler::Sampler;
use super::seed::Seed;
use super::slots::Slots;
use super::state::{MAX_ROWS, State};
use crate::sample::{self, merge as merge_reservoirs, merge_with_replacement};
use crate::weighted::WeightedReservoir;
use crate::{Error, Key};
use hashwell::CounterRng;
use std::collections::HashSet;

/// A sample to merge, with a name for messages.
#[derive(Clone)]
pub struct Part {
    /// The name used in messages.
    pub name: String,
    /// The sample.
    pub state: State,
}

/// Merges samples into one sample of all their inputs, as if these had been concatenated in the given order. If the
/// merge needs random numbers, `seed` is called and returns a seed for them.
///
/// # Errors
/// Returns [`Error::Refused`] in these cases:
/// - There are no samples, or the samples have too many rows in total.
/// - The samples have different designs or row formats.
/// - Samples of keys have different seeds, although they must have the same seed.
/// - Other samples have the same seed, although they must have different seeds to be independent.
/// - Samples of this design cannot be merged.
/// - The last row of a sample has to be offered again.
///
/// Returns any error that `seed` returns.
pub fn merge<E: From<Error>>(
    parts: Vec<Part>,
    seed: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<State, E> {
    let shape = check(&parts)?;
    let samples = parts.into_iter().map(|part| part.state.sample).collect();
    Ok(State { sample: of_all(samples, seed)?, shape })
}

/// Checks that all samples have the same design and row format and that their picks are independent. Returns the row
/// format.
fn check(parts: &[Part]) -> Result<Shape, Error> {
    let Some(Part { name: first, state: State { sample, shape: own } }) = parts.first() else {
        return Err(Error::refused("there is no sample to merge"));
    };
    // The sample of an input without rows has no header, and agrees with all others.
    let with_header = parts.iter().find(|part| part.state.shape.header.is_some());
    let (like, shape) = with_header.map_or((first, own), |part| (&part.name, &part.state.shape));
    let mut keys = HashSet::new();
    for Part { name, state } in parts {
        if state.sample.design() != sample.design() {
            return Err(Error::refused(format!("{name}: it has a different design than {first}")));
        }
        let headless = state.shape.header.is_none() && state.sample.seen() > 0;
        if !state.shape.agrees(shape) || (headless && shape.header.is_some()) {
            return Err(Error::refused(format!("{name}: it has a different format or header than {like}")));
        }
        let same = !keys.insert(state.sample.key().0);
        match sample {
            Sample::Keys(_) if keys.len() > 1 => {
                return Err(Error::refused(format!(
                    "{name}: it has a different seed than {first}, but sampling by key requires the same seed"
                )));
            }
            Sample::Slots(_) if same => {
                return Err(Error::refused(format!(
                    "{name}: this sample was drawn with the same seed as another sample, so their picks are not \
                     independent; give each part its own shard name"
                )));
            }
            _ => {}
        }
    }
    Ok(shape.clone())
}

/// Merges the samples, as if their rows had been concatenated.
fn of_all<E: From<Error>>(
    samples: Vec<Sample>,
    seed: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<Sample, E> {
    let mut before: u64 = 0;
    let (mut slots, mut keys) = (Vec::new(), Vec::new());
    for sample in samples {
        let seen = sample.seen();
        match sample {
            Sample::Slots(mut part) => {
                // No row number exceeds the number of rows seen. The sum of the numbers of rows seen is checked below.
                part.renumber(before);
                slots.push(part);
            }
            Sample::Keys(part) => keys.push((before, part)),
        }
        before = before
            .checked_add(seen)
            .filter(|rows| *rows <= MAX_ROWS)
            .ok_or_else(|| Error::refused(format!("together, the samples have more than {MAX_ROWS} rows")))?;
    }
    if !keys.is_empty() {
        return Ok(Sample::Keys(merge_keys(keys)?));
    }
    if slots.len() == 1 {
        return Ok(Sample::Slots(slots.remove(0)));
    }
    let kind = slots[0].design.kind;
    if kind.row().merging == Merging::No {
        return Err(Error::refused(format!(
            "samples of the method {} cannot be merged exactly; continue a sample from its saved state instead",
            kind.method()
        ))
        .into());
    }
    Ok(Sample::Slots(merge_slots(slots, &seed()?)?))
}

/// Merges samples of keys; each part has the number of rows before it.
fn merge_keys(parts: Vec<(u64, Keys)>) -> Result<Keys, Error> {
    let (_, first) = &parts[0];
    let mut all = Keys::new(first.k, first.key, first.columns.clone(), first.stratify.clone());
    for (before, part) in parts {
        all.seen += part.seen;
        for (label, clusters) in part.parts {
            for (value, rows) in clusters.into_sorted() {
                let ticket = all.key.ticket(&value);
                for mut row in rows {
                    row.number += before;
                    all.keep(ticket, &label, &value, row)?;
                }
            }
        }
    }
    Ok(all)
}

/// Merges stratum by stratum, in the order of the samples, with random numbers from a separate seed.
fn merge_slots(mut samples: Vec<Slots>, seed: &[u8]) -> Result<Slots, Error> {
    samples.iter_mut().try_for_each(Slots::take_apart)?;
    let design = samples[0].design.clone();
    let kind = design.kind;
    let mut strata: Vec<Vec<u8>> = samples.iter().flat_map(|sample| sample.parts.keys().cloned()).collect();
    strata.sort_unstable();
    strata.dedup();
    // The parts' keys are included, so that merging again draws different random numbers.
    let key = Seed::merging(seed, samples.iter().map(|sample| sample.key));
    let mut all = Slots { key, parts: Default::default(), strata: None, design };
    for label in strata {
        let key = if all.design.stratify.is_some() { all.key.stratum(&label) } else { all.key };
        let parts: Vec<part::Part> =
            samples.iter_mut().filter_map(|sample| sample.parts.remove(&label)).collect();
        all.parts.insert(label, merge_parts(parts, kind, all.design.k, key)?);
    }
    Ok(all)
}

fn merge_parts(parts: Vec<part::Part>, kind: Kind, k: usize, key: Key) -> Result<part::Part, Error> {
    parts.iter().try_for_each(part::Part::check_whole)?;
    let mut words = key.words();
    let (seen, eligible) =
        (parts.iter().map(|part| part.seen).sum(), parts.iter().map(|part| part.eligible).sum());
    let (kept, ranks) = match kind.row().merging {
        Merging::Equal => (merge_equal(parts, k, &mut words)?, None),
        Merging::Ranks => merge_successive(parts, k)?,
        Merging::Replacing => (merge_replacing(parts, &mut words)?, None),
        Merging::No | Merging::Tickets => {
            return Err(Error::refused(format!("samples of the method {} cannot be merged", kind.method())));
        }
    };
    Ok(part::Part::over(key, Sampler::Done { kind, ranks }, kept, seen, eligible))
}

fn merge_equal(parts: Vec<part::Part>, k: usize, words: &mut CounterRng) -> Result<Vec<Kept>, Error> {
    let mut all = sample::Sample::new(Vec::new(), 0, k)?;
    for part in parts {
        all = merge_reservoirs(words, all, sample::Sample::new(part.kept, part.seen, k)?)?;
    }
    Ok(all.into_rows())
}

fn merge_replacing(parts: Vec<part::Part>, words: &mut CounterRng) -> Result<Vec<Kept>, Error> {
    let mut all = (Vec::new(), 0);
    for part in parts {
        let seen = part.seen;
        let after = all.1 + seen;
        all = (merge_with_replacement(words, all, (part.drawn()?, seen))?, after);
    }
    Ok(all.0)
}

/// The k rows with the smallest keys of all parts.
fn merge_successive(parts: Vec<part::Part>, k: usize) -> Result<(Vec<Kept>, Option<Vec<f64>>), Error> {
    let mut race = WeightedReservoir::new(k);
    for part in parts {
        let ranks = part.sampler.ranks().unwrap_or_default();
        for (key, row) in ranks.into_iter().zip(part.kept) {
            race.offer(key, row)?;
        }
    }
    let (ranks, kept) = race.into_sorted().into_iter().unzip();
    Ok((kept, Some(ranks)))
}
