//! Measures which hash function would be fastest for the objects of a repository.
//!
//! ```text
//! store -> headers -> sizes -> sample
//!       -> objects -> batch -> check, contest (times) -> report -> view
//! ```
//!
//! Memory: a batch of 32 MiB, 64 MiB of bases of deltas, 42 bytes for each object of the largest pack (8 more for each object
//! with a sample), the indexes, and four times the largest object, which is limited.

mod batch;
mod contest;
mod report;
mod sample;
mod sizes;
mod view;

pub use report::Report;

use crate::id::ObjectId;
use crate::store::Store;
use crate::store::place::{self, Place};
use crate::store::read::Limit;
use batch::{BYTES_MAX, Batch};
use contest::{Contest, Repeats, UNITS_MIN};
use hashwell::{Algorithm, Many, Params};
use hashwell_measure::engine::curve::sizes_up_to;
use hashwell_measure::peers::Provider;
use hashwell_measure::report::Report as SpeedReport;
use hashwell_measure::timing::clock::{Clock, pin};
use hashwell_work::room;
use report::{Check, Phases, Repository, Run, SCHEMA, Sample};
use sample::Tickets;
use sizes::Sizes;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The algorithms to measure unless you choose others: the candidates of git's choice in 2018, and newer ones.
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
    /// A folder of the repository: working tree, `.git`, or bare.
    pub repository: PathBuf,
    /// The algorithms to measure.
    pub algorithms: Vec<&'static Algorithm>,
    /// The largest object that is read, in bytes. Larger ones are reported as unreadable.
    pub max_object: u64,
    /// The approximate number of bytes to hash. `None`: all objects.
    pub sample: Option<u64>,
    /// The public seed that chooses the sample.
    pub seed: String,
    /// The number of times that every object is hashed. `None`: as often as makes a gigabyte, within `seconds`.
    pub repeat: Option<u64>,
    /// Seconds for hashing objects more than once.
    pub seconds: u64,
    /// A report of `hashwell speed` with times by size, and its path. Times that it does not have are measured.
    pub speed: Option<(PathBuf, SpeedReport)>,
    /// The command line, for the report.
    pub command: Vec<String>,
}

/// A step of a survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reading object headers; counts bytes.
    Headers,
    /// Measuring times at this number of message sizes; counts sizes.
    Curves(u64),
    /// Reading and hashing objects of this many bytes; counts bytes.
    Objects(u64),
}

/// Receives the progress of a survey.
pub trait Progress {
    /// A step begins.
    fn begin(&self, step: Step);
    /// The current step has done `amount` more.
    fn add(&self, amount: u64);
    /// The current step ends.
    fn end(&self);
}

/// Surveys a repository with hashwell's own functions and those of `peers`, until `stop` is true.
///
/// # Errors
/// A sentence, if there is no repository, or too little memory.
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
    room(256 << 10).map_err(|_| "no memory for the list of hashes to compare".to_owned())?;
    let mut contest = Contest::new(&options.algorithms, place.hash, peers);
    if let Some((_, speed)) = &options.speed {
        contest.take_curves(speed);
    }
    survey.hash(&mut contest, &chosen)?;
    Ok(survey.report(&contest, &chosen))
}

/// The objects to hash.
struct Chosen {
    /// The tickets and the highest of the sample; all objects without it.
    sample: Option<(Tickets, u64)>,
    /// True if a sample was asked for that is not smaller than the whole.
    whole: bool,
    objects: u64,
    /// About how many bytes of streams they are; exact without a sample.
    stream_bytes: u64,
}

impl Chosen {
    fn holds(&self, id: &ObjectId) -> bool {
        self.sample.as_ref().is_none_or(|(tickets, highest)| tickets.of(id) <= *highest)
    }
}

/// The way through a repository.
struct Survey<'a> {
    options: &'a Options,
    place: &'a Place,
    store: Store,
    stop: &'a AtomicBool,
    progress: &'a dyn Progress,
    /// Sizes of all objects, as their headers declare them.
    declared: Sizes,
    /// Sizes of the objects whose hash is their id.
    verified: Sizes,
    check: Check,
    /// Objects whose header could not be read.
    headless: HashSet<ObjectId>,
    phases: Phases,
    repeats: Repeats,
    hashed_bytes: u64,
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

    /// Measures curves, then reads, checks and hashes the chosen objects.
    ///
    /// # Errors
    /// In words, if there is no memory for it.
    fn hash(&mut self, contest: &mut Contest, chosen: &Chosen) -> Result<(), String> {
        if self.stopped || chosen.objects == 0 {
            return Ok(());
        }
        let (stop, progress) = (self.stop, self.progress);
        let pinned = pin();
        let start = Clock::Thread.now();
        // No further than the repository's objects go: on a tiny one, large messages would take most of the time.
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
        // Of a sample as many as of the whole, in proportion.
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
                    if let Err(why) = pass.batch.push(*id, &object) {
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

    fn report(self, contest: &Contest, chosen: &Chosen) -> Report {
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
            rows: contest.rows(|curve| whole.map(|sizes| sizes.predicted_ns(curve))),
        }
    }
}

/// One way through the chosen objects.
struct Pass<'p> {
    contest: &'p mut Contest,
    /// When no object is hashed once more.
    end: Option<Instant>,
    stop: &'p AtomicBool,
    repeats: Repeats,
    check: &'p mut Check,
    verified: &'p mut Sizes,
    /// The hash that makes ids.
    ids: Many,
    phases: Phases,
    progress: &'p dyn Progress,
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
        let late = || self.end.is_some_and(|end| Instant::now() >= end);
        self.complaints.extend(self.contest.hash(&self.batch, self.repeats, self.stop, late));
        self.phases.hash += seconds_since(start);
        self.hashed_bytes += self.batch.bytes() as u64;
        self.progress.add(self.batch.bytes() as u64);
        self.batch.clear();
    }
}

/// How often to hash batches of `batch_bytes`: `asked` times, or until a hash of a gigabyte a second has had a second, but not
/// more than `affordable` times, for which there is time. There are enough samples for an interval, each of at least a
/// millisecond by such a hash where that can be afforded.
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
        // Six objects of 100 bytes: as often as there is time for, and eight times if there is none.
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
        // One batch alone still gives an interval.
        assert_eq!(of(Some(1), 60_000, 64 << 10), (8, 18));
    }
}
