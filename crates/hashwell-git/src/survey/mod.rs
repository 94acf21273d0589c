//! Measures which hash function would be the fastest for the objects of a repository.
//!
//! ```text
//! store -> headers -> sizes -> sample
//!       -> objects -> batch -> check, contest (times) -> report -> view
//! ```
//!
//! A survey needs memory for a batch of 32 MiB, 64 MiB of bases for deltas, 42 bytes for each object of the largest
//! pack (8 more for each object if a sample is taken), the indexes, and four times the size of the largest object. The
//! size of objects is limited.

mod batch;
mod contest;
mod operations;
mod report;
mod sample;
mod sizes;
mod view;

pub use report::Report;
pub use view::render_all;

use crate::id::ObjectId;
use crate::object::ObjectType;
use crate::store::Store;
use crate::store::place::{self, Place};
use crate::store::read::{Limit, Object};
use batch::{BYTES_MAX, Batch};
use contest::{Contest, Repeats, UNITS_MIN};
use hashwell::{Algorithm, Many, Params};
use hashwell_measure::engine::curve::sizes_up_to;
use hashwell_measure::peers::Provider;
use hashwell_measure::report::Report as SpeedReport;
use hashwell_measure::timing::clock::{Clock, pin};
use hashwell_work::room;
use report::{Check, Operations, Phases, Repository, Run, SCHEMA, Sample};
use sample::Tickets;
use sizes::Sizes;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The algorithms to measure by default: the candidates when git chose its hash in 2018, and newer ones.
pub const DEFAULT_ALGORITHMS: [&str; 10] = [
    "sha1",
    "sha256",
    "sha512-256",
    "sha3-256",
    "shake128",
    "kt128",
    "blake2b-256",
    "blake2bp-512",
    "blake2s-256",
    "blake3",
];

/// The options of a survey.
#[derive(Clone, Debug)]
pub struct Options {
    /// A folder of the repository: a working tree, `.git`, or a bare repository.
    pub repository: PathBuf,
    /// The algorithms to measure.
    pub algorithms: Vec<&'static Algorithm>,
    /// The maximum size in bytes of an object that is read. Larger ones are reported as unreadable.
    pub max_object: u64,
    /// The approximate number of bytes to hash. `None` means all objects.
    pub sample: Option<u64>,
    /// The public seed that determines the sample.
    pub seed: String,
    /// The number of times that every object is hashed. `None` means as often as needed to hash a gigabyte, within the
    /// limit `seconds`.
    pub repeat: Option<u64>,
    /// The time limit in seconds for hashing objects more than once.
    pub seconds: u64,
    /// A report of `hashwell speed` with times by size, and its path. Missing times are measured.
    pub speed: Option<(PathBuf, SpeedReport)>,
    /// True if the installed git is run to measure its operations.
    pub operations: bool,
    /// The command line, for the report.
    pub command: Vec<String>,
}

/// A step of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reading object headers. Progress is in bytes.
    Headers,
    /// Measuring times at this number of message sizes. Progress is in sizes.
    Curves(u64),
    /// Reading and hashing objects with this total number of bytes. Progress is in bytes.
    Objects(u64),
    /// Running git's own operations. There is no progress.
    Operations,
}

/// Receives the progress of a survey.
pub trait Progress {
    /// A step begins.
    fn begin(&self, step: Step);
    /// The current step has progressed by `amount`.
    fn add(&self, amount: u64);
    /// The current step ends.
    fn end(&self);
}

/// Surveys a repository with hashwell's own functions and those of `peers`, until `stop` is true.
///
/// # Errors
/// Returns a message if there is no repository, or if there is not enough memory.
pub fn survey(
    options: &Options,
    peers: &[Box<dyn Provider>],
    stop: &AtomicBool,
    progress: &dyn Progress,
) -> Result<Report, String> {
    let (place, damage) = place::find(&options.repository)?;
    let mut survey = Survey::new(options, &place, stop, progress);
    survey.check.add_damage(damage);
    let chosen = survey.headers();
    // The list of hashes is small, but a failure to allocate it would abort the process.
    room(256 << 10).map_err(|_| "not enough memory for the list of hashes to compare".to_owned())?;
    let mut contest = Contest::new(&options.algorithms, place.hash, peers);
    if let Some((_, speed)) = &options.speed {
        contest.take_curves(speed);
    }
    survey.hash(&mut contest, &chosen)?;
    if options.operations && !survey.stopped {
        survey.operations();
    }
    Ok(survey.report(&contest, &chosen))
}

/// The objects to hash.
struct Chosen {
    /// The function that computes tickets, and the highest ticket in the sample. `None` if all objects are hashed.
    sample: Option<(Tickets, u64)>,
    /// True if a sample was requested that is not smaller than the repository.
    whole: bool,
    objects: u64,
    /// The approximate number of bytes to hash, including headers. It is exact if there is no sample.
    stream_bytes: u64,
}

impl Chosen {
    fn holds(&self, id: &ObjectId) -> bool {
        self.sample.as_ref().is_none_or(|(tickets, highest)| tickets.of(id) <= *highest)
    }
}

/// The state of a survey.
struct Survey<'a> {
    options: &'a Options,
    place: &'a Place,
    store: Store,
    stop: &'a AtomicBool,
    progress: &'a dyn Progress,
    /// The sizes of all objects, as their headers declare them.
    declared: Sizes,
    /// The sizes of the objects whose hash is their id.
    verified: Sizes,
    check: Check,
    /// The objects whose header could not be read.
    headless: HashSet<ObjectId>,
    phases: Phases,
    repeats: Repeats,
    hashed_bytes: u64,
    operations: Option<Operations>,
    complaints: Vec<String>,
    stopped: bool,
}

impl<'a> Survey<'a> {
    fn new(options: &'a Options, place: &'a Place, stop: &'a AtomicBool, progress: &'a dyn Progress) -> Self {
        let (store, damage) = Store::open(place, Limit(options.max_object));
        let mut survey = Self {
            options,
            place,
            store,
            stop,
            progress,
            declared: Sizes::default(),
            verified: Sizes::default(),
            check: Check::default(),
            headless: HashSet::new(),
            phases: Phases::default(),
            repeats: Repeats { rounds: 1, least: 1, passes: 1 },
            hashed_bytes: 0,
            operations: None,
            complaints: Vec::new(),
            stopped: false,
        };
        survey.check.add_damage(damage);
        survey
    }

    /// Reads all headers, and chooses what to hash.
    fn headers(&mut self) -> Chosen {
        let (stop, progress) = (self.stop, self.progress);
        let start = Clock::Thread.now();
        progress.begin(Step::Headers);
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
                    self.headless.insert(*id);
                    self.check.add_unreadable(id, why);
                }
            }
            flow(stop)
        });
        progress.end();
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

    /// Measures curves, and then reads, checks and hashes the chosen objects.
    ///
    /// # Errors
    /// Returns a message if there is not enough memory.
    fn hash(&mut self, contest: &mut Contest, chosen: &Chosen) -> Result<(), String> {
        if self.stopped || chosen.objects == 0 {
            return Ok(());
        }
        let (stop, progress) = (self.stop, self.progress);
        let pinned = pin();
        let start = Clock::Thread.now();
        // Do not measure sizes beyond those of the repository's objects: for a tiny repository, large messages would
        // take most of the time.
        let sizes = sizes_up_to(self.declared.largest_stream());
        progress.begin(Step::Curves(sizes.len() as u64));
        let measured = contest.measure_curves(sizes, &mut || {
            progress.add(1);
            flow(stop)
        });
        progress.end();
        self.stopped = measured?.is_break();
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
        // The share of the sample in the total number of objects.
        let part = chosen.objects as f64 / self.declared.count() as f64;
        let one_pass = contest.predicted_ns(|curve| self.declared.predicted_ns(curve)) * part;
        let affordable = self.options.seconds as f64 * 1e9 / one_pass.max(1.0);
        self.repeats = repeats(self.options.repeat, affordable as u64, chosen.stream_bytes, batch_bytes);
        self.progress.begin(Step::Objects(chosen.stream_bytes));
        let mut pass = Pass {
            contest,
            end: self
                .options
                .repeat
                .is_none()
                .then(|| Instant::now() + Duration::from_secs(self.options.seconds)),
            stop,
            repeats: self.repeats,
            check: &mut self.check,
            verified: &mut self.verified,
            ids: hashwell::Error::abort_without_memory(self.place.hash.algorithm().many(&Params::default()))
                .expect("no parameters"),
            phases: Phases::default(),
            progress: self.progress,
            batches: Default::default(),
            hashed_bytes: 0,
            complaints: &mut self.complaints,
        };
        let mut reading = Clock::Thread.now();
        let walked = self.store.objects(|id| chosen.holds(id), &mut |id, object| {
            match object {
                Ok(object) => {
                    while let Some(full) = pass.full_for(&object, batch_bytes as usize) {
                        pass.phases.inflate += seconds_since(reading);
                        pass.finish(full);
                        reading = Clock::Thread.now();
                    }
                    if let Err(why) = pass.batches[place_of(object.kind)].push(*id, &object) {
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
            (0..pass.batches.len()).for_each(|place| pass.finish(place));
        }
        self.progress.end();
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
            self.complaints.push(format!(
                "the repository changed during the run: it had {first} objects at the start and {then} later"
            ));
        }
        self.check.add_damage(walked.damage);
        self.stopped |= walked.stopped;
    }

    /// Runs git's own operations.
    fn operations(&mut self) {
        self.progress.begin(Step::Operations);
        let (packs, loose) = (self.store.pack_files(), self.store.loose_objects());
        let repository = &self.options.repository;
        self.operations = Some(operations::measure(repository, &packs, loose, self.place.hash, self.stop));
        self.progress.end();
        self.stopped |= self.stop.load(Ordering::Relaxed);
    }

    fn report(self, contest: &Contest, chosen: &Chosen) -> Report {
        let place = self.place;
        let sample = chosen.sample.as_ref().map(|_| Sample {
            seed: self.options.seed.clone(),
            objects: chosen.objects,
            stream_bytes: self.hashed_bytes,
        });
        // If the run was stopped or some objects could not be read, the results are only for the objects that were
        // hashed.
        let whole = (sample.is_some() && !self.stopped).then_some(&self.declared);
        // For objects that were not read, only the declared sizes are known.
        let sizes = if sample.is_some() || self.stopped { &self.declared } else { &self.verified };
        Report {
            schema: SCHEMA.to_owned(),
            repository: Repository {
                path: self.options.repository.display().to_string(),
                object_format: place.hash.algorithm().title.to_owned(),
                packs: self.store.packs(),
                packed_bytes: self.store.packed_bytes(),
                alternates: place.objects.len() - 1,
                objects: sizes.count(),
                stream_bytes: sizes.stream_bytes(),
            },
            run: Run {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                command: self.options.command.clone(),
                cpu: hashwell_measure::report::machine::cpu_name(),
                complete: !self.stopped,
                hashed_bytes: self.hashed_bytes,
                sample,
                sample_is_whole: chosen.whole && !self.stopped,
                batches: contest.batches(),
                rounds: contest.rounds_of_a_batch(),
                passes: self.repeats.passes,
                noisy: contest.noisy_part(),
                curves: self
                    .options
                    .speed
                    .as_ref()
                    .map_or("this run".into(), |(path, _)| path.display().to_string()),
                complaints: self.complaints,
            },
            sizes: sizes.table(),
            octaves: sizes.octaves(),
            check: self.check,
            phases: self.phases,
            operations: self.operations,
            rows: contest.rows(whole),
        }
    }
}

/// One pass over the chosen objects.
struct Pass<'p> {
    contest: &'p mut Contest,
    /// The time after which no object is hashed again.
    end: Option<Instant>,
    stop: &'p AtomicBool,
    repeats: Repeats,
    check: &'p mut Check,
    verified: &'p mut Sizes,
    /// The hash function for ids.
    ids: Many,
    phases: Phases,
    progress: &'p dyn Progress,
    /// The objects that wait, in a batch for each of [`ObjectType::ALL`]. Together they are limited to the size of one
    /// batch.
    batches: [Batch; ObjectType::ALL.len()],
    hashed_bytes: u64,
    complaints: &'p mut Vec<String>,
}

impl Pass<'_> {
    /// The batch to hash before `object` is added, if there are too many bytes or objects.
    fn full_for(&self, object: &Object<'_>, bytes: usize) -> Option<usize> {
        let own = place_of(object.kind);
        let others: usize = self.batches.iter().map(Batch::bytes).sum::<usize>() - self.batches[own].bytes();
        if self.batches[own].is_full_for(object, bytes) {
            return Some(own);
        }
        let most = object.content.len() + self.batches[own].bytes();
        let largest = (0..self.batches.len()).max_by_key(|place| self.batches[*place].bytes());
        largest.filter(|_| others > 0 && others + most > bytes)
    }

    /// Checks and hashes the objects in a batch.
    fn finish(&mut self, place: usize) {
        let batch = &mut self.batches[place];
        if batch.is_empty() {
            return;
        }
        let start = Clock::Thread.now();
        let digests = self.ids.digest(&batch.messages());
        let digests = digests.chunks_exact(self.ids.output_len());
        for ((id, header), digest) in batch.objects().iter().zip(digests) {
            if self.check.compare(id, digest) {
                self.verified.add(header.kind, header.size);
            }
        }
        self.phases.check += seconds_since(start);
        let start = Clock::Thread.now();
        let late = || self.end.is_some_and(|end| Instant::now() >= end);
        self.complaints.extend(self.contest.hash(batch, self.repeats, self.stop, late));
        self.phases.hash += seconds_since(start);
        self.hashed_bytes += batch.bytes() as u64;
        self.progress.add(batch.bytes() as u64);
        batch.clear();
    }
}

/// The place of a type in [`ObjectType::ALL`].
fn place_of(kind: ObjectType) -> usize {
    ObjectType::ALL.iter().position(|known| *known == kind).expect("every type is listed")
}

/// The number of times to hash batches of `batch_bytes`. This is the number that was `asked` for, or else the number
/// for which a hash with a gigabyte per second takes one second. If it is not asked for, it is at most `affordable`,
/// the number for which there is time. There are always enough samples for an interval. If there is time, each sample
/// consists of enough passes to take at least a millisecond with such a hash.
fn repeats(asked: Option<u64>, affordable: u64, total_bytes: u64, batch_bytes: u64) -> Repeats {
    let times = asked.unwrap_or_else(|| 1_000_000_000_u64.div_ceil(total_bytes).min(affordable).max(1));
    let batches = total_bytes.div_ceil(batch_bytes) as usize;
    let least = UNITS_MIN.div_ceil(batches);
    let long_enough = (1_u64 << 20).div_ceil(batch_bytes.min(total_bytes));
    let passes = match asked {
        Some(_) => long_enough,
        None => long_enough.min(affordable / least as u64).max(1),
    };
    Repeats { rounds: (times.div_ceil(passes) as usize).max(least), least, passes }
}

/// Returns a break if `stop` is true.
fn flow(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn seconds_since(start: u64) -> f64 {
    // A clock may go back if a virtual machine is migrated, or because of an error of the system.
    Clock::Thread.now().saturating_sub(start) as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_row() {
        for name in DEFAULT_ALGORITHMS {
            assert_eq!(hashwell::find(name).unwrap().name, name);
        }
    }

    #[test]
    fn small_repositories_are_hashed_more_often() {
        let of = |asked, total, batch| {
            let Repeats { rounds, passes, .. } = repeats(asked, u64::MAX, total, batch);
            (rounds, passes)
        };
        assert_eq!(of(None, 14 << 30, 32 << 20), (1, 1));
        assert_eq!(of(None, 100_000_000, 3 << 20), (10, 1));
        assert_eq!(of(None, 1 << 20, 64 << 10), (60, 16));
        assert_eq!(of(None, 10, 64 << 10), (954, 104_858));
        assert_eq!(of(Some(3), 14 << 30, 32 << 20), (3, 1));
        let of = |affordable| {
            let Repeats { rounds, passes, .. } = repeats(None, affordable, 600, 64 << 10);
            (rounds, passes)
        };
        // Six objects of 100 bytes are hashed as often as there is time for, and eight times if there is no time.
        assert_eq!(of(200_000), (115, 1748));
        assert_eq!(of(800), (8, 100));
        assert_eq!(of(0), (8, 1));
    }

    #[test]
    fn asked_for_is_done() {
        let of = |asked, total, batch| {
            let Repeats { rounds, passes, .. } = repeats(asked, 0, total, batch);
            (rounds, passes)
        };
        assert_eq!(of(Some(3), 14 << 30, 32 << 20), (3, 1));
        // Even a single batch gives an interval.
        assert_eq!(of(Some(1), 60_000, 64 << 10), (8, 18));
    }
}
