//! The result of a survey: the types are the JSON, and everything printed is made from them.

use super::sizes::Line;
use crate::id::ObjectId;
use crate::store::read::Damage;
use hashwell::Algorithm;
use hashwell_measure::report::Standing;
use hashwell_measure::timing::statistics::Estimate;
use serde::Serialize;
use std::fmt::{self, Display};

/// [`Report::schema`] of this version.
pub(super) const SCHEMA: &str = "hashwell-git/1";

/// The result of a survey.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name and version of this format.
    pub(super) schema: String,
    pub(super) repository: Repository,
    pub(super) run: Run,
    /// Sizes of the objects that are what their ids say, by type, then of all. If a sample was hashed, or the run was
    /// stopped: of all objects, as their headers declare them.
    pub(super) sizes: Vec<Line>,
    /// Bytes that go into the hash in objects of 2^n to 2^(n+1) - 1 such bytes, by n.
    pub(super) octaves: Vec<u64>,
    pub(super) check: Check,
    pub(super) phases: Phases,
    /// Secure algorithms first, broken ones last; within each group the fastest first.
    pub(super) rows: Vec<Row>,
}

/// The repository that was read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Repository {
    pub(super) path: String,
    /// The hash function of its ids: `SHA-1` or `SHA-256`.
    pub(super) object_format: String,
    pub(super) packs: usize,
    /// Bytes of the packs on disk, with their indexes.
    pub(super) packed_bytes: u64,
    pub(super) alternates: usize,
    /// The objects of [`Report::sizes`].
    pub(super) objects: u64,
    /// Bytes of theirs that go into the hash: contents and headers.
    pub(super) stream_bytes: u64,
}

/// How it ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Run {
    pub(super) version: String,
    pub(super) command: Vec<String>,
    pub(super) cpu: String,
    /// False if it was stopped: rows are about what was hashed until then.
    pub(super) complete: bool,
    /// Bytes that every contestant hashed.
    pub(super) hashed_bytes: u64,
    /// The sample that was hashed, if not all objects were.
    pub(super) sample: Option<Sample>,
    /// True if a sample was asked for that is not smaller than the repository: everything was hashed.
    pub(super) sample_is_whole: bool,
    /// Batches that were timed.
    pub(super) batches: usize,
    /// Samples of each batch.
    pub(super) rounds: usize,
    /// Passes of each sample.
    pub(super) passes: u64,
    /// The part of the rounds in which another process used the core.
    pub(super) noisy: f64,
    /// The source of predictions: a file, or `this run`.
    pub(super) curves: String,
    /// Lines for the user.
    pub(super) complaints: Vec<String>,
}

/// A part of the objects, each as likely as any other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Sample {
    pub(super) seed: String,
    pub(super) objects: u64,
    /// Bytes that go into the hash.
    pub(super) stream_bytes: u64,
}

/// The comparison of objects with their ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Check {
    /// Objects whose hash was computed and compared.
    pub(super) checked: u64,
    /// Ids of those whose hash is another.
    pub(super) mismatches: Named<String>,
    /// Objects that could not be read.
    pub(super) unreadable: Named<Unreadable>,
    /// Packs and folders that could not be used, or not in full.
    pub(super) damaged: Named<Unreadable>,
}

/// Things that are all counted, the first thousand of them named.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Named<T> {
    pub(super) count: u64,
    pub(super) first: Vec<T>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self { count: 0, first: Vec::new() }
    }
}

impl<T> Named<T> {
    fn add(&mut self, thing: T) {
        self.count += 1;
        if self.first.len() < 1000 {
            self.first.push(thing);
        }
    }
}

/// Something that is there but cannot be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Unreadable {
    /// Id of an object, or path.
    pub(super) name: String,
    pub(super) why: String,
}

impl Check {
    pub(super) fn is_right(&self) -> bool {
        self.mismatches.count + self.unreadable.count + self.damaged.count == 0
    }

    /// Says whether the digest is the id.
    pub(super) fn compare(&mut self, id: &ObjectId, digest: &[u8]) -> bool {
        self.checked += 1;
        let right = id.as_bytes() == digest;
        if !right {
            self.mismatches.add(id.to_string());
        }
        right
    }

    pub(super) fn add_unreadable(&mut self, id: &ObjectId, why: String) {
        self.unreadable.add(Unreadable { name: id.to_string(), why });
    }

    /// Adds damage, unless another walk has added it before.
    pub(super) fn add_damage(&mut self, damage: Vec<Damage>) {
        for Damage { path, why } in damage {
            let damage = Unreadable { name: path.display().to_string(), why };
            if !self.damaged.first.contains(&damage) {
                self.damaged.add(damage);
            }
        }
    }
}

/// CPU seconds of this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Phases {
    /// Finding objects and reading their headers.
    pub(super) headers: f64,
    /// Measuring curves.
    pub(super) curves: f64,
    /// Inflating and applying deltas.
    pub(super) inflate: f64,
    /// Comparing hashes with ids.
    pub(super) check: f64,
    /// Hashing with every candidate, several times.
    pub(super) hash: f64,
}

/// One who hashes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Who {
    /// Canonical name of the algorithm.
    pub(super) algorithm: String,
    /// Name for people.
    pub(super) title: String,
    /// `sound`, `broken`, ...
    pub(super) status: String,
    /// Whose program.
    pub(super) provider: String,
    pub(super) kernel: Option<String>,
    /// True if one call gets all objects of a batch, so that it may hash several in SIMD lanes.
    pub(super) many: bool,
    /// True if git uses this in such a repository.
    pub(super) git_now: bool,
}

impl Who {
    pub(super) fn new(algorithm: &Algorithm, provider: String, many: bool, kernel: Option<String>) -> Self {
        let (name, title) = (algorithm.name.to_owned(), algorithm.title.to_owned());
        let status = algorithm.status.name().to_owned();
        Self { algorithm: name, title, status, provider, kernel, many, git_now: false }
    }

    pub(super) fn standing(&self) -> Standing {
        Standing::of(&self.algorithm)
    }

    /// `SHA-1, broken`.
    pub(super) fn titled(&self) -> String {
        self.standing().titled(&self.title)
    }
}

impl Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}{})", self.titled(), self.provider, if self.many { ", many at once" } else { "" })
    }
}

/// One who hashes, with the result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) who: Who,
    /// CPU time of one thread for all objects, seconds.
    pub(super) seconds: Estimate,
    /// Its ratio to what git uses now, if that was timed.
    pub(super) over_now: Option<Estimate>,
    /// True if the row above is as secure and the interval of the ratio to it contains 1: neither is known to be faster.
    pub(super) tie_with_above: bool,
    /// Seconds that the curve of time over size predicts for all objects.
    pub(super) predicted_seconds: f64,
    /// The curve: bytes and nanoseconds of one message.
    pub(super) curve: Vec<(u64, f64)>,
}

impl Row {
    /// The larger part of the interval on one side of the time, over the time.
    pub(super) fn half_width(&self) -> f64 {
        let Estimate { value, low, high } = self.seconds;
        (high / value - 1.0).max(1.0 - low / value)
    }

    /// Measured over predicted, less one.
    pub(super) fn deviation(&self) -> f64 {
        self.seconds.value / self.predicted_seconds - 1.0
    }
}

impl Report {
    /// Bytes that the times of rows are for: all that a sample stands for, or what was hashed.
    pub(super) fn hashed_bytes(&self) -> u64 {
        let estimated = self.run.complete && self.run.sample.is_some();
        if estimated { self.repository.stream_bytes } else { self.run.hashed_bytes }
    }
}
