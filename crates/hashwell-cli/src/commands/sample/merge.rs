//! `--merge`: one sample of several, as if one had seen the rows of all.

use super::finish::write;
use super::kept::Kept;
use super::keys::Keys;
use super::made::{Sample, Shape};
use super::part::Part;
use super::plan::Kind;
use super::sampler::Sampler;
use super::seed::Seed;
use super::slots::Slots;
use super::state::{self, State};
use super::stats::Stats;
use super::stop::Stop;
use crate::options::sample_args::SampleOptions;
use crate::system::report::printable;
use hashwell::CounterWords;
use hashwell_draw::sample::{self, merge, merge_with_replacement};
use hashwell_draw::weighted::Race;
use std::collections::HashSet;
use std::path::Path;

pub(super) fn run(options: &SampleOptions) -> Result<(), Stop> {
    let stats = Stats::begin(options.stats);
    let mut states = Vec::new();
    let mut paths = HashSet::new();
    for name in &options.files {
        // With keys the state's rows would come out twice; otherwise it has the key of itself.
        if std::fs::canonicalize(name).is_ok_and(|path| path.is_file() && !paths.insert(path)) {
            return Err(Stop::usage(format!("--merge: {} is named twice", printable(name))));
        }
        states.push((printable(name), state::read(Path::new(name))?));
    }
    if states.is_empty() {
        return Err(Stop::usage("--merge: of what? name the states that --state-out wrote"));
    }
    let shape = check(&states)?;
    let samples = states.into_iter().map(|(_, state)| state.sample).collect();
    let sample = of_all(samples, options)?;
    let seen = sample.seen();
    if let Some(path) = &options.state_out {
        return state::write(path, sample, &shape);
    }
    let written =
        write(options, sample, &shape, None, |_| Ok(Vec::new()), |_, closed| Ok((closed.sink, None)))?;
    stats.say(seen, None, written.picked, written.chance.as_deref());
    Ok(())
}

/// All are samples of one design, whose rows look alike, and whose picks do not depend on each other. Gives how they look.
fn check(states: &[(String, State)]) -> Result<Shape, Stop> {
    let (first, State { sample, .. }) = &states[0];
    // The sample of an empty file has no header, and agrees with all others.
    let (like, State { shape, .. }) =
        states.iter().find(|(_, state)| state.shape.header.is_some()).unwrap_or(&states[0]);
    let mut keys = HashSet::new();
    for (name, state) in states {
        if state.sample.design() != sample.design() {
            return Err(Stop::work(format!("{name}: its sample is of another design than that of {first}")));
        }
        let headless = state.shape.header.is_none() && state.sample.seen() > 0;
        if !state.shape.agrees(shape) || (headless && shape.header.is_some()) {
            return Err(Stop::work(format!("{name}: its format or header is not that of {like}")));
        }
        let same = !keys.insert(state.sample.key().0);
        match sample {
            Sample::Keys(_) if keys.len() > 1 => {
                return Err(Stop::work(format!("{name}: its seed is not that of {first}, as keys need")));
            }
            Sample::Slots(_) if same => {
                return Err(Stop::work(format!(
                    "{name}: it was drawn with the same seed as another one, so that their picks are not independent; \
                     give each part its --shard"
                )));
            }
            _ => {}
        }
    }
    Ok(shape.clone())
}

/// The sample of all samples' rows, which stand one behind the other.
fn of_all(samples: Vec<Sample>, options: &SampleOptions) -> Result<Sample, Stop> {
    let mut before: u64 = 0;
    let (mut slots, mut keys) = (Vec::new(), Vec::new());
    for sample in samples {
        let seen = sample.seen();
        match sample {
            Sample::Slots(mut part) => {
                // No number is above the rows seen, and the sum of these is looked at below.
                let rows = part.parts.values_mut().flat_map(|part| &mut part.kept);
                rows.for_each(|row| row.number += before);
                slots.push(part);
            }
            Sample::Keys(part) => keys.push((before, part)),
        }
        before = before
            .checked_add(seen)
            .filter(|rows| *rows <= state::MOST_ROWS)
            .ok_or_else(|| Stop::work(format!("the samples are of more than {} rows", state::MOST_ROWS)))?;
    }
    if !keys.is_empty() {
        return merge_keys(keys).map(Sample::Keys);
    }
    if slots.len() == 1 {
        return Ok(Sample::Slots(slots.remove(0)));
    }
    merge_slots(slots, options).map(Sample::Slots)
}

/// The keys of all, whose rows stand behind so many others.
fn merge_keys(parts: Vec<(u64, Keys)>) -> Result<Keys, Stop> {
    let (_, first) = &parts[0];
    let key = first.key;
    let mut all = Keys::new(first.k, key, &first.column);
    for (before, part) in parts {
        all.seen += part.seen;
        for (value, rows) in part.clusters.into_sorted() {
            let ticket = key.ticket(&value);
            for mut row in rows {
                row.number += before;
                all.clusters.offer(ticket, &value, row)?;
            }
        }
    }
    Ok(all)
}

/// Stratum by stratum, in the order of the samples, with words of a seed of its own.
fn merge_slots(mut samples: Vec<Slots>, options: &SampleOptions) -> Result<Slots, Stop> {
    let design = samples[0].design.clone();
    let kind = design.kind;
    if kind == Kind::Pps || kind == Kind::WeightedReplace {
        return Err(Stop::work(format!(
            "samples of the design {} cannot be merged exactly; --state-in goes on with one",
            kind.method()
        )));
    }
    let seed = Seed::of(options)?;
    seed.say();
    let mut strata: Vec<Vec<u8>> = samples.iter().flat_map(|sample| sample.parts.keys().cloned()).collect();
    strata.sort_unstable();
    strata.dedup();
    // Of the parts' keys too, so that merging once more draws other words.
    let key = seed.merging(samples.iter().map(|sample| sample.key));
    let mut all = Slots { key, parts: Default::default(), design, before: 0 };
    for label in strata {
        let key = if all.design.by.is_some() { all.key.stratum(&label) } else { all.key };
        let parts: Vec<Part> = samples.iter_mut().filter_map(|sample| sample.parts.remove(&label)).collect();
        all.parts.insert(label, merge_parts(parts, kind, all.design.k, key)?);
    }
    Ok(all)
}

fn merge_parts(parts: Vec<Part>, kind: Kind, k: usize, key: hashwell_draw::Key) -> Result<Part, Stop> {
    let mut words = key.words();
    let (seen, eligible) =
        (parts.iter().map(|part| part.seen).sum(), parts.iter().map(|part| part.eligible).sum());
    let (kept, ranks) = match kind {
        Kind::Equal => (merge_equal(parts, k, &mut words)?, None),
        Kind::Successive => merge_successive(parts, k)?,
        _ => (merge_replacing(parts, &mut words)?, None),
    };
    Ok(Part::over(key, Sampler::Done { kind, ranks }, kept, seen, eligible))
}

fn merge_equal(parts: Vec<Part>, k: usize, words: &mut CounterWords) -> Result<Vec<Kept>, Stop> {
    let mut all = sample::Sample::new(Vec::new(), 0, k)?;
    for part in parts {
        all = merge(words, all, sample::Sample::new(part.kept, part.seen, k)?)?;
    }
    Ok(all.into_rows())
}

fn merge_replacing(parts: Vec<Part>, words: &mut CounterWords) -> Result<Vec<Kept>, Stop> {
    let mut all = (Vec::new(), 0);
    for part in parts {
        let seen = all.1 + part.seen;
        all = (merge_with_replacement(words, all, (part.kept, part.seen))?, seen);
    }
    Ok(all.0)
}

/// The rows that arrive first of all.
fn merge_successive(parts: Vec<Part>, k: usize) -> Result<(Vec<Kept>, Option<Vec<f64>>), Stop> {
    let mut race = Race::new(k);
    for part in parts {
        let ranks = part.sampler.ranks().unwrap_or_default();
        for (key, row) in ranks.into_iter().zip(part.kept) {
            race.offer(key, row)?;
        }
    }
    let (ranks, kept) = race.into_sorted().into_iter().unzip();
    Ok((kept, Some(ranks)))
}
