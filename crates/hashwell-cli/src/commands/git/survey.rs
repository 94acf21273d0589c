//! The way through a repository: headers, sizes, a sample, then objects in batches.

use super::batch::{BYTES_MAX, Batch};
use super::contest::{Contest, Repeats, UNITS_MIN};
use super::report::{Check, Phases, Report, Repository, Run, SCHEMA, Sample};
use super::sample::{self, Tickets};
use super::sizes::Sizes;
use crate::options::args::GitOptions;
use crate::repository::store::Store;
use crate::repository::store::place::Place;
use crate::repository::store::read::Limit;
use crate::system::progress::Progress;
use gix_hash::{ObjectId, oid};
use hashwell::{Algorithm, Many, Params};
use hashwell_measure::engine::curve::sizes_up_to;
use hashwell_measure::timing::clock::{Clock, pin};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// The objects to hash.
pub(super) struct Chosen {
    /// The tickets and the highest of the sample; all objects without it.
    sample: Option<(Tickets, u64)>,
    /// Whether a sample was asked for that is not smaller than the whole.
    whole: bool,
    objects: u64,
    /// About how many bytes of streams they are; exact without a sample.
    stream_bytes: u64,
}

impl Chosen {
    fn holds(&self, id: &oid) -> bool {
        self.sample.as_ref().is_none_or(|(tickets, highest)| tickets.of(id) <= *highest)
    }
}

/// The way through a repository.
pub(super) struct Survey<'a> {
    options: &'a GitOptions,
    place: &'a Place,
    store: Store,
    stop: &'a AtomicBool,
    /// Of all objects, as their headers declare them.
    declared: Sizes,
    /// Of the objects that are what their ids say.
    verified: Sizes,
    pub(super) check: Check,
    /// Objects whose header could not be read.
    headless: HashSet<ObjectId>,
    phases: Phases,
    repeats: Repeats,
    hashed_bytes: u64,
    complaints: Vec<String>,
    stopped: bool,
}

impl<'a> Survey<'a> {
    pub(super) fn new(options: &'a GitOptions, place: &'a Place, stop: &'a AtomicBool) -> Self {
        let (store, damage) = Store::open(place, Limit(options.max_object));
        let mut survey = Self {
            options,
            place,
            store,
            stop,
            declared: Sizes::default(),
            verified: Sizes::default(),
            check: Check::default(),
            headless: HashSet::new(),
            phases: Phases::default(),
            repeats: Repeats { rounds: 1, passes: 1 },
            hashed_bytes: 0,
            complaints: Vec::new(),
            stopped: false,
        };
        survey.check.add_damage(damage);
        survey
    }

    /// Reads all headers, and chooses what to hash.
    pub(super) fn headers(&mut self) -> Chosen {
        let stop = self.stop;
        let start = Clock::Thread.now();
        let progress = Progress::new(None);
        let tickets = self.options.sample.map(|_| Tickets::of_seed(&self.options.seed));
        let mut drawn = Vec::new();
        let walked = self.store.headers(&mut |id, header| {
            match header {
                Ok(header) => {
                    self.declared.add(header.kind, header.size);
                    drawn.extend(tickets.as_ref().map(|tickets| tickets.of(id)));
                    progress.add(header.size);
                }
                Err(why) => {
                    self.headless.insert(id.to_owned());
                    self.check.add_unreadable(id, why);
                }
            }
            flow(stop)
        });
        self.stopped |= walked.stopped;
        self.check.add_damage(walked.damage);
        self.phases.headers = seconds_since(start);
        let (objects, stream_bytes) = (self.declared.count(), self.declared.stream_bytes());
        let Some((tickets, bytes)) = tickets.zip(self.options.sample).filter(|_| objects > 0) else {
            return Chosen { sample: None, whole: false, objects, stream_bytes };
        };
        let count = sample::count(objects, stream_bytes, bytes);
        if count == objects {
            return Chosen { sample: None, whole: true, objects, stream_bytes };
        }
        let highest = sample::highest_of_lowest(&mut drawn, count);
        let part = u128::from(stream_bytes) * u128::from(count) / u128::from(objects);
        Chosen { sample: Some((tickets, highest)), whole: false, objects: count, stream_bytes: part as u64 }
    }

    /// Measures curves, then reads, checks and hashes the chosen objects.
    ///
    /// # Errors
    /// In words, if there is no memory for it.
    pub(super) fn hash(&mut self, contest: &mut Contest, chosen: &Chosen) -> Result<(), String> {
        if self.stopped || chosen.objects == 0 {
            return Ok(());
        }
        let stop = self.stop;
        let pinned = pin();
        let start = Clock::Thread.now();
        // No further than the repository's objects go: on a tiny one, large messages would take most of the time.
        let sizes = sizes_up_to(self.declared.largest_stream());
        let progress = Progress::steps("time by size", sizes.len() as u64);
        let measured = contest.measure_curves(sizes, &mut || {
            progress.add(1);
            flow(stop)
        })?;
        self.stopped = measured.is_break();
        drop(progress);
        self.phases.curves = seconds_since(start);
        if !self.stopped {
            self.read(contest, chosen);
        }
        drop(pinned);
        Ok(())
    }

    fn read(&mut self, contest: &mut Contest, chosen: &Chosen) {
        let stop = self.stop;
        let batch_bytes = (chosen.stream_bytes / 32).clamp(64 << 10, BYTES_MAX as u64);
        self.repeats = repeats(self.options.repeat, chosen.stream_bytes, batch_bytes);
        let mut pass = Pass {
            contest,
            stop,
            repeats: self.repeats,
            check: &mut self.check,
            verified: &mut self.verified,
            ids: hashwell::Error::abort_without_memory(object_hash(self.place.hash).many(&Params::default()))
                .expect("no parameters"),
            phases: Phases::default(),
            progress: Progress::new(Some(chosen.stream_bytes)),
            batch: Batch::default(),
            hashed_bytes: 0,
            complaints: &mut self.complaints,
        };
        let mut reading = Clock::Thread.now();
        let walked = self.store.objects(|id| chosen.holds(id), &mut |id, object| {
            match object {
                Ok(object) => {
                    if pass.batch.is_full_for(&object, batch_bytes as usize) {
                        pass.phases.inflate += seconds_since(reading);
                        pass.finish();
                        reading = Clock::Thread.now();
                    }
                    if let Err(why) = pass.batch.push(id.to_owned(), &object) {
                        pass.check.add_unreadable(id, why);
                    }
                }
                Err(_) if self.headless.contains(id) => {}
                Err(why) => pass.check.add_unreadable(id, why),
            }
            flow(stop)
        });
        pass.phases.inflate += seconds_since(reading);
        if !walked.stopped {
            pass.finish();
        }
        self.stopped |= stop.load(Ordering::Relaxed);
        let Pass { phases, hashed_bytes, .. } = pass;
        self.phases =
            Phases { inflate: phases.inflate, check: phases.check, hash: phases.hash, ..self.phases };
        self.hashed_bytes = hashed_bytes;
        let (first, then) = (
            self.declared.count(),
            self.check.checked + self.check.unreadable.count - self.headless.len() as u64,
        );
        if chosen.sample.is_none() && !self.stopped && first != then {
            self.complaints
                .push(format!("the repository changed meanwhile: {first} objects at first, {then} then"));
        }
        self.check.add_damage(walked.damage);
        self.stopped |= walked.stopped;
    }

    pub(super) fn report(self, contest: &Contest, chosen: &Chosen) -> Report {
        let place = self.place;
        let sample = chosen.sample.as_ref().map(|_| Sample {
            seed: self.options.seed.clone(),
            objects: chosen.objects,
            stream_bytes: self.hashed_bytes,
        });
        // What was stopped, or could not be read in full, stands for itself only.
        let whole = (sample.is_some() && !self.stopped).then_some(&self.declared);
        // What was not read can be declared only.
        let sizes = if sample.is_some() || self.stopped { &self.declared } else { &self.verified };
        Report {
            schema: SCHEMA.to_owned(),
            repository: Repository {
                path: self.options.repository.display().to_string(),
                object_format: object_hash(place.hash).title.to_owned(),
                packs: self.store.packs(),
                packed_bytes: self.store.packed_bytes(),
                alternates: place.objects.len() - 1,
                objects: sizes.count(),
                stream_bytes: sizes.stream_bytes(),
            },
            run: Run {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                command: Vec::new(),
                cpu: hashwell_measure::report::machine::cpu_name(),
                complete: !self.stopped,
                hashed_bytes: self.hashed_bytes,
                sample,
                sample_is_whole: chosen.whole && !self.stopped,
                batches: contest.batches(),
                rounds: self.repeats.rounds,
                passes: self.repeats.passes,
                noisy: contest.noisy_part(),
                curves: self
                    .options
                    .speed
                    .as_ref()
                    .map_or("this run".into(), |path| path.display().to_string()),
                complaints: self.complaints,
            },
            sizes: sizes.table(),
            octaves: sizes.octaves(),
            check: self.check,
            phases: self.phases,
            rows: contest.rows(|curve| whole.map(|sizes| sizes.predicted_ns(curve))),
        }
    }
}

/// One way through the chosen objects.
struct Pass<'p> {
    contest: &'p mut Contest,
    stop: &'p AtomicBool,
    repeats: Repeats,
    check: &'p mut Check,
    verified: &'p mut Sizes,
    /// The hash that makes ids.
    ids: Many,
    phases: Phases,
    progress: Progress,
    batch: Batch,
    hashed_bytes: u64,
    complaints: &'p mut Vec<String>,
}

impl Pass<'_> {
    /// Checks and hashes what is in the batch.
    fn finish(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let start = Clock::Thread.now();
        let digests = self.ids.digest(&self.batch.messages());
        let digests = digests.chunks_exact(self.ids.output_len());
        for ((id, header), digest) in self.batch.objects().iter().zip(digests) {
            if self.check.compare(id, digest) {
                self.verified.add(header.kind, header.size);
            }
        }
        self.phases.check += seconds_since(start);
        let start = Clock::Thread.now();
        self.complaints.extend(self.contest.hash(&self.batch, self.repeats, self.stop));
        self.phases.hash += seconds_since(start);
        self.hashed_bytes += self.batch.bytes() as u64;
        self.progress.add(self.batch.bytes() as u64);
        self.batch.clear();
    }
}

/// The hash of a repository's ids.
fn object_hash(hash: gix_hash::Kind) -> &'static Algorithm {
    let name = match hash {
        gix_hash::Kind::Sha1 => "sha1",
        _ => "sha256",
    };
    hashwell::find(name).expect("a row of the registry")
}

/// How often to hash batches of `batch_bytes`: `asked` times, or until a hash of a gigabyte a second has had a second;
/// at least a millisecond a sample by such a hash, and enough samples for an interval.
fn repeats(asked: Option<u64>, total_bytes: u64, batch_bytes: u64) -> Repeats {
    let times = asked.unwrap_or_else(|| 1_000_000_000_u64.div_ceil(total_bytes));
    let passes = (1_u64 << 20).div_ceil(batch_bytes.min(total_bytes));
    let batches = total_bytes.div_ceil(batch_bytes) as usize;
    let rounds = times.div_ceil(passes) as usize;
    Repeats { rounds: rounds.max(UNITS_MIN.div_ceil(batches)), passes }
}

/// A break once `stop` is true.
fn flow(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn seconds_since(start: u64) -> f64 {
    // A clock may go back, on a machine that is moved or by a mistake of the system.
    Clock::Thread.now().saturating_sub(start) as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_repositories_are_hashed_more_often() {
        let of = |asked, total, batch| {
            let Repeats { rounds, passes } = repeats(asked, total, batch);
            (rounds, passes)
        };
        assert_eq!(of(None, 14 << 30, 32 << 20), (1, 1));
        assert_eq!(of(None, 100_000_000, 3 << 20), (10, 1));
        assert_eq!(of(None, 1 << 20, 64 << 10), (60, 16));
        assert_eq!(of(None, 10, 64 << 10), (954, 104_858));
        assert_eq!(of(Some(3), 14 << 30, 32 << 20), (3, 1));
        // One batch alone still gives an interval.
        assert_eq!(of(Some(1), 60_000, 64 << 10), (8, 18));
    }
}
